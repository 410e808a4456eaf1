"""Pictures of a claim, each with what it says in words and with its numbers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

from markupsafe import Markup

from verifier.judge.verdict import StepVerdict, Verdict
from verifier.report.curves import plots_of_cost, plots_of_curves
from verifier.report.estimates import plots_of_samples
from verifier.report.facts import show
from verifier.report.plots import Line, Plot, draw

MOST_PICTURES = 5
MOST_ROWS = 16

Row = tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """A drawing, its caption (which is also its text alternative), and the numbers behind it."""

    svg: Markup
    caption: str
    header: Row
    rows: tuple[Row, ...]


def pictures_of(step: StepVerdict, name: str, used: frozenset[str]) -> tuple[Picture, ...]:
    """What there is to look at in the findings about one relation; `used`: the names that matter."""
    found = (*plots_of_curves(step), *plots_of_samples(step, used))
    plots = [plot for plot in found if _is_drawable(plot)][:MOST_PICTURES]
    return tuple(_picture(plot, f"{name}-{place}") for place, plot in enumerate(plots, start=1))


def pictures_of_costs(item: Verdict) -> Mapping[str, tuple[Picture, ...]]:
    """What each assumption costs, by its name."""
    return {
        part.name: tuple(
            _picture(plot, f"cost-{place}-{at}")
            for at, plot in enumerate(plots_of_cost(part.curves), start=1)
        )
        for place, part in enumerate(item.assumptions, start=1)
    }


def _is_drawable(plot: Plot) -> bool:
    """Two places at least."""
    known = [y for line in plot.lines for y in line.y if y is not None]
    return len(known) >= 2


def _picture(plot: Plot, name: str) -> Picture:
    header = (plot.x_label, *(line.name for line in plot.lines))
    return Picture(draw(plot, name), plot.title, header, tuple(_rows(plot)))


def _rows(plot: Plot) -> Iterator[Row]:
    """The numbers; of many, every k-th."""
    columns = [line.y for line in plot.lines]
    places = plot.places or tuple(f"{x:.6g}" for x in plot.lines[0].x)
    every = -(-len(places) // MOST_ROWS)
    for at in range(0, len(places), every):
        cells = (_cell(line, column[at], at) for line, column in zip(plot.lines, columns, strict=True))
        yield (places[at], *cells)


def _cell(line: Line, value: float | None, at: int) -> str:
    if value is None or not isfinite(value):
        return "–"
    if not line.low:
        return f"{value:.6g}"
    return f"{value:.6g} [{show(line.low[at])}, {show(line.high[at])}]"
