"""Terms at the outcomes of draws with two values: a sign is 1 or -1, a Bernoulli draw 1 or 0."""

from dataclasses import replace
from itertools import product

from verifier.expr.symbols import Bernoulli, Declared, Rademacher
from verifier.kernel.core import terms as T
from verifier.kernel.rejected import Rejected

MOST_ENTRIES = 6


def values_of(declared: Declared | None) -> tuple[int, int] | None:
    """The two values of a draw; None for other laws."""
    match declared.kind if declared is not None else None:
        case Rademacher():
            return 1, -1
        case Bernoulli():
            return 1, 0
    return None


def at_outcomes(body: T.Term, name: str, values: tuple[int, int]) -> list[T.Term]:
    """The term at each outcome of the entries of a draw that it depends on."""
    places = entries_of(name, body)
    found = []
    for chosen in product(values, repeat=len(places)):
        term = body
        for at, value in zip(places, chosen, strict=True):
            term = at_value(term, name, at, value)
        found.append(term)
    return found


def entries_of(name: str, body: T.Term) -> list[T.Positions]:
    """The entries of a draw that a term depends on, each once. They are few, and known to be different."""
    found: dict[T.Positions, None] = {}
    bound: set[str] = set()
    for part in T.walk(body):
        match part:
            case T.Mean():
                raise Rejected("outside", "a mean inside a mean")
            case T.Call() if name in T.free(part):
                raise Rejected("outside", "an unknown function of a draw with two values")
            case T.Var(other, at) if other == name:
                found[at] = None
            case T.Sum(index):
                bound.add(index)
    if any(position.names & bound for at in found for position in at):
        raise Rejected("outside", "a function of a symbolic number of draws")
    if len(found) > 1 and any(position.constant is None for at in found for position in at):
        raise Rejected("outside", "entries that may be one and the same")
    if len(found) > MOST_ENTRIES:
        raise Rejected("too-large", f"a function of more than {MOST_ENTRIES} draws with two values")
    return list(found)


def at_value(body: T.Term, name: str, at: T.Positions, value: int) -> T.Term:
    """The term with one entry of a draw put in. Nothing is left out, so that what has no value is seen."""

    def put(part: T.Term) -> T.Term:
        return at_value(part, name, at, value)

    match body:
        case T.Var(other, place):
            return T.number(value) if (other, place) == (name, at) else body
        case T.Plus(parts) | T.Times(parts):
            return replace(body, parts=tuple(map(put, parts)))
    return T.rebuilt(body, put)
