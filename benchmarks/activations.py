"""Moments of activations of normal variables: closed forms, enclosures, and scipy's quadrature beside them.

    python benchmarks/activations.py

One accuracy, 1e-12, is asked of everybody, for one variable and for two, and is asserted of what each
returns: every value is compared with mpmath at 30 digits (pairs: with the closed form at 30 digits, which the
tests compare with quadrature), and every enclosure is narrower. scipy is told where the kinks are; it is left
out where it is not installed. A closed form is found once and then evaluated to 16 digits at every variance.
Pairs without one are enclosed by the series of Mehler, from integrals over one variable.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from time import process_time
from typing import Any

import mpmath as mp
import sympy as sp
from flint import ctx, fmpq

from verifier.exact.means.mehler import joint_mean
from verifier.exact.means.quadrature import Call, Product
from verifier.exact.means.quadrature import mean as enclosed
from verifier.exact.numbers.constants import HALF, enclose, power
from verifier.prove.integrate.activation_moments import Block, moment, tie
from verifier.prove.integrate.activations import Atom

try:
    from scipy import integrate
except ImportError:
    integrate = None

ACCURACY = 1e-12
BITS = 46  # of the enclosures: 2**-46 is 1.4e-14
VARIANCES = [Fraction(k, 7) for k in range(1, 22)]
PAIR = (Fraction(4, 5), Fraction(3, 2), Fraction(-3, 5))


def _cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


FLOATS: dict[str, Callable[[float], float]] = {
    "relu": lambda x: max(x, 0.0),
    "abs": abs,
    "erf": math.erf,
    "Phi": _cdf,
    "gelu": lambda x: x * _cdf(x),
    "exp": math.exp,
    "sin": math.sin,
    "tanh": math.tanh,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "silu": lambda x: x / (1 + math.exp(-x)),
    "softplus": lambda x: math.log1p(math.exp(-abs(x))) + max(x, 0.0),
}
CLOSED = ("relu", "abs", "erf", "Phi", "gelu", "exp", "sin")


def exact(name: str, variance: Fraction) -> mp.mpf:
    """E f(u)**2 by mpmath."""
    functions: dict[str, Callable[[mp.mpf], mp.mpf]] = {
        "relu": lambda x: x if x > 0 else mp.mpf(0),
        "abs": abs,
        "erf": mp.erf,
        "Phi": mp.ncdf,
        "gelu": lambda x: x * mp.ncdf(x),
        "exp": mp.exp,
        "sin": mp.sin,
        "tanh": mp.tanh,
        "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
        "silu": lambda x: x / (1 + mp.exp(-x)),
        "softplus": lambda x: mp.log(1 + mp.exp(x)),
    }
    with mp.workdps(30):
        spread = mp.sqrt(mp.mpf(variance.numerator) / variance.denominator)
        return mp.quad(lambda z: functions[name](spread * z) ** 2 * mp.npdf(z), [-16, -5, 0, 5, 16])


def by_closed_form(name: str) -> list[float]:
    found = moment(Block(((Atom(name, Fraction(1), 2),),), (0,), (False,)))
    evaluate = sp.Lambda(tie(0, 0), found)
    return [float(evaluate(sp.Rational(v.numerator, v.denominator))) for v in VARIANCES]


def by_enclosure(name: str) -> list[float]:
    """Enclosures of the accuracy, whose middles are returned; gelu and the like are products of calls."""
    values = []
    ctx.prec = BITS
    for v in VARIANCES:
        spread = _root(v)
        line = (Product(spread, 1),)
        ball = enclosed(_squared(name, line, spread))
        assert ball.rad() < ACCURACY * max(1.0, float(ball.mid()))
        values.append(float(ball.mid()))
    return values


def _root(v: Fraction) -> Any:
    return power(fmpq(v.numerator, v.denominator), HALF)


def _squared(name: str, line: tuple[Product, ...], spread: Any) -> tuple[Product, ...]:
    one = fmpq(1)
    match name:
        case "Phi" | "gelu":  # Phi(x) = erfc(-x/sqrt 2)/2
            scaled = (Product(fmpq(-1) * spread * _root(Fraction(1, 2)), 1),)
            weight = fmpq(1, 4) if name == "Phi" else fmpq(1, 4) * spread * spread
            return (Product(weight, 0 if name == "Phi" else 2, ((Call("erfc", scaled), 2),)),)
        case "silu":
            return (Product(spread * spread, 2, ((Call("sigmoid", line), 2),)),)
    return (Product(one, 0, ((Call(name, line), 2),)),)


def by_scipy(name: str) -> list[float]:
    values = []
    for v in VARIANCES:
        spread = math.sqrt(v)

        def density(z: float, spread: float = spread) -> float:
            return FLOATS[name](spread * z) ** 2 * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)

        found = integrate.quad(density, -16, 16, points=[0.0], epsabs=ACCURACY, epsrel=ACCURACY, limit=200)
        values.append(found[0])
    return values


def timed(task: Callable[[str], list[float]], name: str) -> tuple[float, list[float]]:
    start = process_time()
    values = task(name)
    return process_time() - start, values


def one_variable() -> None:
    print(f"E f(u)**2 at {len(VARIANCES)} variances: milliseconds in all, largest error")
    print(f"{'f':>10} {'closed form':>24} {'enclosure':>24} {'scipy':>24}")
    for name in FLOATS:
        truth = [exact(name, v) for v in VARIANCES]
        cells = []
        for task, possible in ((by_closed_form, name in CLOSED), (by_enclosure, True), (by_scipy, integrate)):
            if not possible:
                cells.append("-".rjust(24))
                continue
            seconds, values = timed(task, name)
            error = max(abs(a - b) / max(1, abs(b)) for a, b in zip(values, truth, strict=True))
            assert error < ACCURACY, (name, task)
            cells.append(f"{1000 * seconds:11.1f} {float(error):12.1e}")
        print(f"{name:>10} " + " ".join(cells))


def two_variables() -> None:
    print("E f(u) f(w), one correlated pair: milliseconds, error")
    print(f"{'f':>10} {'closed form':>24} {'scipy':>24}")
    first, second, joint = (sp.Rational(v.numerator, v.denominator) for v in PAIR)
    for name in CLOSED:
        start = process_time()
        atoms = (Atom(name, Fraction(1), 1),)
        found = moment(Block((atoms, atoms), (0, 0), (False, False)))
        there = found.subs({tie(0, 0): first, tie(1, 1): second, tie(0, 1): joint})
        value = float(sp.N(there, 16))
        seconds = process_time() - start
        error = abs(float(sp.N(there, 30) - value))
        assert error < ACCURACY, name
        line = f"{name:>10} {1000 * seconds:11.1f} {error:12.1e}"
        if integrate is not None:
            start = process_time()
            other = _pair(FLOATS[name], *map(float, PAIR))
            line += f" {1000 * (process_time() - start):11.1f} {abs(other - value):12.1e}"
            assert abs(other - value) < ACCURACY, name
        print(line)


def two_variables_without_closed_form() -> None:
    print("E f(u) f(w) without closed form, the same pair: milliseconds, width of the enclosure or error")
    print(f"{'f':>10} {'enclosure':>24} {'scipy':>24}")
    first, second, joint = PAIR
    ctx.prec = BITS
    tie_ = enclose(fmpq(joint.numerator, joint.denominator)) / enclose(_root(first * second))
    for name in ("tanh", "sigmoid", "silu", "softplus"):
        start = process_time()
        ball = joint_mean(_single(name, _root(first)), _single(name, _root(second)), tie_)
        line = f"{name:>10} {1000 * (process_time() - start):11.1f} {float(ball.rad()):12.1e}"
        assert ball.rad() < ACCURACY, name
        if integrate is not None:
            start = process_time()
            other = _pair(FLOATS[name], *map(float, PAIR))
            line += f" {1000 * (process_time() - start):11.1f} {abs(other - float(ball.mid())):12.1e}"
            assert abs(other - float(ball.mid())) < ACCURACY, name
        print(line)


def _single(name: str, spread: Any) -> tuple[Product, ...]:
    line = (Product(spread, 1),)
    if name == "silu":
        return (Product(spread, 1, ((Call("sigmoid", line), 1),)),)
    return (Product(fmpq(1), 0, ((Call(name, line), 1),)),)


def _pair(f: Callable[[float], float], first: float, second: float, joint: float) -> float:
    """One integral inside of the other, both cut at the kink."""
    slope, left = joint / first, math.sqrt(second - joint**2 / first)
    asked = {"epsabs": ACCURACY / 10, "epsrel": ACCURACY / 10, "limit": 200}

    def inner(z: float) -> float:
        u = math.sqrt(first) * z
        cut = min(max(-slope * u / left, -8.0), 8.0)

        def density(y: float) -> float:
            return f(slope * u + left * y) * math.exp(-y * y / 2)

        within = integrate.quad(density, -9, 9, points=[cut], **asked)[0]
        return float(f(u) * within * math.exp(-z * z / 2) / (2 * math.pi))

    return float(integrate.quad(inner, -9, 9, points=[0.0], **asked)[0])


if __name__ == "__main__":
    one_variable()
    two_variables()
    two_variables_without_closed_form()
