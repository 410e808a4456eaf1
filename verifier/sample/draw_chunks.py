"""Chunks of draws, worked out here or by others: the same values in the same order.

A chunk is a run of whole units, and every unit has streams of its own, so it does not matter who works it
out. A helper is asked for chunks ahead of time; one that has no answer when it is needed costs the wait
for it, and the chunk is then worked out here.
"""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from verifier.timer import past, worked

if TYPE_CHECKING:
    from torch import Tensor

    from verifier.sample.sampler import Sampler

# Less work than this, in seconds at the pace of the first chunk, is done here before anybody is asked.
WORTHWHILE = 0.5
# Chunks asked of each helper at a time: the next one waits there while the first is worked out.
AHEAD = 2
# An answer may take so many times as long as a chunk takes here, and a moment for its way.
PATIENCE, MOMENT = 3.0, 1.0

Chunk = tuple[int, int]  # the first unit, and how many


class Answer(Protocol):
    """A chunk that somebody works out."""

    def within(self, seconds: float) -> "Tensor | None":
        """Its values; None if they are not there by then, or never will be."""

    def forget(self) -> None:
        """Nobody waits for it any longer."""


class Helper(Protocol):
    """Somebody else with time for chunks."""

    def free(self) -> int:
        """How many chunks would be worked out at once now."""

    def ask(self, recipe: "Recipe", chunk: Chunk) -> Answer: ...


_helpers: list[Helper] = []


@contextmanager
def helped_by(helper: Helper) -> Iterator[None]:
    """Whatever is sampled inside may be shared with the helper."""
    _helpers.append(helper)
    try:
        yield
    finally:
        _helpers.remove(helper)


@dataclass(frozen=True)
class Recipe:
    """All that the values of a chunk depend on, as a value that can travel, and a name for it."""

    name: str
    parts: tuple[Any, ...]


def recipe_of(sampler: "Sampler") -> Recipe:
    made = (sampler.leaf, sampler.scene, sampler.stream, sampler.exact_jacobian, sampler.memory_bytes)
    return Recipe(uuid.uuid4().hex, (*made, dict(sampler.held), sampler.others))


def sampler_of(recipe: Recipe) -> "Sampler":
    """The sampler again, at the helper's."""
    from verifier.sample.sampler import Sampler

    return Sampler(*recipe.parts)


def worked_out(
    sampler: "Sampler", chunks: Sequence[Chunk], deadline: float
) -> Iterator[tuple[Chunk, "Tensor"]]:
    """The chunks in order with their values, until the deadline."""
    crew: _Crew | None = None
    try:
        for place, chunk in enumerate(chunks):
            if past(deadline):
                return
            values = crew.take(place) if crew is not None else None
            if values is None:
                started = worked()
                values = sampler.statistic(*chunk)
                took = worked() - started
                if place == 0 and _helpers and took * (len(chunks) - 1) >= WORTHWHILE:
                    crew = _Crew(_helpers[-1], recipe_of(sampler), chunks, took)
            yield chunk, values
    finally:
        if crew is not None:
            crew.leave()


class _Crew:
    """Chunks under way elsewhere. Of every `free` + 1 the first is our own, so that nobody stands idle.

    Nobody is waited for who has not answered yet: a process may first have to load its libraries."""

    def __init__(self, helper: Helper, recipe: Recipe, chunks: Sequence[Chunk], took: float) -> None:
        self.helper, self.free, self.recipe, self.chunks = helper, helper.free(), recipe, chunks
        self.under_way: dict[int, Answer] = {}
        self.next = 1
        self.patience = 0.0
        self.took = took

    def take(self, place: int) -> "Tensor | None":
        """The values of this chunk, if somebody else has them; more is asked for ahead of it."""
        while self.free and self.next < len(self.chunks) and len(self.under_way) < AHEAD * self.free:
            if (self.next - 1) % (self.free + 1):
                self.under_way[self.next] = self.helper.ask(self.recipe, self.chunks[self.next])
            self.next += 1
        answer = self.under_way.pop(place, None)
        if answer is None:
            return None
        values = answer.within(self.patience)
        if values is not None:
            self.patience = MOMENT + PATIENCE * self.took
        elif self.patience:
            self.leave()  # they are busy, or lost: the rest is our own
        return values

    def leave(self) -> None:
        """No more is asked for, and nobody waits for what was."""
        self.free = 0
        for answer in self.under_way.values():
            answer.forget()
        self.under_way.clear()
