"""The claims of a run that are not remembered."""

from array import array
from collections.abc import Sequence
from typing import overload

from verifier.read.specs.loaded import Entry, Ready
from verifier.read.specs.make_claim import Draft
from verifier.run.pool import has_matrices


class Todo(Sequence[Draft]):
    """The drafts that are to be examined. Entries are in memory while their claims are under way, if they are
    on disk else."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._numbers = array("Q")
        self._under_way: dict[int, Ready] = {}
        self.is_sampled = False

    def add(self, number: int, entry: Ready) -> None:
        self._numbers.append(number)
        self.is_sampled = self.is_sampled or has_matrices(entry.claim)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> Draft: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Draft, ...]: ...
    def __getitem__(self, at: int | slice) -> Draft | tuple[Draft, ...]:
        if isinstance(at, slice):
            return tuple(self.entry(place).draft for place in range(len(self))[at])
        self._under_way[at] = self.entry(at)
        return self._under_way[at].draft

    def entry(self, at: int) -> Ready:
        found = self._under_way.get(at) or self._entries[self._numbers[at]]
        assert isinstance(found, Ready)
        return found

    def closed(self, at: int) -> tuple[int, Ready]:
        """The number of the entry and the entry, no longer under way."""
        entry = self.entry(at)
        self._under_way.pop(at, None)
        return self._numbers[at], entry
