"""Order: how inequalities follow from inequalities."""

from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation, Within
from verifier.kernel.context import Context
from verifier.kernel.core.settle import settled
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.normal.atoms import Poly
from verifier.kernel.normal.equal import difference
from verifier.kernel.normal.opaque import is_below, is_same
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.defined import covered, is_divided_by, only_numbers, unfolded
from verifier.kernel.rules.monotone import monotone
from verifier.kernel.rules.signs import ZERO, Ordered, declared, ordered, sign


def _facts(premises: tuple[Judgement, ...]) -> list[Relation]:
    facts = [part.fact for part in premises if isinstance(part, Holds) and isinstance(part.fact, Relation)]
    if len(facts) != len(premises):
        raise Rejected("premises", "a premise that is no relation")
    return facts


def _of_two(premises: tuple[Judgement, ...]) -> tuple[Ordered, Ordered]:
    if len(premises) != 2:
        raise Rejected("premises", "this follows from two inequalities")
    try:
        return ordered(premises[0]), ordered(premises[1])
    except Rejected:
        raise Rejected("premises", "a premise that is no inequality") from None


def _sign_of_number(premise: Ordered) -> tuple[N.Node, bool]:
    """c from `0 <= c`."""
    if premise[0] != ZERO or not premise[1].shape.is_scalar:
        raise Rejected("premises", "the second premise is the sign of a number")
    return premise[1], premise[2]


def combine(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash l_k \le r_k \qquad (b - a) - \sum_k c_k (r_k - l_k) \in \mathrm{cone}}
    {\Gamma \vdash a \le b}

    The numbers c_k stand in the data (`factors`, 1 where there are none); none is negative, save those of
    equations. What is left is 0 or a sum of terms that are never negative. Strict if a premise with a factor
    that is not 0 is, or what is left is positive; an equation follows from equations with nothing left.
    """
    facts = _facts(premises)
    factors = _factors(data, len(facts))
    match goal:
        case Holds(Relation("==", left, right)):
            small, large, strict, equation = left, right, False, True
            only_numbers(goal.fact)
        case _:
            small, large, strict = ordered(goal)
            equation = False
    moved, gains = large, False
    _check_shapes(facts, N.Subtract(large, small))
    for fact, factor in zip(facts, factors, strict=True):
        low, high, is_strict = (
            (fact.left, fact.right, False) if fact.op == "==" else _ordered_premise(Holds(fact))
        )
        if fact.op != "==" and (factor < 0 or equation):
            raise Rejected("condition", "an inequality with a negative factor, or for an equation")
        gains |= is_strict and factor > 0
        moved = N.Subtract(moved, N.Multiply(N.Number(factor), N.Subtract(high, low)))
    assert isinstance(goal, Holds)
    covered(context, facts, goal.fact)
    _check_rest(context, small, moved, strict and not gains, equation)


def _check_shapes(facts: list[Relation], gap: N.Node) -> None:
    """Entry by entry: a premise is between numbers, or between matrices of the shape of the conclusion."""
    for fact in facts:
        for side in (fact.left, fact.right):
            if not side.shape.is_scalar and side.shape != gap.shape:
                raise Rejected("premises", "an inequality between matrices of another shape")


def _ordered_premise(premise: Judgement) -> Ordered:
    try:
        return ordered(premise)
    except Rejected:
        raise Rejected("premises", "a premise that is no inequality and no equation") from None


def _factors(data: Data, count: int) -> list[Fraction]:
    found = data.get("factors", ["1"] * count)
    if not isinstance(found, list) or len(found) != count or not all(isinstance(c, str) for c in found):
        raise Rejected("data", "a factor for each premise, as text")
    try:
        return [Fraction(item) for item in found]
    except (ValueError, ZeroDivisionError):
        raise Rejected("data", "a factor is a rational number") from None


def _check_rest(context: Context, small: N.Node, large: N.Node, strict: bool, exact: bool) -> None:
    sides = unfolded(context, small), unfolded(context, large)
    if is_same(context, *sides) if exact else is_below(context, *sides, strict):
        return
    for expands in (False, True):
        algebra, rest = _gap(context, small, large, expands)
        if not strict and algebra.is_zero(rest):
            return
        if not exact and algebra.is_nonnegative_poly(rest) and (not strict or algebra.is_positive(rest)):
            return
    raise Rejected("differs", "what is left of the difference is not known to have the right sign")


def _gap(context: Context, small: N.Node, large: N.Node, expands: bool) -> tuple[ZeroTest, Poly]:
    algebra = ZeroTest(context, expands=expands)
    return algebra, algebra.normal(settled(algebra.reader, difference(algebra, large, small)))


def scale(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash l = r}{\Gamma \vdash c\,l = c\,r}

    As trees, for any number c.
    """
    match goal, premises:
        case Holds(Relation("==", N.Multiply(c, a), N.Multiply(d, b)) as fact), (
            Holds(Relation("==", l, r)),
        ):
            only_numbers(fact)
            if c == d and c.shape.is_scalar and (a, b) == (l, r):
                return
    raise Rejected("premises", "an equation, both of its sides multiplied from the left by one number")


def multiply(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash l \le r \qquad \Gamma \vdash 0 \le c \qquad b - a = c\,(r - l)}{\Gamma \vdash a \le b}

    The last by normal forms. Strict if both premises are.
    """
    small, large, strict = ordered(goal)
    (low, high, first), other = _of_two(premises)
    factor, second = _sign_of_number(other)
    if strict and not (first and second):
        raise Rejected("condition", "a strict inequality from one that is not")
    _scaled(context, goal, premises, N.Subtract(large, small), N.Multiply(factor, N.Subtract(high, low)))


def divide(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash l \le r \qquad \Gamma \vdash 0 < c \qquad r - l = c\,(b - a)}{\Gamma \vdash a \le b}

    The last by normal forms. Strict if the first premise is. In the place of the second there may be 0 <= c,
    where c is a product of denominators of the conclusion, which says nothing where one of them is 0.
    """
    small, large, strict = ordered(goal)
    (low, high, first), other = _of_two(premises)
    factor, positive = _sign_of_number(other)
    if not (positive or is_divided_by((small, large), factor)) or (strict and not first):
        raise Rejected("condition", "a factor that may be 0, or a strict inequality from one that is not")
    _scaled(context, goal, premises, N.Multiply(factor, N.Subtract(large, small)), N.Subtract(high, low))


def _scaled(
    context: Context, goal: Judgement, premises: tuple[Judgement, ...], first: N.Node, second: N.Node
) -> None:
    assert isinstance(goal, Holds)
    facts = _facts(premises)
    if first.shape != second.shape:
        raise Rejected("premises", "sides of other shapes")
    covered(context, facts, goal.fact)
    _check_rest(context, second, first, False, True)


def chain(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash a \le b \qquad \Gamma \vdash b \le c}{\Gamma \vdash a \le c}

    As trees, with names written out. Strict if one of the premises is.
    """
    small, large, strict = ordered(goal)
    first, second = _of_two(premises)
    pairs = ((small, first[0]), (first[1], second[0]), (second[1], large))
    if any(unfolded(context, a) != unfolded(context, b) for a, b in pairs):
        raise Rejected("premises", "the premises do not meet, or begin or end elsewhere")
    if strict and not (first[2] or second[2]):
        raise Rejected("condition", "a strict inequality from two that are not")
    assert isinstance(goal, Holds)
    covered(context, _facts(premises), goal.fact)


def squares(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash l \le r \qquad \Gamma \vdash 0 \le b \qquad l = a^2 \qquad r = b^2}
    {\Gamma \vdash a \le b}

    The last two by normal forms. Strict if the first premise is.
    """
    small, large, strict = ordered(goal)
    (low, high, first), (zero, root, _) = _of_two(premises)
    if zero != ZERO or unfolded(context, root) != unfolded(context, large):
        raise Rejected("premises", "the second premise is the sign of the larger side")
    if strict and not first:
        raise Rejected("condition", "a strict inequality from one that is not")
    if {part.shape for part in (low, high, large)} != {small.shape}:
        raise Rejected("premises", "sides of other shapes")
    assert isinstance(goal, Holds)
    covered(context, _facts(premises), goal.fact)
    for side, square in ((small, low), (large, high)):
        _check_rest(context, square, N.Power(side, N.Number(Fraction(2))), False, True)


def within(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash l \le a \qquad \Gamma \vdash a \le h}{\Gamma \vdash a \in [l, h]}

    An end that is infinite needs no premise.
    """
    match goal:
        case Holds(Within(arg, low, high)):
            only_numbers(Relation("==", arg, arg))
            lower = [] if low == N.Negate(N.Infinity()) else [(low, arg)]
            upper = [] if high == N.Infinity() else [(arg, high)]
        case _:
            raise Rejected("statement", "a range")
    if [ordered(part)[:2] for part in premises] != lower + upper:
        raise Rejected("premises", "one inequality for each end, in this order")
    covered(context, _facts(premises), goal.fact)


RULES = tuple(
    Rule(check.__name__, "order", check)
    for check in (sign, declared, combine, scale, multiply, divide, chain, squares, monotone, within)
)
