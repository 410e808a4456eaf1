"""Claims that were read, on disk: as they were written, to be built again when somebody looks."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from verifier.claim.model import Position, Printed, Source
from verifier.claim.problems import Problem
from verifier.codec import Codec
from verifier.expr.sizes import room_for_trees
from verifier.read.specs.loaded import Broken, Entry, Ready
from verifier.read.specs.make_claim import Draft, build
from verifier.read.specs.raw import RawClaim, RawLayers, RawTheorem
from verifier.read.specs.theorem_scope import Ground
from verifier.read.specs.yaml_document import Text
from verifier.spool import JSON, Disk, Form, Spool, spooled

_CODEC = Codec((Broken, Position, Printed, Problem, RawClaim, RawLayers, RawTheorem, Source, Text))


def kept(entries: Iterable[Entry]) -> Sequence[Entry]:
    """Entries as they come: all of a few hundred in memory, of more only the first."""
    shelf = _Shelf()
    found = spooled(entries, form=Form(shelf.write, shelf.read))
    return found if isinstance(found, Spool) else tuple(found)


class _Shelf:
    """What claims of one theorem share is written once, and read once by whoever takes them in order."""

    def __init__(self) -> None:
        self._theorems = Disk()
        self._written: tuple[RawTheorem, int] | None = None
        self._read: tuple[int, RawTheorem, Ground] | None = None

    def write(self, entry: Entry) -> bytes:
        if isinstance(entry, Broken):
            return JSON.write([None, _CODEC.to_data(entry)])
        plan = entry.draft
        parts = (plan.claim, plan.binding, plan.under, entry.claim.printed)
        return JSON.write([self._number(plan.theorem), _CODEC.to_data(parts)])

    @room_for_trees()
    def read(self, data: bytes) -> Entry:
        number, parts = json.loads(data)
        found: Any = _CODEC.from_data(parts)
        if number is None:
            broken: Broken = found
            return broken
        claim, binding, under, printed = found
        theorem, ground = self._theorem(number)
        plan = Draft(theorem, claim, binding, under)
        return Ready(build(plan, ground, printed), plan)

    def _number(self, theorem: RawTheorem) -> int:
        """Of the theorem on its disk; raises ValueError if the disk does not take it."""
        if self._written is None or self._written[0] != theorem:
            number = self._theorems.keep(_CODEC.to_data(theorem))
            if number is None:
                raise ValueError("no room for the theorem")
            self._written = theorem, number
        return self._written[1]

    def _theorem(self, number: int) -> tuple[RawTheorem, Ground]:
        if self._read is None or self._read[0] != number:
            self._read = number, _CODEC.from_data(self._theorems.value(number)), Ground()
        return self._read[1], self._read[2]
