r"""The statements of a write-up: theorem-like environments, and displayed formulas with their labels.

LaTeX environments, `$$` blocks of Markdown with an anchor (`{#eq-name}`, `(name)`), MyST's `{math}` blocks,
Quarto's `::: {#thm-name}` and MyST's `{prf:theorem}`. Claim blocks and comments are not looked at. Every
scan is one pass: a write-up may be anybody's.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from verifier.read.specs.notebooks import cells_of
from verifier.read.specs.writeups import MARKDOWN, without_claims
from verifier.read.specs.yaml_document import Text

_OTHERS = """
definition defn remark rem example ex assumption ass notation note exercise question problem proof
"""
NOT_CLAIMED = frozenset(_OTHERS.split())
DEFINING = frozenset(("definition", "defn", "notation", "assumption", "ass"))
THEOREMS = frozenset(("theorem", "lemma", "proposition", "corollary", "claim", "fact"))
NUMBERED = ("equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign")
_ROWS = ("align", "gather", "eqnarray", "alignat", "flalign")
MAX_PARAGRAPH = 5_000
_PREFIXES = ("thm", "lem", "cor", "prp")

RELATION = (
    r"[=<>≤≥]|:=|\\(?:leq?|geq?|leqslant|geqslant|lt|gt|approx|sim|simeq|equiv|propto|lesssim|gtrsim|preceq|succeq"
    r"|to|in|neq?|implies|iff|Rightarrow|Leftrightarrow|stackrel|overset|underset|asymp|coloneqq|ll|gg)(?![A-Za-z])"
)
OPERATOR = r"\+|\\(?:cdot|times|otimes|odot|pm|mp|circ|wedge|vee|cap|cup)(?![A-Za-z])"
MAX_CUE = 80
# The words before a display that defines something, and the sign in it.
_DEFINING = re.compile(
    r"\b(?:(?:we|us|and|hence)\s+(?:define|set|put|write|denote)|defined?\s+(?:as|by|to\s+be)|definition)"
    r"(?:\s+(?:the|a|an)(?:\s+[\w-]+){1,4})?[\s:,]*(?:\$\$|\\\[)?[\s]*$",
    re.IGNORECASE,
)
_DEFINED = re.compile(r":=|\\(?:coloneqq|triangleq|eqdef|vcentcolon)(?![A-Za-z])|\\stackrel\{\\text\{def")
_GOES_ON = re.compile(rf"[\s&]*(?:{RELATION}|{OPERATOR})")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_NEWTHEOREM = re.compile(r"\\newtheorem\*?\{([^{}\n]+)\}(?:\[[^\]\n]*\])?\{([^{}\n]+)\}")
_MARK = re.compile(r"\\(begin|end)\{([A-Za-z]+)(\*?)\}")
_LABEL = re.compile(r"\\label\s*\{([^{}]+)\}")
_BREAK = re.compile(r"\\\\\*?(?:\[[^\]\n]*\])?")
_UNNUMBERED = re.compile(r"\\(nonumber|notag)\b")
_INNER = re.compile(r"\\(?:begin|end)\{(?:split|aligned|gathered|alignedat)\}(?:\{[^{}]*\})?|\\tag\{[^{}]*\}")
_ANCHOR = re.compile(r"[ \t]*(?:\{#([^}\s]+)[^}\n]*\}|\(([\w:.-]+)\))")
_FENCE = re.compile(r"[ \t]*(`{3,}|:{3,})[ \t]*(?:\{([^}\n]*)\})?")
_OPTION = re.compile(r"^[ \t]*:(\w+):[ \t]*(\S*)[^\n]*$", re.MULTILINE)
_BOLD = re.compile(r"^\*\*((?:Theorem|Lemma|Proposition|Corollary)\b[^*\n]*)\*\*", re.MULTILINE)


@dataclass(frozen=True)
class Statement:
    """A theorem or a displayed formula: its lines, and for a formula what is printed and where."""

    kind: Literal["theorem", "equation"]
    name: str
    first: int
    last: int
    label: str | None = None
    latex: Text | None = None
    is_numbered: bool = True
    defines: bool = False


def statements_of(source: str, file: str, suffix: str) -> list[Statement]:
    """All statements of a write-up, in order."""
    if suffix == ".ipynb":
        source, suffix = _text_of_cells(source), ".md"
    if suffix not in (*MARKDOWN, ".tex"):
        return []
    text = without_claims(source, suffix)
    if suffix == ".tex":
        page = _Page(_COMMENT.sub(_blanks, text), file)
        found = [*_latex(page, theorems=True), *_between(page, r"\[", r"\]")]
    else:
        page = _Page(text, file)
        found = [*_between(page, "$$", "$$"), *_blocks(page), *_bold(page), *_latex(page, theorems=False)]
    return sorted(found, key=lambda item: (item.first, -item.last))


class _Page:
    """A write-up's text, and the lines of its characters."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def line(self, at: int) -> int:
        return bisect_right(self.starts, at)

    def lines(self, start: int, end: int) -> tuple[int, int]:
        """The first and the last line of a stretch, blanks at its ends left out."""
        body = self.text[start:end]
        lead, used = len(body) - len(body.lstrip()), len(body.rstrip())
        return self.line(start + min(lead, used)), self.line(start + max(used - 1, 0))

    def located(self, value: str, start: int) -> Text:
        """A piece of the page that knows where each of its characters stands."""
        first, last = self.line(start), self.line(start + max(len(value) - 1, 0))
        runs = [(0, first, start - self.starts[first - 1] + 1)]
        runs += [(self.starts[line - 1] - start, line, 1) for line in range(first + 1, last + 1)]
        return Text(value, self.file, tuple(runs))

    def equation(
        self, span: tuple[int, int], whole: tuple[int, int], label: str | None, numbered: bool
    ) -> Statement:
        start, end = span
        body = _LABEL.sub(_blanks, _INNER.sub(_blanks, self.text[start:end]))
        body = _BREAK.sub(_blanks, body)
        lead = len(body) - len(body.lstrip())
        latex = self.located(body.strip(), start + lead)
        name = f"equation {label or ''}".strip()
        before = self.text[max(0, whole[0] - MAX_CUE) : whole[0]]
        defines = bool(_DEFINING.search(before) or _DEFINED.search(latex.value))
        return Statement("equation", name, *self.lines(*whole), label, latex, numbered, defines)


# --- LaTeX --------------------------------------------------------------------------------------------


class _Environment(NamedTuple):
    """An environment: its name, whether it is starred, and where it and its body stand."""

    name: str
    star: bool
    start: int
    body: tuple[int, int]
    end: int


def _environments(text: str) -> Iterator[_Environment]:
    """Environments, those inside others too; what is not closed is none."""
    opened: list[re.Match[str]] = []
    for mark in _MARK.finditer(text):
        if mark[1] == "begin":
            opened.append(mark)
            continue
        while opened and opened[-1][2] != mark[2]:
            opened.pop()
        if opened:
            begin = opened.pop()
            yield _Environment(
                begin[2], bool(begin[3]), begin.start(), (begin.end(), mark.start()), mark.end()
            )


def _latex(page: _Page, theorems: bool) -> Iterator[Statement]:
    declared = {
        name for name, printed in _NEWTHEOREM.findall(page.text) if printed.lower() not in NOT_CLAIMED
    }
    last_equation = (0, 0)
    equations: list[Statement] = []
    for found in _environments(page.text):
        if found.name in NUMBERED:
            last_equation = (found.start, found.end)
            equations += _rows(page, found)
        elif found.name in DEFINING:
            inner = page.lines(found.start, found.end)
            equations = [replace(item, defines=item.defines or inner[0] <= item.first <= inner[1])
                         for item in equations]  # fmt: skip
        elif (
            theorems and (found.name in THEOREMS or found.name in declared) and found.name not in NOT_CLAIMED
        ):
            label = _own_label(page.text, found, last_equation)
            lines = page.lines(found.start, found.end)
            yield Statement("theorem", f"{found.name} {label or ''}".strip(), *lines, label)
    yield from equations


def _own_label(text: str, found: _Environment, last_equation: tuple[int, int]) -> str | None:
    """The label of a theorem stands before its first formula, or after its last."""
    begin, end = found.body
    inner = text.find(r"\begin{", begin, end)
    label = _LABEL.search(text, begin, inner if inner >= 0 else end)
    if label is None and begin < last_equation[1] <= end:
        label = _LABEL.search(text, last_equation[1], end)
    return label[1] if label else None


def _rows(page: _Page, found: _Environment) -> Iterator[Statement]:
    """One statement per row; an equation is one row, and a row without a label that begins with a relation
    goes on with the row above it."""
    begin, finish = found.body
    breaks = (
        [item.span() for item in _BREAK.finditer(page.text, begin, finish)] if found.name in _ROWS else []
    )
    ends = [*(at for at, _ in breaks[1:]), finish]
    breaks = [
        (at, after)
        for (at, after), end in zip(breaks, ends, strict=False)
        if not _GOES_ON.match(page.text, after, end) or _LABEL.search(page.text, after, end)
    ]
    starts = [begin, *(after for _, after in breaks)]
    ends = [*(at for at, _ in breaks), finish]
    for start, end in zip(starts, ends, strict=True):
        body = page.text[start:end]
        if body.strip():
            label = _LABEL.search(body)
            numbered = not found.star and not _UNNUMBERED.search(body)
            whole = (found.start, found.end) if found.name not in _ROWS else (start, end)
            yield page.equation((start, end), whole, label[1] if label else None, numbered)


# --- Markdown -----------------------------------------------------------------------------------------


def _between(page: _Page, opening: str, closing: str) -> Iterator[Statement]:
    """Formulas between signs, numbered if they have an anchor; an environment inside speaks for itself."""
    at = 0
    while (start := page.text.find(opening, at)) >= 0:
        end = page.text.find(closing, start + len(opening))
        if end < 0:
            return
        at = end + len(closing)
        body = page.text[start + len(opening) : end]
        if any(rf"\begin{{{name}" in body for name in NUMBERED):
            continue
        anchor, inner = _ANCHOR.match(page.text, at), _LABEL.search(body)
        label = (anchor[1] or anchor[2]) if anchor else inner[1] if inner else None
        if body.strip():
            numbered = label is not None and opening == "$$"
            yield page.equation((start + len(opening), end), (start, at), label, numbered)


def _blocks(page: _Page) -> Iterator[Statement]:
    """MyST's and Quarto's blocks; those of colons nest, those of backticks do not."""
    opened: list[tuple[str, str, int, int]] = []
    for line, start in enumerate(page.starts, start=1):
        fence = _FENCE.match(page.text, start)
        if fence is None:
            continue
        mark, info = fence[1], (fence[2] or "").strip()
        verbatim = opened and opened[-1][0][0] == "`"
        if opened and mark == opened[-1][0] and not info:
            _, words, first, body = opened.pop()
            yield from _block(page, words, first, (body, start), line)
        elif not verbatim:
            after = page.starts[line] if line < len(page.starts) else len(page.text)
            opened.append((mark, info, line, after))


def _block(page: _Page, info: str, first: int, body: tuple[int, int], last: int) -> Iterator[Statement]:
    options = {match[1]: match[2] for match in _OPTION.finditer(page.text, *body)}
    label = options.get("label") or options.get("name")
    if info.split(" ")[0] == "math":
        blanked = _OPTION.sub(_blanks, page.text[slice(*body)])
        lead = len(blanked) - len(blanked.lstrip())
        latex = page.located(blanked.strip(), body[0] + lead)
        name = f"equation {label or ''}".strip()
        yield Statement("equation", name, first, last, label, latex, label is not None)
    elif info.startswith("prf:") and info[4:].split(" ")[0] not in NOT_CLAIMED:
        yield Statement("theorem", f"{info[4:].split(' ')[0]} {label or ''}".strip(), first, last, label)
    elif info.startswith("#") and info[1:].split("-")[0] in _PREFIXES:
        name = info[1:].split()[0]
        yield Statement("theorem", name, first, last, name)


def _bold(page: _Page) -> Iterator[Statement]:
    """**Theorem 1.** and the paragraph that it opens."""
    for match in _BOLD.finditer(page.text):
        end = page.text.find("\n\n", match.end(), match.end() + MAX_PARAGRAPH)
        lines = page.lines(match.start(), end if end >= 0 else match.end())
        yield Statement("theorem", match[1].rstrip(". "), *lines)


# --- texts of the same length -------------------------------------------------------------------------


def _blanks(match: re.Match[str]) -> str:
    """As many blanks, line ends kept, so that places stay."""
    return re.sub(r"[^\n]", " ", match[0])


def _text_of_cells(source: str) -> str:
    lines = [""] * (source.count("\n") + 1)
    for cell in cells_of(source):
        if cell.kind == "markdown":
            lines[cell.first - 1 : cell.first - 1 + len(cell.lines)] = cell.lines
    return "\n".join(lines)
