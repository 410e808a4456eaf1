"""p >= 0 wherever all constraints are, shown by p*s = sum of squares, with s = 1 or a positive multiplier."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from flint import fmpq

from verifier.prove.ranges.sos.basis import by_parity, half_polytope, up_to
from verifier.prove.ranges.sos.centre import centre
from verifier.prove.ranges.sos.faces import reduced
from verifier.prove.ranges.sos.gram_matrices import Block, Gram, Rows, gram
from verifier.prove.ranges.sos.rational import Exponents, Polynomial, coefficients
from verifier.timer import worked

MAX_BASIS = 60
MAX_FACES = 4
MAX_POWER = 2  # of the multiplier
DENOMINATORS = (1, 2, 4, 12, 60, 720, 2**14, 2**22, 2**32)


@final
@dataclass(frozen=True)
class Squares:
    """p*s = sum over blocks of g * m'Qm, with no negative pivot."""

    multiplier: Polynomial
    blocks: tuple[Block, ...]
    matrices: tuple[Rows, ...]

    @property
    def count(self) -> int:
        """At most so many squares."""
        return sum(block.size for block in self.blocks)


def prove(p: Polynomial, constraints: Sequence[Polynomial], deadline: float) -> Squares | None:
    """A certificate that p is nowhere negative where no constraint is; None where none was found."""
    for power in range(MAX_POWER + 1):
        now = worked()
        if now > deadline:
            return None
        s = _multiplier(p, power)
        for given in ((), tuple(constraints)) if constraints else ((),):
            found = _squares(p * s, given, now + (deadline - now) / 2)
            if found is not None:
                return Squares(s, *found)
    return None


def _multiplier(p: Polynomial, power: int) -> Polynomial:
    """(x**2 + y**2 + ...)**power, with 1 among them unless p is homogeneous."""
    context = p.context()
    degrees = {sum(e) for e in coefficients(p)}
    total: Any = context.constant(0 if len(degrees) == 1 else 1)
    for x, degree in zip(context.gens(), p.degrees(), strict=True):
        if degree:
            total = total + x * x
    return total**power


def _squares(
    p: Polynomial, constraints: tuple[Polynomial, ...], deadline: float
) -> tuple[tuple[Block, ...], tuple[Rows, ...]] | None:
    blocks = _blocks(p, constraints)
    if blocks is None:
        return None
    largest = max(abs(c) for c in p.coeffs())
    for _ in range(MAX_FACES):
        solutions = gram(p * (1 / largest), blocks)
        if solutions is None:
            return None
        found = centre(solutions.start, solutions.directions, deadline)
        if found is None:
            return None
        if found.least > 0:
            matrices = _rounded(solutions, found.matrices)
            if matrices is not None:
                return solutions.blocks, matrices
        smaller = reduced(solutions.blocks, found.matrices)
        if smaller is None:
            return None
        blocks = smaller
    return None


def _rounded(solutions: Gram, matrices: Sequence[Any]) -> tuple[Rows, ...] | None:
    """A solution with simple free entries that is checked exactly."""
    values = [float(matrices[b][i, j]) for b, i, j in (solutions.places[k] for k in solutions.free)]
    for denominator in DENOMINATORS:
        chosen = [_fraction(value, denominator) for value in values]
        exact = solutions.solution(chosen)
        if solutions.proves(exact):
            return exact
    return None


def _fraction(value: float, denominator: int) -> fmpq:
    found = Fraction(round(value * denominator), denominator)
    return fmpq(found.numerator, found.denominator)


def _blocks(p: Polynomial, constraints: tuple[Polynomial, ...]) -> list[Block] | None:
    """One block per parity for p itself, and for each constraint with multipliers as high as p allows; a
    linear p needs squares as high as the constraints."""
    support = list(coefficients(p))
    context = p.context()
    one = context.constant(1)
    if not constraints:
        basis = half_polytope(support)
        return None if basis is None else _grouped(basis, support, one)
    signs = [*support, *(e for g in constraints for e in coefficients(g))]
    made: list[Block] = []
    top = max(p.total_degree(), *(g.total_degree() for g in constraints))
    for g in (one, *constraints):
        room = (top - g.total_degree()) // 2
        if room >= 0:
            made += _grouped(list(_over(p, constraints, g, room)), signs, g) or []
    return made or None


def _grouped(basis: list[Exponents], signs: Sequence[Exponents], g: Polynomial) -> list[Block] | None:
    if not basis or len(basis) > MAX_BASIS:
        return None
    context = g.context()
    groups = by_parity(basis, signs)
    return [Block(g, tuple(context.from_dict({e: 1}) for e in group)) for group in groups]


def _over(
    p: Polynomial, constraints: tuple[Polynomial, ...], g: Polynomial, room: int
) -> Iterator[Exponents]:
    """Monomials of the variables in use, of the one degree that fits where everything is homogeneous."""
    used = [k for k in range(p.context().nvars()) if any(q.degrees()[k] for q in (p, *constraints))]
    homogeneous = all(len({sum(e) for e in coefficients(q)}) == 1 for q in (p, *constraints))
    for small in up_to(room, len(used)):
        if homogeneous and 2 * sum(small) != p.total_degree() - g.total_degree():
            continue
        full = [0] * p.context().nvars()
        for k, e in zip(used, small, strict=True):
            full[k] = e
        yield tuple(full)
