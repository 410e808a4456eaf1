"""Inequalities as combinations of known ones: their normal forms are added up, with factors that linear
programming finds. What is known is assumed, declared, a square, a textbook's, or a product of two."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

from flint import fmpq

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.nodes import Relation
from verifier.expr.walk import distinct, free_indices
from verifier.kernel.context import Context
from verifier.kernel.core.settle import settled
from verifier.kernel.judgement import Holds
from verifier.kernel.normal.atoms import Monomial, Poly
from verifier.kernel.normal.equal import difference
from verifier.kernel.normal.sign import is_nonnegative
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import rules
from verifier.kernel.rules.defined import sides, unfolded
from verifier.kernel.rules.inequalities import INSTANCES
from verifier.proofs.simplex import Column, solve

ZERO, ONE, TWO, HALF = (N.Number(Fraction(value, 2)) for value in (0, 2, 4, 1))
MOST_ATOMS, MOST_BASES, MOST_KNOWN, MOST_TERMS, MOST_SCALES = 40, 7, 160, 200, 2


def below(small: N.Node, large: N.Node, strict: bool = False) -> Relation:
    return Relation("<" if strict else "<=", small, large)


def at_most(small: N.Node, large: N.Node, strict: bool = False) -> Holds:
    return Holds(below(small, large, strict))


def ends(proof: Proof) -> tuple[N.Node, N.Node, bool]:
    """The smaller side, the larger one, and whether they differ."""
    assert isinstance(proof.conclusion, Holds)
    assert isinstance(proof.conclusion.fact, Relation)
    fact = proof.conclusion.fact
    if fact.op in (">", ">="):
        return fact.right, fact.left, fact.op == ">"
    return fact.left, fact.right, fact.op == "<"


def follows(context: Context, proof: Proof) -> bool:
    """Whether the last step is one."""
    premises = tuple(part.conclusion for part in proof.premises)
    try:
        rules()[proof.rule].check(context, proof.conclusion, premises, proof.data)
    except Rejected:
        return False
    return True


# --- what is known ------------------------------------------------------------------------------------


def given(context: Context, goal: Relation) -> Iterator[Proof]:
    """What is assumed, and what the declarations of the symbols in the goal say."""
    for fact in context.assumptions:
        if isinstance(fact, Relation) and fact.op != "!=":
            yield Proof("assumption", Holds(fact))
    for part in dict.fromkeys(part for side in sides(goal) for part in distinct(side)):
        if isinstance(part, N.Symbol) and part.name in context.symbols and part.shape.is_scalar:
            match context.symbols[part.name].kind:
                case K.Interval(low, high):
                    bounds = [(low, part), (part, high)]
                    yield from (Proof("declared", at_most(*pair)) for pair in bounds if _is_finite(pair))
                case K.Dimension():
                    yield Proof("declared", at_most(ONE, part))
                case K.IndexOf(size):
                    yield Proof("declared", at_most(ONE, part))
                    if str(size) in context.symbols:
                        yield Proof("declared", at_most(part, N.Symbol(str(size))))
                case K.Positive():
                    yield Proof("declared", at_most(ZERO, part, True))


def _is_finite(pair: tuple[N.Node, N.Node]) -> bool:
    return not any(isinstance(part, N.Infinity) for side in pair for part in distinct(side))


def textbook(context: Context, nodes: Iterable[N.Node]) -> Iterator[Proof]:
    """Instances about the parts of trees."""
    parts = dict.fromkeys(part for node in nodes for part in distinct(unfolded(context, node)))
    for part in list(filter(_is_closed, parts))[:MOST_ATOMS]:
        yield from about(context, part)


def about(context: Context, part: N.Node) -> Iterator[Proof]:
    """Instances about a tree, which has no index."""
    for name, instances in INSTANCES.items() if _is_closed(part) else ():
        try:
            yield from (Proof(name, at_most(*pair)) for pair in instances(context, part))
        except Rejected:
            continue


def bases(context: Context, goal: Relation) -> list[N.Node]:
    """Numbers whose squares may help, the simplest first: symbols, norms, entries, means."""
    parts = dict.fromkeys(part for side in sides(goal) for part in distinct(unfolded(context, side)))
    leaves = (N.Symbol, N.Norm, N.Entry, N.Expectation, N.Apply, N.Inner, N.Trace, N.Called)
    found: list[N.Node] = [part for part in parts if isinstance(part, leaves) and part.shape.is_scalar]
    return sorted(filter(_is_closed, found), key=lambda node: (not isinstance(node, N.Symbol), str(node)))[
        :MOST_BASES
    ]


def signs(context: Context, goal: Relation) -> Iterator[Proof]:
    """Numbers that are never negative, and their products."""
    good = [node for node in bases(context, goal) if is_nonnegative(context, node)]
    parts = dict.fromkeys(part for side in sides(goal) for part in distinct(unfolded(context, side)))
    powers = [
        part for part in parts if isinstance(part, N.Power) and part.shape.is_scalar and _is_closed(part)
    ]
    good_powers = [part for part in powers[:MOST_BASES] if is_nonnegative(context, part)]
    for node in (*good, *good_powers, *(N.Multiply(*pair) for pair in combinations(good, 2))):
        yield Proof("sign", at_most(ZERO, node))


def _is_closed(node: N.Node) -> bool:
    return not free_indices(node)


def scaled(context: Context, goal: Relation, known: list[Proof]) -> Iterator[Proof]:
    """Equations that are assumed, multiplied by numbers of the goal."""
    for proof in filter(_is_equation, known):
        low, high, _ = ends(proof)
        for factor in bases(context, goal) if low.shape.is_scalar and high.shape.is_scalar else []:
            fact = Relation("==", N.Multiply(factor, low), N.Multiply(factor, high))
            yield Proof("scale", Holds(fact), (proof,))


def squares(context: Context, goal: Relation, degree: int) -> Iterator[Proof]:
    """Squares of sums and differences: of numbers and of their products, and norms of matrices."""
    numbers = bases(context, goal)
    terms: list[N.Node] = [ONE, HALF, *numbers]
    if degree > 2 and len(numbers) <= 4:
        terms += [N.Multiply(*pair) for pair in combinations_with_replacement(numbers, 2)]
    for first, second in combinations(terms, 2):
        for joined in (N.Subtract(first, second), N.Add(first, second)):
            yield Proof("sign", at_most(ZERO, N.Power(joined, TWO)))
    parts = dict.fromkeys(part for side in sides(goal) for part in distinct(unfolded(context, side)))
    matrices = [part for part in parts if isinstance(part, N.Symbol | N.MatMul) and not part.shape.is_scalar]
    for left, right in combinations(matrices[:MOST_BASES], 2):
        if left.shape == right.shape:
            scales = [node for node in numbers if isinstance(node, N.Symbol)][:MOST_SCALES]
            pairs: list[tuple[N.Node, N.Node]] = [(left, right)]
            for c in scales:
                pairs += [(left, N.Multiply(c, right)), (N.Multiply(c, left), right)]
            for matrix in (part for pair in pairs for part in (N.Subtract(*pair), N.Add(*pair))):
                yield Proof("sign", at_most(ZERO, N.Power(N.Norm(matrix), TWO)))


def products(context: Context, known: list[Proof], others: list[Proof]) -> Iterator[Proof]:
    """0 <= (r - l)*(r' - l')."""
    signed = []
    for proof in known:
        low, high, strict = ends(proof)
        if low.shape.is_scalar and high.shape.is_scalar and not _is_equation(proof):
            gap = high if low == ZERO else N.Subtract(high, low)
            sign = proof if low == ZERO else Proof("combine", at_most(ZERO, gap, strict), (proof,))
            signed.append((gap, sign))
    for at, (gap, sign) in enumerate(signed):
        for proof in (*known[at:], *others):
            low, high, strict = ends(proof)
            if _is_equation(proof):
                continue
            product = N.Multiply(gap, high if low == ZERO else N.Subtract(high, low))
            yield Proof("multiply", at_most(ZERO, product, strict and ends(sign)[2]), (proof, sign))


# --- combinations -------------------------------------------------------------------------------------


class Combination:
    """Looks for factors with which known inequalities give the goal."""

    def __init__(self, context: Context, goal: Relation, expands: bool) -> None:
        self.context, self.goal, self.expands = context, goal, expands
        small, large, self.strict = ends(Proof("", Holds(goal)))
        self.algebra, self.gap = self._gap(small, large)

    def _gap(self, small: N.Node, large: N.Node) -> tuple[ZeroTest, Poly]:
        algebra = ZeroTest(self.context, expands=self.expands)
        return algebra, algebra.normal(settled(algebra.reader, difference(algebra, large, small)))

    def gap_of(self, small: N.Node, large: N.Node) -> Poly:
        """The normal form of a difference."""
        return self._gap(small, large)[1]

    @property
    def degree(self) -> int:
        return max((sum(int(power) for _, power in powers) for powers in self.gap.terms), default=0)

    def of(self, known: Iterable[Proof]) -> Proof | None:
        """The goal from some of what is known."""
        polys: list[tuple[Proof, Poly]] = []
        for proof in known:
            try:
                _, poly = self._gap(*ends(proof)[:2])
            except Rejected:
                continue
            if poly.terms and len(polys) < MOST_KNOWN and len(poly.terms) <= MOST_TERMS:
                polys.append((proof, poly))
        useful = self._useful(polys)
        factors = self._factors([poly for _, poly in useful], [_is_equation(proof) for proof, _ in useful])
        if factors is None:
            return None
        used = [(proof, factor) for (proof, _), factor in zip(useful, factors, strict=True) if factor]
        texts = [str(factor) for _, factor in used]
        premises = tuple(proof for proof, _ in used)
        return Proof("combine", Holds(self.goal), premises, {"factors": texts} if texts else {})

    def _may_stay(self, powers: Monomial) -> bool:
        return all(self.algebra.is_nonnegative(atom, power) for atom, power in powers)

    def _useful(self, polys: list[tuple[Proof, Poly]]) -> list[tuple[Proof, Poly]]:
        """Without those that bring a term which nothing takes away again."""
        while True:
            signs = {(powers, value < 0) for powers, value in self.gap.terms.items()}
            signs |= {
                (powers, (value > 0) != flip)
                for proof, poly in polys
                for powers, value in poly.terms.items()
                for flip in ((False, True) if _is_equation(proof) else (False,))
            }
            kept = [
                item
                for item in polys
                if all(
                    (powers, value < 0) in signs or (value < 0 and self._may_stay(powers))
                    for powers, value in item[1].terms.items()
                )
                or _is_equation(item[0])
            ]
            if len(kept) == len(polys):
                return kept
            polys = kept

    def _factors(self, polys: list[Poly], equations: list[bool]) -> list[fmpq] | None:
        monomials = dict.fromkeys(powers for poly in (self.gap, *polys) for powers in poly.terms)
        rows = {powers: row for row, powers in enumerate(monomials)}
        columns: list[Column] = [_column(poly, rows) for poly in polys]
        turned = [k for k, equation in enumerate(equations) if equation]
        columns += [{row: -value for row, value in columns[k].items()} for k in turned]
        columns += [{rows[powers]: fmpq(1)} for powers in monomials if self._may_stay(powers)]
        target = _column(self.gap, rows)
        found = self._with_room(columns, target, rows) or solve(columns, target, len(rows))
        if found is None:
            return None
        factors = found[: len(polys)]
        for place, k in enumerate(turned):
            factors[k] -= found[len(polys) + place]
        return factors

    def _with_room(
        self, columns: list[Column], target: Column, rows: dict[Monomial, int]
    ) -> list[fmpq] | None:
        """A strict inequality needs something to be left."""
        constant = self.gap.terms.get((), fmpq(0))
        if not self.strict or constant <= 0:
            return None
        return solve(columns, {**target, rows[()]: constant * fmpq(999, 1000)}, len(rows))


def _column(poly: Poly, rows: dict[Monomial, int]) -> Column:
    return {rows[powers]: value for powers, value in poly.terms.items()}


def _is_equation(proof: Proof) -> bool:
    return isinstance(proof.conclusion, Holds) and getattr(proof.conclusion.fact, "op", "") == "=="
