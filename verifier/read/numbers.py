r"""The numbers that LaTeX prints for theorems: `\newtheorem{lemma}[theorem]{Lemma}` counts with the theorems,
and `\newtheorem{theorem}{Theorem}[section]` begins anew in each section."""

from collections.abc import Mapping
from dataclasses import dataclass, field

_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection")


@dataclass(frozen=True)
class Counter:
    """How an environment counts: with another one, within a level of sections, or not at all."""

    shared: str | None = None
    within: str | None = None
    is_counted: bool = True


@dataclass
class Numbers:
    """Where the counters stand. A number that something here does not know of is none."""

    counters: Mapping[str, Counter]
    values: dict[str, int] = field(default_factory=dict)
    is_appendix: bool = False

    def heading(self, level: str) -> None:
        r"""\section: what counts within it begins anew."""
        if level not in _LEVELS:
            return
        self.values[level] = self.values.get(level, 0) + 1
        for inner in _LEVELS[_LEVELS.index(level) + 1 :]:
            self.values.pop(inner, None)
        for name, counter in self.counters.items():
            if counter.within in _LEVELS[_LEVELS.index(level) :]:
                self.values.pop(name, None)

    def appendix(self) -> None:
        self.is_appendix = True
        self.values["section"] = 0

    def next(self, name: str) -> str | None:
        """The number of the next environment of this name."""
        counter = self.counters.get(name)
        if counter is None or not counter.is_counted:
            return None
        owner = counter.shared or name
        base = self.counters.get(owner)
        if base is None or base.shared is not None or base.within not in (None, *_LEVELS[2:]):
            return None
        self.values[owner] = self.values.get(owner, 0) + 1
        levels = _LEVELS[2 : _LEVELS.index(base.within) + 1] if base.within is not None else ()
        return ".".join([*(self._of(level) for level in levels), str(self.values[owner])])

    def _of(self, level: str) -> str:
        value = self.values.get(level, 0)
        letter = self.is_appendix and level == "section" and 1 <= value <= 26
        return chr(ord("A") + value - 1) if letter else str(value)
