"""Which claims speak of a whole sequence of random variables, or assume something for every value of a
symbol.

No point and no sample shows what such a sequence does, and no point satisfies such an assumption. A claim
about something else is asked about without them: what is true without them is true with them.
"""

from dataclasses import replace

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import JointWith, Sequence
from verifier.expr.walk import Part, distinct


def speaks_of_sequences(claim: Claim, part: Part) -> bool:
    """Whether a member of a sequence, or what has a joint law with one, stands in it."""
    names = _endless(claim)
    return bool(names) and any(
        isinstance(node, N.Symbol | N.Member) and node.name in names for node in distinct(part)
    )


def beyond_points(claim: Claim) -> tuple[str, ...]:
    """The names of the assumptions that no point satisfies or breaks."""
    return tuple(
        item.name
        for item in claim.assumptions
        if isinstance(item.fact, N.Every) or speaks_of_sequences(claim, item.fact)
    )


def without_sequences(claim: Claim) -> Claim:
    """The claim without its sequences, and without what is assumed of them or for every value of a symbol."""
    left_out, names = beyond_points(claim), _endless(claim)
    if not left_out and not names:
        return claim
    kept = {name: symbol for name, symbol in claim.symbols.items() if name not in names}
    lets = tuple(let for let in claim.lets if not speaks_of_sequences(claim, let))
    assumptions = tuple(item for item in claim.assumptions if item.name not in left_out)
    return replace(claim, symbols=kept, lets=lets, assumptions=assumptions)


def _endless(claim: Claim) -> frozenset[str]:
    found = claim.symbols.items()
    return frozenset(name for name, symbol in found if isinstance(symbol.kind, Sequence | JointWith))
