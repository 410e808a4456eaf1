"""Numbers as sums of products of parts that are not looked into: only the laws of a field are used, and so an
inequality whose terms are norms, means or derivatives of any size is told in a moment."""

from collections.abc import Iterable
from fractions import Fraction

from flint import fmpq

from verifier.expr import nodes as N
from verifier.kernel.context import Context
from verifier.kernel.normal.sign import Signs
from verifier.kernel.rejected import Rejected

Powers = frozenset[tuple[N.Node, Fraction]]
Terms = dict[Powers, fmpq]
NONE: Powers = frozenset()
MOST_TERMS, MOST_TIMES = 200, 8
HALF = Fraction(1, 2)


def is_below(context: Context, small: N.Node, large: N.Node, strict: bool) -> bool:
    """Whether large - small is a sum of products of parts that are never negative; one of them is positive
    where it is to be strict. The trees are written out."""
    if not (small.shape.is_scalar and large.shape.is_scalar):
        return False
    parts = Parts(context)
    try:
        gap = parts.of(N.Subtract(large, small))
    except Rejected:
        return False
    signs = [parts.sign(powers) if factor > 0 else None for powers, factor in gap.items()]
    return None not in signs and (not strict or any(signs))


def is_same(context: Context, left: N.Node, right: N.Node) -> bool:
    """Whether two numbers are equal by the laws of a field alone, where both have a value."""
    if not (left.shape.is_scalar and right.shape.is_scalar):
        return False
    try:
        return not Parts(context).of(N.Subtract(left, right))
    except Rejected:
        return False


def tidied(context: Context, node: N.Node) -> N.Node:
    """The tree as a sum of products, in which what stands above and below a line is gone."""
    try:
        terms = Parts(context).of(node)
    except Rejected:
        return node
    found: N.Node | None = None
    for powers, factor in sorted(terms.items(), key=lambda item: repr(sorted(item[0], key=repr))):
        term: N.Node = N.Number(Fraction(int(factor.p), int(factor.q)))
        for part, power in sorted(powers, key=repr):
            raised = part if power == 1 else N.Power(part, N.Number(power))
            term = raised if term == N.Number(Fraction(1)) else N.Multiply(term, raised)
        found = term if found is None else N.Add(found, term)
    return found or N.Number(Fraction(0))


class Parts:
    """Reads trees, each part once."""

    def __init__(self, context: Context) -> None:
        self._signs = Signs(context)
        self._known: dict[N.Node, int | None] = {}

    def sign(self, powers: Powers) -> int | None:
        """0 for a product that is never negative, 1 for a positive one."""
        found = [self._sign_of(part, power) for part, power in powers]
        return None if None in found else int(all(found))

    def _sign_of(self, part: N.Node, power: Fraction) -> int | None:
        if part not in self._known:
            self._known[part] = self._signs.of(part)
        if self._known[part] is None:
            return 0 if power.denominator == 1 and power % 2 == 0 else None
        return self._known[part] if power > 0 else 1  # what is divided by is not 0

    def of(self, node: N.Node) -> Terms:
        match node:
            case N.Number(value):
                return {NONE: fmpq(value.numerator, value.denominator)} if value else {}
            case N.Add(left, right):
                return _added(self.of(left), self.of(right))
            case N.Subtract(left, right):
                return _added(self.of(left), _scaled(self.of(right), fmpq(-1)))
            case N.Negate(arg):
                return _scaled(self.of(arg), fmpq(-1))
            case N.Multiply(left, right):
                return _product(self.of(left), self.of(right))
            case N.Divide(left, right):
                return _product(self.of(left), self._power(right, Fraction(-1)))
            case N.Power(base, N.Number(value)):
                return self._power(base, value)
            case N.Apply("sqrt", (arg,)):
                return self._power(arg, HALF)
            case N.Expectation(body, ()) if self._signs.context.layers is None:
                return self._mean(body)
            case N.Trace() | N.Inner() | N.MatMul() if terms := self._signs.chains.expanded(node):
                found: Terms = {}
                for numbers, trace in terms:
                    term = self.of(trace)
                    for number in numbers:
                        term = _product(term, self.of(number))
                    found = _added(found, term)
                return found
        return _atom(node)

    def _power(self, base: N.Node, power: Fraction) -> Terms:
        terms = self.of(base)
        if power.denominator == 1 and 0 <= power <= MOST_TIMES:
            found: Terms = {NONE: fmpq(1)}
            for _ in range(int(power)):
                found = _product(found, terms)
            return found
        if not terms:
            raise Rejected("undefined", "a power of 0 that has no value, or a root of it")
        if len(terms) != 1:
            return _atom(base, power)
        ((powers, factor),) = terms.items()
        if power.denominator != 1 and (factor < 0 or any(self._is_open(*item) for item in powers)):
            return _atom(base, power)
        return _product(_joined((part, each * power) for part, each in powers), _root(factor, power))

    def _mean(self, body: N.Node) -> Terms:
        """E(c*f) = c*E(f) for a number c that is not drawn, where both have a value."""
        terms, context = self.of(body), self._signs.context
        if len(terms) != 1:
            return _atom(N.Expectation(body, ()))
        ((powers, factor),) = terms.items()
        drawn = [item for item in powers if context.drawn(item[0])]
        fixed = _scaled(_joined(item for item in powers if item not in drawn), factor)
        inside: N.Node = N.Number(Fraction(1))
        for part, power in sorted(drawn, key=repr):
            inside = N.Multiply(inside, N.Power(part, N.Number(power)))
        return _product(fixed, _atom(N.Expectation(inside, ()))) if drawn else fixed

    def _is_open(self, part: N.Node, power: Fraction) -> bool:
        """Whether a part may be negative, so that roots of products are no products of roots."""
        return self._sign_of(part, Fraction(1)) is None


def _atom(node: N.Node, power: Fraction = Fraction(1)) -> Terms:
    return {frozenset({(node, power)}): fmpq(1)}


def _root(factor: fmpq, power: Fraction) -> Terms:
    """A power of a positive number: as a number, and roots of primes and of what is too large to factor."""
    found: Terms = {NONE: fmpq(1)}
    for value, sign in ((int(factor.p), 1), (int(factor.q), -1)):
        if value == 0 or (value < 0 and power.denominator != 1):
            raise Rejected("outside", "a power of 0, or a root of a negative number")
        if power.denominator == 1:
            found = _scaled(found, fmpq(value) ** int(sign * power))
            continue
        for prime in _primes(value):
            found = _product(found, _atom(N.Number(Fraction(prime)), sign * power))
    return found


def _primes(value: int) -> list[int]:
    found, at = [], 2
    while at * at <= value and at < 1000:
        while value % at == 0:
            found.append(at)
            value //= at
        at += 1
    return [*found, value] if value > 1 else found


def _joined(powers: Iterable[tuple[N.Node, Fraction]]) -> Terms:
    """A product of powers; whole powers of numbers are numbers."""
    found: dict[N.Node, Fraction] = {}
    for part, power in powers:
        found[part] = found.get(part, Fraction(0)) + power
    factor = fmpq(1)
    for part, power in found.items():
        if isinstance(part, N.Number):
            whole = power.numerator // power.denominator
            factor *= fmpq(part.value.numerator, part.value.denominator) ** whole
            found[part] = power - whole
    return {frozenset(item for item in found.items() if item[1]): factor}


def _added(left: Terms, right: Terms) -> Terms:
    found = dict(left)
    for powers, factor in right.items():
        found[powers] = found.get(powers, fmpq(0)) + factor
    return {powers: factor for powers, factor in found.items() if factor}


def _scaled(terms: Terms, factor: fmpq) -> Terms:
    return {powers: value * factor for powers, value in terms.items()}


def _product(left: Terms, right: Terms) -> Terms:
    if len(left) * len(right) > MOST_TERMS:
        raise Rejected("too-large", f"more than {MOST_TERMS} terms")
    found: Terms = {}
    for first, a in left.items():
        for second, b in right.items():
            found = _added(found, _scaled(_joined((*first, *second)), a * b))
    return found
