"""Judge again whenever a file changes. What did not change is remembered, so only the rest takes time."""

import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from verifier.expr.unseen import inert
from verifier.read.specs.spec_files import files_of
from verifier.run.interrupt import EXIT_STATUS

LOOK_SECONDS = 0.5


def watch(paths: Iterable[Path], run: Callable[[], int], looks: int | None = None) -> int:
    """Run, then run again after each change, until interrupted (or after so many looks)."""
    paths = tuple(paths)
    seen = snapshot(paths)
    status = run()
    if status == EXIT_STATUS:
        return status
    _wait_message()
    while looks is None or looks > 0:
        time.sleep(LOOK_SECONDS)
        looks = None if looks is None else looks - 1
        now = snapshot(paths)
        if now == seen:
            continue
        changed = sorted(str(file) for file in now.keys() ^ seen.keys() | _touched(now, seen))
        seen = now
        print(f"\nverify: {inert(', '.join(changed[:3]))} changed", file=sys.stderr)
        status = run()
        if status == EXIT_STATUS:
            break
        _wait_message()
    return status


def snapshot(paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Every file with the time and the size that tell whether it changed."""
    found = {}
    for path in paths:
        for file in files_of(path):
            try:
                facts = os.stat(file)
            except OSError:
                continue
            found[file] = (facts.st_mtime_ns, facts.st_size)
    return found


def _touched(now: dict[Path, tuple[int, int]], before: dict[Path, tuple[int, int]]) -> set[Path]:
    return {file for file in now if file in before and now[file] != before[file]}


def _wait_message() -> None:
    print("verify: watching; Ctrl-C ends it", file=sys.stderr)
