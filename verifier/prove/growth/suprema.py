"""Growth over fixed matrices: sup(f, X) as sizes grow, and bounds that are uniform over all values.

Above by inequalities between norms; below at a family of matrices of every size (constant on blocks), whose
value is an expression in the sizes. A family along which the ratio diverges refutes O(f); a point at which
the left side is 0 and the right side is not refutes Omega(f).
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

import sympy as sp

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding, Tightness
from verifier.expr import nodes as n
from verifier.expr.symbols import Dimension
from verifier.expr.walk import walk
from verifier.prove.blocks.assumptions_at_blocks import holds
from verifier.prove.blocks.block_numbers import EXPRESSIONS
from verifier.prove.blocks.block_points import NUMERIC, Goal, Point, Search, free_sizes
from verifier.prove.blocks.evaluate import At
from verifier.prove.blocks.simpler_blocks import simpler
from verifier.prove.blocks.worked_blocks import worked as on_paper
from verifier.prove.bounds.norm_inequalities import Ceilings
from verifier.prove.forms.refusal import Refusal
from verifier.prove.growth.magnitude_relations import allowed
from verifier.prove.growth.order_text import as_text, as_tree
from verifier.prove.growth.ratio_formula import formula
from verifier.prove.growth.tropical_sizes import Size, size_of
from verifier.prove.growth.unbounded_quantities import without_bound
from verifier.prove.scalars.scalar_refusal import Clock, Refused
from verifier.prove.scalars.scalar_relation import ENGINE
from verifier.prove.scalars.sympy_to_tree import from_sympy

Kind = Literal["O", "Omega", "Theta"]
SIZE, SMALL = 10**9, 3
SCALES = (SIZE, 256, 16)  # an exponential of something large is no number of the machine
LADDER = (10, 100, 1000, 10_000)
BOUNDED = "the ratio stays bounded, by inequalities between norms"


@dataclass(frozen=True)
class Question:
    """body against right, for all fixed matrices; `growing` sizes, or all values where there are none."""

    claim: Claim
    body: n.Node
    right: n.Node
    clock: Clock

    @property
    def growing(self) -> tuple[str, ...]:
        return tuple(symbol.name for symbol in self.claim.growing)


def decide(claim: Claim, left: n.Node, right: n.Node, kind: Kind, clock: Clock) -> Finding | None:
    """None where neither the inequalities nor the families say anything."""
    body = left.body if isinstance(left, n.Extreme) and left.kind == "sup" else left
    if isinstance(left, n.Extreme) and left.kind != "sup":
        return None
    question = Question(claim, body, right, clock)
    with suppress(Refused, Refusal, *NUMERIC):
        if kind in ("Omega", "Theta") and not isinstance(left, n.Extreme):
            zero = vanishes(question)
            if zero is not None:
                return zero
        if kind == "Omega":
            return _from_below(question)
        with suppress(Refused, Refusal, *NUMERIC):  # a bound that no rule knows may still be broken
            if is_bounded(question):
                return _true(question, kind, isinstance(left, n.Extreme))
        without = without_bound(claim, left, right, clock)
        return without or _diverges(question) or (_from_below(question) if kind == "Theta" else None)
    return None


def _true(question: Question, kind: Kind, supremum: bool) -> Finding | None:
    """The upper half is true; tightness from a family, and the lower half of a supremum too."""
    family: Trend | None = None
    with suppress(Refused, Refusal, *NUMERIC):
        family = trend(question, 1)
    positive = family is not None and family.limit is not None and family.limit.is_positive
    if kind == "Theta":
        free = free_sizes(question.claim, (question.body, question.right))
        alone = supremum and positive and len(question.growing) == 1 and free <= set(question.growing)
        return Finding(ENGINE, "true", "proved", f"{BOUNDED}, and away from 0") if alone else None
    tightness = None
    if positive:
        assert family is not None
        tightness = Tightness(True, where=family.point.shown())
    elif is_bounded(question, strictly=True):
        tightness = Tightness(False, better=_better(question), proved=True)
    return Finding(ENGINE, "true", "proved", BOUNDED, tightness=tightness)


# --- from above ---------------------------------------------------------------------------------------------


def is_bounded(question: Question, strictly: bool = False) -> bool:
    """Whether a norm inequality bounds the ratio, or, `strictly`, makes it tend to 0."""
    ceilings = Ceilings(question.claim)
    bound = ceilings.scalar(question.body)
    right = question.right
    if question.growing and any(isinstance(part, n.Norm) for part in walk(right)):
        # A bound g(sizes) norm(X) against norm(X): what both have is divided out.
        bound, right = sp.cancel(bound / ceilings.exact(right)), n.Number(Fraction(1))
    for choice in without_minima(bound):
        if question.growing:
            size, most = (
                _size(question, choice, ceilings.atoms),
                size_of(question.claim, right, question.growing),
            )
            if size is not None and (size.vanishes_against(most) if strictly else size.is_within(most)):
                return True
        elif not strictly and _never_large(
            question.claim, sp.expand(choice / ceilings.exact(question.right))
        ):
            return True
    return False


def without_minima(bound: sp.Expr) -> list[sp.Expr]:
    """Min(a, b) is at most either."""
    if not bound.has(sp.Min):
        return [bound]
    return [bound.replace(sp.Min, lambda *args, k=k: args[min(k, len(args) - 1)]) for k in (0, 1)]


def _size(question: Question, bound: sp.Expr, atoms: Mapping[sp.Symbol, n.Node]) -> Size | None:
    """The growth of a bound in which only norms of matrices that do not grow are left."""
    for symbol in bound.free_symbols & atoms.keys():
        shape = atoms[symbol].arg.shape  # type: ignore[attr-defined]
        if (shape.rows.names | shape.cols.names) & set(question.growing):
            return None
        bound = bound.subs(symbol, 1)  # a constant: constants may depend on such matrices
    return size_of(question.claim, from_sympy(bound, {}), question.growing)


def order(question: Question) -> n.Node | None:
    """The order of the bound in the growing sizes; nobody says yet that anything reaches it."""
    ceilings = Ceilings(question.claim)
    for choice in without_minima(ceilings.scalar(question.body)):
        size = _size(question, choice, ceilings.atoms)
        if size is not None:
            return as_tree(question.growing, size)
    return None


def _never_large(claim: Claim, ratio: sp.Expr) -> bool:
    """A sum of monomials in sizes >= 1, none with a positive exponent."""
    for term in sp.Add.make_args(ratio):
        for base, power in term.as_powers_dict().items():
            if base.is_number:
                continue
            declared = claim.symbols.get(str(base))
            if declared is None or not isinstance(declared.kind, Dimension) or not power.is_nonpositive:
                return False
    return True


def _better(question: Question) -> str | None:
    """The bound itself, if a family reaches its order."""
    with suppress(Refused, Refusal, *NUMERIC):
        order = _sharp(question)
        return None if order is None else f"O({order})"
    return None


def _sharp(question: Question) -> str | None:
    """The bound itself, where a family reaches its order."""
    ceilings = Ceilings(question.claim)
    bound = ceilings.scalar(question.body)
    if bound.has(sp.Min) or bound.free_symbols & ceilings.atoms.keys() or not question.growing:
        return None
    tree = from_sympy(bound, {})
    family = trend(replace(question, right=tree), 1)
    reached = family is not None and family.limit is not None and family.limit.is_positive
    size = _size(question, bound, {}) if reached else None
    return None if size is None else as_text(question.growing, size)


# --- from below: a family of points of all sizes ------------------------------------------------------------


@dataclass(frozen=True)
class Trend:
    """A family, the ratio along it, and the limit of the ratio as the growing sizes tend to infinity."""

    point: Point
    ratio: sp.Expr
    symbol: sp.Symbol
    limit: sp.Expr | None


def trend(question: Question, sign: int, without_end: bool = False, scale: int = SIZE) -> Trend | None:
    """The family that pushes the ratio furthest up (or down), with its limit as the growing sizes (or all,
    `without_end`) tend to infinity; it is looked for where these are `scale`."""
    claim = question.claim
    free = free_sizes(claim, (question.body, question.right))
    moving = set(question.growing) | (free if without_end else set())
    sizes = {name: scale if name in moving else SMALL for name in free | moving}
    fixed = {name: int(value) for name, value in claim.where.items() if value.denominator == 1}
    goal = _ratio_goal(question, sign)
    found = Search(
        claim, (question.body, question.right), {**fixed, **sizes}, goal, float("inf"),
        lambda: question.clock.left < 0.4 * question.clock.seconds, moving=True,
    ).run(starts=1)  # fmt: skip
    if found is None:
        return None
    large = sp.Symbol("t", positive=True, integer=True)
    point = replace(found, sizes={k: large if k in moving else v for k, v in found.sizes.items()})
    at = point.at(EXPRESSIONS)
    if not all(holds(at, fact) for fact in claim.constraints):
        return None
    with question.clock.guard(0.4):
        ratio = at.scalar(question.body) / at.scalar(question.right)
        return Trend(point, ratio, large, _limit(ratio, large))


def _limit(ratio: sp.Expr, large: sp.Symbol) -> sp.Expr | None:
    """The limit of something not negative: of its square where that is a quotient of polynomials."""
    square = sp.cancel(sp.expand(ratio**2))
    if large not in square.free_symbols:
        return sp.sqrt(square)
    if square.is_rational_function(large):
        above, below = (sp.Poly(part, large) for part in sp.fraction(square))
        if above.degree() > below.degree():
            return sp.oo
        return sp.sqrt(above.coeff_monomial(large ** below.degree()) / below.LC())
    found = sp.limit(sp.simplify(ratio), large, sp.oo)
    return None if found.has(sp.Limit, sp.nan, sp.AccumBounds) else found


def limit_at(question: Question, trend: Trend) -> sp.Expr | None:
    """The limit of this ratio along the family of another one."""
    with question.clock.guard(0.5):
        return _limit(ratio_at(question, trend), trend.symbol)


def _ratio_goal(question: Question, sign: int) -> Goal:
    def goal(at: At) -> float | None:
        right = float(at.scalar(question.right))
        return sign * float(at.scalar(question.body)) / right if right > 0 else None

    return goal


def _diverges(question: Question) -> Finding | None:
    for scale in SCALES:
        family = trend(question, 1, without_end=not question.growing, scale=scale)
        if family is not None and family.limit == sp.oo:
            return along(family, "the ratio grows without bound")
    return None


def _from_below(question: Question) -> Finding | None:
    family = trend(question, -1, without_end=not question.growing)
    if family is None or family.limit != 0:
        return None
    return along(family, "the ratio tends to 0")


def ratio_at(question: Question, trend: Trend) -> sp.Expr:
    """This ratio along the family of another one."""
    at = trend.point.at(EXPRESSIONS)
    return at.scalar(question.body) / at.scalar(question.right)


def along(family: Trend, reason: str, sizes: tuple[int, ...] = LADDER) -> Finding:
    """The order is wrong along the family, as the ratios at these sizes show."""
    ratios = tuple(float(family.ratio.subs(family.symbol, size)) for size in sizes)
    shown = {k: list(sizes) if v == str(family.symbol) else v for k, v in family.point.shown().items()}
    lines = formula(family.ratio)
    example = Counterexample(shown, None, None, arithmetic=lines, ratios=ratios)
    return Finding(ENGINE, "false", "proved", reason, counterexample=example)


def vanishes(question: Question) -> Finding | None:
    """A point at which the left side is 0 and the right side is not."""
    claim = question.claim
    fixed = {name: int(value) for name, value in claim.where.items() if value.denominator == 1}
    free = free_sizes(claim, (question.body, question.right)) | set(question.growing)
    search = Search(
        claim, (question.body, question.right), {**fixed, **dict.fromkeys(free, SMALL)},
        _ratio_goal(question, -1), 0.0, lambda: question.clock.left < 0.5 * question.clock.seconds,
    )  # fmt: skip
    point = search.run(starts=2)
    if point is None or not _is_zero(question, point):
        return None
    plain = simpler(search, point, free - set(question.growing))
    point = plain if plain != point and _is_zero(question, plain) else point
    sizes = {name: list(LADDER) for name in question.growing}
    ratios = (0.0,) * (len(LADDER) if sizes else 1)
    lines = on_paper(_at_first_size(question, point), question.body)
    example = Counterexample({**point.shown(), **sizes}, 0.0, None, arithmetic=lines, ratios=ratios)
    return Finding(
        ENGINE, "false", "proved", "the left side is 0 at an allowed point", counterexample=example
    )


def _at_first_size(question: Question, point: Point) -> Point:
    """The point at the first of the sizes that are shown, if it is as good there: a reader works it out at a
    size that stands in the counterexample."""
    first = replace(point, sizes={**point.sizes, **dict.fromkeys(question.growing, LADDER[0])})
    return first if _is_zero(question, first) else point


def _is_zero(question: Question, point: Point) -> bool:
    """Whether the point is allowed, with 0 on the left and something positive on the right."""
    if not allowed(question.claim, point):
        return False
    at = point.at(EXPRESSIONS)
    if sp.simplify(at.scalar(question.body)) != 0 or not at.scalar(question.right).is_positive:
        return False
    return not question.growing or _at_all_sizes(question, point)


def _at_all_sizes(question: Question, point: Point) -> bool:
    """Whether the left side stays 0 along the family, as the sizes grow."""
    large = sp.Symbol("t", positive=True, integer=True)
    sizes = {k: large if k in question.growing else v for k, v in point.sizes.items()}
    at = replace(point, sizes=sizes).at(EXPRESSIONS)
    kept = all(holds(at, fact) for fact in question.claim.constraints)
    return bool(kept and sp.simplify(at.scalar(question.body)) == 0)
