"""The first small points, in exact arithmetic: what they break is false, in milliseconds."""

from collections.abc import Set
from itertools import islice
from typing import Any

from verifier.claim.model import Claim
from verifier.evidence import Counterexample
from verifier.expr.nodes import Relation

MOST_POINTS, MOST_UNSUPPORTED = 48, 3


def broken(
    claim: Claim, fact: Relation, stretched: Set[str] = frozenset(), factor: int = 1
) -> Counterexample | None:
    """A small point that breaks the relation and that the claim allows; some symbols made larger."""
    # Loaded in the worker alone, like the engines: the parent process never needs SymPy.
    from verifier.rigorous.recheck import recheck
    from verifier.symbolic.points import points

    unsupported = 0
    for point in islice(points(claim, fact, {}, 0), MOST_POINTS):
        moved = {name: _times(factor, v) if name in stretched else v for name, v in point.items()}
        checked = recheck(claim, fact, moved)
        unsupported += checked.outcome == "unsupported"
        if checked.outcome == "false" or unsupported > MOST_UNSUPPORTED:
            return checked.counterexample if checked.outcome == "false" else None
    return None


def _times(factor: int, value: Any) -> Any:
    """A number, or every entry of rows."""
    if isinstance(value, list | tuple):
        return [_times(factor, item) for item in value]
    return value if factor == 1 else factor * value
