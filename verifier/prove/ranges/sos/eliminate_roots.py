"""Polynomials in reals and in square roots of polynomials: the roots are eliminated one by one.

With r >= 0 and r**2 = f, a + b*r >= 0 follows from any of
    a >= 0 and b >= 0,      b >= 0 and b**2 f >= a**2,      a >= 0 and a**2 >= b**2 f.
What is tried is what no point contradicts.
"""

from collections.abc import Iterator

import numpy as np
from flint import fmpq

from verifier.prove.ranges.sos.lift import Lift
from verifier.prove.ranges.sos.positivity import Squares, prove
from verifier.prove.ranges.sos.rational import Exponents, Polynomial, coefficients
from verifier.timer import past

POINTS = 400
ROUNDING = 1e-9
Certificate = tuple[Squares, ...]


class Roots:
    """Shows that polynomials in the variables and roots of a lift are nowhere negative."""

    def __init__(self, lift: Lift, deadline: float) -> None:
        self.lift, self.deadline = lift, deadline
        self.points = self._points()

    def proves(self, p: Polynomial) -> Certificate | None:
        """The certificates that together show p >= 0; None where they were not found."""
        p = self.lift.reduce(p)
        if self.lift.manifest(p):
            return ()
        if past(self.deadline) or not self.plausible(p):
            return None
        last = self._last_root(p)
        if last is None:
            found = prove(p, self.lift.constraints, self.deadline)
            return None if found is None else (found,)
        a, b = self._split(p, last)
        for parts in self._sufficient(a, b, self.lift.squares[last]):
            if all(self.plausible(part) for part in parts):
                shown = [self.proves(part) for part in parts]
                if all(each is not None for each in shown):
                    return tuple(square for each in shown if each is not None for square in each)
        return None

    def _sufficient(self, a: Polynomial, b: Polynomial, f: Polynomial) -> Iterator[tuple[Polynomial, ...]]:
        gap = self.lift.reduce(b * b * f - a * a)
        yield a, b
        yield b, gap
        yield a, -gap

    def _last_root(self, p: Polynomial) -> int | None:
        """Later roots may be roots of what holds earlier ones, so they go first."""
        degrees = p.degrees()[self.lift.plain :]
        return max((k for k, degree in enumerate(degrees) if degree), default=None)

    def _split(self, p: Polynomial, root: int) -> tuple[Polynomial, Polynomial]:
        """p = a + b*r"""
        place = self.lift.plain + root
        parts: list[dict[Exponents, fmpq]] = [{}, {}]
        for exponents, coefficient in coefficients(p).items():
            rest = tuple(0 if k == place else e for k, e in enumerate(exponents))
            parts[exponents[place]][rest] = coefficient
        a, b = (self.lift.context.from_dict(part) for part in parts)
        return a, b

    # --- points ---------------------------------------------------------------------------------

    def plausible(self, p: Polynomial) -> bool:
        """Not clearly negative at any of the points."""
        values, sizes = _at(p, self.points)
        return bool((values >= -ROUNDING * sizes).all())

    def _points(self) -> np.ndarray:
        """Values of all generators, the roots among them, where every constraint holds."""
        rng = np.random.default_rng(0)
        plain = self.lift.plain
        spread = rng.standard_normal((POINTS, plain)) * 10.0 ** rng.uniform(-1, 1, (POINTS, 1))
        whole = rng.integers(-2, 3, (POINTS, plain)).astype(float)
        points = np.zeros((2 * POINTS, self.lift.context.nvars()))
        points[:, :plain] = np.concatenate([spread, whole])
        for k, square in enumerate(self.lift.squares):
            values, sizes = _at(square, points)
            points = points[values >= -ROUNDING * sizes]
            values = values[values >= -ROUNDING * sizes]
            points[:, plain + k] = np.sqrt(np.maximum(values, 0.0))
        for constraint in self.lift.constraints:
            points = points[_at(constraint, points)[0] >= 0]
        return points


def _at(p: Polynomial, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The values at points, and the sizes of the terms that they are sums of."""
    total, size = np.zeros(len(points)), np.zeros(len(points))
    for exponents, coefficient in coefficients(p).items():
        term = np.full(len(points), int(coefficient.p) / int(coefficient.q))
        for k, exponent in enumerate(exponents):
            if exponent:
                term = term * points[:, k] ** exponent
        total += term
        size += abs(term)
    return total, size
