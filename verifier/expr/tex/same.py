"""Whether two trees are the same statement: symbol by symbol, sums and products in any order.

No algebra is done beyond what print leaves open: a/b is a times b to the -1, sqrt(a) is a to the 1/2,
a*a is a squared, a number is one number, a >= b is b <= a. `a**2/a` and `a`, or `(a + b)**2` and its
expansion, are different statements.
"""

from collections import Counter
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from verifier.expr import nodes as N
from verifier.expr.walk import children, substitute, walk

Form = Any
HALF = Fraction(1, 2)
MAX_EXPONENT = 1_000
_MIRRORED = {">=": "<=", ">": "<"}


def same(left: Any, right: Any) -> bool:
    """Whether two nodes, facts, or pairs of nodes state the same."""
    return bool(form(left) == form(right))


def form(part: Any) -> Form:
    """A value that is equal for equal statements."""
    match part:
        case N.Relation("==", left, N.Growth("O" | "Omega" as kind) as right):
            return form(N.Relation("<=" if kind == "O" else ">=", left, right))
        case N.Relation(op, left, right):
            sides = (form(left), form(right))
            if op == "==":
                return op, frozenset(sides)
            return (_MIRRORED[op], *reversed(sides)) if op in _MIRRORED else (op, *sides)
        case N.Within(arg, low, high):
            return "in", form(arg), form(low), form(high)
        case N.Node():
            return _sum(part)
        case tuple():
            return tuple(form(item) for item in part)
    return _fields(part) if is_dataclass(part) and isinstance(part, N.Condition | N.Range) else part


def _fields(part: Any) -> Form:
    return type(part).__name__, *(form(getattr(part, item.name)) for item in fields(part))


def _sum(node: N.Node) -> Form:
    """Terms with their coefficients."""
    terms: dict[Form, Fraction] = {}
    for coefficient, term in _terms(node, Fraction(1)):
        terms[term] = terms.get(term, Fraction(0)) + coefficient
    return "+", frozenset((term, value) for term, value in terms.items() if value)


def _terms(node: N.Node, sign: Fraction) -> list[tuple[Fraction, Form]]:
    match node:
        case N.Add(left, right):
            return [*_terms(left, sign), *_terms(right, sign)]
        case N.Subtract(left, right):
            return [*_terms(left, sign), *_terms(right, -sign)]
        case N.Negate(arg):
            return _terms(arg, -sign)
    product = _product(node)
    return [(sign * product.number, (frozenset(product.scalars.items()), product.matrices))]


@dataclass(frozen=True)
class _Product:
    """A number, scalar factors in any order, matrices in theirs.

    A factor is its form with its exponent: whole exponents of one sign add up (a*a is a**2, but a/a is
    not 1), others are counted."""

    number: Fraction
    scalars: Counter[tuple[Form, Fraction | str]]
    matrices: tuple[Form, ...] = ()

    def times(self, other: "_Product") -> "_Product":
        return _Product(
            self.number * other.number, self.scalars + other.scalars, self.matrices + other.matrices
        )

    def to_the(self, power: Fraction) -> "_Product | None":
        """A power of a product, where it is the product of the powers for every value."""
        whole = power.denominator == 1 and abs(power) <= MAX_EXPONENT
        alone = len(self.scalars) <= 1 and self.number == 1
        if self.matrices or (self.number == 0) or not (whole or alone):
            return None
        made: Counter[tuple[Form, Fraction | str]] = Counter()
        for (base, exponent), count in self.scalars.items():
            if isinstance(exponent, Fraction):
                if power != -1:
                    return None
                made[base, -exponent] += count
            elif whole:
                made += _factor(base, power * (count if exponent == "up" else -count))
            elif (exponent, count) == ("up", 1):
                made += _factor(base, power)
            else:
                return None
        return _Product(self.number ** int(power) if whole else self.number, made)


def _factor(base: Form, exponent: Fraction) -> Counter[tuple[Form, Fraction | str]]:
    if exponent.denominator != 1:
        return Counter({(base, exponent): 1})
    return Counter({(base, "up" if exponent > 0 else "down"): abs(int(exponent))})


def _product(node: N.Node) -> _Product:
    made = _factors(node)
    if made.matrices and node.shape.is_scalar:
        chain = _factor(("chain", made.matrices), Fraction(1))
        return _Product(made.number, made.scalars + chain)
    return made


def _factors(node: N.Node) -> _Product:
    match node:
        case N.Number(value):
            return _Product(value, Counter())
        case N.Negate(arg):
            return _Product(Fraction(-1), Counter()).times(_product(arg))
        case N.Multiply(left, right) if left.shape.is_scalar or right.shape.is_scalar:
            return _product(left).times(_product(right))
        case N.MatMul(left, right):
            return _product(left).times(_product(right))
        case N.Divide(left, right) if right.shape.is_scalar:
            return _product(left).times(_raised(right, Fraction(-1)))
        case N.Power(base, N.Number(value)) if base.shape.is_scalar:
            return _raised(base, value)
        case N.Apply("sqrt", (arg,)) if arg.shape.is_scalar:
            return _raised(arg, HALF)
        case N.Add() | N.Subtract():
            return _single(node, _sum(node))
        case N.Multiply():
            entries = Counter(_entries(node))
            return _single(node, ("entrywise", frozenset(entries.items())))
        case N.Let(name):
            return _single(node, ("let", name))
        case N.Norm(arg, "2") if arg.shape.is_vector:
            return _single(node, _fields(N.Norm(arg)))
        case N.Sum() | N.Product():
            return _single(node, _flat(node))
    return _single(node, _fields(node))


def _flat(node: N.Sum | N.Product) -> Form:
    """A sum of sums is one sum over both, and the name of an index does not matter."""
    body, ranges = node.body, node.ranges
    while isinstance(body, type(node)) and not node.conditions:
        ranges, node = (*ranges, *body.ranges), body
        body = node.body
    names = [item.index for item in ranges]
    inner = [item.index for part in walk(body) for item in getattr(part, "ranges", ())]
    conditions = node.conditions
    if len({*names, *inner}) == len(names) + len(inner):
        # Named from the inside out, so that sums within sums cannot meet.
        new = {name: f"{_height(body)}.{place}" for place, name in enumerate(names)}
        called: dict[N.Node, N.Node] = {N.Index(old): N.Index(name) for old, name in new.items()}
        ranges = tuple(replace(substitute(item, called), index=new[item.index]) for item in ranges)
        conditions = tuple(substitute(item, called) for item in conditions)
        body = substitute(body, called)
    return type(node).__name__, form(body), form(ranges), form(conditions)


def _height(node: N.Node) -> int:
    """How many indices run at once, at most; a sum over two counts as a sum of sums does."""
    below = max(map(_height, children(node)), default=0)
    return below + (len(node.ranges) if isinstance(node, N.Sum | N.Product) else 0)


def _entries(node: N.Node) -> list[Form]:
    match node:
        case N.Multiply(left, right) if not left.shape.is_scalar and not right.shape.is_scalar:
            return [*_entries(left), *_entries(right)]
    return [form(node)]


def _single(node: N.Node, value: Form) -> _Product:
    if node.shape.is_scalar:
        return _Product(Fraction(1), _factor(value, Fraction(1)))
    return _Product(Fraction(1), Counter(), (value,))


def _raised(node: N.Node, power: Fraction) -> _Product:
    distributed = _product(node).to_the(power)
    return distributed or _Product(Fraction(1), Counter({(form(node), power): 1}))
