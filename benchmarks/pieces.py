"""Long work in pieces that are remembered: what was stopped goes on where it was."""

import json
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
Piece = dict[str, Any]
Key = tuple[Any, ...]


def in_pieces(file: Path, keys: Iterable[Key], work: Callable[..., Piece]) -> list[Piece]:
    """What `work` gives for each key, or gave before; each with the program's commit and the time it took."""
    done: dict[Key, Piece] = {}
    if file.exists():
        done = {tuple(piece["key"]): piece for piece in map(json.loads, file.read_text().splitlines())}
    found = []
    for key in keys:
        if key not in done:
            started, of = time.process_time(), commit()
            took = {"key": key, "commit": of, **work(*key)}
            done[key] = {**took, "seconds": round(time.process_time() - started, 1)}
            with file.open("a") as lines:
                lines.write(json.dumps(done[key]) + "\n")
        found.append(done[key])
    return found


def commit() -> str:
    """Which program it is; + for changes that were not committed."""
    command = ["git", "describe", "--always", "--dirty=+"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()


def provenance(pieces: list[Piece]) -> str:
    commits = Counter(piece["commit"] for piece in pieces)
    named = ", ".join(f"{name}: {count}" for name, count in commits.items())
    seconds = sum(piece["seconds"] for piece in pieces)
    return f"{seconds:.0f} s of computing, workers apart; pieces by commit: {named}"


def added(pieces: list[Piece]) -> "Counter[tuple[str, str]]":
    """The tables of all pieces in one."""
    total: Counter[tuple[str, str]] = Counter()
    for piece in pieces:
        total += Counter({(name, outcome): count for name, outcome, count in piece["counts"]})
    return total
