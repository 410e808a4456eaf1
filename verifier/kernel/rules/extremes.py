"""Extremes: what is true at every value bounds the largest, and one value is no larger than it."""

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import children, substitute, walk
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails, Holds, Judgement
from verifier.kernel.normal.sign import is_positive
from verifier.kernel.points.fails import fails_at
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.defined import covered, unfolded
from verifier.kernel.rules.signs import Ordered, ordered
from verifier.kernel.rules.structure import collect

Values = dict[N.Node, N.Node]


def bounded_extreme(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash f \le b}{\Gamma \vdash \sup_Z f \le b} \qquad
    \frac{\Gamma \vdash b \le f}{\Gamma \vdash b \le \inf_Z f}

    b does not depend on Z. What Z may be is what its declaration says: no assumption speaks of Z, no value is
    given for it, and no other declaration depends on it. The premise may be strict, the conclusion not.
    """
    small, large, strict = ordered(goal)
    low, high, _ = _only(premises)
    match small, large:
        case N.Extreme("sup", body) as extreme, bound if (low, high) == (body, bound):
            _is_free(context, extreme, bound)
        case bound, N.Extreme("inf", body) as extreme if (low, high) == (bound, body):
            _is_free(context, extreme, bound)
        case _:
            raise Rejected("premises", "the bound of what an extreme is taken of")
    if strict:
        raise Rejected("condition", "an extreme may be the bound itself")


def reached_extreme(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash b \le f[Z := z]}{\Gamma \vdash b \le \sup_Z f} \qquad
    \frac{\Gamma \vdash f[Z := z] \le b}{\Gamma \vdash \inf_Z f \le b}

    z is read off the premise. It is a number where Z is one, positive where Z is declared so, a matrix of the
    shape of Z where Z is any matrix; nothing is drawn in it, no index is part of it, and f takes no
    derivative, limit or extreme. f has a value there wherever the conclusion has one. Z is as for
    `bounded_extreme`. Strict if the premise is.
    """
    small, large, strict = ordered(goal)
    low, high, first = _only(premises)
    match small, large:
        case bound, N.Extreme("sup") as extreme if low == bound:
            there = high
        case N.Extreme("inf") as extreme, bound if high == bound:
            there = low
        case _:
            raise Rejected("premises", "what an extreme is taken of, at one value")
    if strict and not first:
        raise Rejected("condition", "a strict inequality from one that is not")
    _is_free(context, extreme, N.Ones(extreme.shape))
    _is_at_a_value(context, extreme, unfolded(context, there))
    assert isinstance(goal, Holds)
    covered(context, [part.fact for part in premises if isinstance(part, Holds)], goal.fact)


def _only(premises: tuple[Judgement, ...]) -> Ordered:
    if len(premises) != 1:
        raise Rejected("premises", "this follows from one inequality")
    return ordered(premises[0])


def _is_free(context: Context, extreme: N.Extreme, bound: N.Node) -> None:
    """Accepts an extreme over all that declarations allow, and a bound that does not depend on it."""
    over = frozenset(symbol.name for symbol in extreme.over)
    others = (declared for name, declared in context.symbols.items() if name not in over)
    laws = (value for item in others for value in vars(item.kind).values() if isinstance(value, N.Node))
    spoken = [*laws, *(part for fact in context.assumptions for part in children(fact))]
    if context.layers is not None or any(map(context.is_random, over)):
        raise Rejected("outside", "an extreme over what is drawn, or beside layers")
    if not over <= context.symbols.keys() or over & (context.where.keys() | context.dims.keys()):
        raise Rejected("condition", "an extreme over what has a value")
    if any(over & context.reach(part) for part in (bound, *spoken)):
        raise Rejected("condition", "an assumption, a declaration or the bound depends on what is varied")


def _is_at_a_value(context: Context, extreme: N.Extreme, there: N.Node) -> None:
    """Accepts the body of the extreme with values for what is varied."""
    body = unfolded(context, extreme.body)
    if any(isinstance(part, N.Derivative | N.Limit | N.Extreme | N.Let) for part in walk(body)):
        raise Rejected("outside", "a value under a derivative, a limit, an extreme or a name")
    found: Values = {}
    collect(body, there, frozenset(extreme.over), found)
    if substitute(body, found) != there:
        raise Rejected("premises", "not what the extreme is taken of, at one value")
    for symbol, value in found.items():
        assert isinstance(symbol, N.Symbol)
        _is_value(context, symbol, value)


def _is_value(context: Context, symbol: N.Symbol, value: N.Node) -> None:
    if any(isinstance(part, N.Index | N.Let) for part in walk(value)):
        raise Rejected("outside", "a value that depends on an index")
    if any(map(context.is_random, context.reach(value))):
        raise Rejected("condition", "a value that depends on what is drawn")
    match context.symbols[symbol.name].kind:
        case K.Real():
            fits = value.shape.is_scalar
        case K.Positive():
            fits = value.shape.is_scalar and is_positive(context, value)
        case K.FixedMatrix("matrix" | "vector"):
            fits = value.shape == symbol.shape
        case _:
            fits = False
    if not fits:
        raise Rejected("condition", f"not known to be a value of {symbol.name}")


def antisymmetric(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash a \le b \qquad \Gamma \vdash b \le a}{\Gamma \vdash a = b}

    Entry by entry.
    """
    match goal:
        case Holds(N.Relation("==", left, right)):
            if [ordered(part)[:2] for part in premises] == [(left, right), (right, left)]:
                return
    raise Rejected("premises", "an equation, from both inequalities between its sides")


def never_reached(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash f \le b \qquad x \models \Gamma \qquad b(x) < v(x)}
    {\Gamma \vdash \sup_Z f = v \text{ fails}}

    The data hold the point x, as for `point`, with values of Z at which f has one. Neither b nor v depends on
    Z, which is as for `bounded_extreme`. Also with v <= sup f; for an infimum the other way round.
    """
    low, high, _ = _only(premises)
    match goal:
        case Fails(N.Relation("==" | ">=", N.Extreme("sup", body) as extreme, value)) if low == body:
            bound, apart = high, N.Relation(">=", high, value)
        case Fails(N.Relation("==" | "<=", N.Extreme("inf", body) as extreme, value)) if high == body:
            bound, apart = low, N.Relation("<=", low, value)
        case _:
            raise Rejected("premises", "the bound of what an extreme is taken of, and what it is not")
    _is_free(context, extreme, bound)
    _is_free(context, extreme, value)
    for fact in (apart, N.Relation(">=", body, N.Infinity())):  # which is false where there is a value
        fails_at(context, fact, data)


RULES = (
    *(Rule(check.__name__, "order", check) for check in (bounded_extreme, reached_extreme, antisymmetric)),
    Rule("never_reached", "order", never_reached, exact=False),
)
