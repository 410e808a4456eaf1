"""Proofs in files: one for each claim, below one folder. A file is anybody's, and is read as such."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from verifier.claim.model import Claim, VerdictName
from verifier.evidence import SideKind, SideProof
from verifier.proofs.statement import Statement, stated
from verifier.read.specs.spec_files import content_of

SCHEMA = 1
MOST_CHARACTERS = 8_000_000
DEEPEST = 64
LONGEST_NAME = 80
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")

Json = Any


class Unreadable(Exception):
    """A file that is no proof file; the message says why."""


class Missing(Unreadable):
    """There is no such file."""


@dataclass(frozen=True)
class Beside:
    """What else a file says is shown, and a proof for every goal of one way of showing it."""

    kind: SideKind
    of: str
    step: int
    way: int
    proofs: tuple[list[Json], ...]

    @property
    def words(self) -> str:
        return f"{self.kind} {self.of}".rstrip()


@dataclass(frozen=True)
class Stored:
    """What a file says: a proof per step of the claim, None for a step that nobody decided."""

    claim: str
    verdict: str
    statement: Statement
    steps: tuple[list[Json] | None, ...]
    beside: tuple[Beside, ...] = ()


def name_of(claim_id: str) -> str:
    """A file's name, without a way out of its folder: what can be read of the id, and its digest, which keeps
    ids apart."""
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", claim_id).strip("-")[:LONGEST_NAME]
    return f"{plain}-{hashlib.sha256(claim_id.encode()).hexdigest()[:12]}.json"


def written(
    claim: Claim, verdict: VerdictName, steps: Sequence[str | None], sides: Sequence[SideProof] = ()
) -> str:
    """The text of a claim's file; each proof is text already."""
    made = {
        "schema": SCHEMA,
        "claim": claim.id,
        "verdict": verdict,
        "statement": stated(claim),
        "steps": [None if step is None else json.loads(step) for step in steps],
        "beside": [_beside(side) for side in sides],
    }
    return json.dumps(made, indent=1) + "\n"


def _beside(side: SideProof) -> Json:
    shown = {"kind": side.kind, "of": side.of, "step": side.step, "way": side.way}
    return {**shown, "proofs": [json.loads(text) for text in side.text]}


def read(folder: Path, claim_id: str, most: int = MOST_CHARACTERS) -> Stored:
    """What is stored for a claim; raises Unreadable."""
    path = folder / name_of(claim_id)
    try:
        content = content_of(path)
    except FileNotFoundError:
        raise Missing("there is no proof of it") from None
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error.strerror or error}") from None
    try:
        found = parsed(content.decode("utf-8"), most)
    except ValueError as error:
        raise Unreadable(f"{path.name} is no proof file: {error}") from None
    match found:
        case {
            "schema": int() as schema,
            "claim": str() as claim,
            "verdict": str() as verdict,
            "statement": dict() as statement,
            "steps": list() as steps,
        } if all(step is None or isinstance(step, list) for step in steps):
            if schema != SCHEMA:
                raise Unreadable(f"{path.name} has schema {schema}; this program reads {SCHEMA}")
            if claim != claim_id:
                raise Unreadable(f"{path.name} is about {claim}")
            sides = found.get("beside", [])
            beside = tuple(_side(item, path.name) for item in (sides if isinstance(sides, list) else [sides]))
            return Stored(claim, verdict, statement, tuple(steps), beside)
    raise Unreadable(f"{path.name} is no proof file: a key is missing, or is something else")


def _side(item: Json, file: str) -> Beside:
    match item:
        case {
            "kind": str() as kind,
            "of": str() as of,
            "step": int() as step,
            "way": int() as way,
            "proofs": list() as proofs,
        } if kind in get_args(SideKind) and all(isinstance(proof, list) for proof in proofs):
            return Beside(cast(SideKind, kind), of, step, way, tuple(proofs))
    raise Unreadable(f"{file} is no proof file: what it shows beside the verdict is something else")


def parsed(text: str, most: int = MOST_CHARACTERS) -> Json:
    """Strict JSON of a sensible size, without floating point; raises ValueError."""
    if len(text) > most:
        raise ValueError(f"it has more than {most:,} characters")
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > DEEPEST:
            raise ValueError(f"it is nested more than {DEEPEST} deep")
    return json.loads(text, parse_float=_refused, parse_constant=_refused, object_pairs_hook=_once)


def _refused(text: str) -> object:
    raise ValueError(f"{text[:20]} is floating point")


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands there twice")
    return found
