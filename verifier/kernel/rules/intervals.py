"""Intervals: inequalities between functions of a few numbers, by enclosures over a cover by boxes."""

from flint import ctx

from verifier.expr.nodes import Relation
from verifier.kernel.boxes.cover import check_cover
from verifier.kernel.boxes.evaluate import spread
from verifier.kernel.boxes.region import Region, bounded, declared_region, variables
from verifier.kernel.boxes.sign import Gap
from verifier.kernel.budget import Budget
from verifier.kernel.context import Context
from verifier.kernel.core import terms as T
from verifier.kernel.core.settle import settled
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.normal.equal import difference
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.signs import ordered

BITS = 64
MOST_STEPS = 3_000_000


def cover(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash l_k \le x_k \le h_k \qquad B_1 \cup \cdots \cup B_m \supseteq [l, h] \qquad
    b - a \ge 0 \text{ on each } B_j}{\Gamma \vdash a \le b}

    Between numbers that depend on a few variables. These range over what is declared, cut down by premises
    that bound one by a number; integers are integers. The data split that region, and on each part the kernel
    encloses b - a in interval arithmetic: by its values; by its values at a corner or in the middle and its
    slopes, where it is continuous; or, if it is convex there and both it and its slope are exactly 0 at the
    point that the data name, by that. On a part that runs to infinity a function is a polynomial and a rest,
    which a decaying exponential or a power bounds. A denominator that may be 0 on a part is refused there.
    """
    small, large, strict = ordered(goal)
    if not (small.shape.is_scalar and large.shape.is_scalar):
        raise Rejected("outside", "an inequality between matrices over a box")
    if data.keys() != {"cover"}:
        raise Rejected("data", "the data are a cover")
    facts = [part.fact for part in premises if isinstance(part, Holds) and isinstance(part.fact, Relation)]
    if len(facts) != len(premises):
        raise Rejected("premises", "a premise that is no relation")
    before, ctx.prec = ctx.prec, BITS
    try:
        gap, region = gap_of(context, Relation("<=", small, large))
        cut = bounded(context, region, facts, gap.budget)
        if cut is not None:
            check_cover(gap, cut, data["cover"], strict)
    finally:
        ctx.prec = before


def gap_of(context: Context, fact: Relation) -> tuple[Gap, Region]:
    """The larger side less the smaller, and where its variables range."""
    budget = Budget(MOST_STEPS)
    algebra = ZeroTest(context)
    term = settled(algebra.reader, difference(algebra, fact.right, fact.left))
    closed = spread(_closed(algebra, term), context.where, budget)
    return Gap(closed, algebra, budget), declared_region(context, variables(closed), budget)


def _closed(algebra: ZeroTest, term: T.Term) -> T.Term:
    """The term with its means as what the law makes of them."""
    if isinstance(term, T.Mean):
        return algebra.term_of(algebra.normal(term))
    return T.rebuilt(term, lambda part: _closed(algebra, part))


RULES = (Rule("cover", "intervals", cover, exact=False),)
