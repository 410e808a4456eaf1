"""Combinations of inequalities: what is left of the difference is a sum of terms that are never negative."""

from fractions import Fraction

from flint import fmpq

from verifier.expr.nodes import Node, Relation
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.normal.atoms import Atom, Inverse, Poly, scaled, total
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.signs import ordered
from verifier.proofs.coq.identities import by_field, hypotheses, is_field_identity
from verifier.proofs.coq.leaf import Theorem
from verifier.proofs.coq.real import Names, Shower, Shown, bounded, minus, number

Premise = tuple[Node, Node, Fraction, bool]  # the smaller side, the larger one, the factor, an equation


def of_order(context: Context, step: Proof) -> Theorem:
    """a <= b, from l <= r for each premise: b - a is their combination and a rest whose terms are products of
    even powers and of atoms that the kernel knows to be nonnegative (hypotheses here)."""
    small, large, strict = ordered(step.conclusion)
    if strict:
        raise Rejected("outside", "a strict inequality")
    premises = list(_premises(step))
    for expands in (False, True):
        algebra = ZeroTest(context, expands=expands)
        shower = Shower(algebra)
        shower.over((small, large, *(side for low, high, _, _ in premises for side in (low, high))))
        low, high = shower.node(small), shower.node(large)
        pairs = [(shower.node(a), shower.node(b)) for a, b, _, _ in premises]
        used = total(
            scaled(minus(b.value, a.value), fmpq(factor.numerator, factor.denominator))
            for (a, b), (_, _, factor, _) in zip(pairs, premises, strict=True)
        )
        if not premises and not low.value.terms and _is_signed(algebra, high):
            return _theorem(step.rule, low, high, [], high)
        rest = minus(minus(high.value, low.value), used)
        if is_field_identity(rest):
            rest = Poly({})
        if algebra.is_nonnegative_poly(rest):
            return _theorem(step.rule, low, high, list(zip(pairs, premises, strict=True)), Shown(rest))
    raise Rejected("differs", "the kernel sees the sign in another way")


def _theorem(
    rule: str, low: Shown, high: Shown, given: list[tuple[tuple[Shown, Shown], Premise]], rest: Shown
) -> Theorem:
    names = Names(
        [
            *low.polys(),
            *high.polys(),
            *rest.polys(),
            *(p for pair, _ in given for s in pair for p in s.polys()),
        ]
    )
    goal = low.written(names), high.written(names)
    known, gaps = [], []
    for at, ((a, b), (_, _, factor, equation)) in enumerate(given, 1):
        sides = a.written(names), b.written(names)
        known.append((f"P{at}", f"{sides[0]} {'=' if equation else '<='} {sides[1]}"))
        gaps.append(f"{number(factor)} * ({sides[1]} - {sides[0]})")
    left = rest.written(names)
    signs = [(f"S{at}", f"0 <= {text}") for at, text in enumerate(_signed(names, rest), 1)]
    gap = bounded(" + ".join([*gaps, left]))
    tactic = f"apply (from_gap _ _ ({gap})); [{by_field(names)} | nonnegative]"
    return Theorem(
        "cone", rule, tuple(names.known.values()), (*hypotheses(names), *known, *signs),
        f"{goal[0]} <= {goal[1]}", tactic, tuple(names.comments),
    )  # fmt: skip


def _is_signed(algebra: ZeroTest, part: Shown) -> bool:
    """Whether it is never negative as it is written."""
    if part.parts is None:
        return algebra.is_nonnegative_poly(part.value)
    return (not part.join and part.exponent % 2 == 0) or all(_is_signed(algebra, each) for each in part.parts)


def _signed(names: Names, rest: Shown) -> list[str]:
    """What stands to an odd power in the rest: the kernel has its sign from the context."""
    if rest.parts is not None and not rest.join and rest.exponent % 2 == 0:
        return []
    if rest.parts is not None:
        return list(dict.fromkeys(text for part in rest.parts for text in _signed(names, part)))
    found: dict[str, None] = {}
    for powers in rest.value.terms:
        for atom, power in powers:
            times = Fraction(power) * (1 if isinstance(atom, Inverse) else names.root(atom))
            if times % 2:
                found[_base(names, atom)] = None
    return list(found)


def _base(names: Names, atom: Atom) -> str:
    return names.poly(atom.base) if isinstance(atom, Inverse) else names.variable(atom)


def _premises(step: Proof) -> list[Premise]:
    factors = step.data.get("factors", ["1"] * len(step.premises))
    assert isinstance(factors, list), "an accepted step"
    found = []
    for part, factor in zip(step.premises, factors, strict=True):
        match part.conclusion:
            case Holds(Relation("==", left, right)):
                found.append((left, right, Fraction(factor), True))
            case _:
                low, high, _ = ordered(part.conclusion)
                found.append((low, high, Fraction(factor), False))
    return found
