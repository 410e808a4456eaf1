"""Functions of random entries as functions of one linear form u = a.z of them."""

from collections.abc import Mapping

from flint import fmpq

from verifier.exact.means.quadrature import Call, Expression, Product
from verifier.exact.numbers.constants import HALF, ONE, ZERO, is_zero
from verifier.exact.numbers.operations import Value, power
from verifier.exact.numbers.polynomial import Poly
from verifier.exact.numbers.refusals import Unsupported

Functions = Mapping[int, tuple[str, Poly]]
Form = dict[int, Value]


def form_of(number: int, functions: Functions) -> Form:
    """The linear form that a factor is a function of, up to a multiple."""
    if number >= 0:
        return {number: ONE}
    _, argument = functions[number]
    parts = {powers: c for powers, c in argument.terms.items() if powers}
    degrees = {sum(k for _, k in powers) for powers in parts}
    plain = all(n >= 0 for powers in parts for n, _ in powers)
    if plain and len({n for powers in parts for n, _ in powers}) == 1:
        return {next(iter(parts))[0][0]: ONE}
    if plain and degrees == {1}:
        return {powers[0][0]: c for powers, c in parts.items()}
    if plain and degrees == {2} and (found := _root_of_square(parts)) is not None:
        return found
    inside = [form_of(n, functions) for powers in parts for n, _ in powers]
    if any(not is_multiple(form, inside[0]) for form in inside):
        raise Unsupported("an expectation of a function of several random quantities")
    return inside[0]


def _root_of_square(parts: Mapping[tuple[tuple[int, int], ...], Value]) -> Form | None:
    """a with value = c (a.z)**2, where it is such a square: a_j = c_ij/(2 c_ii) for the first entry i"""
    first = next((powers[0][0] for powers in parts if powers[0][1] == 2), None)
    if first is None:
        return None
    whole = parts[((first, 2),)]
    form: Form = {first: ONE}
    for powers, c in parts.items():
        numbers = [n for n, _ in powers]
        if len(numbers) == 2 and first in numbers:
            other = next(n for n in numbers if n != first)
            form[other] = c * HALF * power(whole, fmpq(-1))
    return form if _square_ratio(parts, form) is not None else None


def _square_ratio(parts: Mapping[tuple[tuple[int, int], ...], Value], form: Form) -> Value | None:
    """c with value = c (a.z)**2, if there is one"""
    square: Value = ZERO
    for number, weight in form.items():
        square = square + Poly.variable(number) * weight
    square = square * square
    lead = next((powers for powers in square.terms if powers in parts), None)
    if lead is None:
        return None
    ratio = parts[lead] * power(square.terms[lead], fmpq(-1))
    left = Poly(dict(parts)) - square * ratio
    return ratio if is_zero(left) else None


def is_multiple(form: Form, other: Form) -> bool:
    return _ratio(form, other) is not None


def _ratio(form: Form, other: Form) -> Value | None:
    """c with form = c * other, if there is one"""
    if form.keys() != other.keys():
        return None
    ratios = [form[number] * power(other[number], fmpq(-1)) for number in other]
    return ratios[0] if all(is_zero(ratio - ratios[0]) for ratio in ratios[1:]) else None


def expression(value: Poly, form: Form, spread: Value, functions: Functions) -> Expression:
    """The polynomial in terms of z ~ N(0, 1), where form = spread * z."""
    simple = _in_form(value, form)
    if simple is not None:
        constant, ratio, degree = simple
        moving = (Product(ratio * power(spread, fmpq(degree)), degree),)
        return moving if is_zero(constant) else (Product(constant, 0), *moving)
    found = []
    for powers, coefficient in value.terms.items():
        calls, times, scale = [], 0, coefficient
        for number, k in powers:
            if number >= 0:
                ratio = _ratio({number: ONE}, form)
                if ratio is None:
                    raise Unsupported("an expectation of functions of several random quantities")
                times += k
                scale = scale * power(ratio * spread, fmpq(k))
            else:
                name, argument = functions[number]
                calls.append((Call(name, expression(argument, form, spread, functions)), k))
        found.append(Product(scale, times, tuple(calls)))
    return tuple(found)


def _in_form(value: Poly, form: Form) -> tuple[Value, Value, int] | None:
    """value = constant + ratio * form**degree, if it is, for the degrees 1 and 2."""
    parts = {powers: c for powers, c in value.terms.items() if powers}
    constant = value.terms.get((), ZERO)
    if any(n < 0 for powers in parts for n, _ in powers):
        return None
    degrees = {sum(k for _, k in powers) for powers in parts}
    if degrees == {1}:
        ratio = _ratio({powers[0][0]: c for powers, c in parts.items()}, form)
        return None if ratio is None else (constant, ratio, 1)
    if degrees == {2}:
        ratio = _square_ratio(parts, form)
        return None if ratio is None else (constant, ratio, 2)
    return None
