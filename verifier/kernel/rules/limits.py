"""Limits: what normal forms tend to."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from flint import fmpq

from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, Interval, Positive, Real
from verifier.expr.walk import children, substitute
from verifier.kernel.asymptotic.limits import body_of, know_divisors, value_of
from verifier.kernel.asymptotic.scale import Sign, sign_of
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.normal.atoms import Entry, scaled, total
from verifier.kernel.normal.equal import Mode, algebra_of, positions
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.defined import covered
from verifier.kernel.rules.series import as_limit
from verifier.kernel.rules.signs import ordered

SIGNS: dict[str, tuple[Sign, ...]] = {
    "==": ("=",), "<=": ("=", "<", "<="), "<": ("<",), ">=": ("=", ">", ">="), ">": (">",)
}  # fmt: skip


MODES: tuple[Mode, ...] = ("plain", "expands", "elementary")


def stated_limit(fact: N.Relation | N.Within) -> tuple[str, N.Node, N.Node]:
    """A relation between numbers of which one is a limit."""
    match fact:
        case N.Relation(op, left, right) if op in SIGNS and any(map(is_limit, (left, right))):
            if not any(isinstance(side, N.Growth | N.Infinity) for side in (left, right)):
                return op, left, right
    raise Rejected("statement", "a limit against a number")


def is_limit(node: N.Node) -> bool:
    return isinstance(node, N.Limit) or (isinstance(node, N.Let) and is_limit(node.body))


def tends(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\mathrm{nf}(e) = \frac{\sum_i c_i m_i}{\sum_j d_j m'_j} \qquad m'_0 \text{ leads},\ d_0 \ne 0 \qquad
    v = \sum_{m_i = m'_0} \frac{c_i}{d_0}}
    {\Gamma \vdash \lim_{n \to \infty} e = v}

    At a number a limit is the value there of a normal form that is continuous. A sum without end is the limit
    of its parts. Every other term of the numerator must vanish beside the
    leading term of the denominator. A power (1 + u)**m tends to exp(c) where u tends to 0 and m*u to c.
    What the author divides by is not 0. Beside the limit n stands for any of its values. Limits of limits are
    taken from the inside. Inequalities by the sign of the difference. A symbol that is never negative may be
    named in the data as `case`: it is 0, or else positive.
    """
    if premises:
        raise Rejected("premises", "the limit of a normal form needs no premise")
    if not isinstance(goal, Holds):
        raise Rejected("statement", "a limit")
    context, stated = as_limit(context, goal.fact)
    for inside, fact in cases(context, stated, data):
        _tends(inside, fact)


def cases(
    context: Context, fact: N.Relation | N.Within, data: Data
) -> Iterator[tuple[Context, N.Relation | N.Within]]:
    """The statement where a symbol is positive, and where it is 0."""
    name = data.get("case")
    if name is None:
        yield context, fact
        return
    declared = context.symbols.get(name) if isinstance(name, str) else None
    if declared is None or declared.copies is not None or not declared.shape.is_scalar:
        raise Rejected("data", "the name of a number")
    name, used = declared.name, context.where.keys() | context.dims.keys() | context.replaced.keys()
    laws = (value for item in context.symbols.values() for value in vars(item.kind).values())
    layered = context.layers.symbols.values() if context.layers is not None else ()
    drawn = (value for item in layered for value in vars(item.kind).values())
    if name in used or any(isinstance(v, N.Node) and name in context.reach(v) for v in (*laws, *drawn)):
        raise Rejected("outside", "a number that a law depends on, or that has a value")
    if not isinstance(declared.kind, Real | Interval) or not ZeroTest(context).is_nonnegative(Entry(name), 1):
        raise Rejected("condition", "a number that may be negative")
    yield replace(context, symbols={**context.symbols, name: replace(declared, kind=Positive())}), fact
    put: dict[N.Node, N.Node] = {N.Symbol(name, declared.shape): N.Number(Fraction(0))}
    layers = context.layers and replace(context.layers, next=substitute(context.layers.next, put))
    assumptions = tuple(substitute(item, put) for item in context.assumptions)
    yield replace(context, assumptions=assumptions, layers=layers), substitute(fact, put)


def _tends(context: Context, fact: N.Relation | N.Within) -> None:
    op, left, right = stated_limit(fact)
    for mode in MODES:
        algebra = algebra_of(context, mode)
        algebra.know_signs()
        row, col = positions(algebra, (body_of(left), body_of(right)))
        know_divisors(algebra, (left, right), row, col)
        try:
            a, b = (value_of(algebra, side, row, col) for side in (left, right))
        except Rejected:
            if mode == MODES[-1]:
                raise
            continue
        gap = total((a, scaled(b, fmpq(-1))))
        if (op in ("==", "<=", ">=") and algebra.is_zero(gap)) or sign_of(algebra, gap) in SIGNS[op]:
            return
    raise Rejected("differs", "the limit is not known to be in this relation")


def limit_rewritten(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash e = g \qquad \Gamma \vdash \lim_{n \to \infty} g = v}
    {\Gamma \vdash \lim_{n \to \infty} e = v}

    Also with an inequality. g has a value wherever e has one. No assumption speaks of n and no value is given
    for it: within the limit it takes others as well, and of these the equation says nothing.
    """
    match goal, premises:
        case (
            Holds(N.Relation(op, N.Limit(e, n, target), v)),
            (
                Holds(N.Relation("==", a, b) as first),
                Holds(N.Relation(other, N.Limit(g, m, end), w)),
            ),
        ):
            if (op, e, n, target, v) == (other, a, m, end, w) and g == b and op in SIGNS:
                spoken = (part for fact in context.assumptions for part in children(fact))
                given = context.where.keys() | context.dims.keys()
                if n.name in given or any(n.name in context.reach(part) for part in spoken):
                    raise Rejected("condition", "an assumption about what a limit binds, or a value for it")
                covered(context, [first], N.Relation("==", e, e))
                return
    raise Rejected("premises", "an equation of the body, and the limit of its other side")


def squeezed(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash 0 \le e \qquad \Gamma \vdash e \le g \qquad \Gamma \vdash \lim_{n \to \infty} g = 0}
    {\Gamma \vdash \lim_{n \to \infty} e = 0}

    In the place of the first there may be -e <= g. n is declared as a size or as a positive number, and no
    assumption speaks of it but such as give a value to another symbol: the inequalities are for all values of
    n. e has a value for each of these, as smooth functions and means of what is bounded by polynomials have.
    """
    zero = N.Number(Fraction(0))
    match goal, premises:
        case (
            Holds(N.Relation("==", N.Limit(e, n, target), end)),
            (first, second, Holds(N.Relation("==", N.Limit(g, m, other), last))),
        ):
            if (end, last, target, other, m) != (zero, zero, N.Infinity(), N.Infinity(), n):
                raise Rejected("premises", "a bound that tends to 0 as the same symbol grows")
            if ordered(second)[:2] != (e, g) or ordered(first)[:2] not in ((zero, e), (N.Negate(e), g)):
                raise Rejected("premises", "the sign of what tends to 0, and its bound")
        case _:
            raise Rejected("premises", "a sign, a bound and the limit of the bound")
    others = (fact for fact in context.assumptions if not _gives_a_value(context, fact, n.name))
    given = context.where.keys() | context.dims.keys() | context.replaced.keys()
    if n.name in given or any(n.name in context.reach(part) for fact in others for part in children(fact)):
        raise Rejected("condition", "an assumption about what a limit binds, or a value for it")
    if n.name not in context.symbols or not isinstance(context.symbols[n.name].kind, Dimension | Positive):
        raise Rejected("condition", "a symbol that may be negative")
    covered(context, [N.Relation("==", e, e)], N.Relation("==", zero, zero))


def _gives_a_value(context: Context, fact: N.Fact, name: str) -> bool:
    """An equation that only says what another symbol is, at each value of this one."""
    match fact:
        case N.Relation("==", N.Symbol(other), value):
            return other in context.replaced and other not in (name, *context.reach(value))
    return False


RULES = tuple(Rule(check.__name__, "limits", check) for check in (tends, limit_rewritten, squeezed))
