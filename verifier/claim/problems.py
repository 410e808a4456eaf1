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


class SpecError(Exception):
    """Raised where a problem is found; caught where other claims can go on."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.position}: {problem.message}")
        self.problem = problem
