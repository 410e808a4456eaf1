r"""What a piece of mathematics prints: its rows, the rows of one chain joined, its labels and tags."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from verifier.claim.model import Position
from verifier.read.kinds import JOINED, LAYOUT, ROWS
from verifier.read.paper import Formula
from verifier.read.printed import Printed
from verifier.read.specs.writeup_statements import OPERATOR, RELATION

_PIECE = re.compile(
    r"\\begin\s*\{(?P<begin>[A-Za-z]+\*?)\}|\\end\s*\{(?P<end>[A-Za-z]+\*?)\}"
    r"|(?P<break>\\\\\*?(?:[ \t]*\[[^\]\n]*\])?)|\\(?:[A-Za-z]+|.)|(?P<open>\{)|(?P<close>\})|(?P<cell>&)",
    re.DOTALL,
)
_MARK = re.compile(
    r"\\(?:label|tag\*?)\s*\{[^{}]*\}|\\(?:nonumber|notag|allowdisplaybreaks|displaystyle|qedhere|qed|medskip|hfill"
    r"|smallskip|bigskip|noindent|newline|ensuremath)(?![A-Za-z])(?:\[\d\])?"
)
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_INTERTEXT = re.compile(r"\s*\\(?:short)?intertext\s*\{([^{}]*)\}")
_INNER = re.compile(rf"\\(?:begin|end)\s*\{{(?:{'|'.join(LAYOUT)})\}}(?:\[[tbc]\])?(?:\{{\d+\}})?")
# What a row of a proof rests on, in brackets or after `by`: it says nothing of the values.
_NAMED_REASON = (
    r"Cauchy|Jensen|[Tt]riangle|Young|H[^{}$ ]*lder|Minkowski|Markov|Chebyshev|Fubini|Taylor|[Dd]ef|Lemma"
    r"|Theorem|Proposition|Assumption|Corollary|Eqs?\b|[Ll]inearity|[Ii]ndependence|[Cc]onvexity"
    r"|[Cc]hain rule"
    r"|[Ss]ymmetry|[Pp]roduct rule|[Tt]ower|[Ii]nduction|[Ss]ubmultiplicativity|[Oo]rthogonality"
)
_REASON = re.compile(
    r"(?:\\q?quad(?![A-Za-z])|\s|&)*\\(?:text|mbox|textrm|textnormal)\s*\{\s*(?:"
    r"\(?\s*(?:by|since|using|from|because|due to|via)\b[^{}$]*"
    rf"|\(\s*(?:{_NAMED_REASON})[^{{}}$]*\)\s*)\}}"
)
_EMPTY = re.compile(r"[_^]\s*\{\s*\}")
_SPACE = r"\\[,;:! ]|\\q?quad(?![A-Za-z])|\s|\{\}|~"
_EDGE = re.compile(rf"^(?:{_SPACE})+|(?:{_SPACE}|(?<!right)[.,;]|\\\\)+$")
_CONTINUES = re.compile(rf"(?:{_SPACE})*(?:{RELATION}|{OPERATOR})")
_UNFINISHED = re.compile(rf"(?:{RELATION}|{OPERATOR}|-|/)(?:{_SPACE})*$")
_HAS_RELATION = re.compile(RELATION)
_TAIL = re.compile(rf"(?:{_SPACE})*(?:\\text|\\mbox|\\mathrm|\\textrm|\\forall|\\hbox|\()")


@dataclass(frozen=True)
class _Row:
    """A row as it stands in the text: its cells, each with where it begins."""

    cells: tuple[tuple[int, str], ...]

    @property
    def text(self) -> str:
        return " ".join(cell for _, cell in self.cells)


def formulas(page: Printed, start: int, end: int, environment: str, display: bool) -> Iterator[str | Formula]:
    """The formulas between two places of the page, and the words that stand between their rows."""
    name = environment.rstrip("*")
    labels = tuple(_LABEL.findall(page.text[start:end]))
    while name not in ROWS and (inner := _wrapped(page.text, start, end)) is not None:
        name, start, end = inner
    rows = list(_rows(page.text, start, end))
    if name in JOINED | {"multlined"}:
        rows = [_Row(tuple(cell for row in rows for cell in row.cells))]
    made: list[str | Formula] = []
    # Authors who write & before every row say nothing by it.
    aligned = any(_clean(row.cells[0][1]) for row in rows if len(row.cells) > 1)
    for words, row, first_is_empty in _split(rows, name):
        if words:
            made.append(words)
        clean = _clean(row.text)
        if clean:
            more = aligned and first_is_empty and (clean[0] == "-" or not _HAS_RELATION.search(clean))
            _append(made, page, row, clean, display, more)
    if name not in ROWS or len([part for part in made if isinstance(part, Formula)]) == 1:
        made = _labelled(made, labels)
    yield from made


def _append(
    made: list[str | Formula], page: Printed, row: _Row, clean: str, display: bool, continues: bool
) -> None:
    """A row as a formula of its own, or as more of the formula above it."""
    labels, tags = tuple(_LABEL.findall(row.text)), _TAG.findall(row.text)
    tag = tags[0].strip() if tags else None
    above = made[-1] if made else None
    if isinstance(above, Formula) and (
        continues or _CONTINUES.match(clean) or _UNFINISHED.search(above.latex)
    ):
        every = (*above.labels, *labels)
        made[-1] = replace(
            above,
            latex=f"{above.latex} {clean}",
            rows=(*above.rows, clean),
            label=every[0] if every else None,
            labels=every,
            tag=above.tag or tag,
        )
        return
    place = _first(page, row)
    label = labels[0] if labels else None
    made.append(Formula(clean, (clean,), display, label, tag, place.file, place.line, place.column, labels))


def joined(parts: list[str | Formula]) -> list[str | Formula]:
    """Displays that go on in the next, with no word between, as converters write the rows of one."""
    made: list[str | Formula] = []
    for part in parts:
        blank = bool(made) and isinstance(made[-1], str) and not made[-1].strip()
        above = made[-2] if blank and len(made) > 1 else made[-1] if made else None
        if (
            isinstance(part, Formula)
            and isinstance(above, Formula)
            and part.display
            and above.display
            and _CONTINUES.match(part.latex)
        ):
            labels = (*above.labels, *part.labels)
            whole = replace(
                above, latex=f"{above.latex} {part.latex}", rows=(*above.rows, *part.rows), labels=labels,
                label=above.label or part.label, tag=above.tag or part.tag,
            )  # fmt: skip
            made[-2 if blank else -1 :] = [whole]
        else:
            made.append(part)
    return made


def _labelled(made: list[str | Formula], labels: tuple[str, ...]) -> list[str | Formula]:
    """A display with one label: the label is that of its last formula."""
    found = [part for part in made if isinstance(part, Formula)]
    if not found or not labels or any(part.labels for part in found[:-1]):
        return made
    whole = replace(found[-1], label=labels[0], labels=labels)
    return [whole if part is found[-1] else part for part in made]


def _first(page: Printed, row: _Row) -> Position:
    """Where the first sign of a row stands."""
    for at, cell in row.cells:
        blank = _MARK.sub(_blank, _INNER.sub(_blank, cell))
        if _clean(cell):
            edge = _EDGE.match(blank)
            return page.position(at + (edge.end() if edge is not None and edge.end() < len(cell) else 0))
    return page.position(row.cells[0][0])


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _clean(text: str) -> str:
    """A row without labels, layout, and the sentence's full stop."""
    text = _EMPTY.sub("", _INNER.sub(" ", _REASON.sub(" ", _MARK.sub(" ", text))))
    before = None
    while before != text:
        before, text = text, _EDGE.sub("", text)
    return re.sub(r"\s+", " ", text)


def _split(rows: list[_Row], name: str) -> Iterator[tuple[str | None, _Row, bool]]:
    """Each row with the words before it; the columns of an alignment are equations side by side."""
    for row in rows:
        words = _INTERTEXT.match(row.cells[0][1])
        if words is not None:
            at, cell = row.cells[0]
            row = _Row(((at + words.end(), cell[words.end() :]), *row.cells[1:]))
        empty = not _clean(row.cells[0][1]) and len(row.cells) > 1
        told = words[1].strip() if words else None
        if (
            name not in ("align", "alignat", "flalign", "xalignat", "aligned", "alignedat")
            or len(row.cells) < 3
        ):
            yield told, row, empty
            continue
        pairs = [row.cells[at : at + 2] for at in range(0, len(row.cells), 2)]
        main, others = list(pairs[0]), []
        for pair in pairs[1:]:
            text = " ".join(cell for _, cell in pair)
            if _HAS_RELATION.search(text) and not _TAIL.match(text):
                others.append(_Row(pair))
            else:
                main += [(at, rf"\quad {cell}" if _clean(cell) else cell) for at, cell in pair]
        yield told, _Row(tuple(main)), empty
        yield from ((None, other, False) for other in others)


def _rows(text: str, start: int, end: int) -> Iterator[_Row]:
    """Rows end at a double backslash that stands in no brace and in no inner environment but a layout's."""
    depth = 0
    cells: list[tuple[int, str]] = []
    begin = start
    for piece in _PIECE.finditer(text, start, end):
        kind = piece.lastgroup
        inner = piece["begin"] or piece["end"]
        if kind in ("begin", "end") and inner not in LAYOUT:
            depth += 1 if kind == "begin" else -1
        elif kind in ("open", "close"):
            depth += 1 if kind == "open" else -1
        elif depth == 0 and kind in ("cell", "break"):
            cells.append((begin, text[begin : piece.start()]))
            begin = piece.end()
            if kind == "break":
                yield _Row(tuple(cells))
                cells = []
    cells.append((begin, text[begin:end]))
    yield _Row(tuple(cells))


def _wrapped(text: str, start: int, end: int) -> tuple[str, int, int] | None:
    """The inner layout of a display that holds nothing else, or a system of equations in one brace."""
    body = _MARK.sub(lambda match: " " * len(match[0]), text[start:end])
    head = re.match(r"\s*(?:\\left\\\{\s*)?\\begin\s*\{([a-z]+)\}(?:\[[tbc]\])?(?:\{\d+\})?", body)
    if head is None or head[1] not in LAYOUT | {"cases"}:
        return None
    closing = list(re.finditer(rf"\\end\s*\{{{head[1]}\}}\s*(?:\\right\.)?(?:{_SPACE}|[.,;])*$", body))
    if not closing or body.find(rf"\begin{{{head[1]}}}", head.end()) >= 0:
        return None
    inner = body[head.end() : closing[0].start()]
    if head[1] == "cases" and not all(
        _HAS_RELATION.search(row.cells[0][1]) for row in _rows(inner, 0, len(inner)) if _clean(row.text)
    ):
        return None
    return head[1], start + head.end(), start + closing[0].start()
