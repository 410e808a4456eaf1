"""A passage while it is being read."""

from dataclasses import dataclass, field

from verifier.read.paper import Formula, Passage
from verifier.read.printed import Printed


@dataclass
class Open:
    """A passage that is being read."""

    kind: str
    at: int | None = None
    title: str | None = None
    label: str | None = None
    parts: list[str | Formula] = field(default_factory=list)
    number: str | None = None

    def say(self, words: str, at: int) -> None:
        if not words:
            return
        if self.parts and isinstance(self.parts[-1], str):
            self.parts[-1] += words
        else:
            self.parts.append(words)
        if self.at is None and words.strip():
            self.at = at + len(words) - len(words.lstrip())

    def closed(self, page: Printed) -> Passage | None:
        """The passage, if there is anything in it."""
        parts = tuple(part for part in map(_tidy, self.parts) if part)
        if self.at is None or not any(isinstance(part, Formula) or part.strip() for part in parts):
            return None
        place = page.position(self.at)
        return Passage(self.kind, self.title, self.label, self.number, place.file, place.line, parts)


def _tidy(part: str | Formula) -> str | Formula:
    if isinstance(part, Formula):
        return part
    lines = (" ".join(line.split()) for line in part.split("\n"))
    text = "\n".join(line for line in lines if line)
    lead = " " if part[:1].isspace() else ""
    trail = " " if part[-1:].isspace() else ""
    return f"{lead}{text}{trail}" if text else " "
