"""What is wrong with a spec, told so that its author can mend it at once."""

from dataclasses import dataclass

from verifier.claim.model import Position


@dataclass(frozen=True, slots=True)
class Problem:
    """One error: where, what, and what was probably meant."""

    position: Position
    code: str
    message: str
    hint: str | None = None
    line_text: str | None = None
    width: int = 1

    def __str__(self) -> str:
        """The message, the offending line with a caret below, and the remedy."""
        lines = [f"{self.position}: {self.message} [{self.code}]"]
        if self.line_text is not None:
            start = max(0, self.position.column - 61)
            shown = self.line_text[start : start + 120].replace("\t", " ")
            at = self.position.column - 1 - start
            width = max(1, min(self.width, len(shown) - at))
            lines += [f"    {shown}", f"    {' ' * at}{'^' * width}"]
        if self.hint:
            lines.append(f"    {self.hint}")
        return "\n".join(lines)


class SpecError(Exception):
    """Raised where a problem is found; caught where other claims can go on."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.position}: {problem.message}")
        self.problem = problem
