"""A document's graph as a drawing: columns of boxes, what carries to the left of what is carried."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from markupsafe import Markup

from verifier.report.graph import Graph
from verifier.report.prose import words_of
from verifier.report.rows import Row, theorem_of

MOST_BOXES, LONGEST_NAME = 60, 27
WIDTH, HEIGHT, GAP, ACROSS = 218, 26, 8, 70
SIGNS = {"holds": "✓", "loose": "≈", "fails": "✗", "unrefuted": "~", "inconclusive": "?", "error": "!"}
WORST = ("fails", "error", "inconclusive", "unrefuted", "loose", "holds")


@dataclass(frozen=True)
class Box:
    """A theorem with the worst verdict among its statements, or an assumption."""

    name: str
    words: str
    verdict: str | None
    column: int
    row: int

    @property
    def left(self) -> int:
        return self.column * (WIDTH + ACROSS)

    @property
    def top(self) -> int:
        return self.row * (HEIGHT + GAP)


def draw_graph(graph: Graph, titles: Mapping[str, str], name: str, title: str) -> Markup | None:
    """Theorems and the assumptions that they need as boxes; theorems alone where these are too many. None
    where there is nothing to draw, or too much to be read."""
    edges, names = _between(graph, {"uses", "proof", "needed"})
    if len(names) > MOST_BOXES:
        edges, names = _between(graph, {"uses", "proof"})
    if not edges or len(names) > MOST_BOXES:
        return None
    boxes = _placed(graph, titles, names, edges)
    wide = max(box.left for box in boxes.values()) + WIDTH
    high = max(box.top for box in boxes.values()) + HEIGHT
    parts = [_line(boxes[source], boxes[target], why) for source, target, why in edges]
    parts += [_drawn(box) for box in boxes.values()]
    opening = Markup('<svg class="graph" width="{}" viewBox="-2 -2 {} {}" role="img" aria-labelledby="{}">')
    heading = Markup('<title id="{}">{}</title>').format(name, title)
    return Markup("{}{}{}</svg>").format(
        opening.format(wide + 4, wide + 4, high + 4, name), heading, Markup("").join(parts)
    )


def _between(graph: Graph, kinds: Set[str]) -> tuple[list[tuple[str, str, str]], list[str]]:
    """Edges of these kinds between boxes, and the boxes at their ends."""
    told = {(_box(graph, e.source), _box(graph, e.target), e.why) for e in graph.edges if e.why in kinds}
    edges = sorted(edge for edge in told if edge[0] != edge[1])
    return edges, list(dict.fromkeys(end for edge in edges for end in edge[:2]))


def _box(graph: Graph, name: str) -> str:
    if name in graph.theorems:
        return name
    return theorem_of(graph.rows[name]) if name in graph.rows else f"assumption {name}"


def _placed(
    graph: Graph, titles: Mapping[str, str], names: Sequence[str], edges: Sequence[tuple[str, str, str]]
) -> dict[str, Box]:
    """Each box one column to the right of the last that carries it; circles end after as many rounds."""
    column = dict.fromkeys(names, 0)
    for _ in names:
        moved = {t: column[s] + 1 for s, t, _ in edges if column[t] <= column[s] < len(names)}
        if not moved:
            break
        column |= moved
    used = sorted(set(column.values()))
    filled = dict.fromkeys(used, 0)
    verdicts = _worst(graph.rows.values())
    boxes = {}
    for name in names:
        at = column[name]
        words = titles.get(name) or words_of(name.removeprefix("assumption "))
        boxes[name] = Box(name, words, verdicts.get(name), used.index(at), filled[at])
        filled[at] += 1
    return boxes


def _worst(rows: Iterable[Row]) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in rows:
        before = found.get(theorem_of(row), "holds")
        found[theorem_of(row)] = min(before, row.verdict, key=WORST.index)
    return found


def _line(source: Box, target: Box, why: str) -> Markup:
    a, b = source.left + WIDTH, source.top + HEIGHT // 2
    c, d = target.left, target.top + HEIGHT // 2
    dashes = Markup(' stroke-dasharray="3 3"') if why == "needed" else Markup("")
    return Markup('<path d="M{} {} C{} {} {} {} {} {}" fill="none" stroke="var(--quiet)"{}/>').format(
        a, b, a + 35, b, c - 35, d, c, d, dashes
    )


def _drawn(box: Box) -> Markup:
    words = box.words if len(box.words) <= LONGEST_NAME else f"{box.words[: LONGEST_NAME - 1]}…"
    label = f"{SIGNS[box.verdict]} {words}" if box.verdict is not None else words
    colour = f"var(--{box.verdict})" if box.verdict is not None else "var(--line)"
    return Markup(
        '<g><rect x="{}" y="{}" width="{}" height="{}" rx="5" fill="var(--card)" stroke="{}"/>'
        '<text x="{}" y="{}" font-size="12" fill="var(--ink)">{}</text></g>'
    ).format(box.left, box.top, WIDTH, HEIGHT, colour, box.left + 8, box.top + 17, label)
