"""Assumed relations between scalars in one normal form, so that equal conditions are the same condition.

    1 - x**2 - y**2 >= 0,  x**2 <= 1 - y**2,  2*y*y <= 2 - 2*x**2    all are    x**2 + y**2 <= 1

Everything is moved to one side and multiplied out; then what is added stands on the left, what is
subtracted on the right. One term beside sizes and numbers stands alone. Whatever is no sum, product or whole
power is a letter, and so are a `let` name and a power of a sum. Nothing is cancelled that may lack a value,
and a relation that says something of a law, a limit or a function stays as it is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from verifier.claim.model import Assumption
from verifier.expr import nodes as N
from verifier.expr.affine import ONE, ZERO, less, plus, times
from verifier.expr.symbols import Declared, Dimension, IndexOf, Integer
from verifier.expr.walk import walk

SIZES = Dimension | Integer | IndexOf
MOST_TERMS = 32
MOST_DEGREE = 8
FLIPPED: dict[str, N.Comparison] = {"<=": ">=", ">=": "<=", "<": ">", ">": "<"}
OTHERS = (
    N.Expectation, N.Variance, N.Covariance, N.Indicator, N.Called, N.Limit, N.Extreme, N.Growth, N.Order,
    N.Infinity, N.Derivative, N.After,
)  # fmt: skip

Monomial = tuple[tuple[N.Node, int], ...]  # letters and their powers, in order
Terms = dict[Monomial, Fraction]


def normal(assumptions: Iterable[Assumption], symbols: Mapping[str, Declared]) -> tuple[Assumption, ...]:
    """The assumptions, those that bound values in normal form; how they were written is kept."""
    return tuple(_normal(item, symbols) for item in assumptions)


def _normal(item: Assumption, symbols: Mapping[str, Declared]) -> Assumption:
    match item.constraint:
        case N.Relation() as fact:
            found: N.Fact = normal_relation(fact, symbols)
        case N.ForAll(N.Relation() as fact, _, _) as every:
            found = replace(every, fact=normal_relation(fact, symbols))
        case _:
            return item
    return item if found == item.fact else replace(item, fact=found, written=item.written or item.fact)


def normal_relation(fact: N.Relation, symbols: Mapping[str, Declared]) -> N.Relation:
    """The relation in normal form; itself where it has none."""
    parts = [*walk(fact)]
    scalar = fact.left.shape.is_scalar and fact.right.shape.is_scalar
    if not scalar or any(isinstance(part, OTHERS) for part in parts):
        return fact
    reader = _Reader(symbols)
    left, right = reader.read(fact.left), reader.read(fact.right)
    if left is None or right is None or not _letters(left) | _letters(right):
        return fact
    gap = _sum(left, right, Fraction(-1))
    if _letters(gap) != _letters(left) | _letters(right):
        return fact  # what is cancelled may have no value somewhere
    found = reader.relation(fact.op, gap)
    # What a symbol equals is its value: that is for the author to say, or for whoever solves it.
    valued = found.op == "==" and any(isinstance(x, N.Symbol | N.Let) for x in (found.left, found.right))
    # An equation between two terms has a direction for whoever rewrites by it: the author's.
    turned = found.op == "==" and (found.left, found.right) == (fact.right, fact.left)
    turned = turned and not isinstance(fact.left, N.Number)
    return fact if valued or turned else found


def _words(part: N.Node) -> tuple[str, ...]:
    """Which function, which norm."""
    match part:
        case N.Apply(function) | N.RowWise(function):
            return (function,)
        case N.Norm(_, kind):
            return (str(kind),)
    return ()


def _letters(terms: Terms) -> set[N.Node]:
    return {letter for monomial in terms for letter, _ in monomial}


def _sum(left: Terms, right: Terms, factor: Fraction) -> Terms:
    """left + factor * right, without zeros."""
    found = dict(left)
    for monomial, coefficient in right.items():
        found[monomial] = found.get(monomial, Fraction(0)) + factor * coefficient
    return {monomial: coefficient for monomial, coefficient in found.items() if coefficient}


class _Reader:
    """Trees as polynomials in their letters, whose order is that of the declarations and of their form."""

    def __init__(self, symbols: Mapping[str, Declared]) -> None:
        self._order = {name: place for place, name in enumerate(symbols)}
        self._sizes = {name for name, declared in symbols.items() if isinstance(declared.kind, SIZES)}
        self._keys: dict[N.Node, tuple[object, ...]] = {}

    def read(self, node: N.Node) -> Terms | None:
        """None where it would become too long."""
        match node:
            case N.Number(value):
                return {(): value} if value else {}
            case N.Negate(arg):
                found = self.read(arg)
                return None if found is None else _sum({}, found, Fraction(-1))
            case N.Add(left, right) | N.Subtract(left, right):
                first, second = self.read(left), self.read(right)
                if first is None or second is None:
                    return None
                return _sum(first, second, Fraction(1 if isinstance(node, N.Add) else -1))
            case N.Multiply(left, right):
                return self._product(self.read(left), self.read(right))
            case N.Divide(left, N.Number(value)) if value:
                found = self.read(left)
                return None if found is None else _sum({}, found, 1 / value)
            case N.Power(base, N.Number(k)) if k.denominator == 1 and 1 <= k <= MOST_DEGREE:
                return self._power(self.read(base), int(k))
        return {((node, 1),): Fraction(1)}

    def _power(self, base: Terms | None, exponent: int) -> Terms | None:
        """Of one term; a power of a sum says more than what it would become: it stays, as a letter."""
        if base is None or not base:
            return base
        if len(base) > 1:
            order = sorted(base, key=self._place)
            sign = 1 if base[order[0]] > 0 else -1
            letter = _written([(monomial, sign * base[monomial]) for monomial in order])
            return {((letter, exponent),): Fraction(sign**exponent)}
        ((monomial, coefficient),) = base.items()
        return {tuple((letter, k * exponent) for letter, k in monomial): coefficient**exponent}

    def _product(self, left: Terms | None, right: Terms | None) -> Terms | None:
        if left is None or right is None or len(left) * len(right) > MOST_TERMS:
            return None
        found: Terms = {}
        for first, a in left.items():
            for second, b in right.items():
                powers = dict(first)
                for letter, k in second:
                    powers[letter] = powers.get(letter, 0) + k
                monomial = tuple(sorted(powers.items(), key=lambda item: self._key(item[0])))
                found = _sum(found, {monomial: a * b}, Fraction(1))
        return found

    def _key(self, letter: N.Node) -> tuple[object, ...]:
        """By the places where its symbols were declared, then by its form: never by a name."""
        if letter not in self._keys:
            parts = [*walk(letter)]
            last = len(self._order)
            places = [
                self._order.get(part.name, last) for part in parts if isinstance(part, N.Symbol | N.Member)
            ]
            numbers = [part.value for part in parts if isinstance(part, N.Number)]
            kinds = [(type(part).__name__, *_words(part)) for part in parts]
            self._keys[letter] = (isinstance(letter, N.Symbol), places, kinds, numbers)
        return self._keys[letter]

    def _place(self, monomial: Monomial) -> tuple[object, ...]:
        """Higher degrees first, a number last."""
        return -sum(k for _, k in monomial), [(self._key(letter), -k) for letter, k in monomial]

    def _is_free(self, monomial: Monomial) -> bool:
        """It speaks of more than sizes."""
        parts = (part for letter, _ in monomial for part in walk(letter))
        return any(isinstance(part, N.Symbol | N.Member) and part.name not in self._sizes for part in parts)

    def relation(self, op: N.Comparison, gap: Terms) -> N.Relation:
        """gap op 0, with added and subtracted terms on their sides."""
        order = sorted(gap, key=self._place)
        if op in (">=", ">"):
            op, gap = FLIPPED[op], _sum({}, gap, Fraction(-1))
        elif op in ("==", "!=") and order and gap[order[0]] < 0:
            gap = _sum({}, gap, Fraction(-1))
        free = [monomial for monomial in order if self._is_free(monomial)]
        if len(free) == 1:
            return _solved(op, gap, free[0], order)
        gap = _scaled(gap)
        added = [(m, gap[m]) for m in order if m and gap[m] > 0]
        taken = [(m, -gap[m]) for m in order if m and gap[m] < 0]
        number = gap.get((), Fraction(0))
        if number:  # alone on a side that has nothing else, else where it is added
            alone = taken if not taken else added if not added else taken if number < 0 else added
            alone.append(((), number if alone is added else -number))
        if op in FLIPPED and all(not monomial for monomial, _ in added):
            return N.Relation(FLIPPED[op], _written(taken), _written(added))  # x >= 0 is how one says it
        return N.Relation(op, _written(added), _written(taken))


def _solved(op: N.Comparison, gap: Terms, monomial: Monomial, order: list[Monomial]) -> N.Relation:
    """For the one term that is more than sizes and numbers: x >= 1 - n."""
    factor = gap[monomial]
    rest = [(other, -gap[other] / factor) for other in order if other != monomial]
    turned = FLIPPED.get(op, op) if factor < 0 else op
    right = _written([(m, value) for m, value in rest if value > 0] + [(m, v) for m, v in rest if v < 0])
    return N.Relation(turned, _written([(monomial, Fraction(1))]), right)


def _scaled(gap: Terms) -> Terms:
    """With whole coefficients that have nothing in common; but a side of one term has its coefficient 1."""
    for sign in (1, -1):
        side = [(monomial, value) for monomial, value in gap.items() if sign * value > 0]
        if len(side) == 1 and side[0][0]:
            return _sum({}, gap, 1 / abs(side[0][1]))
    numbers = list(gap.values())
    shared = reduce(gcd, (value.numerator for value in numbers), 0)
    below = reduce(lcm, (value.denominator for value in numbers), 1)
    return _sum({}, gap, Fraction(below, shared)) if shared else gap


def _written(terms: list[tuple[Monomial, Fraction]]) -> N.Node:
    """A sum of multiples of monomials."""
    total: N.Node = ZERO
    for monomial, coefficient in terms:
        factors: N.Node = ONE
        for letter, power in monomial:
            raised = letter if power == 1 else N.Power(letter, N.Number(Fraction(power)))
            factors = times(factors, raised)
        term = times(N.Number(abs(coefficient)), factors)
        total = plus(total, term) if coefficient > 0 else less(total, term)
    return total
