"""What depends on chance: a random symbol, or the state after layers that draw some or share one."""

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.walk import Part, walk
from verifier.reformulate.unrolled_layers import shared_draws


def is_random(claim: Claim, part: Part) -> bool:
    """Whether the value differs from draw to draw."""
    return any(_is_drawn(claim, node) for node in walk(part))


def is_scale(claim: Claim, node: n.Node) -> bool:
    """Whether it is the same on every draw, and never negative."""
    return not is_random(claim, node) and claim.values(node).is_nonnegative


def _is_drawn(claim: Claim, node: n.Node) -> bool:
    match node:
        case n.Symbol(name) | n.Member(name):
            return name in claim.random
        case n.After():
            fresh = claim.layers is not None and any(symbol.is_random for symbol in claim.layers.symbols)
            return fresh or bool(shared_draws(claim))
    return False
