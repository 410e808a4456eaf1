"""One claim in other clothes: another seed, other names, another order, its assumptions in other words.

A verdict depends on the mathematics alone. So none of these may turn one decided verdict into another, and
what is proved of one is proved of all.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from verifier import Settings, Verdict, load_text, verify

Theorem = Mapping[str, Any]  # as it is written: symbols, let, assumptions, claims
DECIDED = ("holds", "loose", "fails", "error")
EXACT = ("proved", "certified")
SIDES = re.compile(r"([^=<>!]+)(<=|>=|<|>)([^=<>!]+)")
FLIPPED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<"}
PLAIN = {"symbols", "let", "assumptions", "claims", "theorem", "title", "source", "schema"}


@dataclass(frozen=True)
class Said:
    """What a run says of one claim."""

    verdict: str
    evidence: str | None

    def agrees(self, other: Said) -> bool:
        """No decided verdict against another one, and nothing proved on one side alone."""
        both = self.verdict in DECIDED and other.verdict in DECIDED
        proved = self.evidence in EXACT, other.evidence in EXACT
        return (not both or self.verdict == other.verdict) and proved[0] == proved[1]


def read(path: Path) -> list[Theorem]:
    """The theorems of a claim file whose names are all among their symbols."""
    found = [dict(item) for item in YAML(typ="safe").load_all(path.read_text())]
    return [item for item in found if item.keys() <= PLAIN]


def single(theorems: Iterable[Theorem]) -> list[Theorem]:
    """A theorem of its own for each claim, under a number."""
    found: list[Theorem] = []
    for theorem in theorems:
        for claim in theorem["claims"].values():
            if "each" not in claim:
                number = f"{len(found):04}"
                found.append({**theorem, "theorem": f"same/t{number}", "claims": {"c": dict(claim)}})
    return found


def judged(theorems: Iterable[Theorem], settings: Settings) -> list[Said]:
    """In the order of their theorems' names' last digits, which all variants keep."""
    text = io.StringIO()
    writer = YAML()
    writer.width = 10_000
    writer.dump_all([_written(theorem) for theorem in theorems], text)
    run = verify(load_text(text.getvalue()), settings)
    assert not run.problems, run.problems
    found = {}
    for item in run.verdicts:
        number = re.search(r"\d+(?=#)", item.id)
        assert number is not None
        evidence = item.evidence if isinstance(item, Verdict) else None
        found[number[0]] = Said(item.verdict, evidence)
    return [found[number] for number in sorted(found)]


def _written(theorem: Theorem) -> dict[str, Any]:
    """Without what is said of truth: nobody is to look at it."""
    claims = {
        key: {k: v for k, v in claim.items() if k != "expect"} for key, claim in theorem["claims"].items()
    }
    return {**theorem, "claims": claims}


# --- variants -----------------------------------------------------------------------------------------


def renamed(theorems: list[Theorem]) -> list[Theorem]:
    """Other names for theorems and symbols, which sort the other way round."""
    return [_renamed(theorem) for theorem in theorems]


def _renamed(theorem: Theorem) -> Theorem:
    names = list(theorem["symbols"])
    others = {name: f"q{len(names) - at:02}" for at, name in enumerate(names)}
    longest = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    word = re.compile(rf"\b(?<!\.)({longest})\b(?!=[^=])")  # no keyword, as in std=1, and no A.T

    def change(text: str) -> str:
        return word.sub(lambda match: others[match[0]], text)

    changed = {key: _mapped(part, change) for key, part in theorem.items()}
    number = theorem["theorem"].rpartition("t")[2]
    symbols = {others[name]: kind for name, kind in changed["symbols"].items()}
    claims = {"other": {key: _keyed(part, others) for key, part in changed["claims"]["c"].items()}}
    return {**changed, "theorem": f"elsewhere/zz-t{number}", "symbols": symbols, "claims": claims}


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """Every text but the names of assumptions, of theorems and of claims."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        kept = ("under", "theorem")
        return {key: item if key in kept else _mapped(item, change) for key, item in value.items()}
    return [_mapped(item, change) for item in value] if isinstance(value, list) else value


def _keyed(part: Any, others: Mapping[str, str]) -> Any:
    """where: {n: 3} names a symbol too."""
    return {others.get(key, key): item for key, item in part.items()} if isinstance(part, Mapping) else part


def reordered(theorems: list[Theorem]) -> list[Theorem]:
    return theorems[::-1]


def rewritten(theorems: list[Theorem]) -> list[Theorem]:
    """a <= b as 2*b - 2*a >= 0, for every assumed inequality between single expressions."""
    return [
        {**t, "assumptions": {k: _moved(v) for k, v in t["assumptions"].items()}} if "assumptions" in t else t
        for t in theorems
    ]


def _moved(text: Any) -> Any:
    match = SIDES.fullmatch(text) if isinstance(text, str) else None
    if match is None or any(word in text for word in ("all(", "independent(", "order(", "oo")):
        return text
    left, op, right = match.groups()
    return f"2*({right.strip()}) - 2*({left.strip()}) {FLIPPED[op]} 0"


VARIANTS: Mapping[str, Callable[[list[Theorem]], list[Theorem]]] = {
    "another seed": lambda theorems: theorems,
    "other names": renamed,
    "another order": reordered,
    "assumptions in other words": rewritten,
}


def seeded(variant: str, settings: Settings) -> Settings:
    return replace(settings, seed=settings.seed + 7) if variant == "another seed" else settings


Difference = tuple[str, Said, Said]


def differences(theorems: list[Theorem], first: list[Said], other: list[Said]) -> list[Difference]:
    """The statements of which the two runs say what does not go together."""
    says = [next(iter(theorem["claims"].values())) for theorem in theorems]
    told = (claim.get("says", claim.get("steps", "")) for claim in says)
    return [(t, a, b) for t, a, b in zip(told, first, other, strict=True) if not a.agrees(b)]
