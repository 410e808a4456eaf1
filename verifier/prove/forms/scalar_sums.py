"""Inverses, roots and powers of sums; the points where they are not defined are left out.

1/(c * a * b)     = inverse of the coefficient * inverse of each component
sqrt(c * a**2)    = sqrt(c) * |a|, factors of known sign one by one
S**(k + 1/2)      = S**k * sqrt(S)
"""

from fractions import Fraction

from verifier.expr import nodes as N
from verifier.prove.forms.component_signs import is_square
from verifier.prove.forms.radicals import factored, reduced
from verifier.prove.forms.refusal import OutOfTime, Refusal
from verifier.prove.forms.small_trees import coefficient_tree, number
from verifier.prove.forms.workspace import Workspace, constant, is_constant
from verifier.prove.networks import Coefficient, Sum
from verifier.prove.networks.network_tensors import Flat
from verifier.prove.networks.ring import to_fraction

_LARGEST_POWER = 64
_MOST_PRODUCTS = 200_000


def inverse(space: Workspace, value: Sum) -> Sum:
    """1/value, where value is not zero."""
    if not value:
        raise Refusal("a division by an expression that is always zero")
    if is_constant(value):
        return space.scalar(inverse_coefficient(space, constant(value)))
    if len(value.terms) == 1:
        ((monomial, coefficient),) = value.terms.items()
        result = space.scalar(inverse_coefficient(space, coefficient))
        for component, power in monomial:
            alone = Sum(value.frame, {frozenset([(component, 1)]): space.ring(1)})
            result = result * _inverse_factor(space, alone) ** power
        return result
    if (inside := exponent(space, value)) is not None:
        return space.function("sigmoid", inside * -1)
    lead, monic = _monic(space, value)
    return space.function("inv", monic) * inverse_coefficient(space, lead)


def exponent(space: Workspace, value: Sum) -> Sum | None:
    """The random S with value = 1 + exp(S): log(1 + exp(S)) = softplus(S), 1/(1 + exp(S)) = sigmoid(-S)"""
    rest = {monomial: weight for monomial, weight in value.terms.items() if monomial}
    if len(rest) != 1 or any(value.terms.get(m) != space.ring(1) for m in (frozenset(), *rest)):
        return None
    (monomial,) = rest
    if len(monomial) != 1:
        return None
    ((component, times),) = monomial
    inside = _exponent(space, component)
    if inside is None or not space.depends(inside) & space.claim.random:
        return None
    return inside * times


def _exponent(space: Workspace, component: Flat) -> Sum | None:
    """The S of a component exp(S) or 1/exp(S)"""
    name, labels = component[0]
    opaque = space.opaque.get(name)
    if len(component) > 1 or opaque is None or any(isinstance(x, int) for x in labels):
        return None
    argument = opaque.argument.rename(_at(labels)) if labels else opaque.argument
    if opaque.function == "exp":
        return argument
    if opaque.function == "inv" and len(argument.terms) == 1:
        ((monomial, weight),) = argument.terms.items()
        if len(monomial) == 1 and weight == space.ring(1):
            ((inner, times),) = monomial
            found = _exponent(space, inner)
            return None if found is None else found * -times
    return None


def _inverse_factor(space: Workspace, factor: Sum) -> Sum:
    """1/sqrt(S) = sqrt(S)/S and 1/(1/S) = S, so that there is one way to write each power."""
    ((component, _),) = next(iter(factor.terms))
    name, labels = component[0]
    opaque = space.opaque.get(name) if len(component) == 1 else None
    if opaque is not None and opaque.function in ("root", "inv"):
        argument = opaque.argument.rename(_at(labels))
        return factor * inverse(space, argument) if opaque.function == "root" else argument
    return space.function("inv", factor)


def _at(labels: tuple[int | str, ...]) -> dict[str, str]:
    return {f"_a{axis}": str(label).partition("@")[0] for axis, label in enumerate(labels)}


def _monic(space: Workspace, value: Sum) -> tuple[Coefficient, Sum]:
    """A rational multiple whose first coefficient leads with 1, so that 1/(2 S) meets 1/S."""
    first = min(value.terms, key=lambda m: sorted(map(repr, m)))
    lead = space.ring(to_fraction(value.terms[first].leading_coefficient()))
    return lead, value * Fraction(1 / to_fraction(lead.leading_coefficient()))


def inverse_coefficient(space: Workspace, value: Coefficient) -> Coefficient:
    """1/value, one generator for each irreducible factor."""
    unit, factors = value.factor()
    result = space.ring(1 / to_fraction(unit))
    for factor, power in factors:
        result = result * _inverse_irreducible(space, factor) ** int(power)
    return space.ring.reduce(result)


def _inverse_irreducible(space: Workspace, factor: Coefficient) -> Coefficient:
    name = _single(space, factor)
    known = space.definition(name) if name else None
    if known is not None and known[0] == "inv":
        return known[1]
    if known is not None and known[0] == "root":
        return factor * inverse_coefficient(space, known[1])
    return space.define("inv", factor, N.Divide(number(1), coefficient_tree(space, factor)))


def _single(space: Workspace, value: Coefficient) -> str | None:
    """The generator that a coefficient is, if it is one."""
    for name in space.ring.names:
        if value == space.ring[name]:
            return name
    return None


def root(space: Workspace, value: Sum) -> Sum:
    """sqrt(value)"""
    if not value:
        return value
    if is_constant(value):
        return space.scalar(root_coefficient(space, constant(value)))
    if len(value.terms) == 1:
        ((monomial, coefficient),) = value.terms.items()
        signed = [_is_nonnegative(space, c, power) for c, power in monomial]
        if all(signed) and space.is_nonnegative(coefficient):
            result = space.scalar(root_coefficient(space, coefficient))
            for component, power in monomial:
                alone = Sum(value.frame, {frozenset([(component, 1)]): space.ring(1)})
                if _is_nonnegative(space, component, 1):
                    result = result * alone ** (power // 2) * _root_factor(space, alone, power % 2)
                else:
                    result = result * space.function("abs", alone) ** (power // 2)
            return result
    outside, rest = reduced(space, value)
    if not is_constant(outside):
        return outside * root(space, rest)
    parts = factored(space, rest)
    if len(parts) > 1:
        result = space.scalar(1)
        for part, times in parts:
            result = result * part ** (times // 2) * (root(space, part) if times % 2 else space.scalar(1))
        return result
    lead, monic = _primitive(space, rest)
    return space.function("root", monic) * root_coefficient(space, lead)


def _primitive(space: Workspace, value: Sum) -> tuple[Coefficient, Sum]:
    """value = lead * monic, lead the greatest common factor of the coefficients that is not negative."""
    shared = space.context_zero()
    for coefficient in value.terms.values():
        shared = shared.gcd(coefficient)
    if not shared.is_constant() and space.is_nonnegative(shared):
        value = Sum(value.frame, {m: c / shared for m, c in value.terms.items()})
    else:
        shared = space.ring(1)
    lead, monic = _monic(space, value)
    if to_fraction(lead.leading_coefficient()) < 0:
        lead, monic = -lead, monic * -1
    return shared * lead, monic


def _root_factor(space: Workspace, factor: Sum, power: int) -> Sum:
    return space.function("root", factor) if power else space.scalar(1)


def _is_nonnegative(space: Workspace, component: object, power: int) -> bool:
    return power % 2 == 0 or is_square(space, component)  # type: ignore[arg-type]


def root_coefficient(space: Workspace, value: Coefficient) -> Coefficient:
    """sqrt(value): squares of what is not negative come out, factors of unknown sign stay together."""
    if value.is_zero():
        return value
    unit, factors = value.factor()
    amount = to_fraction(unit)
    result, left = space.ring(1), space.ring(1 if amount > 0 else -1)
    for factor, power in factors:
        if space.is_nonnegative(-factor):
            factor, left = -factor, left * (-1) ** int(power)
        if space.is_nonnegative(factor):
            result = result * factor ** (int(power) // 2)
            if power % 2:
                result = result * _root_irreducible(space, factor)
        elif power % 2 == 0:
            result = result * _absolute(space, factor) ** (int(power) // 2)
        else:
            result = result * _absolute(space, factor) ** (int(power) // 2)
            left = left * factor
    for prime, power in _primes(abs(amount)):
        result = result * space.ring(Fraction(prime) ** (power // 2))
        if power % 2:
            result = result * _define_root(space, space.ring(prime))
    if left != space.ring(1):
        result = result * _define_root(space, left)
    return space.ring.reduce(result)


def _root_irreducible(space: Workspace, factor: Coefficient) -> Coefficient:
    """sqrt(1/p) = sqrt(p)/p"""
    name = _single(space, factor)
    known = space.definition(name) if name else None
    if known is not None and known[0] == "inv":
        return root_coefficient(space, known[1]) * factor
    return _define_root(space, factor)


def _define_root(space: Workspace, base: Coefficient) -> Coefficient:
    return space.define("root", base, N.Apply("sqrt", (coefficient_tree(space, base),)))


def _absolute(space: Workspace, factor: Coefficient) -> Coefficient:
    """|p| of unknown sign, with |p|**2 == p**2"""
    meaning = N.Apply("abs", (coefficient_tree(space, factor),))
    name = space.generator(("abs", str(factor)), meaning)
    if name not in space.nonnegative:
        space.nonnegative.add(name)
        space.relate(space.ring[name] ** 2 - factor**2)
    return space.ring[name]


def _primes(value: Fraction) -> list[tuple[int, int]]:
    """The primes of a positive rational, each with its power; a large factor stays as it is."""
    powers: dict[int, int] = {}
    for part, sign in ((value.numerator, 1), (value.denominator, -1)):
        rest, p = part, 2
        while p * p <= rest and p < 10_000:
            while rest % p == 0:
                powers[p] = powers.get(p, 0) + sign
                rest //= p
            p += 1
        if rest > 1:
            powers[rest] = powers.get(rest, 0) + sign
    return sorted(powers.items())


def power(space: Workspace, base: Sum, exponent: Fraction) -> Sum:
    """base ** exponent for a number: whole, or a half"""
    if abs(exponent) > _LARGEST_POWER:
        raise Refusal(f"a power beyond {_LARGEST_POWER}")
    if exponent.denominator == 2:
        return root(space, base) * power(space, base, exponent - Fraction(1, 2))
    if exponent.denominator != 1:
        raise Refusal(f"the power {exponent}")
    if exponent < 0:
        return inverse(space, base) ** int(-exponent)
    if len(base.terms) ** int(exponent) > _MOST_PRODUCTS:
        raise OutOfTime
    return base ** int(exponent)
