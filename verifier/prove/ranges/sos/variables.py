"""Which bounds the variables have, so that each can be written in variables that range over all reals.

A constraint that is linear in a variable bounds it from one side by what the others make of it, and is then
built in. What is left are constraints that no variable takes in."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import lcm
from typing import Any, final

from flint import fmpq

from verifier.exact.enclosures.domains import Domain
from verifier.exact.numbers.constants import ONE, ZERO
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.numbers.scalar_terms import Call, Linear, Product, Term, Variable

EXPONENTIAL = ("exp", "sigmoid", "tanh")


@final
@dataclass(frozen=True)
class Bounds:
    """low <= x <= high, each a number, a term in other variables, or None; or x == low."""

    low: Any = None
    high: Any = None
    equal: bool = False

    @property
    def terms(self) -> tuple[Any, ...]:
        return tuple(end for end in (self.low, self.high) if isinstance(end, Term))


@final
@dataclass(frozen=True)
class Plan:
    """The bounds of every variable, at most one simplex (c, shares a_i x_i >= 0 with sum <= c), the rest."""

    bounds: Mapping[str, Bounds]
    total: fmpq | None
    shares: Mapping[str, fmpq]
    left: tuple[Any, ...]


def plan(names: Iterable[str], domains: Mapping[str, Domain], constraints: Iterable[Any]) -> Plan:
    """Constraints taken in by the variables, as many as can be."""
    left = [constraint for constraint in constraints if isinstance(constraint, Term)]
    total: fmpq | None = None
    shares: dict[str, fmpq] = {}
    for constraint in left:
        found = _shares(constraint, domains)
        if found is not None:
            left = [other for other in left if other != constraint]
            total, shares = found
            break
    bounds: dict[str, Bounds] = {}
    # Those first that have no bounds of their own, and are bounded the most.
    for name in sorted(
        names, key=lambda name: (_ends(domains[name]), -sum(name in _linear(c) for c in left))
    ):
        if name not in shares:
            bounds[name], left = _bounded(name, domains[name], left, bounds)
    return Plan(bounds, total, shares, tuple(left))


def _shares(constraint: Any, domains: Mapping[str, Domain]) -> tuple[fmpq, dict[str, fmpq]] | None:
    """c - sum of a_i x_i >= 0 with c, a_i > 0 and x_i >= 0."""
    match constraint:
        case Linear(fmpq() as total, parts) if total > 0 and len(_linear(constraint)) == len(parts):
            shares = {name: -factor for name, factor in _linear(constraint).items()}
            if all(share > 0 and domains[name].low == ZERO for name, share in shares.items()):
                return total, shares
    return None


def _ends(domain: Domain) -> int:
    return sum(isinstance(end, fmpq) for end in (domain.low, domain.high))


def _bounded(
    name: str, domain: Domain, constraints: list[Any], known: Mapping[str, Bounds]
) -> tuple[Bounds, list[Any]]:
    """The bounds of one variable, and the constraints that did not go into them."""
    low = domain.low if isinstance(domain.low, fmpq) else None
    high = domain.high if isinstance(domain.high, fmpq) else None
    left = []
    for constraint in constraints:
        factor = _linear(constraint).get(name)
        rest: Any = None if factor is None else _without(constraint, name)
        if factor is None or name in reached(rest, known):
            left.append(constraint)
            continue
        end: Any = rest * (-1 / factor)
        if any(other == -constraint for other in constraints):
            others = [c for c in constraints if c not in (constraint, -constraint)]
            return Bounds(end, equal=True), others
        if factor > 0 and low is None:
            low = end
        elif factor < 0 and high is None:
            high = end
        else:
            left.append(constraint)
    return Bounds(low, high), left


def _linear(constraint: Any) -> dict[str, fmpq]:
    """The variables that stand alone in a sum, with their factors."""
    if isinstance(constraint, Variable):
        return {constraint.name: ONE}
    parts = constraint.parts if isinstance(constraint, Linear) else ()
    return {v.name: factor for v, factor in parts if isinstance(v, Variable) and isinstance(factor, fmpq)}


def _without(constraint: Any, name: str) -> Any:
    """constraint - factor*x"""
    if isinstance(constraint, Variable):
        return ZERO
    total: Any = constraint.constant
    for part, factor in constraint.parts:
        if not (isinstance(part, Variable) and part.name == name):
            total = total + part * factor
    return total


def reached(term: Any, known: Mapping[str, Bounds]) -> set[str]:
    """The variables of a term, and of what bounds them."""
    found: set[str] = set()
    pending = [part.name for part in parts_of(term) if isinstance(part, Variable)]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            ends = known[name].terms if name in known else ()
            pending += [p.name for end in ends for p in parts_of(end) if isinstance(p, Variable)]
    return found


def parts_of(term: Any) -> Iterator[Any]:
    """The term and all terms in it."""
    pending = [term]
    while pending:
        found = pending.pop()
        if isinstance(found, Term):
            yield found
        match found:
            case Linear(_, parts):
                pending += [part for part, _ in parts]
            case Product(factors):
                pending += [base for base, _ in factors]
            case Call(_, args):
                pending += list(args)


def denominators(parts: Iterable[Any]) -> dict[str, int]:
    """For each variable k, such that all its powers are powers of x**(1/k)."""
    found: dict[str, int] = {}
    for part in parts:
        for base, exponent in part.factors if isinstance(part, Product) else ():
            if isinstance(base, Variable):
                found[base.name] = lcm(found.get(base.name, 1), int(exponent.q))
    return found


def in_exponents(parts: Iterable[Any]) -> dict[str, int]:
    """For each variable inside an exponential k, such that they all are powers of exp(x/k)."""
    found: dict[str, int] = {}
    for part in parts:
        if isinstance(part, Call) and part.function in EXPONENTIAL:
            for name, factor in in_exponent(part.args[0]):
                found[name] = lcm(found.get(name, 1), int(factor.q))
    return found


def in_exponent(arg: Any) -> Iterator[tuple[str, fmpq]]:
    """A linear form without a constant, variable by variable."""
    if isinstance(arg, Linear) and arg.constant != ZERO:
        raise Unsupported("an exponential of a form with a constant")
    found = _linear(arg)
    if len(found) != (len(arg.parts) if isinstance(arg, Linear) else 1):
        raise Unsupported("an exponential of anything but a linear form")
    yield from found.items()
