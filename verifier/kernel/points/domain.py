"""Whether a tree has a value at a point: every part of it, also one that is multiplied by zero.

Terms forget: 0*log(x) is 0 in core form, and so is the slope of something that has no slope here. So the
tree is walked, with its indices at numbers and the draws of its means as variables, and every part that may
have no value is looked at: quotients, roots, logarithms, positions, and inside of a derivative the kinks.
"""

from collections.abc import Iterator
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.walk import children
from verifier.kernel.core.draws import apart_from, draws, known_draws
from verifier.kernel.points import almost
from verifier.kernel.points import polynomials as poly
from verifier.kernel.points import values as v
from verifier.kernel.points.evaluate import Evaluator, Indices
from verifier.kernel.points.means import Scope
from verifier.kernel.points.outcomes import NotPolynomial, Undecided
from verifier.kernel.points.polynomials import Scalar
from verifier.kernel.rejected import Rejected

PARTIAL = frozenset({"log", "asin", "acos", "factorial", "factorial2", "binomial"})
KINKED = frozenset({"abs", "relu"})
Conditions = tuple[N.Condition, ...]


class Domain:
    """Walks trees under an evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._seen: dict[object, N.Node] = {}
        self._plain: dict[int, tuple[N.Node, bool]] = {}

    def check(self, node: N.Node, indices: Indices, scope: Scope, smooth: bool = False) -> None:
        """Raises `Rejected` unless the tree has a value; `smooth`: and, where it has kinks, a slope."""
        if self._is_plain(node):
            return
        key = (id(node), tuple(sorted(indices.items())), id(scope), smooth)
        if key in self._seen:
            return
        self.evaluator.budget.spend()
        self._visit(node, indices, scope, smooth)
        self._seen[key] = node

    def _visit(self, node: N.Node, indices: Indices, scope: Scope, smooth: bool) -> None:
        match node:
            case N.Let(name, body):
                held = self.evaluator.held
                if name in held:
                    self.check(held[name], {}, scope)
                if name not in held or smooth:
                    self.check(body, {}, scope, smooth)
            case N.Sum(body, ranges, conditions) | N.Product(body, ranges, conditions):
                for inner in self.each(ranges, conditions, indices):
                    self.check(body, inner, scope, smooth)
            case N.BlockDiag(body, ranged) | N.SubsetSum(body, ranged):
                for inner in self.each((ranged,), (), indices):
                    self.check(body, inner, scope, smooth)
            case N.Expectation(body, given):
                context = self.evaluator.reader.context
                if apart_from(context, body, given):
                    raise Rejected("outside", "a mean given a part of what it depends on")
                over = self.draws(body) - known_draws(context, given)
                self._under_mean((body,), over, indices, scope, smooth)
                self._exists(node, indices, scope)
            case N.Variance(body):
                self._under_mean((body,), self.draws(body), indices, scope, smooth)
                self._exists(node, indices, scope)
            case N.Covariance(left, right):
                over = self.draws(left) | self.draws(right)
                self._under_mean((left, right), over, indices, scope, smooth)
                self._exists(node, indices, scope)
            case N.Derivative(of, _):
                self.check(of, indices, scope, True)
            case _:
                for part in children(node):
                    self.check(part, indices, scope, smooth)
                self._own(node, indices, scope, smooth)

    def draws(self, node: N.Node) -> frozenset[str]:
        return draws(self.evaluator.reader.context, node)

    def _under_mean(
        self, bodies: tuple[N.Node, ...], draws: frozenset[str], indices: Indices, scope: Scope, smooth: bool
    ) -> None:
        means = self.evaluator.means
        try:
            for body in bodies:
                self.check(body, indices, means.drawing(scope, draws), smooth)
        except NotPolynomial:
            if not means.discrete(draws):
                raise
            for inner, _ in means.outcomes(scope, draws):
                for body in bodies:
                    self.check(body, indices, inner, smooth)

    def _exists(self, mean: N.Node, indices: Indices, scope: Scope) -> None:
        """The mean itself, entry by entry: it must exist also where it is multiplied by zero."""
        try:
            with self.evaluator.coarsely(scope) as roughly:
                for _ in self.evaluator.entries(mean, indices, roughly):
                    pass
        except Undecided:
            for _ in self.evaluator.entries(mean, indices, scope):
                pass

    def each(self, ranges: tuple[N.Range, ...], conditions: Conditions, around: Indices) -> Iterator[Indices]:
        """The numbers that the indices run over."""
        if not ranges:
            if all(self._passes(condition, around) for condition in conditions):
                yield around
            return
        first, *rest = ranges
        low, high = self.position(first.low, around), self.position(first.high, around)
        self.evaluator.budget.spend(max(high - low, 0))
        for number in range(low, high + 1):
            yield from self.each(tuple(rest), conditions, {**around, f"%.{first.index}": number})

    def position(self, node: N.Node, indices: Indices) -> int:
        found = v.whole(self.evaluator.entry(node, 1, 1, indices, self.evaluator.root))
        if found is None:
            raise Rejected("outside", "a position that is no integer")
        return found

    def _passes(self, condition: N.Condition, indices: Indices) -> bool:
        left, right = self.position(condition.left, indices), self.position(condition.right, indices)
        return compare_holds(condition.op, (left > right) - (left < right))

    def _own(self, node: N.Node, indices: Indices, scope: Scope, smooth: bool) -> None:
        """What the node itself needs of its parts."""
        match node:
            case N.Divide(_, right):
                for value in self._values(right, indices, scope):
                    almost.require_nonzero(self.evaluator, value)
            case N.Power(base, exponent):
                self._power(base, exponent, indices, scope, smooth)
            case N.Apply("sqrt", (arg,)):
                self._power(arg, N.Number(Fraction(1, 2)), indices, scope, smooth)
            case N.Apply(function, args) if function in PARTIAL:
                sides = [list(self._values(arg, indices, scope)) for arg in args]
                count = max(map(len, sides))
                for at in range(count):
                    numbers = tuple(side[at if len(side) > 1 else 0] for side in sides)
                    almost.require_value(self.evaluator, function, numbers)
                    if smooth and function in ("asin", "acos"):
                        square = poly.power(numbers[0], v.TWO, self.evaluator.budget)
                        self._require_off(poly.minus(v.ONE, square, self.evaluator.budget))
            case N.Apply(function, args) if smooth and function in KINKED:
                for value in self._values(args[0], indices, scope):
                    self._require_off(value)
            case N.Apply("min" | "max", (left, right)) if smooth:
                for value in self._values(N.Subtract(left, right), indices, scope):
                    self._require_off(value)
            case N.Norm(arg, kind) if smooth:
                self._norm(node, arg, kind, indices, scope)
            case N.RowWise("rmsnorm" | "layernorm" as function, arg):
                self._normalised(function, arg, indices, scope)
            case N.Entry(arg, row, col):
                self._within(row, self.evaluator.dim(arg.shape.rows), indices)
                self._within(col, self.evaluator.dim(arg.shape.cols), indices)
            case N.Row(arg, row):
                self._within(row, self.evaluator.dim(arg.shape.rows), indices)
            case N.Member(name, _, index):
                declared = self.evaluator.context.symbols.get(name)
                if declared is None or declared.copies is None:
                    raise Rejected("outside", f"{name} is no family here")
                self._within(index, self.evaluator.dim(declared.copies), indices)

    def _values(self, node: N.Node, indices: Indices, scope: Scope) -> Iterator[Scalar]:
        return (value for _, value in self.evaluator.entries(node, indices, scope))

    def _power(self, base: N.Node, exponent: N.Node, indices: Indices, scope: Scope, smooth: bool) -> None:
        number = poly.number(self.evaluator.entry(exponent, 1, 1, indices, scope), "a power with an exponent")
        count = v.whole(number)
        if count is not None and count >= 0:
            return
        for value in self._values(base, indices, scope):
            almost.require_power(self.evaluator, value, number)
            if smooth:
                self._require_off(value)

    def _norm(self, node: N.Node, arg: N.Node, kind: str, indices: Indices, scope: Scope) -> None:
        """A Euclidean norm has no slope at 0, a sum of absolute values none where an entry is 0."""
        for value in self._values(node if kind in ("fro", "2") else arg, indices, scope):
            self._require_off(value)

    def _normalised(self, function: str, arg: N.Node, indices: Indices, scope: Scope) -> None:
        """Some entry of each row is not 0, or not the same as another."""
        found: dict[int, list[Scalar]] = {}
        for (row, _), value in self.evaluator.entries(arg, indices, scope):
            found.setdefault(row, []).append(value)
        for values in found.values():
            centre = values[0] if function == "layernorm" else v.ZERO
            if not any(self._is_off(poly.minus(value, centre, self.evaluator.budget)) for value in values):
                raise Rejected("undefined", f"{function} of a row without size")

    def _is_off(self, value: Scalar) -> bool:
        if not isinstance(value, poly.Poly):
            return v.sign_of(value) != 0
        try:
            almost.require_nonzero(self.evaluator, value)
        except NotPolynomial:
            raise
        except Rejected:
            return False
        return True

    def _require_off(self, value: Scalar) -> None:
        if not self._is_off(value):
            raise Rejected("undefined", "a slope at a kink")

    def _within(self, place: N.Node, size: int, indices: Indices) -> None:
        if not 1 <= self.position(place, indices) <= size:
            raise Rejected("undefined", "a position beyond a size")

    def _is_plain(self, node: N.Node) -> bool:
        """Whether nothing below may lack a value or a slope."""
        if id(node) not in self._plain:
            if isinstance(node, N.Let) and node.name in self.evaluator.held:
                found = False
            else:
                found = not _may_lack(node) and all(map(self._is_plain, children(node)))
            self._plain[id(node)] = node, found
        return self._plain[id(node)][1]


def _may_lack(node: N.Node) -> bool:
    match node:
        case N.Divide(_, N.Number(value)):
            return value == 0
        case N.Power(_, N.Number(value)):
            return value.denominator != 1 or value < 0
        case N.Apply(function):
            return function in PARTIAL or function in KINKED or function in ("sqrt", "min", "max")
        case N.RowWise(function):
            return function != "softmax"
    partial = N.Divide | N.Power | N.Entry | N.Row | N.Member | N.Derivative | N.Norm
    means = N.Expectation | N.Variance | N.Covariance
    return isinstance(node, partial | means | N.BlockDiag | N.SubsetSum)


def compare_holds(op: str, side: int) -> bool:
    """Whether `left op right`, where side is the sign of left - right."""
    return {
        "==": side == 0,
        "!=": side != 0,
        "<": side < 0,
        "<=": side <= 0,
        ">": side > 0,
        ">=": side >= 0,
    }[op]
