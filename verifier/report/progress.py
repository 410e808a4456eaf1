"""A live progress line on a terminal; silence when piped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from verifier.claim.model import Claim
from verifier.judge.verdict import Verdict

Progress = Callable[[Claim, Any], None]


@contextmanager
def watching(total: int) -> Iterator[Progress | None]:
    """Shows how many claims are judged and what is being tried now, on stderr."""
    if not sys.stderr.isatty() or total == 0:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("judging"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("", total=total)

        def heard(claim: Claim, event: Any) -> None:
            if isinstance(event, Verdict):
                bars.advance(task)
            elif (words := getattr(event, "words", None)) is not None:
                bars.update(task, description=f"{claim.id.rpartition('/')[2]}  {words}"[:70])

        yield heard
