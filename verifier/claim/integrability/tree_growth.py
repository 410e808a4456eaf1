"""How fast a tree grows in the random numbers inside it, read from its form."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf

from verifier.claim.integrability.function_growth import applied, extreme
from verifier.claim.integrability.rates import (
    BOUNDED,
    LINEAR,
    TAME,
    UNKNOWN,
    WILD,
    Rate,
    Size,
    constant,
    exponential,
    minus,
    plus,
    summed,
    times,
)
from verifier.claim.integrability.small_balls import vanishing
from verifier.claim.undefined import Stated
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.reach import at_least, polynomial
from verifier.expr.scope import Scope
from verifier.expr.sizes import rational
from verifier.expr.symbols import Bernoulli, Declared, Normal, Rademacher, Uniform
from verifier.expr.walk import children, distinct
from verifier.facts.spans import Span
from verifier.facts.values import Values

ZERO = N.Number(Fraction(0))
LARGE, MOST_POWERS = 10**9, 64


@dataclass
class Scene:
    """One mean: what is random in it. `held`: symbols that it is conditioned on; a state of layers is varied
    while their next value is read."""

    stated: Stated
    held: frozenset[str] = frozenset()
    state: str | None = None
    least: dict[str, int] = field(default_factory=dict)  # where the index of a sum starts
    # By identity, since trees share what a `let` stands for; the nodes are kept, so that none takes
    # another's place.
    _random: dict[int, tuple[N.Node, frozenset[str]]] = field(default_factory=dict)
    _sizes: dict[int, tuple[N.Node, Size]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        drawn = {} if self.stated.layers is None else {x.name: x for x in self.stated.layers.symbols}
        self.declared: Mapping[str, Declared] = {**self.stated.symbols, **drawn}
        self.values: dict[str, N.Node] = {}
        for assumption in self.stated.assumptions:
            pair = assumption.assumed_value or assumption.substitution
            if pair is not None and pair[0].name not in self._reached(pair[1]):
                self.values[pair[0].name] = pair[1]
        facts = (assumption.fact for assumption in self.stated.assumptions)
        self._known = Values.of(self.declared, facts)

    def _reached(self, node: N.Node) -> set[str]:
        """The names in a tree, and in what assumptions put in their place."""
        names = {part.name for part in distinct(node) if isinstance(part, N.Symbol | N.Let)}
        return names.union(*(self._reached(self.values[name]) for name in names & self.values.keys()))

    def start(self, ranges: tuple[N.Range, ...]) -> None:
        """Note where indices start."""
        for span in ranges:
            low = rational(span.low)
            if isinstance(low, Fraction) and low.denominator == 1:
                self.least[span.index] = min(int(low), self.least.get(span.index, int(low)))
            elif self.whole(span.low):
                self.least[span.index] = 0

    def span(self, node: N.Node) -> Span:
        """Where it lies; an index may be anything but for where it starts."""
        return self.known(node)

    @property
    def known(self) -> Values:
        ranges = {name: Span.between(least, None) for name, least in self.least.items()}
        return replace(self._known, ranges=ranges)

    def whole(self, exponent: N.Node) -> bool:
        """Whether it is a whole number, and not negative."""
        value = rational(exponent)
        if value is not None:
            return isinstance(value, Fraction) and value.denominator == 1 and value >= 0
        found = polynomial(exponent, Scope(self.stated.symbols, {}, {}, {}))
        if found is None or not found.names <= self.declared.keys() | self.least.keys():
            return False
        starts = {name: Dim.of(name) + Dim.of(self.least.get(name, 1) - 1) for name in found.names}
        return at_least(found.replace(starts), 0)

    def random(self, node: N.Node) -> frozenset[str]:
        """The names of the random symbols that it depends on."""
        if id(node) not in self._random:
            self._random[id(node)] = node, self._names(node)
        return self._random[id(node)][1]

    def _names(self, node: N.Node) -> frozenset[str]:
        match node:
            case N.Expectation(_, given):
                return frozenset().union(*map(self.random, given))
            case N.Variance() | N.Covariance():
                return frozenset()
            case N.After(state):
                layers = self.stated.layers
                drawn = frozenset(x.name for x in layers.symbols if x.is_random) if layers else frozenset()
                return self.random(state) | drawn - self.held
            case N.Let(name, body):
                return self.random(self.values.get(name, body)) | self.random(body)
            case N.Symbol(name) | N.Member(name):
                if name in self.values and isinstance(node, N.Symbol):
                    return self.random(self.values[name])
                own = name in self.declared and self.declared[name].is_random and name not in self.held
                return frozenset({name}) if own or name == self.state else frozenset()
        return frozenset().union(*(self.random(child) for child in children(node)))

    def size(self, node: N.Node) -> Size:
        """What is known of how it grows."""
        if id(node) not in self._sizes:
            self._sizes[id(node)] = node, self._size(node)
        return self._sizes[id(node)][1]

    def _size(self, node: N.Node) -> Size:
        if isinstance(node, N.Number):
            ends = (
                (node.value, node.value) if abs(node.value) < LARGE else (0 if node.value > 0 else -inf, inf)
            )
            return Size(BOUNDED, BOUNDED, BOUNDED, *ends)
        if not self.random(node):
            return constant(self.span(node))
        return _Fold(self).read(node)


@dataclass(frozen=True)
class _Fold:
    scene: Scene

    def size(self, node: N.Node) -> Size:
        return self.scene.size(node)

    def read(self, node: N.Node) -> Size:
        match node:
            case N.Symbol(name) | N.Member(name):
                return self._drawn(node, name)
            case N.Let(name, body):
                return self.size(self.scene.values.get(name, body))
            case N.Transpose(arg) | N.Entry(arg) | N.Row(arg) | N.VecR(arg) | N.DiagPart(arg):
                return self.size(arg)
            case N.DiagMatrix(arg) | N.BlockDiag(arg):
                found = self.size(arg)
                return Size(found.above, found.below, WILD, min(found.low, 0), max(found.high, 0))
            case N.Negate(arg):
                return minus(self.size(arg))
            case N.Add(left, right):
                return plus(self.size(left), self.size(right))
            case N.Subtract(left, right):
                return plus(self.size(left), minus(self.size(right)))
            case N.Multiply(left, right):
                return self._square(left) if left == right else times(self.size(left), self.size(right))
            case N.Divide(left, right):
                return times(self.size(left), self._inverted(right))
            case N.Power(base, exponent):
                return self._power(base, exponent)
            case N.Apply("min" | "max" as function, (left, right)):
                return extreme(function, self.size(left), self.size(right))
            case N.Apply("log", (arg,)) if self.size(arg).inverse == WILD:
                return self._logarithm(arg)
            case N.Apply(function, (arg,)):
                return applied(function, self.size(arg))
            case N.Indicator():
                return Size(BOUNDED, BOUNDED, WILD, Fraction(0), Fraction(1))
            case N.Called():
                return Size(BOUNDED, BOUNDED, BOUNDED)  # functions without that mean are left out
            case N.Derivative(of, _):
                return self._slope(of)
        return self._of_matrices(node)

    def _of_matrices(self, node: N.Node) -> Size:
        match node:
            case N.Inner(left, right) if left == right:
                return summed(self._square(left))
            case N.MatMul(left, right) | N.Inner(left, right):
                return summed(times(self.size(left), self.size(right)))
            case N.Kron(left, right):
                return times(self.size(left), self.size(right))
            case N.Norm(arg):
                return Size(self.size(arg).both, BOUNDED, self.size(arg).inverse, Fraction(0))
            case N.Trace(arg):
                return summed(self.size(arg))
            case N.Sum(body, ranges, conditions):
                if any(isinstance(span.high, N.Infinity) for span in ranges):
                    return UNKNOWN
                self.scene.start(ranges)
                return summed(self.size(body), self.scene.known.may_be_empty(ranges, conditions))
            case N.Product(body, ranges, _):
                self.scene.start(ranges)
                found = self.size(body)
                both = max(found.both, found.both**inf)
                return Size(both, both, max(found.inverse, found.inverse**inf), min(found.low, 0))
            case N.SubsetSum(body, _, _) | N.Hafnian(body):
                found = self.size(body)
                return Size(found.both**inf, found.both**inf, WILD, 0 if found.low >= 0 else -inf).settled()
            case N.MatPower(base, exponent):
                rate = self.size(base).both ** inf
                return Size(rate, rate) if self.scene.whole(exponent) else UNKNOWN
            case N.RowWise("softmax", arg):
                return Size(BOUNDED, BOUNDED, exponential(self.size(arg).both), Fraction(0), Fraction(1))
            case N.RowWise():
                return Size(BOUNDED, BOUNDED, WILD)
            case N.Expectation(body):
                found = self.size(body)
                return Size(found.above, found.below, WILD, found.low, found.high)
            case N.After():
                return self._after()
        return UNKNOWN

    def _drawn(self, node: N.Symbol | N.Member, name: str) -> Size:
        if isinstance(node, N.Symbol) and name in self.scene.values:
            return self.size(self.scene.values[name])
        if name == self.scene.state:
            return Size(LINEAR, LINEAR)
        match self.scene.declared[name].kind:
            case Normal():
                return Size(LINEAR, LINEAR)
            case Rademacher():
                return Size(BOUNDED, BOUNDED, BOUNDED, Fraction(-1), Fraction(1))
            case Bernoulli(chance):
                surely = chance == N.Number(Fraction(1))
                return Size(BOUNDED, BOUNDED, WILD, Fraction(1 if surely else 0), Fraction(1)).settled()
            case Uniform(low, high):
                first, last = self.scene.span(low), self.scene.span(high)
                least = -inf if first.low.at is None else first.low.at
                most = inf if last.high.at is None else last.high.at
                return Size(BOUNDED, BOUNDED, BOUNDED if first.is_positive else WILD, least, most).settled()
        return Size(BOUNDED, BOUNDED, BOUNDED)  # of an unknown law; those without that mean are left out

    def _square(self, node: N.Node) -> Size:
        found = self.size(node)
        return Size(found.both**2, BOUNDED, found.inverse**2, Fraction(0))

    def _inverted(self, node: N.Node) -> Size:
        found = self.size(node)
        low = 0 if found.low >= 0 else -inf
        return Size(found.inverse, found.inverse, found.both, low, 0 if found.high <= 0 else inf).settled()

    def _power(self, base: N.Node, exponent: N.Node) -> Size:
        found = self.size(base)
        value = rational(exponent)
        if not isinstance(value, Fraction):
            if self.scene.random(exponent):
                fixed = not self.scene.random(base) and self.scene.span(base).is_positive
                return applied("exp", self.size(exponent)) if fixed else UNKNOWN
            above = self.scene.span(exponent).is_nonnegative or self.scene.whole(exponent)
            rates = (found.both if above else max(found.both, found.inverse)) ** inf
            inverse = found.inverse**inf if above else rates
            return Size(rates, rates, inverse, 0 if found.low >= 0 else -inf).settled()
        k = value
        if k == 2:
            return self._square(base)
        if k == 0:
            return Size(BOUNDED, BOUNDED, BOUNDED, Fraction(1), Fraction(1))
        whole = found if k > 0 else self._inverted(base)
        k = abs(k)
        even = k.numerator % 2 == 0 or k.denominator > 1
        both, low = whole.both**k, 0 if even or whole.low >= 0 else -inf
        few = whole.low >= 0 and whole.high < inf and k.denominator == 1 and k <= MOST_POWERS
        high = whole.high**k if few else inf
        return Size(both, both, whole.inverse**k, low, high).settled()

    def _logarithm(self, arg: N.Node) -> Size:
        """Every moment is finite where what is close to 0 is so rarely enough."""
        close = vanishing(self.scene, arg)
        rarely = close is not None and close.order != ZERO and self.size(arg).above.is_tame
        return Size(TAME, TAME) if rarely else UNKNOWN

    def _slope(self, of: N.Node) -> Size:
        """A derivative is made of the values inside, of slopes that are bounded, and of one over what is
        below a line, a root or a logarithm; a second derivative of a length is one over it."""
        rate = BOUNDED
        for part in distinct(of):
            match part:
                case N.RowWise("rmsnorm" | "layernorm") | N.Apply("asin" | "acos") if self.scene.random(part):
                    return UNKNOWN
                case N.Derivative(inner) if any(isinstance(x, N.Norm) for x in distinct(inner)):
                    return UNKNOWN
                case N.After():
                    rate *= self._after(slope=True).both
                case N.Apply("sqrt" | "log", (arg,)):
                    rate *= self.size(arg).inverse
                case N.Power(base, exponent) if not self.scene.whole(exponent):
                    rate *= self.size(base).inverse
            if self.scene.random(part):
                rate *= self.size(part).both
        grown = Rate(rate.rate, inf if rate.power else rate.power)
        return Size(grown, grown)

    def _after(self, slope: bool = False) -> Size:
        """Layers of polynomial growth, one after the other."""
        layers = self.scene.stated.layers
        if layers is None:
            return UNKNOWN
        inside = Scene(self.scene.stated, self.scene.held, layers.state.name, self.scene.least)
        found = _Fold(inside)._slope(layers.next) if slope else inside.size(layers.next)
        return Size(TAME, TAME) if found.both.rate == 0 else UNKNOWN
