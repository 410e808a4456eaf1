"""sup and inf as quantifiers: sup(f, Z) <= c says that f <= c for all Z, sup(f, Z) > c that f > c for some.

An extreme may be dropped where enlarging it makes the statement harder to satisfy and its symbols
occur nowhere else; then the search over all symbols is the search inside it. Where enlarging it
makes the statement easier, one value of its symbols is enough.
"""

from dataclasses import dataclass
from typing import Literal

from verifier.expr import nodes as N
from verifier.expr.walk import walk

Wanted = Literal["sup", "inf"]
OTHER: dict[Wanted, Wanted] = {"sup": "inf", "inf": "sup"}


@dataclass(frozen=True)
class Existence:
    """The fact is to be true for some values of `over`, whatever the other symbols are.

    For `>=` and `<=` it is enough that it is approached."""

    fact: N.Relation
    over: tuple[N.Symbol, ...]


FLIPPED: dict[str, N.Comparison] = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "=="}


def as_existence(fact: N.Relation | N.Within) -> Existence | None:
    """sup(f, Z) >= c as: f >= c for some Z; None for a statement of another form."""
    match fact:
        case N.Relation("<=" | "<" as op, left, right):
            found = N.Relation(op, _dropped(left, "inf"), _dropped(right, "sup"))
        case N.Relation(">=" | ">" as op, left, right):
            found = N.Relation(op, _dropped(left, "sup"), _dropped(right, "inf"))
        case _:
            return None
    if any(isinstance(node, N.Extreme) for node in walk(found)) or found == fact or not _apart(fact):
        return None
    over = (symbol for node in walk(fact) if isinstance(node, N.Extreme) for symbol in node.over)
    return Existence(found, tuple(dict.fromkeys(over)))


def halves(fact: N.Relation | N.Within) -> tuple[N.Relation, Existence] | None:
    """sup(f, Z) == c as: f <= c for all Z, and f >= c for some."""
    match fact:
        case N.Relation("==", left, right):
            for op in ("<=", ">="):
                always = without_extremes(N.Relation(op, left, right))
                some = as_existence(N.Relation(FLIPPED[op], left, right))
                if isinstance(always, N.Relation) and some is not None:
                    return always, some
    return None


def without_extremes(fact: N.Relation | N.Within) -> N.Relation | N.Within | None:
    """The same statement without sup and inf; None where one of them cannot be dropped."""
    found: N.Relation | N.Within
    match fact:
        case N.Relation("<=" | "<" as op, left, right):
            found = N.Relation(op, _dropped(left, "sup"), _dropped(right, "inf"))
        case N.Relation(">=" | ">" as op, left, right):
            found = N.Relation(op, _dropped(left, "inf"), _dropped(right, "sup"))
        case _:
            found = fact
    if any(isinstance(node, N.Extreme) for node in walk(found)):
        return None
    return found if found == fact or _apart(fact) else None


def _dropped(node: N.Node, wanted: Wanted) -> N.Node:
    """Through operations that keep or reverse the order."""
    match node:
        case N.Let(_, body) if any(isinstance(part, N.Extreme) for part in walk(body)):
            return _dropped(body, wanted)
        case N.Extreme(kind, body, _) if kind == wanted:
            return _dropped(body, wanted)
        case N.Add(left, right):
            return N.Add(_dropped(left, wanted), _dropped(right, wanted))
        case N.Subtract(left, right):
            return N.Subtract(_dropped(left, wanted), _dropped(right, OTHER[wanted]))
        case N.Negate(arg):
            return N.Negate(_dropped(arg, OTHER[wanted]))
        case N.Multiply(N.Number(value) as factor, right) if value >= 0:
            return N.Multiply(factor, _dropped(right, wanted))
        case N.Multiply(left, N.Number(value) as factor) if value >= 0:
            return N.Multiply(_dropped(left, wanted), factor)
        case N.Divide(left, N.Number(value) as factor) if value > 0:
            return N.Divide(_dropped(left, wanted), factor)
        case N.Apply("sqrt" | "exp" | "log" | "tanh" | "sigmoid" as function, (arg,)):
            return N.Apply(function, (_dropped(arg, wanted),))
    return node


def _apart(fact: N.Relation | N.Within) -> bool:
    """Each symbol that an extreme ranges over occurs in that extreme alone."""
    extremes = [node for node in walk(fact) if isinstance(node, N.Extreme)]
    for extreme in extremes:
        bound = {s.name for s in extreme.over} or _names(extreme.body)
        inside = sum(1 for node in walk(extreme.body) if isinstance(node, N.Symbol) and node.name in bound)
        named = sum(1 for symbol in extreme.over if symbol.name in bound)
        everywhere = sum(1 for node in walk(fact) if isinstance(node, N.Symbol) and node.name in bound)
        if everywhere != inside + named:
            return False
    return True


def _names(body: N.Node) -> set[str]:
    return {node.name for node in walk(body) if isinstance(node, N.Symbol) and not node.shape.is_scalar}
