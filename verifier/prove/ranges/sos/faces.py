"""Where p has a zero x, every Q has m(x) in its kernel, and rounding would miss: the kernel is divided out.

The kernel is seen in floating point, as the small eigenvalues of the centre, and made rational. In a basis of
what is orthogonal to it the same p has solutions that are positive definite.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import fmpq

from verifier.prove.ranges.sos.gram_matrices import Block

SMALL = 1e-3  # of the largest eigenvalue: what may belong to the kernel
JUMP = 20.0  # from the kernel's largest eigenvalue to the least one outside
LARGEST = 96  # denominators of a kernel
CLOSE = 2e-4


def reduced(blocks: Sequence[Block], matrices: Sequence[np.ndarray]) -> list[Block] | None:
    """The blocks over what is orthogonal to the kernels; None where no kernel is recognised."""
    spectra = [np.linalg.eigh(q) for q in matrices]
    border = _border(np.concatenate([values for values, _ in spectra]))
    if border is None:
        return None
    found, changed = [], False
    for block, (values, vectors) in zip(blocks, spectra, strict=True):
        relations = _relations(vectors[:, values < border].T)
        changed = changed or bool(relations)
        smaller = _without(block, relations)
        if smaller.basis:
            found.append(smaller)
    return found if changed and found else None


def _border(values: np.ndarray) -> float | None:
    """The widest jump between small eigenvalues and the others."""
    ordered = np.maximum(np.sort(values), 1e-14 * values.max())
    jumps = [
        (ordered[k + 1] / ordered[k], k) for k in range(len(ordered) - 1) if ordered[k] < SMALL * ordered[-1]
    ]
    if not jumps:
        return None
    widest, k = max(jumps)
    return float(np.sqrt(ordered[k] * ordered[k + 1])) if widest > JUMP else None


def _relations(kernel: np.ndarray) -> dict[int, dict[int, fmpq]]:
    """Rational vectors e_p + sum of c_f e_f of the kernel, by their leading place p, in reduced form."""
    rows = kernel.copy()
    leading: list[int] = []
    for k in range(len(rows)):
        free = [j for j in range(rows.shape[1]) if j not in leading]
        i, at = max(((i, j) for i in range(k, len(rows)) for j in free), key=lambda ij: abs(rows[ij]))
        rows[[k, i]] = rows[[i, k]]
        rows[k] /= rows[k, at]
        for other in range(len(rows)):
            if other != k:
                rows[other] -= rows[other, at] * rows[k]
        leading.append(at)
    found = {}
    for at, row in zip(leading, rows, strict=True):
        numbers = _rational(row)
        if numbers is not None:
            found[at] = {j: x for j, x in enumerate(numbers) if x and j != at}
    return found


def _rational(row: np.ndarray) -> list[fmpq] | None:
    found = []
    for x in row:
        near = Fraction(float(x)).limit_denominator(LARGEST)
        if abs(float(near) - x) > CLOSE * max(1.0, abs(x)):
            return None
        found.append(fmpq(near.numerator, near.denominator))
    return found


def _without(block: Block, relations: dict[int, dict[int, fmpq]]) -> Block:
    """The basis of what is orthogonal to all e_p + sum of c_f e_f: e_f - sum of c_f e_p."""
    basis = []
    for f, element in enumerate(block.basis):
        if f in relations:
            continue
        for p, row in relations.items():
            if f in row:
                element = element - block.basis[p] * row[f]
        basis.append(element)
    return Block(block.multiplier, tuple(basis))
