"""Evaluate, differentiate and expand terms: one fold, run in several algebras."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from flint import fmpq

from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import ONE, ZERO, Exact, sign
from verifier.exact.numbers.jets import Jet, base_value, slope
from verifier.exact.numbers.refusals import Undefined
from verifier.exact.numbers.scalar_terms import Call, Linear, Product, Term, Variable, call

V = TypeVar("V")


class Algebra(Protocol[V]):
    """What a term is run in: numbers and jets, or expansions at infinity."""

    def constant(self, value: Exact) -> V: ...
    def add(self, left: V, right: V) -> V: ...
    def multiply(self, left: V, right: V) -> V: ...
    def power(self, base: V, exponent: fmpq) -> V: ...
    def apply(self, name: str, x: V) -> V: ...


def fold(term: Term, leaves: Mapping[str, V], algebra: Algebra[V]) -> V:
    """The term with its variables replaced, every shared part computed once."""
    known: dict[str, V] = {}

    def visit(node: Any) -> V:
        found = known.get(node.key)
        if found is None:
            found = known[node.key] = compute(node)
        return found

    def compute(node: Term) -> V:
        match node:
            case Variable(name):
                return leaves[name]
            case Linear(constant, parts):
                return _linear(constant, parts, visit, algebra)
            case Product(factors):
                powers = [algebra.power(visit(b), e) if e != 1 else visit(b) for b, e in factors]
                return _reduce(powers, algebra.multiply)
            case Call(name, (arg,)):
                return algebra.apply(name, visit(arg))
        raise AssertionError(node)

    return visit(term)


def _linear(constant: Exact, parts: Any, visit: Callable[[Any], V], algebra: Algebra[V]) -> V:
    values = [
        visit(term) if factor == ONE else algebra.multiply(algebra.constant(factor), visit(term))
        for term, factor in parts
    ]
    if constant != ZERO or not values:
        values.insert(0, algebra.constant(constant))
    return _reduce(values, algebra.add)


def _reduce(values: list[V], join: Callable[[V, V], V]) -> V:
    result = values[0]
    for value in values[1:]:
        result = join(result, value)
    return result


class Values:
    """Numbers, terms and jets: the arithmetic of the evaluator."""

    def constant(self, value: Exact) -> Any:
        return value

    def add(self, left: Any, right: Any) -> Any:
        return left + right

    def multiply(self, left: Any, right: Any) -> Any:
        return left * right

    def power(self, base: Any, exponent: fmpq) -> Any:
        return ar.power(base, exponent)

    def apply(self, name: str, x: Any) -> Any:
        if name != "sign":
            return ar.apply(name, x)
        base = base_value(x)
        if isinstance(base, Term):
            return call("sign", base)
        side = sign(base)
        if side == 0:
            raise Undefined("the derivative at a kink")
        return fmpq(side)


VALUES = Values()


def at(term: Any, values: Mapping[str, Any]) -> Any:
    """The term with its variables replaced by values (or other terms)."""
    return fold(term, values, VALUES) if isinstance(term, Term) else term


def differentiate(term: Any, name: str) -> Any:
    """d term / d name, almost everywhere."""
    return _differentiated(term, name) if isinstance(term, Term) else ZERO


@lru_cache(maxsize=512)
def _differentiated(term: Term, name: str) -> Any:
    leaves: dict[str, Any] = {v.name: v for v in variables(term)}
    if name not in leaves:
        return ZERO
    leaves[name] = Jet(0, leaves[name], {0: ONE})
    return slope(at(term, leaves), 0, 0)


def variables(term: Any) -> frozenset[Variable]:
    """The variables that occur."""
    found: set[Variable] = set()
    pending = [term]
    while pending:
        match pending.pop():
            case Variable() as variable:
                found.add(variable)
            case Linear(_, parts):
                pending += [part for part, _ in parts]
            case Product(factors):
                pending += [base for base, _ in factors]
            case Call(_, args):
                pending += list(args)
    return frozenset(found)


def calls(term: Any) -> set[str]:
    """The functions that occur."""
    found: set[str] = set()
    pending = [term]
    while pending:
        match pending.pop():
            case Linear(_, parts):
                pending += [part for part, _ in parts]
            case Product(factors):
                pending += [base for base, _ in factors]
            case Call(name, args):
                found.add(name)
                pending += list(args)
    return found
