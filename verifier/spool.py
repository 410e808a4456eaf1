"""Long sequences of values on disk: a run of many claims takes little more memory than one of a few hundred.

The file has no name and ends with the process, so that nobody else reads or writes it. What the disk does not
take, because it is full or because the value is none of JSON's, stays in memory: nothing is lost.
"""

import json
import os
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO, Any, Generic, TypeVar, cast, overload

T = TypeVar("T")
# So many values of a sequence stay in memory: most runs need no disk.
IN_MEMORY = 256


def fits_in_memory(count: int) -> bool:
    """Whether one more value may stay there, beside so many."""
    return count < IN_MEMORY


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands in the file."""

    start: int
    length: int


class Disk:
    """A file for values of JSON, opened when the first one comes."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._end = 0

    def keep(self, value: Any) -> Place | None:
        """Write a value; None if it cannot be written."""
        try:
            data = json.dumps(value, separators=(",", ":")).encode("ascii")
            file, written = self._opened(), 0
            while written < len(data):
                # Not buffered: what the disk refuses is refused here, and not when it is needed.
                written += os.pwrite(file.fileno(), data[written:], self._end + written)
        except (OSError, TypeError, ValueError):
            return None
        place = Place(self._end, len(data))
        self._end += len(data)
        return place

    def value(self, place: Place) -> Any:
        """The value again, made anew."""
        assert self._file is not None
        return json.loads(os.pread(self._file.fileno(), place.length, place.start))

    def _opened(self) -> IO[bytes]:
        if self._file is None:
            self._file = cast(IO[bytes], tempfile.TemporaryFile(buffering=0))  # noqa: SIM115
            weakref.finalize(self, self._file.close)
        return self._file


class Spool(Sequence[T], Generic[T]):
    """A sequence of values of JSON, those beyond the first `near` on disk."""

    def __init__(self, values: Iterable[T], near: int) -> None:
        self._disk = Disk()
        self._items: list[T | Place] = []
        for value in values:
            place = None if len(self._items) < near else self._disk.keep(value)
            self._items.append(value if place is None else place)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return map(self._value, self._items)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, slice):
            return list(map(self._value, self._items[at]))
        return self._value(self._items[at])

    def _value(self, item: T | Place) -> T:
        return cast(T, self._disk.value(item)) if isinstance(item, Place) else item


def spooled(values: Iterable[T], near: int | None = None) -> Sequence[T]:
    """All of them: a list if they are no more than `near`, else on disk."""
    near = IN_MEMORY if near is None else near
    rest = iter(values)
    first = list(islice(rest, near + 1))
    return first if len(first) <= near else Spool(chain(first, rest), near)
