"""Readings as evidence: a sample, a refutation, or what is left when nothing was refuted."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from torch import Tensor

from verifier.claim.late_behaviour import turning
from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding, Sample
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, IndexOf, Integer
from verifier.expr.walk import walk
from verifier.sample.draws.point_numbers import place_of, values_of
from verifier.sample.draws.scene import Point
from verifier.sample.sides_at_point import Reading

ENOUGH = 3
NARROW = 0.05  # relative half-width of an interval that is worth telling


def refutation(
    claim: Claim, fact: N.Fact, point: Point, drawn: Mapping[str, Tensor], reading: Reading, seed: int
) -> Finding:
    """Two disjoint, replicated intervals."""
    entry = reading.worst_entry()
    lhs, rhs = (_pick(side, entry) for side in (reading.middle_left, reading.middle_right))
    shown = Counterexample(values_of(claim, fact, point, drawn), lhs, rhs)
    text = f"two separate samples, the first of {reading.draws} draws, exclude it (seed {seed})"
    return Finding("numeric", "false", "sampled", text, counterexample=shown)


def _pick(value: Tensor, entry: int) -> float:
    return float(value.reshape(-1)[entry])


def sample_of(claim: Claim, point: Point, law: str | None, reading: Reading) -> Sample:
    entry = reading.worst_entry()
    at: Mapping[str, object] = place_of(claim, point, law)
    if reading.middle_left.numel() > 1:
        cols = reading.middle_left.shape[1]
        at = {**at, "entry": [entry // cols + 1, entry % cols + 1]}
    return Sample(
        at,
        _pick(reading.middle_left, entry),
        _pick(reading.left.low, entry),
        _pick(reading.left.high, entry),
        _pick(reading.middle_right, entry),
        reading.draws,
        reading.rigorous,
        _pick(reading.right.low, entry),
        _pick(reading.right.high, entry),
        tuple(
            (draws, _pick(middle, entry), _pick(low, entry), _pick(high, entry))
            for draws, middle, low, high in reading.path
        ),
    )


def covered(claim: Claim, fact: N.Relation | N.Within, seen: Iterable[Mapping[str, object]]) -> bool:
    """Whether the points have every free size at two values, and at 1, where many equalities fail, and
    nothing in the equality turns at a size beyond them.

    A size that an assumption or the author's sweep speaks of need not be 1."""
    points = list(seen)
    if turning(fact, _searched(claim, points)) is not None:
        return False
    spoken = {node.name for fact in claim.constraints for node in walk(fact) if isinstance(node, N.Symbol)}
    for name, symbol in claim.symbols.items():
        if not isinstance(symbol.kind, Dimension) or name in claim.where or name in (claim.sweep or {}):
            continue
        sizes = {point[name] for point in points if name in point}
        if sizes and (len(sizes) < 2 or (1 not in sizes and name not in spoken)):
            return False
    return True


def _searched(claim: Claim, points: list[Mapping[str, object]]) -> dict[str, set[int]]:
    """The whole numbers that are free, at the values that they had."""
    kinds = {name: symbol.kind for name, symbol in claim.symbols.items() if name not in claim.where}
    whole = [name for name, kind in kinds.items() if isinstance(kind, Dimension | Integer | IndexOf)]
    found = {name: [point.get(name) for point in points] for name in whole}
    return {name: {size for size in sizes if isinstance(size, int)} for name, sizes in found.items()}


def unbroken(
    samples: list[Sample],
    excluded: list[str],
    exact: list[bool],
    suspicious: bool,
    seed: int,
    covers: bool = True,
) -> Finding:
    """Nothing was refuted: how far that goes. covers: the points had every size that matters."""
    if not samples:
        return Finding(
            "numeric",
            "unknown",
            reason="no point at which both sides exist",
            excluded=tuple(excluded),
            missing="a point that satisfies the assumptions and at which both sides are defined",
        )
    if len(exact) >= ENOUGH and all(exact) and not suspicious and covers:
        text = f"both sides agree to rounding on every draw at {len(exact)} points (seed {seed})"
        return Finding("numeric", "true", "sampled", text, samples=tuple(samples), excluded=tuple(excluded))
    found = Finding("numeric", "unknown", samples=tuple(samples), excluded=tuple(excluded))
    if suspicious:
        text = f"the sides differ at an approximate confidence, without a proven tail bound (seed {seed})"
        return replace(found, reason=text)
    widths = _relative_widths(samples)
    widest = f"{100 * max(widths):.2g}%" if widths else f"{_widest(samples):.2g}"
    draws = max(sample.draws for sample in samples)
    words = f"consistent at {len(samples)} points, to within {widest}, with up to {draws} draws (seed {seed})"
    found = replace(found, reason=words)
    # Wide intervals agree with anything; narrow ones at every size that matters are worth telling.
    narrow = len(samples) >= ENOUGH and len(widths) == len(samples) and max(widths) <= NARROW
    return replace(found, truth="true", grade="searched") if narrow and covers else found


def _relative_widths(samples: list[Sample]) -> list[float]:
    """Half-widths over what is estimated, where they are smaller."""
    sizes = [max(abs(sample.estimate), abs(sample.claimed or 0.0)) for sample in samples]
    halves = [(sample.high - sample.low) / 2 for sample in samples]
    return [half / size for half, size in zip(halves, sizes, strict=True) if half < size]


def _widest(samples: list[Sample]) -> float:
    return max((sample.high - sample.low) / 2 for sample in samples)
