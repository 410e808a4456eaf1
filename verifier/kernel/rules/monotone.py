"""Order under functions that increase."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.nodes import Relation
from verifier.expr.walk import children, rebuild, substitute, walk
from verifier.kernel.context import Context
from verifier.kernel.core.draws import draws
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.normal.sign import is_nonnegative
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.defined import covered, only_numbers, unfolded
from verifier.kernel.rules.inequalities import INSTANCES, is_instance

INCREASING = {
    "sqrt", "exp", "log", "asin", "atan", "tanh", "sigmoid", "relu", "softplus", "erf", "Phi", "min", "max",
}  # in each argument  # fmt: skip

LINEAR = (
    N.Norm, N.Inner, N.Trace, N.Entry, N.Row, N.Add, N.Subtract, N.Negate, N.Multiply, N.MatMul, N.Transpose,
)  # what binds nothing  # fmt: skip


def monotone(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash a_k \le b_k}{\Gamma \vdash f(a_1, a_2, \ldots) \le f(b_1, b_2, \ldots)}

    The two sides are one tree, in which some a_k stand where the tree increases and some b_k where it
    decreases, and their counterparts on the other side. Sums, differences, products and quotients of what is
    never negative, powers, increasing functions, events of being above, means. A mean needs its premise for
    every draw: no assumption may speak of them. Terms of sums and factors of products are compared at every
    index, by premises that speak of none, by the inequalities of the textbooks, and by what is assumed for
    all indices of the same range. Under norms, inner products and traces parts are replaced by equal ones.
    """
    match goal:
        case Holds(Relation("<=", small, large) as fact) | Holds(Relation(">=", large, small) as fact):
            only_numbers(fact)
        case _:
            raise Rejected("statement", "an inequality that is not strict")
    pairs, facts = set(), []
    for premise in premises:
        match premise:
            case Holds(Relation("<=" | "<", a, b) as given) | Holds(Relation(">=" | ">", b, a) as given):
                pairs.add((unfolded(context, a), unfolded(context, b)))
                facts.append(given)
            case Holds(Relation("==", a, b) as given):
                a, b = unfolded(context, a), unfolded(context, b)
                pairs |= {(a, b), (b, a)}
                facts.append(given)
            case _:
                raise Rejected("premises", "a premise that is no inequality")
    covered(context, facts, fact)
    order = _Order(context, frozenset(pairs))
    if not order.below(unfolded(context, small), unfolded(context, large)):
        raise Rejected("differs", "the sides differ elsewhere, or where the tree may decrease")


def assumed_everywhere(context: Context, bound: tuple[N.Range, ...]) -> Iterator[tuple[N.Node, N.Node]]:
    """Inequalities that are assumed for all indices, said of bound ones with the same ranges."""
    for fact in context.assumptions:
        match fact:
            case N.ForAll(Relation("<=" | "<", low, high), ranges, ()):
                pass
            case N.ForAll(Relation(">=" | ">", high, low), ranges, ()):
                pass
            case _:
                continue
        if any(isinstance(part, N.Index) for own in ranges for part in (*walk(own.low), *walk(own.high))):
            continue
        fits = [
            [item.index for item in bound if (item.low, item.high) == (own.low, own.high)] for own in ranges
        ]
        for names in product(*fits):
            put: dict[N.Node, N.Node] = {
                N.Index(own.index): N.Index(name) for own, name in zip(ranges, names, strict=True)
            }
            yield substitute(unfolded(context, low), put), substitute(unfolded(context, high), put)


@dataclass(frozen=True)
class _Order:
    context: Context
    pairs: frozenset[tuple[N.Node, N.Node]]
    ranges: tuple[N.Range, ...] = ()  # of the indices that are bound around

    def below(self, f: N.Node, g: N.Node) -> bool:
        """Whether f <= g by what is known of their parts."""
        if f == g or (f, g) in self.pairs or (self.ranges and self._at_every_index(f, g)):
            return True
        if isinstance(f, N.Norm | N.Inner | N.Trace | N.Entry) and self._same(f, g):
            return True
        match f, g:
            case N.Divide(a, N.Number(p)), N.Number(q) if p > 0:
                return self.below(a, N.Number(p * q))
            case N.Number(q), N.Divide(a, N.Number(p)) if p > 0:
                return self.below(N.Number(p * q), a)
        if type(f) is not type(g) or f.shape != g.shape:
            return False
        match f, g:
            case N.Add(a, b), N.Add(c, d):
                return self.below(a, c) and self.below(b, d)
            case N.Subtract(a, b), N.Subtract(c, d):
                return self.below(a, c) and self.below(d, b)
            case N.Negate(a), N.Negate(c):
                return self.below(c, a)
            case N.Multiply(a, b), N.Multiply(c, d):
                return self._products(a, b, c, d)
            case N.Divide(a, b), N.Divide(c, d):
                return self._quotients(a, b, c, d)
            case N.Power(a, N.Number(p)), N.Power(c, N.Number(q)) if p == q:
                if p < 0:
                    return self._is_nonnegative(c) and self.below(c, a)
                odd = p.denominator == 1 and p % 2 == 1
                return (odd or self._is_nonnegative(a)) and self.below(a, c)
            case N.Power(a, power), N.Power(c, same) if power == same and self._is_nonnegative(power):
                return self._is_nonnegative(a) and self.below(a, c)
            case N.Apply(name, args), N.Apply(other, more) if name == other and name in INCREASING:
                return all(self.below(a, c) for a, c in zip(args, more, strict=True))
            case N.Indicator(N.Relation(op, a, b)), N.Indicator(N.Relation(other, c, d)) if op == other:
                if op in ("<", "<="):
                    a, b, c, d = b, a, d, c
                return op in ("<", "<=", ">", ">=") and self.below(a, c) and self.below(d, b)
            case N.Expectation(a, given), N.Expectation(c, other) if given == other:
                self._every_draw(N.Add(a, c))
                return self.below(a, c)
            case N.Sum(a, ranges, where), N.Sum(c, others, same) if (ranges, where) == (others, same):
                return self._inside(ranges).below(a, c)
            case N.Product(a, ranges, where), N.Product(c, others, same) if (ranges, where) == (others, same):
                return self._is_nonnegative(a) and self._inside(ranges).below(a, c)
        return False

    def _same(self, f: N.Node, g: N.Node) -> bool:
        """Whether two trees that bind nothing are equal by what is known of their parts."""
        if f == g or {(f, g), (g, f)} <= self.pairs:
            return True
        parts = children(g)
        if type(f) is not type(g) or len(children(f)) != len(parts) or not isinstance(f, LINEAR):
            return False
        rest = iter(parts)
        return rebuild(f, lambda _: next(rest)) == g and all(map(self._same, children(f), parts))

    def _inside(self, ranges: tuple[N.Range, ...]) -> "_Order":
        names = {item.index for item in ranges}
        kept = (item for item in self.ranges if item.index not in names)
        return replace(self, ranges=(*kept, *ranges))

    def _at_every_index(self, f: N.Node, g: N.Node) -> bool:
        """Whether f <= g for all values of the indices that are bound around."""
        if any(is_instance(self.context, made, (f, g)) for made in INSTANCES.values()):
            return True
        return (f, g) in assumed_everywhere(self.context, self.ranges)

    def _is_nonnegative(self, node: N.Node) -> bool:
        return is_nonnegative(self.context, node)

    def _is_any(self, name: str) -> bool:
        return isinstance(self.context.symbols[name].kind, K.AnyLaw | K.Iid)

    def _products(self, a: N.Node, b: N.Node, c: N.Node, d: N.Node) -> bool:
        """a*b <= c*b <= c*d."""
        first = a == c or self._is_nonnegative(b)
        second = b == d or self._is_nonnegative(c) or self._is_nonnegative(a)
        return first and second and self.below(a, c) and self.below(b, d)

    def _quotients(self, a: N.Node, b: N.Node, c: N.Node, d: N.Node) -> bool:
        """a/b <= c/b <= c/d, where no denominator is 0 or negative."""
        first = self._is_nonnegative(d)
        second = b == d or self._is_nonnegative(a) or self._is_nonnegative(c)
        return first and second and self.below(a, c) and self.below(d, b)

    def _every_draw(self, body: N.Node) -> None:
        """The premises are for all values that the assumptions allow: these must be all that are drawn. A law
        of which nothing is declared but means is one under which what is assumed of its draws is true."""
        if self.context.layers is not None or self.context.tied():
            raise Rejected(
                "outside", "a mean over layers, or under an independence that the laws do not have"
            )
        names = self.context.reach(body)
        drawn = frozenset(name for name in names if self.context.is_random(name))
        for fact in self.context.assumptions:
            if isinstance(fact, Relation | N.Within):
                spoken = frozenset[str]().union(*(draws(self.context, part) for part in children(fact)))
            else:
                spoken = frozenset[str]().union(*map(self.context.reach, children(fact)))
            if spoken & drawn and not all(map(self._is_any, filter(self.context.is_random, spoken))):
                raise Rejected("condition", "an assumption about what a mean integrates")
