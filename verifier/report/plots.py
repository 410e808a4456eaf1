"""Figures: what a picture shows, as axes of a plotting library. Nothing is computed but its layout.

Every line differs from the others by its dashes and marks and not by colour alone, and bands are
hatched: a page printed in black and white says the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from verifier.report.svg import ACCENT, GRID, INK, SECOND, to_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, HEIGHT = 5.6, 2.7
ROW, KEY, LETTER = 0.21, 0.55, 0.068  # of a legend, in inches: a row, the sign before a name, a letter
MOST_MARKED = 20
MOST_TICKS = 8
DECADES = 1e3
LARGEST = 1e100  # beyond it there is no axis

Values = tuple[float | None, ...]
Look = Mapping[str, Any]


@dataclass(frozen=True)
class Line:
    """A named line; `low` and `high` are intervals around its values."""

    name: str
    x: tuple[float, ...]
    y: Values
    low: Values = ()
    high: Values = ()
    joined: bool = True


@dataclass(frozen=True)
class Mark:
    """A single point that the picture is about: what breaks the claim, or an end of a range."""

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Plot:
    """What is drawn, free of any library. `levels` are named horizontal lines."""

    title: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...]
    bands: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    levels: Mapping[str, float] = field(default_factory=dict)
    log_x: bool = False
    log_y: bool = False
    ticks: tuple[str, ...] = ()
    places: tuple[str, ...] = ()  # what the ticks stand for
    marks: tuple[Mark, ...] = ()


STYLES: tuple[Look, ...] = (
    {"color": INK, "linestyle": "-", "marker": "o"},
    {"color": ACCENT, "linestyle": "--", "marker": "s"},
    {"color": SECOND, "linestyle": ":", "marker": "^"},
)
MARKS = ("X", "v", "^")
LEVEL_STYLES: tuple[Look, ...] = ({"linestyle": "--"}, {"linestyle": ":"})
BAND_STYLES: tuple[Look, ...] = (
    {"facecolor": ACCENT, "edgecolor": ACCENT, "alpha": 0.16, "linestyle": "--"},
    {"facecolor": "none", "edgecolor": SECOND, "hatch": "/", "alpha": 0.6, "linestyle": "-"},
)


def draw(plot: Plot, name: str) -> Markup:
    """The plot as an inline picture."""
    import matplotlib
    from matplotlib.figure import Figure

    settings: dict[Any, Any] = {
        "font.size": 9.5, "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK,
        "ytick.color": INK, "text.color": INK, "grid.color": GRID, "hatch.linewidth": 0.6,
        "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    }  # fmt: skip
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # a reader's own settings do not reach a report
        matplotlib.rcParams.update(settings)
        figure = Figure(figsize=(WIDTH, HEIGHT))
        axes = figure.add_subplot()
        _fill(axes, plot)
        rows = _legend(axes)
        height = HEIGHT + ROW * rows
        figure.set_size_inches(WIDTH, height)
        bottom, top = 0.175 * HEIGHT / height, 1 - (0.07 * HEIGHT + ROW * rows) / height
        figure.subplots_adjust(left=0.12, right=0.985, bottom=bottom, top=top)
        return to_svg(figure, plot.title, name)


def _fill(axes: "Axes", plot: Plot) -> None:
    axes.grid(axis="y", linewidth=0.6)
    axes.set_axisbelow(True)
    for style, (name, (low, high)) in zip(BAND_STYLES, plot.bands.items(), strict=False):
        _band(axes, plot, name, low, high, style)
    for level, (name, value) in zip(LEVEL_STYLES, plot.levels.items(), strict=False):
        axes.axhline(value, color=ACCENT, linewidth=1.4, label=_plain(name), **level)
    for place, line in enumerate(plot.lines):
        _line(axes, line, STYLES[place % len(STYLES)])
    for mark, sign in zip(plot.marks, MARKS, strict=False):
        axes.plot([mark.x], [mark.y], sign, color=SECOND, markersize=9, label=_plain(mark.name), zorder=5)
    _scale(axes, plot)
    axes.set_xlabel(_plain(plot.x_label))
    axes.set_ylabel(_plain(plot.y_label))


def _legend(axes: "Axes") -> int:
    """What is what, above the picture, where it hides nothing; how many rows that takes."""
    items, names = axes.get_legend_handles_labels()
    if len(names) < 2:
        return 0
    room = (WIDTH * 0.86) / (KEY + LETTER * max(map(len, names)))
    columns = max(1, min(int(room), len(names)))
    axes.legend(
        items, names, loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, fontsize=8.5, borderaxespad=0.2,
        columnspacing=1.2,
    )  # fmt: skip
    return -(-len(names) // columns)


def _scale(axes: "Axes", plot: Plot) -> None:
    """Linear or logarithmic, with marks where there are values if there are few of them."""
    places = sorted({x for line in plot.lines for x in line.x})
    decades = places[-1] / places[0] >= DECADES if plot.log_x else False
    if plot.log_x:
        axes.set_xscale("log", base=10 if decades else 2)
        axes.minorticks_off()
    if plot.log_y:
        axes.set_yscale("log")
        axes.minorticks_off()
    else:
        axes.ticklabel_format(axis="y", scilimits=(-3, 4))
    if plot.ticks:
        axes.set_xticks(range(len(plot.ticks)), plot.ticks)
        axes.margins(x=0.12)
    elif plot.log_x and not decades:
        marked = places[:: max(1, len(places) // MOST_TICKS)]
        axes.set_xticks(marked, [f"{x:g}" for x in marked])


def _band(axes: "Axes", plot: Plot, name: str, low: float | None, high: float | None, style: Look) -> None:
    """A horizontal band; an open end reaches as far as the lines do."""
    known = [y for line in plot.lines for y in line.y if y is not None]
    bottom = min(known, default=0.0) if low is None else low
    top = max(known, default=1.0) if high is None else high
    axes.axhspan(bottom, top, label=_plain(name), linewidth=0.8, **style)


def _line(axes: "Axes", line: Line, style: Look) -> None:
    y = [float("nan") if value is None else value for value in line.y]
    look: Look = {
        "color": style["color"],
        "linestyle": style["linestyle"] if line.joined else "none",
        "marker": style["marker"] if len(line.x) <= MOST_MARKED else "",
        "markersize": 5,
        "label": _plain(line.name),
    }
    if not line.low:
        axes.plot(line.x, y, linewidth=1.7, markerfacecolor="none", **look)
        return
    reach = [[_reach(a, b) for a, b in zip(y, ends, strict=True)] for ends in (line.low, line.high)]
    axes.errorbar(line.x, y, reach, linewidth=1.4, capsize=4, **look)


def _reach(middle: float, end: float | None) -> float:
    """How far an interval goes to one side; an endless one is not drawn."""
    return abs(middle - end) if end is not None else 0.0


def _plain(text: str) -> str:
    """As it is: a dollar sign starts no formula here."""
    return text.replace("$", r"\$")
