"""The most positive definite solution: max t with Q_b - t*I positive semidefinite for every block.

With S_b = Q_b(z) - t*I and a weight w that grows, Newton's method maximises
w*t + sum of log det S_b + log(1 - t). At the top, t is within (sizes + 1)/w of the largest one, and Q is the
centre of its face: no other solution has a larger rank.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from verifier.timer import past

GROWTH = 8.0
STEEPEST = 1e10
CENTRED = 0.3
MAX_STEPS = 400
CLEAR = 1e-4  # a t that leaves room for rounding
HOPELESS = -1e-6


@final
@dataclass(frozen=True)
class Centre:
    """The matrices Q_b, and the least eigenvalue of all of them."""

    matrices: list[np.ndarray]
    least: float


def centre(start: list[np.ndarray], directions: list[np.ndarray], deadline: float) -> Centre | None:
    """The centre; None where every solution has a negative eigenvalue, or the time was too short."""
    turned = _orthonormal(directions)
    sizes = [len(q) for q in start]
    along = [np.concatenate([d, -np.eye(n)[None]]) for d, n in zip(turned, sizes, strict=True)]
    t = min(float(np.linalg.eigvalsh(q)[0]) for q in start) - 1.0
    at = np.append(np.zeros(len(turned[0])), min(t, 0.0))
    weight = 1.0
    for _ in range(MAX_STEPS):
        if past(deadline):
            return None
        step, decrement = _newton(start, along, at, weight)
        if step is None:
            break
        moved = _moved(start, along, at, step, decrement, weight)
        if moved is None:
            break
        at = moved
        if decrement > CENTRED:
            continue
        bound = at[-1] + (sum(sizes) + 1) / weight
        if bound < HOPELESS:
            return None
        if at[-1] > CLEAR or weight > STEEPEST:
            break
        weight *= GROWTH
    matrices = _values(start, along, np.append(at[:-1], 0.0))
    return Centre(matrices, float(at[-1]))


def _orthonormal(directions: list[np.ndarray]) -> list[np.ndarray]:
    """The same space of directions with an orthonormal basis, for Newton's method to be well conditioned."""
    count = len(directions[0])
    if not count:
        return directions
    flat = np.concatenate([d.reshape(count, -1) for d in directions], axis=1)
    q, _ = np.linalg.qr(flat.T)
    ends = np.cumsum([d[0].size for d in directions])[:-1]
    return [part.T.reshape(d.shape) for part, d in zip(np.split(q, ends), directions, strict=True)]


def _values(start: list[np.ndarray], along: list[np.ndarray], at: np.ndarray) -> list[np.ndarray]:
    return [q + np.tensordot(at, d, axes=1) for q, d in zip(start, along, strict=True)]


def _height(start: list[np.ndarray], along: list[np.ndarray], at: np.ndarray, weight: float) -> float:
    """The function to maximise; -inf outside."""
    if at[-1] >= 1:
        return -np.inf
    total = weight * at[-1] + np.log(1 - at[-1])
    for s in _values(start, along, at):
        try:
            total += 2 * np.log(np.diag(np.linalg.cholesky(s))).sum()
        except np.linalg.LinAlgError:
            return -np.inf
    return float(total)


def _newton(
    start: list[np.ndarray], along: list[np.ndarray], at: np.ndarray, weight: float
) -> tuple[np.ndarray | None, float]:
    """Newton's step and how far it promises to lead."""
    slope, curve = np.zeros(len(at)), np.zeros((len(at), len(at)))
    for s, d in zip(_values(start, along, at), along, strict=True):
        try:
            root = np.linalg.inv(np.linalg.cholesky(s))
        except np.linalg.LinAlgError:
            return None, 0.0
        scaled = (root @ d @ root.T).reshape(len(at), -1)
        slope = slope + scaled[:, :: len(s) + 1].sum(axis=1)
        curve = curve + scaled @ scaled.T
    slope[-1] += weight - 1 / (1 - at[-1])
    curve[-1, -1] += 1 / (1 - at[-1]) ** 2
    curve[np.diag_indices(len(at))] *= 1 + 1e-12
    try:
        step = np.linalg.solve(curve, slope)
    except np.linalg.LinAlgError:
        return None, 0.0
    return step, math.sqrt(max(float(slope @ step), 0.0))


def _moved(
    start: list[np.ndarray],
    along: list[np.ndarray],
    at: np.ndarray,
    step: np.ndarray,
    decrement: float,
    weight: float,
) -> np.ndarray | None:
    """A step that climbs; None where rounding errors leave none."""
    before = _height(start, along, at, weight)
    size = 1.0
    while size > 1e-9:
        moved = at + size * step
        if _height(start, along, moved, weight) > before:
            return moved
        size *= 0.5
    return at if decrement < CENTRED else None
