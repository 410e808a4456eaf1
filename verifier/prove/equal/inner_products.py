"""Equalities between vectors and their lengths, by the lengths a, b and the inner product c of two of them.

    u == v                       iff  a**2 + b**2 - 2 c = 0
    c = a b                      (Cauchy-Schwarz attained) iff  b u = a v
    E<u, v> = sqrt(E|u|**2 E|v|**2) > 0   iff  v = s u on every draw, for one s > 0
    an average of numbers c/(a b) is 1    iff  each of them is

Assumptions are read at the two vectors that the claim names; what follows from them is decided by a Groebner
basis, denominators being nonzero where an assumption is defined.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import sympy as sp

from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.expr import nodes as N
from verifier.expr.dims import ONE, Dim
from verifier.expr.walk import children, expand_lets, substitute, walk
from verifier.prove.forms.refusal import Refusal

_AVERAGES = (N.Expectation, N.Variance, N.Covariance)
_MOST_FACTS = 24
_A, _B = sp.symbols("_a _b", nonnegative=True)
_C = sp.Symbol("_c", real=True)
_MEAN_A, _MEAN_B = sp.symbols("_Ea _Eb", nonnegative=True)
_MEAN_C = sp.Symbol("_Ec", real=True)
_RATIO = sp.Symbol("_s", positive=True)
_SUM = N.Symbol("_sum")
REASON = "the lengths of the two vectors and the angle between them leave no other choice"


@dataclass(frozen=True)
class Pair:
    """Two vectors of a claim, and where the sizes and inner products of them stand."""

    claim: Claim
    first: N.Node
    second: N.Node

    def number(self, node: N.Node) -> sp.Expr:
        """A scalar as an expression in a, b, c, in their means, and in the claim's numbers."""
        match node:
            case N.Number(value):
                return sp.Rational(value.numerator, value.denominator)
            case N.Symbol(name) if node.shape.is_scalar and name not in self.claim.random:
                return sp.Symbol(name, real=True)
            case N.Add(left, right):
                return self.number(left) + self.number(right)
            case N.Subtract(left, right):
                return self.number(left) - self.number(right)
            case N.Multiply(left, right):
                return self.number(left) * self.number(right)
            case N.Divide(left, right):
                return self.number(left) / self.number(right)
            case N.Negate(arg):
                return -self.number(arg)
            case N.Power(base, N.Number(k)) if k.denominator == 1:
                return self.number(base) ** int(k)
            case N.Apply("sqrt", (arg,)):
                return sp.sqrt(self.number(arg))
            case N.Norm(arg, "fro"):
                return self._entry(arg, arg)
            case N.Inner(left, right):
                return self._entry(left, right, squared=True)
            case N.MatMul(left, right) if node.shape.is_scalar:
                return self._entry(left, N.Transpose(right), squared=True)
            case N.Expectation(body, ()):
                return self._mean(body)
        raise Refusal("an expression in lengths and angles")

    def _mean(self, body: N.Node) -> sp.Expr:
        """E|u|**2, E|v|**2 or E<u, v>"""
        means = {_A**2: _MEAN_A**2, _B**2: _MEAN_B**2, _C: _MEAN_C}
        found = means.get(self.number(body))
        if found is None:
            raise Refusal("another expectation of two vectors")
        return found

    def _entry(self, left: N.Node, right: N.Node, squared: bool = False) -> sp.Expr:
        """<left, right>; the length where both are the same and no square is asked for."""
        places = [self._place(left), self._place(right)]
        if places[0] != places[1]:
            return _C
        length = (_A, _B)[places[0]]
        return length**2 if squared else length

    def _place(self, node: N.Node) -> int:
        bare = _vector(node)
        for place, vector in enumerate((self.first, self.second)):
            if bare == vector:
                return place
        raise Refusal("a third vector")


def examine_gram(claim: Claim, fact: N.Relation) -> Finding | None:
    """The equality, from what assumptions say of two vectors; None where they do not show it."""
    if fact.op != "==" or claim.layers is not None or any(a.assumed_value for a in claim.assumptions):
        return None
    left, right = expand_lets(fact.left), expand_lets(fact.right)
    vectors = list(dict.fromkeys(x for side in (left, right) for x in _vectors(side)))
    if len(vectors) != 2 or any(isinstance(x, _AVERAGES) for side in (left, right) for x in walk(side)):
        return None
    pair = Pair(claim, vectors[0], vectors[1])
    try:
        goal = _goal(pair, left, right)
    except Refusal:
        return None
    known = list(_known(pair))
    if not known or not _same(pair, goal) or not _follows(goal, known):
        return None
    return Finding("symbolic", "true", "proved", REASON)


def _goal(pair: Pair, left: N.Node, right: N.Node) -> sp.Expr:
    """An expression that is 0 iff the two sides are equal."""
    if not left.shape.is_scalar:
        if {_vector(left), _vector(right)} != {pair.first, pair.second}:
            raise Refusal("an equality between other vectors")
        return _A**2 + _B**2 - 2 * _C
    return pair.number(left) - pair.number(right)


def _same(pair: Pair, goal: sp.Expr) -> bool:
    """Two rows may be one and the same row: then it must be true as well."""
    if isinstance(pair.first, N.Row) and isinstance(pair.second, N.Row):
        rows = pair.first.row, pair.second.row
        if all(isinstance(row, N.Number) for row in rows) and rows[0] != rows[1]:
            return True
        return bool(sp.simplify(goal.subs({_C: _A**2, _B: _A})) == 0)
    return True


# --- vectors -------------------------------------------------------------------------------------------


def _vectors(node: N.Node) -> Iterator[N.Node]:
    """The rows and vectors that a side is made of."""
    match node:
        case N.Row(N.Symbol()):
            yield node
        case N.Symbol():
            if not node.shape.is_scalar and ONE in (node.shape.rows, node.shape.cols):
                yield node
        case _:
            for child in children(node):
                yield from _vectors(child)


def _vector(node: N.Node) -> N.Node:
    while isinstance(node, N.Transpose):
        node = node.arg
    return node


# --- what assumptions say ------------------------------------------------------------------------------


def _known(pair: Pair) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """Expressions that are 0, each with the denominator that is not."""
    found: list[sp.Expr] = []
    for fact in pair.claim.constraints:
        for equality in _at_pair(pair, fact):
            try:
                found.append(pair.number(equality.left) - pair.number(equality.right))
            except Refusal:
                found += _averaged(pair, equality)
    for value in found[:_MOST_FACTS]:
        top, bottom = sp.fraction(sp.together(value))
        yield top, bottom
        if _is_attained(top, bottom):
            yield _B - _RATIO * _A, sp.Integer(1)
            yield _C - _RATIO * _A**2, sp.Integer(1)


def _is_attained(top: sp.Expr, bottom: sp.Expr) -> bool:
    """E<u, v> = sqrt(E|u|**2 E|v|**2), with nonzero factors: v is a positive multiple of u on every draw."""
    largest = _MEAN_A * _MEAN_B
    share = sp.cancel(top / (_MEAN_C - largest))
    return bool(share.is_number and share != 0 and sp.cancel(bottom / largest).is_number)


def _at_pair(pair: Pair, fact: N.Fact) -> Iterator[N.Relation]:
    """An equality for all indices, at those of the two vectors."""
    match expand_lets(fact):
        case N.Relation("==", left, _) as relation if left.shape.is_scalar:
            yield relation
        case N.ForAll(N.Relation("==", left, _) as inner, ranges, conditions) if left.shape.is_scalar:
            for at in _places(pair, ranges, conditions):
                yield substitute(inner, at)


def _places(
    pair: Pair, ranges: tuple[N.Range, ...], conditions: tuple[N.Condition, ...]
) -> Iterator[dict[N.Node, N.Node]]:
    """The indices of the two vectors in place of bound ones, where the conditions allow it."""
    rows = [x.row for x in (pair.first, pair.second) if isinstance(x, N.Row)]
    if not rows or not all(_is_whole(pair, span) for span in ranges):
        return
    for choice in product(rows, repeat=len(ranges)):
        at: dict[N.Node, N.Node] = {N.Index(s.index): row for s, row in zip(ranges, choice, strict=True)}
        kept = [substitute(condition, at) for condition in conditions]
        if all(condition.op == "!=" and condition.left != condition.right for condition in kept):
            yield at


def _is_whole(pair: Pair, span: N.Range) -> bool:
    """1..n, for the n rows that the vectors are taken from."""
    sizes = {x.arg.shape.rows for x in (pair.first, pair.second) if isinstance(x, N.Row)}
    whole = isinstance(span.high, N.Symbol) and sizes == {Dim.of(span.high.name)}
    return whole and isinstance(span.low, N.Number) and span.low.value == 1


def _averaged(pair: Pair, equality: N.Relation) -> list[sp.Expr]:
    """An average of cosines that is 1: each of them is."""
    sums = [x for x in walk(equality) if isinstance(x, N.Sum)]
    if len(sums) != 1 or _SUM.name in pair.claim.symbols:
        return []
    (total,) = sums
    replaced = substitute(equality, {total: _SUM})
    try:
        value = pair.number(replaced.left) - pair.number(replaced.right)
        (solved,) = sp.solve(sp.fraction(sp.together(value))[0], sp.Symbol(_SUM.name, real=True))
        places = list(_places(pair, total.ranges, total.conditions))
        terms = [pair.number(substitute(total.body, at)) for at in places]
    except (Refusal, ValueError, NotImplementedError):
        return []
    cosines = (_C / (_A * _B), _MEAN_C / (_MEAN_A * _MEAN_B))
    all_cosines = bool(terms) and all(any(sp.cancel(t - c) == 0 for c in cosines) for t in terms)
    count = _count(total)
    if not all_cosines or count is None or sp.cancel(solved - count) != 0:
        return []
    return [term - 1 for term in terms]


def _count(total: N.Sum) -> sp.Expr | None:
    """How many terms a sum over whole ranges has, one pair of indices being different at most."""
    sizes = [sp.Symbol(span.high.name, real=True) for span in total.ranges if isinstance(span.high, N.Symbol)]
    match total.conditions:
        case ():
            return sp.prod(sizes)
        case (N.Condition("!=", N.Index(), N.Index()),) if len(sizes) == 2 and sizes[0] == sizes[1]:
            return sizes[0] * (sizes[0] - 1)
    return None


# --- what follows --------------------------------------------------------------------------------------


def _follows(goal: sp.Expr, known: list[tuple[sp.Expr, sp.Expr]]) -> bool:
    """Whether the goal vanishes wherever all that is known does and no denominator vanishes."""
    top, _ = sp.fraction(sp.together(goal))
    extra = sp.Symbol("_z")
    bottoms = sp.prod([bottom for _, bottom in known])
    if top.subs({_A: 0, _B: 0, _C: 0}) == 0:
        bottoms *= _A + _B  # where both vectors are 0 there is nothing left to show
    equations = [value for value, _ in known] + [1 - extra * bottoms * top]
    variables = sorted(set().union(*(value.free_symbols for value in equations)), key=str)
    if not all(value.is_polynomial(*variables) for value in equations):
        return False
    return bool(sp.groebner(equations, *variables, order="grevlex").exprs == [1])
