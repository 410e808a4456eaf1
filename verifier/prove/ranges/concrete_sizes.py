"""Claims whose sums or shapes need concrete sizes: exact evaluation at small ones can refute them."""

from collections.abc import Iterator
from itertools import product

from verifier.claim.mentioned_names import names_in
from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.exact.numbers.refusals import Imprecise, Refusal, Unsupported
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.prove.ranges.problem import scalars, state
from verifier.prove.ranges.simple_points import Target, refute
from verifier.timer import past

NAME = "rigorous"
MAX_SYMBOLS = 4
LARGEST = {1: 8, 2: 4, 3: 3, 4: 2}


def at_small_sizes(
    claim: Claim, fact: n.Relation | n.Within, refusal: Unsupported, deadline: float, seed: int
) -> Finding:
    """Refute the relation at some small values of its integer symbols, or say what was missing."""
    looked = 0
    for sizes in _sizes(claim):
        if past(deadline):
            break
        try:
            problem = state(claim, fact, sizes)
        except Refusal as again:
            missing = None if isinstance(again, Imprecise) else f"exact arithmetic for {again.reason}"
            return Finding(NAME, "unknown", reason=again.reason, missing=missing)
        found = refute(Target(claim, fact, problem, sizes), [], deadline, seed)
        if found is not None:
            assert found.counterexample is not None
            at, spoken = found.counterexample.values.items(), names_in(claim)
            values = ", ".join(f"{name} = {value}" for name, value in at if name in spoken)
            return Finding(
                NAME, "false", found.grade, f"it breaks at {values}", counterexample=found.counterexample
            )
        looked += 1
    reason = refusal.reason if not looked else f"no violation at {looked} small sizes; no proof for all sizes"
    return Finding(NAME, "unknown", reason=reason, missing=f"interval arithmetic for {refusal.reason}")


def _sizes(claim: Claim) -> Iterator[dict[str, int]]:
    """Small values of the integer symbols, the smallest sum first."""
    whole = kinds.Dimension | kinds.Integer | kinds.IndexOf
    names = [symbol.name for symbol in scalars(claim) if isinstance(symbol.kind, whole)]
    if not 1 <= len(names) <= MAX_SYMBOLS:
        return
    choices = product(range(1, LARGEST[len(names)] + 1), repeat=len(names))
    for values in sorted(choices, key=sum):
        yield dict(zip(names, values, strict=True))
