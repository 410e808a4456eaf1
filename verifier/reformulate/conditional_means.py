"""Conditional means given a part of what is drawn.

    E(f, given=h) = E(f, given=W)       for h = h(W), where f sees W through h alone

Both are the integral of f over everything else, at the value of h: what else f sees is independent of W.
"""

from collections.abc import Iterable, Iterator

from verifier.claim.model import Assumption, Claim
from verifier.expr import nodes as N
from verifier.expr.walk import Part, rebuild, substitute, walk

_HELD = "__given"  # no declared name begins with two underscores
_UNSEEN = (N.After, N.Expectation, N.Variance, N.Covariance, N.Limit, N.Extreme)


def given_whole_symbols(claim: Claim, fact: N.Relation | N.Within) -> N.Relation | N.Within:
    """The fact with whole symbols given, where that says the same."""
    if any(_ties_draws(claim, item) for item in claim.assumptions):
        return fact

    def change(node: N.Node) -> N.Node:
        node = rebuild(node, change)
        match node:
            case N.Expectation(body, given) if any(not isinstance(part, N.Symbol) for part in given):
                symbols = _symbols(claim, body, given)
                return node if symbols is None else N.Expectation(body, symbols)
        return node

    return rebuild(fact, change)


def _ties_draws(claim: Claim, item: Assumption) -> bool:
    """Whether an assumption says how draws depend on each other, or puts one in place of another."""
    tied = item.substitution is not None and any(_is_drawn(claim, part) for part in walk(item.fact))
    return tied or item.independence is not None


def _symbols(claim: Claim, body: N.Node, given: tuple[N.Node, ...]) -> tuple[N.Node, ...] | None:
    """The random symbols in what is given; None where the body sees one of them in another way, too."""
    known = [part for part in given if isinstance(part, N.Symbol)]
    parts = [part for part in given if not isinstance(part, N.Symbol)]
    drawn = {part for item in parts for part in walk(item) if _is_drawn(claim, part)}
    if any(isinstance(part, N.Member) for part in drawn) or _looks_elsewhere(body, parts):
        return None
    held: dict[N.Node, N.Node] = {part: N.Symbol(f"{_HELD}{k}", part.shape) for k, part in enumerate(parts)}
    left = drawn.difference(known)
    if left.intersection(walk(substitute(body, held))):
        return None
    return (*known, *sorted(left, key=str))


def _is_drawn(claim: Claim, node: N.Node) -> bool:
    return isinstance(node, N.Symbol | N.Member) and node.name in claim.random


def _looks_elsewhere(body: N.Node, parts: Iterable[N.Node]) -> bool:
    """Whether something asks how a given part moves, or draws it again."""
    inside = {name for part in parts for name in _names(part)}
    for node in (*walk(body), *(x for part in parts for x in walk(part))):
        if isinstance(node, _UNSEEN):
            return True
        if isinstance(node, N.Derivative) and node.by not in parts and inside.intersection(_names(node.by)):
            return True
    return False


def _names(part: Part) -> Iterator[str]:
    return (node.name for node in walk(part) if isinstance(node, N.Symbol | N.Member | N.Let))
