"""E of a product of entries and of functions of normal entries: independent groups, each of one variable.

A group of entries that some factor joins, or that are correlated, is integrated together:

    one entry z                          int f(z) phi(z) dz
    functions of one linear form a.z     the same, the form being one normal variable
"""

from collections.abc import Callable, Iterator, Mapping

from flint import arb, fmpq

from verifier.rigorous import quadrature
from verifier.rigorous.arithmetic import Value, power
from verifier.rigorous.closed import HALF, ONE, ZERO, is_zero
from verifier.rigorous.poly import Poly, Powers
from verifier.rigorous.quadrature import Call, Expression, Product
from verifier.rigorous.refusals import Unsupported

Functions = Mapping[int, tuple[str, Poly]]
Covariance = Callable[[int, int], Value]
Moment = Callable[[Powers], Value]


def entries(number: int, functions: Functions) -> frozenset[int]:
    """The random entries that a function is a function of."""
    if number >= 0:
        return frozenset({number})
    _, argument = functions[number]
    inner = (entries(n, functions) for powers in argument.terms for n, _ in powers)
    return frozenset().union(*inner)


def activated(product: Poly, covariance: Covariance, moment: Moment) -> Value:
    """E of one monomial, group by group."""
    ((powers, _),) = product.terms.items()
    result: Value = ONE
    for group in _groups(powers, product.functions, covariance):
        if any(number < 0 for number, _ in group):
            result = result * _integral(group, product.functions, covariance)
        else:
            result = result * moment(group)
        if is_zero(result):
            return result
    return result


def _groups(powers: Powers, functions: Functions, covariance: Covariance) -> Iterator[Powers]:
    left = [(item, entries(item[0], functions)) for item in powers]
    while left:
        item, reached = left.pop(0)
        group = [item]
        while True:
            near = [part for part in left if _meet(reached, part[1], covariance)]
            if not near:
                break
            left = [part for part in left if part not in near]
            group += [part[0] for part in near]
            reached = reached.union(*(part[1] for part in near))
        yield tuple(sorted(group))


def _meet(first: frozenset[int], second: frozenset[int], covariance: Covariance) -> bool:
    return bool(first & second) or any(not is_zero(covariance(a, b)) for a in first for b in second)


def _integral(group: Powers, functions: Functions, covariance: Covariance) -> Value:
    reached = sorted(frozenset().union(*(entries(number, functions) for number, _ in group)))
    form = {reached[0]: ONE} if len(reached) == 1 else _form(group, functions)
    square: Value = ZERO
    for a, x in form.items():
        for b, y in form.items():
            square = square + x * y * covariance(a, b)
    spread = _root(square) if isinstance(square, arb) else power(square, HALF)
    whole = Poly({group: ONE}, functions)
    return quadrature.mean(_expression(whole, form, spread, functions))


def _root(square: arb) -> arb:
    """The root of a variance, which is not negative whatever its enclosure holds."""
    low = square.lower()
    return (low.sqrt() if low > 0 else arb(0)).union(square.upper().sqrt())


def _form(group: Powers, functions: Functions) -> dict[int, Value]:
    """The linear form that all functions of the group are functions of, up to a factor."""
    for number, _ in group:
        if number >= 0:
            raise Unsupported("an expectation of a function times another random quantity")
    _, first = functions[group[0][0]]
    form = {powers[0][0]: c for powers, c in first.terms.items() if powers}
    if any(
        sum(k for _, k in powers) > 1 or min((n for n, _ in powers), default=0) < 0 for powers in first.terms
    ):
        raise Unsupported("an expectation of a function of a product of random quantities")
    return form


def _expression(value: Poly, form: dict[int, Value], spread: Value, functions: Functions) -> Expression:
    """The polynomial in terms of z ~ N(0, 1), where form = spread * z."""
    linear = _as_multiple(value, form)
    if linear is not None:
        constant, ratio = linear
        moving = (Product(ratio * spread, 1),)
        return moving if is_zero(constant) else (Product(constant, 0), *moving)
    if len(form) > 1 and any(n >= 0 for powers in value.terms for n, _ in powers):
        raise Unsupported("an expectation of functions of several random quantities")
    found = []
    for powers, coefficient in value.terms.items():
        calls, times, scale = [], 0, coefficient
        for number, k in powers:
            if number >= 0:
                times += k
                scale = scale * power(spread, fmpq(k))
            else:
                name, argument = functions[number]
                calls.append((Call(name, _expression(argument, form, spread, functions)), k))
        found.append(Product(scale, times, tuple(calls)))
    return tuple(found)


def _as_multiple(value: Poly, form: dict[int, Value]) -> tuple[Value, Value] | None:
    """value = constant + ratio * form, if it is."""
    parts = {powers: c for powers, c in value.terms.items() if powers}
    singles = {powers[0][0]: c for powers, c in parts.items() if len(powers) == 1 and powers[0][1] == 1}
    if len(singles) < len(parts) or singles.keys() != form.keys():
        return None
    ratios = [singles[number] * power(form[number], fmpq(-1)) for number in form]
    if any(not is_zero(ratio - ratios[0]) for ratio in ratios):
        return None
    return value.terms.get((), ZERO), ratios[0]
