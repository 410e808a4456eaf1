"""What a paper is to the rest of the program: passages in order, each of words and formulas."""

from dataclasses import dataclass
from pathlib import Path

from verifier.claim.model import Position
from verifier.claim.problems import Problem
from verifier.read.specs.spec_files import content_of


@dataclass(frozen=True)
class Formula:
    r"""One piece of mathematics: macros expanded, marks without meaning (`&`, `\label`, `\nonumber`) removed.

    Of a display with several rows, a row that begins with a relation or an operator continues the row above
    it: such rows are one formula. The other rows are formulas of their own. `latex` is the rows joined."""

    latex: str
    rows: tuple[str, ...]
    display: bool
    label: str | None
    tag: str | None
    file: str
    line: int
    column: int
    labels: tuple[str, ...] = ()  # of all its rows; `label` is the first

    @property
    def position(self) -> Position:
        return Position(self.file, self.line, self.column)


@dataclass(frozen=True)
class Passage:
    """A theorem-like environment, a proof, or a paragraph: prose in plain words and formulas, in order."""

    kind: str
    title: str | None
    label: str | None
    number: str | None
    file: str
    line: int
    parts: tuple[str | Formula, ...]

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return tuple(part for part in self.parts if isinstance(part, Formula))


@dataclass(frozen=True)
class Paper:
    """A whole paper, and what of it could not be read."""

    title: str | None
    path: str
    passages: tuple[Passage, ...]
    problems: tuple[Problem, ...]

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return tuple(part for passage in self.passages for part in passage.formulas)


def text_of(content: bytes) -> str:
    """A file's text, with one kind of line end; bytes that are no letters are kept as signs of that."""
    text = content.decode("utf-8", errors="replace").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_paper(path: Path) -> Paper:
    """The paper in a file: LaTeX, Markdown (also MyST and Quarto), or a notebook."""
    from verifier.read.latex import read_latex
    from verifier.read.markdown import read_markdown

    try:
        source = text_of(content_of(path))
    except OSError as error:
        problem = Problem(
            Position(str(path), 1), "paper", f"the paper cannot be read: {error.strerror or error}"
        )
        return Paper(None, str(path), (), (problem,))
    if path.suffix == ".tex":
        return read_latex(source, path)
    return read_markdown(source, path)
