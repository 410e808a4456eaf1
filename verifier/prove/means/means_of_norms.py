"""Means of norms, by the means of their squares and fourth powers.

jensen     E |F| <= sqrt(E |F|**2)
hoelder    E |F| >= (E |F|**2)**(3/2)/sqrt(E |F|**4),    from  E |F|**2 <= (E |F|)**(2/3) (E |F|**4)**(1/3)

How close the first comes is seen from the second, at sizes that are large where a matrix need not be.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import sympy as sp
from flint import arb

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding, Tightness
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.compare_at_point import compare_claim
from verifier.exact.values.recheck import admissible
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.expr.walk import rebuild, substitute, walk
from verifier.prove.blocks.assumptions_at_blocks import holds
from verifier.prove.blocks.block_numbers import EXPRESSIONS
from verifier.prove.blocks.block_points import NUMERIC, Search, free_sizes
from verifier.prove.blocks.block_points import Point as Pattern
from verifier.prove.blocks.evaluate import At
from verifier.prove.equal.small_integer_points import Point, needed
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.small_trees import factors, number, product
from verifier.prove.means.spread_points import sides_at, stretched

Judge = Callable[[Claim, N.Relation], Finding | None]
Close = Callable[[N.Node], N.Node | None]
Moments = tuple[N.Node | None, N.Node | None]
_FLIPPED: dict[str, N.Comparison] = {"<=": ">=", ">=": "<="}
_LARGE, _MIDDLING = 10_000, 100
_TIGHT = Fraction(1, 100)
_TRIED = 8
_MEANS = (N.Expectation, N.Variance, N.Covariance)
_SHARES = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10), Fraction(49, 50))


def examine_roots(
    claim: Claim, fact: N.Relation, clock: Clock, close: Close, judges: tuple[Judge, ...], seed: int
) -> Finding | None:
    """The bound by squares, which the judges compare; `close` finds closed forms."""
    if fact.op not in ("<=", ">="):
        return None
    if _size(fact.left) is None and _squared(fact.left) is None:
        fact = N.Relation(_FLIPPED[fact.op], fact.right, fact.left)
    if (mean := _squared(fact.left)) is not None:
        signed = N.Relation(">=", fact.right, number(0))
        if not any(_is_true(judge(claim, signed)) for judge in judges):
            return None
        root = N.Relation(fact.op, mean, N.Apply("sqrt", (fact.right,)))
        return _of_a_square(examine_roots(claim, root, clock, close, judges, seed))
    size = _size(fact.left)
    if size is None:
        return None
    fact = replace(fact, right=_averaged(fact.right, close))
    second, fourth = (N.Expectation(N.Power(size, number(k))) for k in (2, 4))

    def holds(share: Fraction) -> bool:
        square = N.Power(product([number(share), fact.right]), number(2))
        if fact.op == "<=":
            asked = N.Relation("<=", second, square)
        else:
            asked = N.Relation(">=", N.Power(second, number(3)), N.Multiply(fourth, square))
        return any(_is_true(judge(claim, asked)) for judge in judges)

    positive = N.Relation(">=", fact.right, number(0))
    if not any(_is_true(judge(claim, positive)) for judge in judges) or not holds(Fraction(1)):
        return _broken(claim, *_few_layers(claim, fact, (second, fourth), close, 1), clock, seed)
    words = f"by the inequality of {'Jensen' if fact.op == '<=' else 'Hoelder'}, from the moments of the norm"
    tight = _closeness(claim, *_few_layers(claim, fact, (second, fourth), close, 2), clock, seed)
    # A factor says nothing of a right side that is 0 wherever the claim is.
    nonzero = any(_is_false(judge(claim, N.Relation("<=", fact.right, number(0)))) for judge in judges)
    if tight is None and nonzero:
        tight = next((_loose(fact, share) for share in _SHARES if holds(_moved(fact, share))), None)
    return Finding("symbolic", "true", "certified", words, tightness=tight)


def _of_a_square(found: Finding | None) -> Finding | None:
    """(E |F|)**2 <= r iff E |F| <= sqrt(r), which has at least half the gap, for r >= 0."""
    if found is None or found.truth != "true":
        return None
    near = found.tightness
    if near is None or not near.tight or near.gap_high is None or 2 * near.gap_high > float(_TIGHT):
        return replace(found, tightness=None)
    return replace(found, tightness=replace(near, gap_high=2 * near.gap_high))


def _squared(node: N.Node) -> N.Node | None:
    """The mean E |F| of its square."""
    match node:
        case N.Power(base, N.Number(k)) if k == 2 and _size(base) is not None:
            return base
    return None


def _averaged(node: N.Node, close: Close) -> N.Node:
    """The node with the means in it in closed form, where they have one."""
    if isinstance(node, _MEANS):
        return close(node) or node
    return rebuild(node, lambda part: _averaged(part, close))


def _moved(fact: N.Relation, share: Fraction) -> Fraction:
    """The factor with which the right side is a stronger bound."""
    return share if fact.op == "<=" else 1 / share


def _loose(fact: N.Relation, share: Fraction) -> Tightness:
    gap = 1 - share if fact.op == "<=" else 1 / share - 1
    better = to_text(product([number(_moved(fact, share)), *factors(fact.right)]))
    return Tightness(False, gap, better=better, proved=True)


def _size(node: N.Node) -> N.Node | None:
    """The |F| of E |F|, a norm or an absolute value."""
    match node:
        case N.Expectation(N.Norm(_, "fro") as size, ()):
            return size
        case N.Expectation(N.Apply("abs", (inner,)), ()) if inner.shape.is_scalar:
            return N.Norm(inner)  # its square is one of the number itself
    return None


def _is_true(found: Finding | None) -> bool:
    return found is not None and found.truth == "true" and found.grade in ("proved", "certified")


def _is_false(found: Finding | None) -> bool:
    return found is not None and found.truth == "false" and found.grade in ("proved", "certified")


def _other_side(fact: N.Relation, second: N.Node, fourth: N.Node) -> N.Relation:
    """The relation with a bound of E |F| from the other side in its place."""
    root = N.Power(second, number(Fraction(1, 2)))
    lower = N.Divide(N.Power(root, number(3)), N.Power(fourth, number(Fraction(1, 2))))
    return N.Relation(fact.op, lower if fact.op == "<=" else root, fact.right)


def _few_layers(
    claim: Claim, fact: N.Relation, moments: tuple[N.Node, N.Node], close: Close, depth: int
) -> tuple[N.Relation, Moments]:
    """The relation and the moments, of a network with so few layers if there is one."""
    if (name := _open_depth(claim)) is not None:
        few: dict[N.Node, N.Node] = {N.Symbol(name): number(depth)}
        fact, moments = substitute(fact, few), (substitute(moments[0], few), substitute(moments[1], few))
    return fact, (close(moments[0]), close(moments[1]))


def _points(claim: Claim, fact: N.Relation, seed: int) -> Iterator[Point]:
    """Small points, then the same with large sizes where no matrix has them."""
    small = list(islice(stretched(claim, fact, seed), _TRIED))
    yield from small
    for point in small[:2]:
        yield {name: 100 if _is_free(claim, fact, name) else value for name, value in point.items()}


def _broken(claim: Claim, fact: N.Relation, moments: Moments, clock: Clock, seed: int) -> Finding | None:
    """A point where even the bound of E |F| from the other side breaks the relation; the example leaves the
    left side open."""
    second, fourth = moments
    if second is None or fourth is None:
        return None
    known = _other_side(fact, second, fourth)
    for point in _points(claim, known, seed):
        if clock.left < 0.3 * clock.seconds or admissible(claim, point).outcome != "true":
            return None
        found = compare_claim(claim, known, point)
        if found.outcome == "false" and found.left is not None and found.right is not None:
            shown = _few(claim) | {k: v if isinstance(v, int | list) else str(v) for k, v in point.items()}
            ends = [float(enclose(side[0][0]).mid()) for side in (found.left, found.right)]
            words = f"the mean is at {'least' if fact.op == '<=' else 'most'} {ends[0]:.6g} at a point"
            example = Counterexample(shown, None, ends[1], arithmetic=(words,))  # its value is not known
            return Finding("symbolic", "false", "certified", words, counterexample=example)
    with suppress(Refusal, *NUMERIC):
        return _broken_by_a_pattern(claim, known, clock)
    return None


def _broken_by_a_pattern(claim: Claim, known: N.Relation, clock: Clock) -> Finding | None:
    """The same at matrices of a simple pattern and of larger sizes."""
    sign = 1 if known.op == "<=" else -1
    pushed = _pushed(claim, known, _MIDDLING, lambda ratio: sign * ratio, clock)
    if pushed is None or not (sign * (pushed[1] - 1)).is_positive:
        return None
    point, ratio = pushed
    words = (
        f"the mean is at {'least' if sign > 0 else 'most'} {float(ratio):.6g} times the right side at a point"
    )
    example = Counterexample({**_few(claim), **point.shown()}, None, None, arithmetic=(words,))
    return Finding("symbolic", "false", "certified", words, counterexample=example)


def _few(claim: Claim) -> dict[str, object]:
    """The depth at which a counterexample is looked for."""
    name = _open_depth(claim)
    return {} if name is None else {name: 1}


def _open_depth(claim: Claim) -> str | None:
    """The depth, where the claim is for every one and nothing is assumed of it."""
    if claim.layers is None or claim.layers.depth.name in claim.where:
        return None
    symbol = N.Symbol(claim.layers.depth.name)
    return None if any(symbol in walk(a.fact) for a in claim.assumptions) else symbol.name


def _closeness(claim: Claim, fact: N.Relation, moments: Moments, clock: Clock, seed: int) -> Tightness | None:
    """A point where the other inequality comes within 1% of the bound."""
    second, fourth = moments
    if second is None or fourth is None or fact.right == number(0):
        return None
    known = _other_side(fact, second, fourth)
    for point in islice(stretched(claim, known, seed, least=2), _TRIED):
        if clock.left < 0.3 * clock.seconds:
            return None
        at = {name: _LARGE if _is_free(claim, known, name) else value for name, value in point.items()}
        found = sides_at(claim, known, at)
        if found is None or found[1].contains(arb(0)):
            continue
        gap = abs(found[1] - found[0]) / abs(found[1])
        if gap < float(_TIGHT):
            shown = {k: v if isinstance(v, int | list) else str(v) for k, v in at.items()}
            return Tightness(True, Fraction(0), float(gap.upper()), where=shown)
    with suppress(Refusal, *NUMERIC):
        return _at_large_sizes(claim, known, clock)
    return None


def _at_large_sizes(claim: Claim, known: N.Relation, clock: Clock) -> Tightness | None:
    """The same at matrices of a simple pattern, whose sizes may be large."""
    pushed = _pushed(claim, known, _LARGE, lambda ratio: -abs(ratio - 1), clock)
    if pushed is None:
        return None
    point, ratio = pushed
    gap = sp.Abs(ratio - 1)
    if not (sp.Rational(_TIGHT.numerator, _TIGHT.denominator) - gap).is_positive:
        return None
    return Tightness(True, Fraction(0), float(gap), where=point.shown())


def _pushed(
    claim: Claim, known: N.Relation, size: int, goal: Callable[[float], float], clock: Clock
) -> tuple[Pattern, sp.Expr] | None:
    """Matrices of a simple pattern that push the ratio of the sides furthest, and the ratio there."""
    sides = (known.left, known.right)
    if any(isinstance(part, _MEANS) for side in sides for part in walk(side)):
        return None
    sizes = dict.fromkeys(free_sizes(claim, sides), size)
    fixed = {name: int(value) for name, value in claim.where.items() if value.denominator == 1}

    def ratio(at: At) -> float | None:
        right = float(at.scalar(known.right))
        return goal(float(at.scalar(known.left)) / right) if right > 0 else None

    late = 0.2 * clock.seconds
    search = Search(claim, sides, {**fixed, **sizes}, ratio, float("inf"), lambda: clock.left < late)
    point = search.run(starts=1)
    if point is None or not all(holds(point.at(EXPRESSIONS), fact) for fact in claim.constraints):
        return None
    left, right = (point.at(EXPRESSIONS).scalar(side) for side in sides)
    return (point, left / right) if right.is_positive else None


def _is_free(claim: Claim, fact: N.Relation, name: str) -> bool:
    """A dimension that nothing assumes something of, and that no matrix of the relation has."""
    if not isinstance(claim.symbols[name].kind, Dimension) or claim.assumptions:
        return False
    if any(isinstance(part, _MEANS) for part in walk(fact)):
        return False  # what is left to average has as many entries
    others = [claim.symbols[x].shape for x in needed(claim, fact) if x != name]
    return all(name not in (*shape.rows.names, *shape.cols.names) for shape in others)
