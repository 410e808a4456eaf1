"""Almost sure convergence: by moments that are summable, and of continuous functions of what converges."""

from dataclasses import replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import SCALAR
from verifier.expr.walk import children, substitute, walk
from verifier.kernel.asymptotic.forms import Asymptotics
from verifier.kernel.asymptotic.motion import motion, only_numbers_that_exist
from verifier.kernel.context import Context
from verifier.kernel.core.settle import settled
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.normal.equal import equal_entries, positions
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.regular import ARITHMETIC, is_smooth
from verifier.kernel.rules.series import require_summable

ONE = N.Number(Fraction(1))
POWERS = (2, 4, 6)
CONTINUOUS = {
    "exp", "sin", "cos", "atan", "tanh", "sigmoid", "relu", "gelu", "silu", "softplus", "abs", "erf", "Phi",
    "phi", "min", "max", "softmax",
}  # functions of all reals  # fmt: skip
PLACE = "limit'"  # the symbol that what converges is put down as


def converging(fact: object) -> tuple[N.Limit, N.Node] | None:
    """Of P(limit(e, n, oo) == v) == 1: the limit and v."""
    match fact:
        case N.Relation(
            "==",
            N.Expectation(N.Indicator(N.Relation("==", N.Limit(_, _, N.Infinity()) as limit, value)), ()),
            N.Number(one),
        ) if one == 1:
            return limit, value
    return None


def surely(limit: N.Limit, value: N.Node) -> N.Relation:
    """That a limit is almost surely this value."""
    return N.Relation("==", N.Expectation(N.Indicator(N.Relation("==", limit, value)), ()), ONE)


def borel_cantelli(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{E(e_{ij} - v_{ij})^p = O(n^q), \quad q < -1, \quad p \text{ even}}
    {\Gamma \vdash P(\lim_{n \to \infty} e = v) = 1}

    For every a > 0 the chances that |e_ij - v_ij| > a are summable then, by Markov, so that almost surely
    this is the case finitely often, whatever the joint law of the draws at different n. n is a size, neither
    v nor the shape of e depends on it or moves with it, and the p of the data is 2, 4 or 6.
    """
    found = converging(goal.fact) if isinstance(goal, Holds) else None
    p = data.get("power")
    if premises or found is None or not isinstance(p, int) or p not in POWERS or data.keys() != {"power"}:
        raise Rejected("data", "almost sure convergence, by a power of which the mean is summable")
    limit, value = found
    body, name = limit.body, limit.variable.name
    moving = _moving(context, limit)
    if moving & _reach(context, value) or context.drawn(value):
        raise Rejected("condition", "a value that moves with what grows, or that is drawn")
    if moving & (body.shape.rows.names | body.shape.cols.names):
        raise Rejected("condition", "a matrix that grows")
    _require_plain(context, body)
    power = N.Power(N.Subtract(body, value), N.Number(Fraction(p)))
    only_numbers_that_exist(context, power)
    algebra = ZeroTest(context)
    row, col = positions(algebra, (power,))
    term = algebra.reader.entry(N.Expectation(power, ()), row, col)
    sizes = Asymptotics(algebra, motion(context, frozenset({name})))
    require_summable(sizes, algebra.normal(settled(algebra.reader, term)), name)


def mapped(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash P(\lim_{n \to \infty} e = w) = 1 \qquad \mathrm{nf}(f(w) - v) = 0}
    {\Gamma \vdash P(\lim_{n \to \infty} f(e) = v) = 1}

    e is a name in f(e), which is a continuous function of its entries, or the derivative by e of a smooth
    one, and depends neither on n and what moves with it nor on what is drawn otherwise.
    """
    known = converging(premises[0].fact) if len(premises) == 1 and isinstance(premises[0], Holds) else None
    found = converging(goal.fact) if isinstance(goal, Holds) else None
    if data or known is None or found is None:
        raise Rejected("premises", "the almost sure limit of what a function is taken of")
    (inner, there), (limit, value) = known, found
    if not isinstance(inner.body, N.Let) or (inner.variable, inner.target) != (limit.variable, limit.target):
        raise Rejected("premises", "the limit of a name, as the same symbol grows")
    if PLACE in context.symbols or any(
        isinstance(part, N.Let) and part.name in context.held for part in walk(limit.body)
    ):
        raise Rejected("outside", "a name whose value is assumed")
    place = N.Symbol(PLACE, inner.body.shape)
    body = substitute(limit.body, {inner.body: place})
    moving = _moving(context, limit)
    if moving & _reach(context, body) or context.drawn(body) or moving & _reach(context, value):
        raise Rejected("condition", "a function that moves with what grows, or that is drawn")
    if not _is_continuous(context, body, place):
        raise Rejected("condition", "a function that is not known to be continuous")
    symbols = {**context.symbols, PLACE: K.Declared(PLACE, _kind(place), place.shape)}
    at = N.Relation("==", place, there)
    equal_entries(
        replace(context, symbols=symbols, assumptions=(*context.assumptions, at)),
        N.Relation("==", body, value),
    )


def _kind(place: N.Symbol) -> K.Kind:
    return K.Real() if place.shape == SCALAR else K.FixedMatrix("matrix")


def _moving(context: Context, limit: N.Limit) -> frozenset[str]:
    """What grows, and what moves with it."""
    name = limit.variable.name
    if name not in context.symbols or not isinstance(context.symbols[name].kind, K.Dimension):
        raise Rejected("condition", "a limit along something else than a size")
    if context.layers is not None or name in context.where:
        raise Rejected("outside", "a limit beside layers, or along what has a value")
    return motion(context, frozenset({name})).names


def _reach(context: Context, node: N.Node) -> frozenset[str]:
    """What a tree depends on, the sizes of its parts included."""
    sizes = (part.shape.rows.names | part.shape.cols.names for part in walk(node))
    return context.behind(node).union(*sizes)


def _require_plain(context: Context, body: N.Node) -> None:
    """Names with assumed values are random, and what is assumed of them is no law."""
    if any(isinstance(part, N.Let) and part.name in context.held for part in walk(body)):
        raise Rejected("outside", "a name whose value is assumed")


def _is_continuous(context: Context, node: N.Node, by: N.Symbol) -> bool:
    if node == by or by.name not in context.reach(node):
        return True
    match node:
        case N.Derivative(of, other):
            return other == by and is_smooth(context, of, by)
        case N.Divide(left, right):
            return by.name not in context.reach(right) and _is_continuous(context, left, by)
        case N.Power(base, N.Number(value)):
            return value.denominator == 1 and value >= 0 and _is_continuous(context, base, by)
        case N.Apply(function) | N.RowWise(function):
            known = function in CONTINUOUS
        case N.Let(name):
            known = name not in context.held
        case _:
            known = isinstance(node, (*ARITHMETIC, N.Norm, N.Sum, N.Entry, N.Row))
    return known and all(_is_continuous(context, part, by) for part in children(node))


RULES = (
    Rule("borel_cantelli", "limits", borel_cantelli),
    Rule("mapped", "limits", mapped),
)
