"""Long sequences of values on disk: a run of many claims takes little more memory than one of a few hundred.

The file has no name and ends with the process, so that nobody else reads or writes it. What the disk does not
take, because it is full or because the value has no bytes, stays in memory: nothing is lost.
"""

import json
import os
import tempfile
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO, Any, Generic, TypeVar, cast, overload

from verifier.codec import Codec

T = TypeVar("T")
# So many values of a sequence stay in memory: most runs need no disk.
IN_MEMORY = 256
# A value that is not on disk.
STAYS = -1


def fits_in_memory(count: int) -> bool:
    """Whether one more value may stay there, beside so many."""
    return count < IN_MEMORY


@dataclass(frozen=True)
class Form:
    """How values become bytes, and come back."""

    write: Callable[[Any], bytes]
    read: Callable[[bytes], Any]


JSON = Form(lambda value: json.dumps(value, separators=(",", ":")).encode("ascii"), json.loads)


def coded(codec: Codec) -> Form:
    """Values of some classes."""
    return Form(lambda value: JSON.write(codec.to_data(value)), lambda data: codec.from_data(JSON.read(data)))


class Disk:
    """A file for values, opened when the first one comes; each has a number, from 0."""

    def __init__(self, form: Form = JSON) -> None:
        self._form = form
        self._file: IO[bytes] | None = None
        self._ends = array("Q", [0])

    def keep(self, value: Any) -> int | None:
        """Write a value and give its number; None if it cannot be written."""
        try:
            data = self._form.write(value)
            file, start, written = self._opened(), self._ends[-1], 0
            while written < len(data):
                # Not buffered: what the disk refuses is refused here, and not when it is needed.
                written += os.pwrite(file.fileno(), data[written:], start + written)
        except (OSError, TypeError, ValueError, RecursionError):
            return None
        self._ends.append(start + len(data))
        return len(self._ends) - 2

    def value(self, number: int) -> Any:
        """The value again, made anew."""
        assert self._file is not None
        start, end = self._ends[number : number + 2]
        return self._form.read(os.pread(self._file.fileno(), end - start, start))

    def _opened(self) -> IO[bytes]:
        if self._file is None:
            self._file = cast(IO[bytes], tempfile.TemporaryFile(buffering=0))  # noqa: SIM115
            weakref.finalize(self, self._file.close)
        return self._file


class Spool(Sequence[T], Generic[T]):
    """A sequence of values, those beyond the first `near` on disk."""

    def __init__(self, values: Iterable[T], near: int, form: Form = JSON) -> None:
        self._disk = Disk(form)
        self._kept = array("q")  # numbers on the disk
        self._here: dict[int, T] = {}
        for at, value in enumerate(values):
            number = None if at < near else self._disk.keep(value)
            self._kept.append(STAYS if number is None else number)
            if number is None:
                self._here[at] = value

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[T]:
        return map(self._value, range(len(self)))

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        places = range(len(self))[at]
        return list(map(self._value, places)) if isinstance(places, range) else self._value(places)

    def _value(self, at: int) -> T:
        number = self._kept[at]
        return self._here[at] if number == STAYS else cast(T, self._disk.value(number))


class Picked(Sequence[T], Generic[T]):
    """Some values of a sequence, in an order of their own: the values stay where they are."""

    def __init__(self, values: Sequence[T], places: Iterable[int]) -> None:
        self._values = values
        self._places = array("Q", places)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, slice):
            return [self._values[place] for place in self._places[at]]
        return self._values[self._places[at]]


def spooled(values: Iterable[T], near: int | None = None, form: Form = JSON) -> Sequence[T]:
    """All of them: a list if they are no more than `near`, else on disk."""
    near = IN_MEMORY if near is None else near
    rest = iter(values)
    first = list(islice(rest, near + 1))
    return first if len(first) <= near else Spool(chain(first, rest), near, form)
