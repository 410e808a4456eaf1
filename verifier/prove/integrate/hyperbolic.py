"""Moments of tanh, sigmoid, silu and softplus of one centred normal variable, in one basis.

With t = tanh(w/2) and c = log(2 cosh(w/2)):

    sigmoid(w) = (1 + t)/2        silu(w) = w (1 + t)/2        softplus(w) = w/2 + c
    dt/dw = (1 - t**2)/2          dc/dw = t/2                    from which the slopes follow
    E(w f(w)) = Var(w) E(f'(w))                                (Stein)
    E(f(w)) = 0 for odd f; w and t are odd, c is even

Every product of powers becomes a sum of E(t**(2 a) c**b), with powers of the variance in front.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction

from verifier.prove.integrate.activations import Atom

HALF = Fraction(1, 2)
_MOST = 12
Powers = tuple[int, int, int]  # of w, t, c
Polynomial = Mapping[Powers, Fraction]
Reduced = Mapping[tuple[int, int, int], Fraction]  # powers of Var(w), t, c -> coefficient


def rate(atoms: tuple[Atom, ...]) -> Fraction | None:
    """The positive number with which w = rate * u suits all the functions of u, if there is one."""
    doubled = {abs(a.scale) * 2 if a.function.startswith("tanh") else abs(a.scale) for a in atoms}
    return doubled.pop() if len(doubled) == 1 else None


def reduced(atoms: tuple[Atom, ...], order: int) -> Reduced | None:
    """E(d^order/dw^order of the product of the atoms); None for other functions or high powers."""
    value = polynomial(atoms)
    if value is None or sum(a.power for a in atoms) + order > _MOST:
        return None
    for _ in range(order):
        value = derivative(value)
    return _expected(value)


def polynomial(atoms: tuple[Atom, ...]) -> Polynomial | None:
    """The product of the atoms in w, t and c; None for other functions."""
    if any(a.function not in _AS_POLYNOMIAL or a.power < 0 for a in atoms):
        return None
    value: Polynomial = {(0, 0, 0): Fraction(1)}
    for atom in atoms:
        factor = _AS_POLYNOMIAL[atom.function]
        turned = {p: q if atom.scale > 0 or (p[0] + p[1]) % 2 == 0 else -q for p, q in factor.items()}
        for _ in range(atom.power):
            value = product(value, turned)
    return value


_AS_POLYNOMIAL: Mapping[str, Polynomial] = {
    "tanh": {(0, 1, 0): Fraction(1)},
    "sigmoid": {(0, 0, 0): HALF, (0, 1, 0): HALF},
    "silu": {(1, 0, 0): HALF, (1, 1, 0): HALF},
    "softplus": {(1, 0, 0): HALF, (0, 0, 1): Fraction(1)},
    "tanh_slope": {(0, 0, 0): Fraction(1), (0, 2, 0): Fraction(-1)},
    "sigmoid_slope": {(0, 0, 0): HALF**2, (0, 2, 0): -(HALF**2)},
    "silu_slope": {(0, 0, 0): HALF, (0, 1, 0): HALF, (1, 0, 0): HALF**2, (1, 2, 0): -(HALF**2)},
}


def product(first: Polynomial, second: Polynomial) -> Polynomial:
    found: dict[Powers, Fraction] = defaultdict(Fraction)
    for (i, j, k), p in first.items():
        for (a, b, c), q in second.items():
            found[i + a, j + b, k + c] += p * q
    return found


def derivative(value: Polynomial) -> Polynomial:
    """d(w**i t**j c**k)/dw"""
    found: dict[Powers, Fraction] = defaultdict(Fraction)
    for powers, weight in value.items():
        for raised, q in slopes(*powers):
            found[raised] += weight * q
    return found


def slopes(i: int, j: int, k: int) -> Iterator[tuple[Powers, Fraction]]:
    """The terms of d(w**i t**j c**k)/dw"""
    if i:
        yield (i - 1, j, k), Fraction(i)
    if j:
        yield (i, j - 1, k), Fraction(j, 2)
        yield (i, j + 1, k), Fraction(-j, 2)
    if k:
        yield (i, j + 1, k - 1), Fraction(k, 2)


def _expected(value: Polynomial) -> Reduced:
    """Stein's identity for every factor w; what is odd vanishes."""
    found: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    variance = 0
    while value:
        left: dict[Powers, Fraction] = defaultdict(Fraction)
        for (i, j, k), weight in value.items():
            if (i + j) % 2:
                continue
            if i == 0:
                found[variance, j, k] += weight
            else:
                for powers, q in slopes(i - 1, j, k):
                    left[powers] += weight * q
        value, variance = left, variance + 1
    return {powers: weight for powers, weight in found.items() if weight}
