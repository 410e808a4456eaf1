"""What of a proof Coq is asked about."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from verifier.claim.model import Claim
from verifier.expr.sizes import room_for_trees
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.proofs.statement import context_of
from verifier.proofs.store import read
from verifier.proofs.text import from_data

Kind = Literal["ring", "cone", "interval"]


@dataclass(frozen=True)
class Theorem:
    """A statement about real variables. `hypotheses` are named; `comments` say what the variables stand for;
    `tactic` computes, and searches for nothing."""

    kind: Kind
    rule: str
    variables: tuple[str, ...]
    hypotheses: tuple[tuple[str, str], ...]
    conclusion: str
    tactic: str
    comments: tuple[str, ...] = ()

    def written(self, name: str) -> str:
        told = "".join(f"(* {quoted(line)} *)\n" for line in self.comments)
        bound = f" ({' '.join(self.variables)} : R)" if self.variables else ""
        given = "".join(f"\n  ({label} : {text})" for label, text in self.hypotheses)
        return f"{told}Theorem {name}{bound}{given} :\n  {self.conclusion}.\nProof. {self.tactic}. Qed.\n"


def quoted(line: str) -> str:
    """A line in a comment: it can neither end the comment nor begin one or a string, whoever wrote it."""
    plain = "".join(each if " " <= each <= "~" else "?" for each in line)
    return plain.replace("*", " * ").replace('"', "'")


@dataclass(frozen=True)
class Found:
    """The theorems of a proof, and how many of its steps that Coq could be asked about have none."""

    theorems: tuple[Theorem, ...]
    missing: int


def theorems_of(context: Context, proof: Proof) -> Found:
    """One theorem for each equation of normal forms, combination of inequalities and box of the proof. Steps
    of other rules (means, limits, points) are the kernel's alone."""
    found: list[Theorem] = []
    missing = 0
    for step in proof.walk():
        try:
            made = list(_of_step(context, step))
        except Rejected:
            made = []
        found += made
        missing += step.rule in WRITTEN and not made
    return Found(tuple(found), missing)


def _of_step(context: Context, step: Proof) -> Iterator[Theorem]:
    from verifier.proofs.coq import boxes, combinations, identities

    if not isinstance(step.conclusion, Holds):
        return
    match step.rule:
        case "contract":
            yield identities.of_equation(context, step.conclusion.fact)
        case "sign" | "combine":
            yield combinations.of_order(context, step)
        case "cover":
            yield from boxes.of_cover(context, step)


WRITTEN = ("contract", "sign", "combine", "cover")


@room_for_trees()
def of_claim(claim: Claim, folder: Path) -> Found:
    """The theorems of a claim whose proof was accepted."""
    context = context_of(claim)
    steps = read(folder, claim.id).steps
    parts = [theorems_of(context, from_data(data, claim)) for data in steps if data is not None]
    return Found(tuple(item for part in parts for item in part.theorems), sum(part.missing for part in parts))
