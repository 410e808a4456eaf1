"""Growth: O, Omega and Theta, by the terms of normal forms, by bounds and by families of points."""

from collections.abc import Sequence
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.kernel.asymptotic.alike import mass
from verifier.kernel.asymptotic.compare import is_bounded, is_never_negative
from verifier.kernel.asymptotic.forms import Asymptotics
from verifier.kernel.asymptotic.motion import motion, only_numbers_that_exist
from verifier.kernel.context import Context
from verifier.kernel.core.settle import settled
from verifier.kernel.judgement import Fails, Holds, Judgement
from verifier.kernel.normal.atoms import Poly
from verifier.kernel.normal.sign import is_nonnegative
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.defined import covered
from verifier.kernel.rules.signs import ZERO, ordered

READ = {
    ("<=", "O"): "O", ("==", "O"): "O", (">=", "Omega"): "Omega", ("==", "Omega"): "Omega",
    ("==", "Theta"): "Theta",
}  # fmt: skip


def stated_growth(fact: N.Relation | N.Within) -> tuple[str, N.Node, N.Node]:
    """O, Omega or Theta, the left side, and what it is compared with."""
    match fact:
        case N.Relation(op, left, N.Growth(kind, body)) if (op, kind) in READ and left.shape.is_scalar:
            if not any(isinstance(part, N.Growth) for part in (left, body)):
                return READ[op, kind], left, body
    raise Rejected("statement", "this is no statement about growth")


def sizes_of(context: Context, expands: bool) -> Asymptotics:
    """Normal forms, as the symbols that the statement names grow; one with an assumed value in others, which
    may have it whatever these are, grows with them."""
    growing = frozenset(symbol.name for symbol in context.growing)
    given = {name for name in growing if _grows_with(context, name, growing)}
    if given < growing:
        growing -= given
    return Asymptotics(ZeroTest(context, expands=expands), motion(context, growing))


def _grows_with(context: Context, name: str, growing: frozenset[str]) -> bool:
    """Whether the value of a size is a polynomial in sizes without a minus, and one of these grows."""
    value = context.dims.get(name)
    if value is None or not value.names & growing or not value.names <= context.symbols.keys():
        return False
    sizes = all(isinstance(context.symbols[each].kind, K.Dimension) for each in (name, *value.names))
    return sizes and all(factor > 0 for _, factor in value.terms)


def normal_of(algebra: ZeroTest, node: N.Node) -> Poly:
    only_numbers_that_exist(algebra.context, node)
    return algebra.normal(settled(algebra.reader, algebra.reader.scalar(node)))


def monomials(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\mathrm{nf}(l) = \sum_i c_i m_i \qquad \forall i\colon m_i \le C\, |\mathrm{nf}(f)|}
    {\Gamma \vdash l \le O(f)}

    Both sides are written in normal form and multiplied by their denominators. Every term of l must be at
    most a constant times the only term of f, or one of its terms if none of them is negative, or the term
    beside which all others vanish and whose coefficient is never 0. Terms are compared by exponentials,
    powers and logarithms of each growing symbol apart; constants depend on nothing that grows or moves.
    Omega(f): f <= O(l), and l is not negative. Theta(f): l <= O(f) and f <= O(l).
    """
    if premises:
        raise Rejected("premises", "the terms of normal forms need no premise")
    kind, left, body = _growth(goal)
    last = Rejected("differs", "a term is not known to be small enough, or a coefficient not to be 0")
    for expands in (False, True):
        try:
            if _is_true(kind, sizes_of(context, expands), left, body):
                return
        except Rejected as rejected:
            last = rejected
    raise last


def _is_true(kind: str, sizes: Asymptotics, left: N.Node, body: N.Node) -> bool:
    top, bottom = (normal_of(sizes.algebra, node) for node in (left, body))
    same = _is_multiple(top, bottom)
    above = same or kind == "Omega" or is_bounded(sizes, top, bottom)
    below = same or kind == "O" or is_bounded(sizes, bottom, top)
    return above and below and (kind != "Omega" or is_never_negative(sizes, top))


def _is_multiple(top: Poly, bottom: Poly) -> bool:
    """Whether one is a number, which is not 0, times the other."""
    if top.terms.keys() != bottom.terms.keys():
        return False
    return len({factor / bottom.terms[powers] for powers, factor in top.terms.items()}) <= 1


def bounds(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash l \le g \qquad \Gamma \vdash 0 \le l \qquad \Gamma \vdash g \le O(f)}
    {\Gamma \vdash l \le O(f)}
    \qquad
    \frac{\Gamma \vdash g \le l \qquad \Gamma \vdash g \ge \Omega(f)}{\Gamma \vdash l \ge \Omega(f)}

    The bound g has a value wherever l has one. In the place of the sign of l there may be -l <= g.
    """
    kind, left, body = _growth(goal)
    *bounding, last = premises or (goal,)
    middle = _middle(kind, last, body)
    found = [ordered(part)[:2] for part in bounding]
    if kind == "O":
        signs = [(ZERO, left), (N.Negate(left), middle)]
        fits = len(found) == 2 and found[0] == (left, middle) and found[1] in signs
    else:
        fits = kind == "Omega" and found == [(middle, left)]
    if not fits:
        raise Rejected("premises", "a bound of the left side, its sign, and how the bound grows")
    _covered(context, bounding, goal)


def rewritten(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash l = g \qquad \Gamma \vdash g \le O(f)}{\Gamma \vdash l \le O(f)}

    The same for Omega and Theta. g has a value wherever l has one.
    """
    kind, left, body = _growth(goal)
    match premises:
        case (Holds(N.Relation("==", a, b)), last) if a == left and _middle(kind, last, body) == b:
            _covered(context, [premises[0]], goal)
            return
    raise Rejected("premises", "an equation of the left side, and how its other side grows")


def both(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash l \le O(f) \qquad \Gamma \vdash l \ge \Omega(f)}{\Gamma \vdash l = \Theta(f)}

    Both are about the same l and f, along the same growing symbols.
    """
    kind, left, body = _growth(goal)
    if kind != "Theta" or [_growth(part) for part in premises] != [("O", left, body), ("Omega", left, body)]:
        raise Rejected("premises", "an upper and a lower bound of the same sides")


def moments(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash \mathrm{E} f^2 \ge \Omega(g^2) \qquad \Gamma \vdash \mathrm{E} f^4 \le O(g^4)}
    {\Gamma \vdash \mathrm{E} f \ge \Omega(g)}

    f is never negative by its form. (E f**2)**3 is at most (E f)**2 * E f**4, by Hölder's inequality. The
    moments exist wherever E f has a value.
    """
    kind, left, body = _growth(goal)
    if kind != "Omega" or not isinstance(left, N.Expectation) or left.given:
        raise Rejected("statement", "a lower bound of a mean")
    wanted = [_growth_of_power(left.body, body, 2, "Omega"), _growth_of_power(left.body, body, 4, "O")]
    if [part for part in premises if isinstance(part, Holds)] != wanted or len(premises) != len(wanted):
        raise Rejected("premises", "how the means of the square and of the fourth power grow")
    if not is_nonnegative(context, left.body):
        raise Rejected("condition", "something that may be negative")
    numbers = [N.Relation("==", *[_power_in_mean(left.body, power)] * 2) for power in (2, 4)]
    covered(context, numbers, N.Relation("==", left, left))


def _power_in_mean(f: N.Node, power: int) -> N.Node:
    return N.Expectation(N.Power(f, N.Number(Fraction(power))), ())


def _growth_of_power(f: N.Node, body: N.Node, power: int, kind: str) -> Holds:
    return Holds(growth_of_moment(f, body, power, kind))


def growth_of_moment(f: N.Node, body: N.Node, power: int, kind: str) -> N.Relation:
    """E(f**k) <= O(g**k), or >= Omega(g**k)."""
    grown = N.Growth(kind, N.Power(body, N.Number(Fraction(power))))  # type: ignore[arg-type]
    return N.Relation(">=" if kind == "Omega" else "<=", _power_in_mean(f, power), grown)


def compared(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash l \le O(h) \qquad \Gamma \vdash h \ge \Omega(f) \text{ fails} \qquad h \ge 0}
    {\Gamma \vdash l \ge \Omega(f) \text{ fails}}
    \qquad
    \frac{\Gamma \vdash l \ge \Omega(h) \qquad \Gamma \vdash h \le O(f) \text{ fails}}
    {\Gamma \vdash l \le O(f) \text{ fails}}

    Theta(f) fails in either way. l has a value wherever h and f have; h is never negative by its form.
    """
    if not isinstance(goal, Fails):
        raise Rejected("statement", "a growth that fails")
    kind, left, body = stated_growth(goal.fact)
    match premises:
        case Holds(N.Relation() as known), Fails(N.Relation() as failing):
            (one, a, h), (other, b, f) = stated_growth(known), stated_growth(failing)
        case _:
            raise Rejected("premises", "how the left side grows, and a growth that fails")
    if (a, b, f) != (left, h, body) or one == other or kind not in (other, "Theta"):
        raise Rejected("premises", "another side than that of the conclusion")
    if (one, other) not in (("O", "Omega"), ("Omega", "O")):
        raise Rejected("premises", "an upper bound beside a lower one, or the other way round")
    if other == "Omega" and not is_nonnegative(context, h):
        raise Rejected("condition", "a bound that may be negative")
    covered(context, [N.Relation("==", left, left)], N.Relation("==", h, body))


def alike(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\mathrm{E}\, Y_{ij}^2 \in \{v_1, \ldots, v_k\} \qquad c^2\, n\, m \le O(f^2)}
    {\Gamma \vdash \sqrt{\mathrm{E} \lVert c\, Y \rVert^2} \le O(f)}

    Y is n by m, and c is a number. The mean of the square of an entry takes finitely many values, which do
    not move: entries are functions of independent draws of one law that does not move, numbered by i and j
    or by what does not move, and neither the indices nor sizes that move are used as numbers. The same
    without the root, for c**2*n*m <= O(f), and for the spectral norm, which is not larger.
    """
    kind, left, body = _growth(goal)
    if premises or kind != "O":
        raise Rejected("premises", "an upper bound, without premises")
    sizes = sizes_of(context, False)
    only_numbers_that_exist(context, left)
    match left:
        case N.Apply("sqrt", (N.Expectation(N.Power(N.Norm(matrix, "fro" | "2"), N.Number(power)), ()),)):
            f = sizes.algebra.power(normal_of(sizes.algebra, body), 2)
        case N.Expectation(N.Power(N.Norm(matrix, "fro" | "2"), N.Number(power)), ()):
            f = normal_of(sizes.algebra, body)
        case _:
            raise Rejected("statement", "the mean of the square of a norm, or its root")
    if power != 2 or not context.growing or context.tied():
        raise Rejected("condition", "a square, a symbol that grows, and no independence beyond the laws")
    if not is_bounded(sizes, mass(sizes.algebra, sizes.motion, matrix), f):
        raise Rejected("differs", "the number of entries may grow faster")


def _growth(judgement: Judgement) -> tuple[str, N.Node, N.Node]:
    if not isinstance(judgement, Holds):
        raise Rejected("statement", "a growth that holds")
    return stated_growth(judgement.fact)


def _middle(kind: str, premise: Judgement, body: N.Node) -> N.Node:
    """What a premise says the same of as the conclusion does of its left side."""
    if isinstance(premise, Holds):
        stated = stated_growth(premise.fact)
        if (stated[0], stated[2]) == (kind, body):
            return stated[1]
    raise Rejected("premises", "the growth of something else")


def _covered(context: Context, premises: Sequence[Judgement], goal: Judgement) -> None:
    assert isinstance(goal, Holds)
    covered(context, [part.fact for part in premises if isinstance(part, Holds)], goal.fact)


RULES = tuple(
    Rule(check.__name__, "growth", check)
    for check in (monomials, bounds, rewritten, both, alike, moments, compared)
)
