"""Points: a statement is false where one allowed point breaks it."""

from verifier.expr import nodes as N
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails, Holds, Judgement
from verifier.kernel.normal.sign import is_nonnegative
from verifier.kernel.points.fails import fails_at
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.defined import covered, only_numbers
from verifier.kernel.rules.growth import stated_growth
from verifier.kernel.rules.signs import ZERO

# An extreme breaks what one of its values breaks.
REACHED: dict[tuple[str, str], N.Comparison] = {
    ("sup", "=="): "<=", ("sup", "<="): "<=", ("sup", "<"): "<",
    ("inf", "=="): ">=", ("inf", ">="): ">=", ("inf", ">"): ">",
}  # fmt: skip


def point(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{x \models \Gamma \qquad \neg\, \varphi(x)}{\Gamma \vdash \varphi \text{ fails}}

    The data hold the point x: an exact value for each symbol that is looked at (a rational or the root of
    one, rows of them, or a matrix of any size by the five numbers of a pattern: the first entry, the
    others of row 1 and of column 1, the diagonal and what is beside it); for random symbols of which only
    moments are declared, laws with finitely many outcomes; for declared functions, which may be any that
    are differentiable, quadratic ones. Each value has the declared shape and kind, each chosen law the
    stated moments; every declared law exists there, and everything declared that x leaves out can be
    chosen; every assumption holds there, about what has a chosen law at each outcome; both sides have
    values in all their entries, also where they are multiplied by zero; and the
    relation is false at some entry, exactly or by enclosures that do not meet. Means are taken by
    moments, over all outcomes of discrete draws, or, of functions of at most two independent variables
    with a density, by enclosed integrals under a majorant that shows that they exist and how little lies
    far out. Growth that is claimed for all values, without a symbol that grows, is false of O where f is
    0 and l is not, of Theta also where l is 0 and f is not, of Omega where l is 0 and f is not, and where
    l is negative. Sums over indices whose exchange changes nothing count how many terms are alike. Where
    the data claim `exact`, no enclosure is used. An upper bound of a supremum is false where what it is taken
    of is larger, and so is its value; the same for an infimum.
    """
    if premises:
        raise Rejected("premises", "a point needs no premise")
    if not isinstance(goal, Fails):
        raise Rejected("statement", "a point shows that a statement fails, and nothing else")
    exact = _is_exactly_false(context, goal.fact, {key: data[key] for key in data if key != "exact"})
    if data.get("exact", False) not in (True, False) or (data.get("exact") and not exact):
        raise Rejected("data", "this point does not break the statement exactly")


def _is_exactly_false(context: Context, fact: N.Relation | N.Within, data: Data) -> bool:
    """Whether no enclosure was needed; rejects what is not false at the point."""
    match fact:
        case N.Relation(op, N.Extreme(side, body, over), right) if (side, op) in REACHED:
            if any(symbol.name in context.reach(right) for symbol in over):
                raise Rejected("outside", "a bound of an extreme that depends on what is varied")
            return _fails(context, N.Relation(REACHED[side, op], body, right), data)
    if not isinstance(fact, N.Relation) or not isinstance(fact.right, N.Growth):
        return _fails(context, fact, data)
    kind, left, body = stated_growth(fact)
    ways: dict[str, list[tuple[N.Relation, ...]]] = {
        "O": [(_nonzero(body), _zero(left))],
        "Theta": [(_nonzero(body), _zero(left)), (_nonzero(left), _zero(body))],
        "Omega": [(_nonzero(left), _zero(body)), (N.Relation(">=", left, ZERO),)],
    }
    last = Rejected("not-false", "no side is 0 at the point where the other is not")
    for facts in ways[kind]:
        try:
            exact = [_fails(context, part, data) for part in facts]  # all of them, exact or not
        except Rejected as rejected:
            last = rejected
        else:
            return all(exact)
    raise last


def _zero(node: N.Node) -> N.Relation:
    return N.Relation("==", node, ZERO)


def _nonzero(node: N.Node) -> N.Relation:
    return N.Relation("!=", node, ZERO)


def _fails(context: Context, fact: N.Relation | N.Within, data: Data) -> bool:
    return fails_at(context, fact, data).exact


def mean_square(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash \mathrm{E} f^2 = 0 \text{ fails} \qquad f \ge 0}
    {\Gamma \vdash \mathrm{E} f = 0 \text{ fails}}

    f is never negative by its form. Where f**2 has a mean, f has one, and f is 0 almost surely if that is 0.
    """
    match goal, premises:
        case (
            Fails(N.Relation("==", N.Expectation(f, ()), right)),
            (Fails(N.Relation("==", N.Expectation(N.Power(g, N.Number(power)), ()), other)),),
        ) if f == g and power == 2 and right == other == ZERO:
            if not is_nonnegative(context, f):
                raise Rejected("condition", "something that may be negative")
            return
    raise Rejected("premises", "the mean of the square of what has another mean than 0")


def other_side(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash a = c \qquad \Gamma \vdash (c \circ b) \text{ fails}}
    {\Gamma \vdash (a \circ b) \text{ fails}}

    For either side. It is known that a has a value wherever c and b have.
    """
    match goal, premises:
        case Fails(N.Relation(op, left, right) as fact), (
            Holds(N.Relation("==", a, c)),
            Fails(N.Relation(other, x, y) as known),
        ) if op == other and ((a, c, right) == (left, x, y) or (left, a, c) == (x, right, y)):
            only_numbers(fact)
            covered(context, [N.Relation("==", a, a)], known)
            return
    raise Rejected("premises", "a side in other words, and where the relation fails with these")


RULES = (
    Rule("mean_square", "points", mean_square),
    Rule("other_side", "points", other_side),
    Rule("point", "points", point, exact=False, told_by_data=True),
)
