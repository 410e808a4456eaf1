"""Plots of samples: estimates against what is claimed, and how they came about."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from verifier.evidence import Sample
from verifier.judge.verdict import StepVerdict
from verifier.report.facts import show, tells
from verifier.report.plots import LARGEST, Line, Mark, Plot
from verifier.report.pointed import ratio_at, shows_failure
from verifier.report.wording import held_by_an_axis, is_wide, name_of, place_of, said

MOST_POINTS = 8


def plots_of_samples(step: StepVerdict, used: frozenset[str]) -> Iterator[Plot]:
    """Estimates where they were made, then the longest way to one; `used`: the names that matter."""
    samples = [_about(sample, used) for finding in step.findings for sample in finding.samples]
    yield from _estimates(step, [sample for sample in samples if _is_usable(sample)])
    paths = [sample for sample in samples if all(abs(value) < LARGEST for at in sample.path for value in at)]
    longest = max(paths, key=lambda sample: len(sample.path), default=None)
    if longest is not None and len(longest.path) >= 3 and tells(longest):
        yield _convergence(longest)


def _about(sample: Sample, used: frozenset[str]) -> Sample:
    """The sample with only those symbols of its point that the claim speaks of."""
    at = {name: value for name, value in sample.at.items() if name in used or name in ("law", "entry")}
    kinds = [part for part in str(sample.at.get("fixed", "")).split(", ") if part.split(" ")[0] in used]
    return replace(sample, at=at | ({"fixed": ", ".join(kinds)} if kinds else {}))


def _is_usable(sample: Sample) -> bool:
    values = (sample.estimate, sample.low, sample.high, sample.claimed)
    return all(value is not None and abs(value) < LARGEST for value in values)


def _estimates(step: StepVerdict, samples: list[Sample]) -> Iterator[Plot]:
    """Along each symbol that alone varies; else point by point, relative to what is claimed."""
    swept = list(_swept(samples))
    for symbol, group in swept:
        ratios = [sample.estimate / sample.claimed for sample in group if sample.claimed]
        if shows_failure(step, ratios):
            yield _along(symbol, group)
    if not swept and samples:
        yield from _point_by_point(step, samples)


def _swept(samples: list[Sample]) -> Iterator[tuple[str, list[Sample]]]:
    """Groups of at least three samples that differ in one symbol alone: the largest per symbol."""
    names = dict.fromkeys(name for sample in samples for name in sample.at)
    for name in names:
        groups: dict[str, list[Sample]] = {}
        for sample in samples:
            if isinstance(sample.at.get(name), int | float):
                rest = repr({key: value for key, value in sample.at.items() if key != name})
                groups.setdefault(rest, []).append(sample)
        best = max(groups.values(), key=len, default=[])
        if len({sample.at[name] for sample in best}) >= 3:
            yield name, sorted(best, key=lambda sample: float(str(sample.at[name])))


def _along(symbol: str, group: list[Sample]) -> Plot:
    x = tuple(float(str(sample.at[symbol])) for sample in group)
    rest = ", ".join(said(k, f" = {show(v)}") for k, v in group[0].at.items() if k != symbol)
    title = f"Estimates with their intervals, and what is claimed, over {name_of(symbol)}."
    lines = (_intervals("estimate", x, group), Line("claimed", x, tuple(s.claimed for s in group)))
    wide = is_wide(y for line in lines for y in (*line.y, *line.low))
    return Plot(f"{title}{f' Here {rest}.' if rest else ''}", name_of(symbol), "left side", lines,
                log_x=is_wide(x, 8), log_y=wide)  # fmt: skip


def _point_by_point(step: StepVerdict, samples: list[Sample]) -> Iterator[Plot]:
    told = (sample for sample in samples if sample.claimed and tells(sample))
    scaled = [_relative(sample, sample.claimed or 1.0) for sample in told][:MOST_POINTS]
    broken = ratio_at(step)
    if len(scaled) < 2 or (broken is None and not shows_failure(step, [s.estimate for s in scaled])):
        return
    places = tuple(float(at) for at in range(len(scaled)))
    title = "Estimates with their intervals at each point, relative to what is claimed there (1)."
    ticks = tuple(f"point {at}" for at in range(1, len(scaled) + 1))
    line = _intervals("estimate / claimed", places, scaled, joined=False)
    named = tuple(f"{tick}: {place_of(sample)}" for tick, sample in zip(ticks, scaled, strict=True))
    plot = Plot(title, "point", "ratio", (line,), levels={"claimed: 1": 1.0}, ticks=ticks, places=named)
    if broken is not None:
        mark = Mark(f"counterexample: {broken:.4g}", float(len(scaled)), broken)
        words = f"{title} The counterexample is none of these points: there the ratio is {broken:.4g}."
        plot = replace(plot, title=words, ticks=(*ticks, "counter-\nexample"), marks=(mark,))
    yield plot


def _relative(sample: Sample, claimed: float) -> Sample:
    low, high = sorted((sample.low / claimed, sample.high / claimed))
    return replace(sample, estimate=sample.estimate / claimed, low=low, high=high, claimed=1.0)


def _intervals(name: str, x: tuple[float, ...], group: list[Sample], joined: bool = False) -> Line:
    low, high = tuple(s.low for s in group), tuple(s.high for s in group)
    return Line(name, x, tuple(s.estimate for s in group), low, high, joined)


def _widening(low: tuple[float, ...], high: tuple[float, ...]) -> str:
    """Why an interval may be wider than the one before it."""
    widths = [b - a for a, b in zip(low, high, strict=True)]
    if all(later <= earlier * (1 + 1e-9) for earlier, later in pairwise(widths)):
        return ""
    return " Where it widens, later draws lay further apart than the earlier ones."


def _convergence(sample: Sample) -> Plot:
    """How the estimate and its interval narrowed with the number of draws."""
    draws, middle, low, high = zip(*sample.path, strict=True)
    title = f"The estimate and its interval as draws are added, at {place_of(sample)}.{_widening(low, high)}"
    line = Line("estimate", tuple(map(float, draws)), middle, low, high)
    claimed = held_by_an_axis(sample.claimed)
    levels = {} if claimed is None else {f"claimed: {claimed:.4g}": claimed}
    return Plot(title, "draws", "left side", (line,), levels=levels, log_x=True)
