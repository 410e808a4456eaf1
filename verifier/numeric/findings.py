"""Readings as evidence: a sample, a refutation, or what is left when nothing was refuted."""

from collections.abc import Mapping

from torch import Tensor

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding, Sample
from verifier.expr import nodes as N
from verifier.numeric.scene import Point
from verifier.numeric.shown import place_of, values_of
from verifier.numeric.site import Reading

ENOUGH = 3


def refutation(
    claim: Claim, fact: N.Fact, point: Point, drawn: Mapping[str, Tensor], reading: Reading, seed: int
) -> Finding:
    """Two disjoint, replicated intervals."""
    entry = reading.worst_entry()
    lhs, rhs = (_pick(side, entry) for side in (reading.middle_left, reading.middle_right))
    shown = Counterexample(values_of(claim, fact, point, drawn), lhs, rhs)
    text = f"two separate samples of {reading.draws} draws exclude it (seed {seed})"
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


def unbroken(
    samples: list[Sample],
    excluded: list[str],
    exact: list[bool],
    suspicious: bool,
    seed: int,
) -> Finding:
    """Nothing was refuted: how far that goes."""
    if not samples:
        return Finding(
            "numeric",
            "unknown",
            reason="no point at which both sides exist",
            excluded=tuple(excluded),
            missing="a point that satisfies the assumptions and at which both sides are defined",
        )
    if len(exact) >= ENOUGH and all(exact) and not suspicious:
        text = f"both sides agree to rounding on every draw at {len(exact)} points (seed {seed})"
        return Finding("numeric", "true", "sampled", text, samples=tuple(samples), excluded=tuple(excluded))
    if suspicious:
        text = f"the sides differ at an approximate confidence, without a proven tail bound (seed {seed})"
    else:
        text = f"consistent at {len(samples)} points, to within {_widest(samples)} (seed {seed})"
    return Finding("numeric", "unknown", reason=text, samples=tuple(samples), excluded=tuple(excluded))


def _widest(samples: list[Sample]) -> str:
    """The largest half-width, relative where what is estimated is not 0."""
    widths = [
        ((sample.high - sample.low) / 2, max(abs(sample.estimate), abs(sample.claimed or 0.0)))
        for sample in samples
    ]
    relative = [half / size for half, size in widths if half < size]
    if relative:
        return f"{100 * max(relative):.2g}%"
    return f"{max(half for half, _ in widths):.2g}"
