"""Points: a statement is false where one allowed point breaks it."""

from verifier.expr import nodes as N
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails, Judgement
from verifier.kernel.points.fails import fails_at
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.growth import stated_growth
from verifier.kernel.rules.signs import ZERO


def point(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{x \models \Gamma \qquad \neg\, \varphi(x)}{\Gamma \vdash \varphi \text{ fails}}

    The data hold the point x: an exact value for each symbol that is looked at (a rational or the root of
    one, rows of them, or a matrix of any size by the five numbers of a pattern: the first entry, the
    others of row 1 and of column 1, the diagonal and what is beside it), and, for random symbols of which
    only moments are declared, laws with finitely many outcomes. Each value has the declared shape and
    kind, each chosen law the stated moments; every declared law exists there, and everything declared
    that x leaves out can be chosen; every assumption holds there, about what has a chosen law at each
    outcome; both sides have values in all their entries, also where they are multiplied by zero; and the
    relation is false at some entry, exactly or by enclosures that do not meet. Means are taken by
    moments, over all outcomes of discrete draws, or, of functions of at most two independent variables
    with a density, by enclosed integrals under a majorant that shows that they exist and how little lies
    far out. Growth that is claimed for all values, without a symbol that grows, is false of O where f is
    0 and l is not, of Theta also where l is 0 and f is not, of Omega where l is 0 and f is not, and where
    l is negative. Sums over indices whose exchange changes nothing count how many terms are alike. Where
    the data claim `exact`, no enclosure is used.
    """
    if premises:
        raise Rejected("premises", "a point needs no premise")
    if not isinstance(goal, Fails):
        raise Rejected("statement", "a point shows that a statement fails, and nothing else")
    if not data.keys() <= {"point", "laws", "exact"} or "point" not in data:
        raise Rejected("data", "the data are a point, laws that it chooses, and whether it is exact")
    exact = _is_exactly_false(context, goal.fact, data)
    if data.get("exact", False) not in (True, False) or (data.get("exact") and not exact):
        raise Rejected("data", "this point does not break the statement exactly")


def _is_exactly_false(context: Context, fact: N.Relation | N.Within, data: Data) -> bool:
    """Whether no enclosure was needed; rejects what is not false at the point."""
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
    return fails_at(context, fact, data["point"], data.get("laws")).exact


RULES = (Rule("point", "points", point, exact=False, told_by_data=True),)
