"""Inequalities between parts of a tree: of textbooks, by tangents, and at every index of a sum."""

from collections.abc import Iterator
from contextlib import suppress

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.nodes import Relation
from verifier.expr.walk import children, distinct, free_indices, rebuild, substitute
from verifier.kernel.budget import Budget
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.convexity import CURVES, line
from verifier.kernel.rules.defined import unfolded
from verifier.kernel.rules.inequalities import INSTANCES
from verifier.kernel.rules.monotone import INCREASING, assumed_everywhere
from verifier.kernel.rules.norms import of_size
from verifier.kernel.rules.structure import collect
from verifier.proofs.linear import ONE, TWO, ZERO, about, at_most, ends, follows
from verifier.proofs.simple import parameters, simple_numbers
from verifier.proofs.surface import parts, replaced
from verifier.proofs.trees import Trees

Pair = tuple[N.Node, N.Node]
Moved = tuple[N.Node, Proof]
MOST_WORK = 10_000  # steps for a mean in other words
BACKWARDS = (N.Negate, N.Subtract, N.Divide)  # where a tree may decrease


class Moves:
    """Trees that are not smaller, or not larger, than one, each with the last step of its proof, which is
    for who asks to check. What is known of a part is looked up once."""

    def __init__(self, context: Context, known: list[Proof], wanted: N.Node, upwards: bool) -> None:
        self.context, self.known, self.wanted, self.upwards = context, known, wanted, upwards
        self.found: dict[N.Node, list[Proof]] = {}

    def of(self, tree: N.Node, first: bool) -> Iterator[Moved]:
        """Of a tree that is written out. Tangents are tried in the first step alone, since there are many."""
        lines = _tangents(self.context, tree) if first else ()
        both = any(isinstance(part, BACKWARDS) for part in parts(tree))
        for proof in (*self.known, *self._textbook(tree), *_nearby(tree, self.wanted), *lines):
            low, high, _ = ends(proof)
            yield from self._moved(tree, (low, high), (proof,), both)
        for pair in _at_every_index(self.context, tree):
            yield from self._moved(tree, pair, (), both)

    def _textbook(self, tree: N.Node) -> Iterator[Proof]:
        for part in parts(tree):
            if part not in self.found:
                self.found[part] = list(self._of_part(part))
            yield from self.found[part]

    def _of_part(self, part: N.Node) -> Iterator[Proof]:
        if isinstance(part, N.Norm | N.Inner | N.Trace | N.Entry):
            yield from _inside(self.context, part)
        yield from _worked_out(self.context, part)
        yield from _decays(part)
        yield from _extremes(self.context, part)
        yield from instances(self.context, part)
        yield from about(self.context, part)

    def _moved(self, tree: N.Node, pair: Pair, premises: tuple[Proof, ...], both: bool) -> Iterator[Moved]:
        """The tree with one side of an inequality in the place of the other."""
        low, high = (unfolded(self.context, side) for side in pair)
        equal = any(isinstance(p.conclusion, Holds) and _is_equation(p.conclusion.fact) for p in premises)
        ways = [(low, high) if self.upwards else (high, low)]
        if both or equal:
            ways.append((ways[0][1], ways[0][0]))
        for old, new in ways:
            if old.shape != new.shape or isinstance(old, N.Number):
                continue
            moved = replaced(tree, old, new, equal)
            if moved != tree:
                yield (
                    moved,
                    Proof("monotone", at_most(*((tree, moved) if self.upwards else (moved, tree))), premises),
                )


def _worked_out(context: Context, part: N.Node) -> Iterator[Proof]:
    """A mean as what the law makes of it, written out."""
    if isinstance(part, N.Expectation | N.Variance | N.Covariance):
        yield from written_out(context, part)
    yield from _peeled(context, part)


def written_out(context: Context, part: N.Node) -> Iterator[Proof]:
    """A number as its normal form is written."""
    if part.shape.is_scalar and not _has_index(part):
        algebra = ZeroTest(context, budget=Budget(MOST_WORK))
        with suppress(Rejected):
            found = _folded(Trees(context).of(algebra.term_of(algebra.of_node(part))))
            if found != part:
                yield Proof("contract", Holds(Relation("==", part, found)))


def _peeled(context: Context, part: N.Node) -> Iterator[Proof]:
    """The mean square of a matrix with independent entries times another, by the mean square of the other."""
    match part:
        case N.Expectation(N.Power(N.Norm(N.MatMul(N.Symbol(name) as first, rest)), N.Number(value)), ()) if (
            value == 2 and name in context.symbols and name not in context.reach(rest)
        ):
            kind, size = context.symbols[name].kind, of_size(first.shape.rows)
            if isinstance(kind, K.Normal) and size is not None:
                inner = N.Expectation(N.Power(N.Norm(rest), TWO), ())
                factor = N.Multiply(size, N.Power(kind.std, TWO))
                yield Proof("contract", Holds(Relation("==", part, N.Multiply(factor, inner))))


def _folded(node: N.Node) -> N.Node:
    """Sums over all entries of products of two as inner products, of squares as norms."""
    match node:
        case N.Sum(N.Power(entry, N.Number(value)), ranges, ()) if value == 2:
            if (whole := _all_entries(entry, ranges)) is not None:
                return N.Power(N.Norm(whole), TWO)
        case N.Sum(N.Multiply(first, second), ranges, ()):
            left, right = _all_entries(first, ranges), _all_entries(second, ranges)
            if left is not None and right is not None and left.shape == right.shape:
                return N.Inner(left, right)
    return rebuild(node, _folded)


def _all_entries(node: N.Node, ranges: tuple[N.Range, ...]) -> N.Node | None:
    """The symbol, if a sum runs over all of its entries."""
    match node:
        case N.Entry(N.Symbol() as symbol, row, col):
            axes = (row, symbol.shape.rows), (col, symbol.shape.cols)
            places = [(at, size) for at, size in axes if size.constant != 1]
            known = {N.Index(item.index): item for item in ranges if item.low == ONE}
            fits = [at in known and known[at].high == of_size(size) for at, size in places]
            if all(fits) and len({at for at, _ in places}) == len(places) == len(ranges):
                return symbol
    return None


def _is_equation(fact: N.Fact) -> bool:
    return isinstance(fact, Relation) and fact.op == "=="


def _inside(context: Context, part: N.Node) -> Iterator[Proof]:
    """The mean of a draw in a norm as its law says; a matrix in other words that an assumption has for it."""
    for inner in distinct(part):
        match inner:
            case N.Expectation(N.Symbol(name), ()) if name in context.symbols:
                mean = getattr(context.symbols[name].kind, "mean", None)
                if mean is not None and mean.shape == inner.shape:
                    yield Proof("contract", Holds(Relation("==", inner, mean)))


def _nearby(tree: N.Node, wanted: N.Node) -> Iterator[Proof]:
    """f(x) <= f(y) or f(y) <= f(x), where an increasing function is taken of x in a tree, and of y in the
    other; also for powers."""
    for part in parts(tree):
        for other in parts(wanted):
            made: tuple[N.Node, N.Node]
            match part, other:
                case N.Apply(name, (x,)), N.Apply(like, (y,)) if name == like and name in INCREASING:
                    made = N.Apply(name, (x,)), N.Apply(name, (y,))
                case N.Power(x, exponent), N.Power(y) if not isinstance(exponent, N.Number):
                    made = N.Power(x, exponent), N.Power(y, exponent)
                case _:
                    continue
            if x == y or x.shape != y.shape or any(map(_has_index, made)):
                continue
            for low, high, pair in ((x, y, made), (y, x, made[::-1])):
                yield Proof("monotone", at_most(*pair), (Proof("sign", at_most(low, high)),))


def _decays(part: N.Node) -> Iterator[Proof]:
    """exp(x) <= exp(0) for x <= 0."""
    if isinstance(part, N.Apply) and part.function == "exp" and not _has_index(part):
        yield Proof("sign", at_most(part.args[0], ZERO))


def _extremes(context: Context, part: N.Node) -> Iterator[Proof]:
    """What is at most a bound at every value is at most that in its extreme."""
    if isinstance(part, N.Extreme) and part.kind == "sup":
        for proof in about(context, part.body):
            low, high, _ = ends(proof)
            if low == part.body:
                yield Proof("bounded_extreme", at_most(part, high), (proof,))


def instances(context: Context, part: N.Node) -> Iterator[Proof]:
    """What is assumed for all indices, of a part of a tree."""
    for fact in context.assumptions:
        if not (isinstance(fact, N.ForAll) and isinstance(fact.fact, Relation)):
            continue
        over = frozenset[N.Node](N.Index(item.index) for item in fact.ranges)
        for side in (fact.fact.left, fact.fact.right):
            values: dict[N.Node, N.Node] = {}
            collect(unfolded(context, side), part, over, values)
            if values.keys() == over and substitute(unfolded(context, side), values) == part:
                left, right = (substitute(each, values) for each in (fact.fact.left, fact.fact.right))
                proof = Proof("instance", Holds(Relation(fact.fact.op, left, right)))
                if follows(context, proof):
                    yield proof


# --- tangents ---------------------------------------------------------------------------------------


def _tangents(context: Context, tree: N.Node) -> Iterator[Proof]:
    """Of convex functions without an index: at means, and at simple numbers."""
    for part in parts(tree):
        if not _has_index(part):
            for pair in _lines(context, part, list(_places(context, tree, part))):
                yield Proof("tangent", at_most(*pair))


def _places(context: Context, tree: N.Node, part: N.Node) -> Iterator[N.Node]:
    drawn = any(map(context.is_random, context.reach(part)))
    for inside in children(part):
        if drawn and inside.shape.is_scalar:
            yield N.Expectation(inside, ())
    names = parameters(context, (tree, *_laws_of(context, part)))
    yield from [ZERO, ONE, *names] if drawn else simple_numbers(names)


def _laws_of(context: Context, node: N.Node) -> Iterator[N.Node]:
    """What the laws of the drawn symbols depend on."""
    for name in sorted(context.reach(node)):
        if context.is_random(name):
            values = vars(context.symbols[name].kind).values()
            yield from (value for value in values if isinstance(value, N.Node) and value.shape.is_scalar)


def _lines(context: Context, part: N.Node, places: list[N.Node]) -> Iterator[Pair]:
    """Both ways round; whether the function lies above or below is for the kernel."""
    for curve in CURVES:
        for x in children(part):
            if curve.value(x) == part:
                for place in places:
                    if place.shape == x.shape and place != x:
                        ordered = line(curve, x, place), part
                        yield ordered if curve.is_convex else (ordered[1], ordered[0])


# --- at every index -----------------------------------------------------------------------------------


def _at_every_index(context: Context, tree: N.Node) -> Iterator[Pair]:
    """Inequalities between parts of the terms of sums and products."""
    for total in parts(tree):
        if not isinstance(total, N.Sum | N.Product):
            continue
        yield from assumed_everywhere(context, total.ranges)
        any_mean = any(isinstance(part, N.Expectation) for part in parts(total.body))
        for part in parts(total.body):
            if not _has_index(part):
                continue
            for name, instances in INSTANCES.items():
                if name == "means" and isinstance(total, N.Sum) and any_mean:
                    continue  # products of a mean and others are left together
                try:
                    yield from instances(context, part)
                except Rejected:
                    continue
            yield from _lines(context, part, list(_averages(total, part)))


def _averages(total: N.Sum | N.Product, part: N.Node) -> Iterator[N.Node]:
    """The mean of what a function is taken at, over the range of a sum; one over its length."""
    count: N.Node = ONE
    for item in total.ranges:
        count = item.high if count == ONE else N.Multiply(count, item.high)
    yield N.Divide(ONE, count)
    for inside in children(part):
        yield N.Divide(N.Sum(inside, total.ranges, total.conditions), count)
        match total.body:
            case N.Multiply(weight, other) | N.Multiply(other, weight) if other == part:
                yield N.Sum(N.Multiply(weight, inside), total.ranges, total.conditions)


def _has_index(node: N.Node) -> bool:
    return bool(free_indices(node))
