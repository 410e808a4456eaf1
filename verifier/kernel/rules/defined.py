"""Where premises are claimed: a premise says nothing where one of its sides has no value, so a rule that uses
it must know that it has one wherever the conclusion has."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Dim
from verifier.expr.walk import children, free_indices, rebuild, walk
from verifier.kernel.context import Context
from verifier.kernel.core.read import Reader
from verifier.kernel.normal.atoms import Atom, Function, Inverse, Moment, Net, Poly, Root, Value
from verifier.kernel.normal.sign import Sign, Signs
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.regular import ARITHMETIC, is_bounded, is_smooth, is_tame

TOTAL = {
    "exp", "sin", "cos", "atan", "tanh", "sigmoid", "relu", "gelu", "silu", "softplus", "abs", "erf", "Phi",
    "phi", "min", "max",
}  # functions of all reals  # fmt: skip
PARTIAL_READERS = (
    N.Entry | N.Row | N.DiagPart | N.Trace | N.Hafnian
)  # they read some entries of a matrix, not all
BINDERS = (
    N.Sum, N.Product, N.BlockDiag, N.SubsetSum, N.Expectation, N.Variance, N.Covariance, N.Derivative,
    N.Limit, N.Extreme, N.Indicator, N.Growth,
)  # fmt: skip
OPEN = N.Add | N.Subtract | N.Negate | N.Multiply | N.Divide | N.Power  # what has no value without its parts
Facts = N.Relation | N.Within
Ranges = Mapping[str, tuple[N.Node, N.Node]]
Bound = tuple[tuple[N.Range, ...], tuple[N.Condition, ...]]


def sides(fact: Facts) -> tuple[N.Node, ...]:
    return (fact.left, fact.right) if isinstance(fact, N.Relation) else (fact.arg, fact.low, fact.high)


def only_numbers(fact: Facts) -> None:
    """Rejects what compares something else than numbers: growth, orders of magnitude, the infinite."""
    if any(isinstance(part, N.Growth | N.Order | N.Infinity) for side in sides(fact) for part in walk(side)):
        raise Rejected("outside", "a comparison of something else than numbers")


def unfolded(context: Context, node: N.Node) -> N.Node:
    """The tree with its `let` names written out, save those with an assumed value and those in derivatives,
    where a name may be what is varied."""
    match node:
        case N.Let(name, body) if name not in context.held:
            return unfolded(context, body)
        case N.Derivative() | N.Let():
            return node
    return rebuild(node, lambda part: unfolded(context, part))


def covered(context: Context, premises: Iterable[Facts], goal: Facts) -> None:
    """Accepts premises whose sides have values wherever those of the conclusion do: what may have none stands
    in the conclusion too, or has a value by its signs."""
    known = frozenset(part for side in sides(goal) for part in evaluated(context, side))
    means = [part.body for part in known if isinstance(part, N.Expectation) and not part.given]
    surely = frozenset(part for body in means for part in evaluated(context, body))
    sums = (part for part in known if isinstance(part, N.Sum | N.Product))
    terms = {(part.ranges, part.conditions): frozenset(evaluated(context, part.body)) for part in sums}
    check = Defined(context, known, {}, surely, terms)
    for fact in premises:
        for side in sides(fact):
            check.node(side)


def evaluated(context: Context, side: N.Node) -> Iterator[N.Node]:
    """What must have a value if the side has: not the terms of a sum, which may be empty, and not a whole
    matrix where only some of its entries are read. A matrix is compared entry by entry."""
    todo = [(side, side.shape.is_scalar)]
    while todo:
        node, whole = todo.pop()
        if whole:
            yield node
        if isinstance(node, BINDERS) or (isinstance(node, N.Let) and node.name in context.held):
            continue
        passes = whole and not isinstance(node, PARTIAL_READERS)
        todo += [(part, passes or part.shape.is_scalar) for part in children(node)]


def is_divided_by(sides: Iterable[N.Node], factor: N.Node) -> bool:
    """Whether a number is a product of denominators, and so not 0 where these trees have values."""
    if isinstance(factor, N.Multiply):
        return is_divided_by(sides, factor.left) and is_divided_by(sides, factor.right)
    todo = list(sides)
    while todo:
        node = todo.pop()
        if isinstance(node, N.Divide) and node.right == factor:
            return True
        todo += children(node) if isinstance(node, OPEN) and node.shape.is_scalar else ()
    return False


def _is_closed(poly: Poly) -> bool:
    """Whether no mean is left in it, and no number of which nothing is known."""
    return all(map(_is_closed_atom, poly.atoms()))


def _is_closed_atom(atom: Atom) -> bool:
    match atom:
        case Function(_, args):
            return all(map(_is_closed, args))
        case Inverse(base) | Root(base):
            return _is_closed(base)
        case Net(_, factors):
            return all(_is_closed_atom(part) for part, _ in factors)
    return not isinstance(atom, Moment | Value)


@dataclass(frozen=True)
class Defined:
    """Whether trees have values. `known`: those of which it is known already."""

    context: Context
    known: frozenset[N.Node]
    ranges: Ranges  # of the indices bound around
    surely: frozenset[N.Node] = frozenset()  # what has a value almost surely, since its mean has one
    terms: Mapping[Bound, frozenset[N.Node]] = field(default_factory=dict)  # known at every index
    here: frozenset[N.Node] = frozenset()  # known at the indices that are bound around

    def node(self, node: N.Node) -> None:
        """Rejects a tree that may have no value where the conclusion has one."""
        if isinstance(node, ARITHMETIC):
            return self._parts(node)
        if self._is_known(node):
            return None
        match node:
            case N.Norm() | N.Called() | N.RowWise("softmax"):
                return self._parts(node)
            case N.Let(name, body):
                return replace(self, ranges={}, here=frozenset()).node(self.context.held.get(name, body))
            case N.Divide(_, right) if self.is_nonzero(right):
                return self._parts(node)
            case N.Power(base, exponent) if self._has_power(base, exponent):
                return self._parts(node)
            case N.MatPower(_, exponent) if self._is_whole(exponent):
                return self._parts(node)
            case N.Apply(function, args) if function in TOTAL or self._has_function(function, args[0]):
                return self._parts(node)
            case N.SubsetSum(body, ranged, N.Number(order)) if order.denominator == 1 and order >= 0:
                return replace(self._within((ranged,)), here=frozenset()).node(body)
            case N.Sum(body, ranges, conditions) | N.Product(body, ranges, conditions):
                here = self.terms.get((ranges, conditions), frozenset())
                return replace(self._within(ranges), here=here).node(body)
            case N.Entry(arg, row, col) if self.is_in(row, arg.shape.rows) and self.is_in(
                col, arg.shape.cols
            ):
                return self.node(arg)
            case N.Row(arg, row) if self.is_in(row, arg.shape.rows):
                return self.node(arg)
            case N.Indicator(N.Relation(_, left, right)):
                self.node(left)
                return self.node(right)
            case N.Extreme(_, body, over) if is_bounded(self.context, body, frozenset(x.name for x in over)):
                return self.node(body)
            case N.Derivative(of, by) if is_smooth(self.context, of, by):
                return self.node(of)
            case N.Expectation(body, ()) if self.has_mean(node):
                return replace(self, known=self.known | self.surely, terms={}, here=frozenset()).node(body)
        raise Rejected("undefined", f"a {type(node).__name__} in a premise may have no value")

    def _parts(self, node: N.Node) -> None:
        for part in children(node):
            self.node(part)

    def _is_known(self, node: N.Node) -> bool:
        return node in self.here or (node in self.known and not free_indices(node))

    def is_nonzero(self, node: N.Node) -> bool:
        if isinstance(node, N.Number):
            return node.value != 0
        if self._sign(node) == 1 or self._is_known(N.Apply("log", (node,))):
            return True
        values = (*self.here, *(() if free_indices(node) else self.known))
        return any(isinstance(part, N.Divide) and part.right == node for part in values)

    def _has_power(self, base: N.Node, exponent: N.Node) -> bool:
        match exponent:
            case N.Number(value) if value.denominator == 1:
                return value >= 0 or self.is_nonzero(base)
            case N.Number(value) if value > 0 and self._sign(base) is not None:
                return True
        if self._is_whole(exponent):
            return True
        return self._sign(base) == 1

    def _has_function(self, function: str, arg: N.Node) -> bool:
        if function == "sqrt":
            return self._sign(arg) is not None
        if function == "factorial":
            return self._is_whole(arg)
        return function == "log" and self._sign(arg) == 1

    def _sign(self, node: N.Node) -> Sign:
        """With the signs of the indices around it, none of which is below the least of its range."""
        signs = Signs(self.context)
        for name, (low, _) in self.ranges.items():
            signs = replace(signs, known={**signs.known, name: signs.of(low)})
        return signs.of(node)

    def _within(self, ranges: tuple[N.Range, ...]) -> "Defined":
        inner = self
        for ranged in ranges:
            inner.node(ranged.low)
            inner.node(ranged.high)
            inner = replace(inner, ranges={**inner.ranges, ranged.index: (ranged.low, ranged.high)})
        return inner

    def is_in(self, at: N.Node, size: Dim) -> bool:
        """Whether a position is one of 1..size."""
        match at:
            case N.Number(value):
                ((_, least), *more) = size.terms or (((), 0),)
                most = size.constant if size.constant is not None else 0 if more else least
                return value.denominator == 1 and 1 <= value <= most
            case N.Symbol(name) if name in self.context.symbols:
                return self.context.symbols[name].kind == K.IndexOf(size)
            case N.Index(name) if name in self.ranges:
                low, high = self.ranges[name]
                return low == N.Number(Fraction(1)) and self._size(high) == size
        return False

    def _size(self, node: N.Node) -> Dim | None:
        try:
            bound = {name: name for name in self.ranges if name not in self.context.symbols}
            return Reader(self.context, indices=bound).position(node)
        except (Rejected, KeyError):
            return None

    def has_mean(self, node: N.Expectation) -> bool:
        return self._is_dominated(node.body) or self._is_integrated(node)

    def _is_dominated(self, body: N.Node) -> bool:
        """What is bounded, or at most a polynomial in draws that have all moments."""
        names = self.context.drawn(body)
        if self.context.layers is None and is_bounded(self.context, body, names):
            return True
        laws = [self.context.symbols[name].kind for name in names]
        fixed = all(
            not any(map(self.context.is_random, self.context.reach(value)))
            for law in laws
            for value in vars(law).values()
            if isinstance(value, N.Node)
        )
        full = all(isinstance(law, K.Normal | K.Rademacher | K.Bernoulli | K.Uniform) for law in laws)
        return fixed and full and (self._is_polynomial(body, False) or is_tame(self.context, body))

    def _is_integrated(self, node: N.Node) -> bool:
        """A mean that the law gives in closed form."""
        if free_indices(node):
            return False
        try:
            return _is_closed(ZeroTest(self.context).of_node(node))
        except Rejected:
            return False

    def _is_polynomial(self, node: N.Node, exactly: bool) -> bool:
        """A polynomial in draws, or else at most one in size: a norm of polynomials is."""
        match node:
            case N.Norm(arg) | N.Apply("abs", (arg,)) if not exactly:
                return self._is_polynomial(arg, False)
            case N.Power(N.Norm(arg, "fro"), N.Number(value)) if value.denominator == 1 and value % 2 == 0:
                return value >= 0 and self._is_polynomial(arg, exactly)
            case N.Power(base, exponent) | N.MatPower(base, exponent) if self._is_whole(exponent):
                return self._is_polynomial(base, exactly)
            case N.Let(name, body):
                return name not in self.context.held and self._is_polynomial(body, exactly)
            case N.Divide(top, bottom) if not self.context.drawn(bottom):
                return self._is_polynomial(top, exactly)
            case N.Entry(arg) | N.Row(arg):
                return self._is_polynomial(arg, exactly)
            case N.Derivative(arg):
                return self._is_polynomial(arg, True)
        if not self.context.drawn(node):
            return True
        parts = children(node)
        return isinstance(node, (*ARITHMETIC, N.Sum)) and all(self._is_polynomial(p, exactly) for p in parts)

    def _is_whole(self, exponent: N.Node) -> bool:
        """A whole number that is never negative: it has no minus once sizes are written as 1 and more."""
        size = self._size(exponent)
        if size is None:
            return False
        least = {name: self._least(name) for name in size.names}
        if any(low is None or low < 0 for low in least.values()):
            return False
        beyond = size.replace({name: Dim.of(name) + Dim.of(low or 0) for name, low in least.items()})
        return all(factor > 0 for _, factor in beyond.terms)

    def _least(self, name: str) -> int | None:
        """The least value of a size or of a bound index that is a whole number."""
        declared = self.context.symbols.get(name)
        if declared is not None:
            return 1 if isinstance(declared.kind, K.Dimension) and name not in self.ranges else None
        match self.ranges.get(name, (None,))[0]:
            case N.Number(value) if value.denominator == 1:
                return int(value)
        return None
