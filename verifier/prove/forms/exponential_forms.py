"""Exponentials in one way of writing: of sums as products, of halves as roots, whichever came first."""

from fractions import Fraction

from verifier.expr import nodes as N
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import inverse_coefficient, power, root
from verifier.prove.forms.small_trees import coefficient_tree
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Coefficient, Sum
from verifier.prove.networks.ring import to_fraction


def exp_coefficient(space: Workspace, value: Coefficient) -> Coefficient:
    """exp(a + 2*b) = exp(a) * exp(b)**2,  exp(log(a)) = a"""
    result = space.ring(1)
    for exponents, amount in value.to_dict().items():
        ratio = to_fraction(amount)
        term = space.ring(1)
        for name, times in zip(space.ring.names, exponents, strict=True):
            term = term * space.ring[name] ** int(times)
        if abs(ratio.numerator) > 64:
            raise Refusal("the exponential of a large multiple")
        inside = _logarithm(space, exponents) if ratio.denominator == 1 else None
        factor = _exp_part(space, term, ratio.denominator) if inside is None else inside
        if ratio < 0:
            factor = inverse_coefficient(space, factor)
        result = result * factor ** abs(ratio.numerator)
    return space.ring.reduce(result)


def _logarithm(space: Workspace, exponents: tuple[int, ...]) -> Coefficient | None:
    """The a of a generator log(a)."""
    if sum(exponents) != 1:
        return None
    known = space.definition(space.ring.names[exponents.index(1)])
    return known[1] if known is not None and known[0] == "log" else None


def logarithm(space: Workspace, value: Coefficient) -> Coefficient | None:
    """The a of exp(a), where the value is nothing else."""
    ((exponents, amount),) = value.to_dict().items() if len(value) == 1 else (((), 0),)
    if amount != 1 or sum(exponents) != 1:
        return None
    known = space.definition(space.ring.names[exponents.index(1)])
    return known[1] if known is not None and known[0] == "exp" else None


def _exp_part(space: Workspace, term: Coefficient, parts: int) -> Coefficient:
    """exp(term/parts), with exp(t/2)**2 = exp(t) whichever of them came first"""
    if _is_made(space, term, 2 * parts):
        return _exp_part(space, term, 2 * parts) ** 2
    exponent = term * space.ring(Fraction(1, parts))
    meaning = N.Apply("exp", (coefficient_tree(space, exponent),))
    if parts % 2 == 0 and not _is_made(space, term, parts) and _is_made(space, term, parts // 2):
        return space.define("root", _exp_part(space, term, parts // 2), meaning)
    name = space.generator(_exp_key(space, term, parts), meaning)
    space.note(name, "exp", exponent)
    space.positive.add(name)
    space.nonnegative.add(name)
    return space.ring[name]


def _exp_key(space: Workspace, term: Coefficient, parts: int) -> tuple[object, ...]:
    return "exp", str(term * space.ring(Fraction(1, parts)))


def _is_made(space: Workspace, term: Coefficient, parts: int) -> bool:
    """Whether exp(term/parts) is a generator already."""
    return space.is_made(_exp_key(space, term, parts))


def exp_sum(space: Workspace, value: Sum) -> Sum:
    """exp(a + 2*b) = exp(a) * exp(b)**2, term by term; exp(a/2)**2 = exp(a) where nothing is random."""
    result = space.scalar(1)
    for monomial, coefficient in value.terms.items():
        ratio = to_fraction(coefficient.leading_coefficient()) if len(coefficient) == 1 else Fraction(1)
        whole = ratio.numerator if abs(ratio.numerator) <= 16 else 1
        base = Sum(value.frame, {monomial: space.ring.reduce(coefficient * space.ring(Fraction(1, whole)))})
        if not monomial:
            result = result * exp_coefficient(space, coefficient)
            continue
        halved = ratio.denominator % 2 == 0 and not space.depends(base) & space.claim.random
        factor = root(space, exp_sum(space, base * 2)) if halved else space.function("exp", base)
        result = result * power(space, factor, Fraction(whole))
    return result
