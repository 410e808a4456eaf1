"""What is wrong with a spec, told so that its author can mend it at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from verifier.claim.model import Position
from verifier.expr.unseen import inert

P = ParamSpec("P")
T = TypeVar("T")
MAX_SHOWN = 20
MAX_MESSAGE = 300


@dataclass(frozen=True, slots=True)
class Repair:
    """A text of the author's file, where each of its lines begins (line and column), and one to put there;
    `steps`: it is a chain, one relation a line."""

    old: str
    new: str
    places: tuple[tuple[int, int], ...]
    steps: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """One error: where, what, and what was probably meant."""

    position: Position
    code: str
    message: str
    hint: str | None = None
    line_text: str | None = None
    width: int = 1
    repair: Repair | None = None

    def __str__(self) -> str:
        """The message, the offending line with a caret below, and the remedy."""
        lines = [f"{self.position}: {self.message} [{self.code}]"]
        if self.line_text is not None:
            start = max(0, self.position.column - 61)
            shown = _printable(self.line_text[start : start + 120])
            at = self.position.column - 1 - start
            width = max(1, min(self.width, len(shown) - at))
            lines += [f"    {shown}", f"    {' ' * at}{'^' * width}"]
        if self.hint:
            lines += [f"    {line}" for line in self.hint.splitlines()]
        return "\n".join(inert(line).rstrip() for line in lines)


class SpecError(Exception):
    """Raised where problems are found; caught where other claims can go on."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(f"{problem.position}: {problem.message}" for problem in problems))
        self.problems = problems

    @property
    def problem(self) -> Problem:
        """The first of them."""
        return self.problems[0]


class Gathered:
    """Problems of parts that are read one by one, so that an author sees them all at once."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.unread: set[str] = set()

    def attempt(self, run: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """What `run` gives, or None and its problems are kept."""
        try:
            return run(*args, **kwargs)
        except SpecError as error:
            self.problems += [problem for problem in error.problems if not self._is_echo(problem)]
            return None

    def _is_echo(self, problem: Problem) -> bool:
        """A name is unknown only because its own line is wrong."""
        return problem.code == "unknown-name" and any(f"{name!r}" in problem.message for name in self.unread)

    def check(self) -> None:
        """Raise all that was found."""
        if self.problems:
            raise SpecError(*list(dict.fromkeys(self.problems))[:MAX_SHOWN])


def shortened(message: str) -> str:
    """A message that quotes the author's words, which may be very long."""
    return message if len(message) <= MAX_MESSAGE else f"{message[:MAX_MESSAGE]}..."


def _printable(line: str) -> str:
    """A stranger's line on our terminal: no tabs, which move carets, and no escape sequences."""
    return "".join(char if char.isprintable() else " " for char in line)
