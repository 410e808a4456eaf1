"""How far a run is: a live display on a terminal, with what each engine tries; a line now and then in a pipe.

Both on standard error; a run that is over soon says nothing in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from verifier.claim.model import Claim
from verifier.judge.verdict import Verdict

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Progress = Callable[[Claim, Any], None]
REFRESHES = 5  # per second
BETWEEN_LINES = 15.0  # seconds
OTHER = "run"


@dataclass
class Watch:
    """What has been heard: answers per engine, and the claim and words that each engine is at."""

    answers: dict[str, int] = field(default_factory=dict)
    trying: dict[str, tuple[str, str]] = field(default_factory=dict)

    def hear(self, claim: Claim, event: Any) -> None:
        """A stage, a finding, or the verdict; anything else is of no interest here."""
        if isinstance(event, Verdict):
            self.trying = {name: at for name, at in self.trying.items() if at[0] != claim.id}
        elif (finding := getattr(event, "finding", None)) is not None:
            self.answers[finding.engine] = self.answers.get(finding.engine, 0) + 1
            self.trying.pop(finding.engine, None)
        elif (words := getattr(event, "words", None)) is not None:
            engine, colon, statement = words.partition(": ")
            name = engine if colon else OTHER
            self.trying = {other: at for other, at in self.trying.items() if at[0] != claim.id}
            self.trying[name] = claim.id, statement if colon else words

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """engine, how many answers, which claim, which statement."""
        for name in dict.fromkeys([*self.answers, *self.trying]):
            claim, words = self.trying.get(name, ("", ""))
            count = self.answers.get(name, 0)
            heard = "" if name == OTHER else f"{count} answer{'' if count == 1 else 's'}"
            yield name if name != OTHER else "", heard, claim.rpartition("/")[2], " ".join(words.split())

    def table(self) -> Table:
        """The rows, each on one line."""
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 2))
        for ratio in (None, None, 1, 2):
            grid.add_column(no_wrap=True, overflow="ellipsis", ratio=ratio)
        grid.expand = True
        for row in self.rows():
            grid.add_row(*map(Text, row))
        return grid


class Heartbeat:
    """A line now and then for logs, so that a long run is not taken for one that hangs."""

    def __init__(self, total: int, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self.total, self.stream, self.clock = total, stream, clock
        self.judged = 0
        self.started = self.said = clock()

    def __call__(self, claim: Claim, event: Any) -> None:
        """Something was heard of a claim."""
        self.judged += isinstance(event, Verdict)
        now = self.clock()
        if now - self.said < BETWEEN_LINES or self.judged == self.total:
            return
        self.said = now
        line = f"verify: {self.judged} of {self.total} claims judged after {now - self.started:.0f} s"
        try:
            print(line, file=self.stream, flush=True)
        except (OSError, ValueError):  # whoever listened is gone
            self.said = float("inf")


@contextmanager
def watching(total: int, console: Console | None = None) -> Iterator[Progress | None]:
    """Shows on stderr how many claims are judged, the time left, and what each engine is trying."""
    if total == 0:
        yield None
        return
    if console is None and not sys.stderr.isatty():
        yield Heartbeat(total, sys.stderr)
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("judging"), BarColumn(bar_width=24), MofNCompleteColumn(),
        TimeRemainingColumn(), TextColumn("left"),
    )  # fmt: skip
    bars, watch = Bars(*columns), Watch()
    task = bars.add_task("", total=total)

    def heard(claim: Claim, event: Any) -> None:
        watch.hear(claim, event)
        if isinstance(event, Verdict):
            bars.advance(task)

    def picture() -> Group:
        return Group(bars, watch.table())

    shown = console or Console(stderr=True)
    with Live(get_renderable=picture, console=shown, transient=True, refresh_per_second=REFRESHES):
        yield heard
