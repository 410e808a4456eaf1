"""`%load_ext verifier`: cells that hold claims, and `judge` for one line, both with a rich display.

A cell that begins with `%%claim` never raises: whatever is wrong with it is shown below it, so that the cells
after it run. `verify notebook.ipynb` reads the same cells.
"""

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.expr.unseen import inert
from verifier.judge.verdict import Run, Verdict
from verifier.read.specs.load import preamble_problems
from verifier.read.specs.loaded import Broken, Loaded
from verifier.read.specs.notebooks import CELL_MAGIC, PREAMBLE_MAGIC
from verifier.run.interrupt import interruptible
from verifier.serve.judging import Refused, checked_text, judge_in
from verifier.serve.line import load_line

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

CELL = "<cell>"
MAGICS = (CELL_MAGIC, PREAMBLE_MAGIC)
MOST_PREAMBLES, MAX_PREAMBLE = 200, 500_000
# What the cells that were run declare for those after them, the latest last.
PREAMBLES: list[str] = []


def load(shell: "InteractiveShell") -> None:
    """Register the magics; `judge` becomes a name of the notebook, unless it is taken."""
    shell.register_magic_function(claim_cell, "cell", "claim")  # type: ignore[arg-type]
    shell.register_magic_function(claim_line, "line", "claim")  # type: ignore[arg-type]
    shell.register_magic_function(preamble_cell, "cell", "preamble")  # type: ignore[arg-type]
    shell.input_transformers_cleanup.append(never_empty)
    shell.user_ns.setdefault("judge", judge)


def unload(shell: "InteractiveShell") -> None:
    """Take back what `load` gave."""
    for magics in shell.magics_manager.magics.values():
        magics.pop("claim", None)
        magics.pop("preamble", None)
    PREAMBLES.clear()
    if never_empty in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.remove(never_empty)
    if shell.user_ns.get("judge") is judge:
        del shell.user_ns["judge"]


def never_empty(lines: list[str]) -> list[str]:
    """IPython stops at a cell magic without a body; an empty claim file is one, with nothing in it."""
    if lines and lines[0].strip() in MAGICS and not "".join(lines[1:]).strip():
        return [f"{lines[0].strip()}\n", "# nothing is said\n"]
    return lines


def judge(line: str, *given: str) -> Verdict | Broken:
    """The verdict on one statement, with the limits and the memory of the notebook's folder."""
    return _judged(load_line(line, *given)).verdicts[0]


def _told(magic: Callable[..., Run | None]) -> Callable[..., Run | None]:
    """A magic that shows what goes wrong and raises nothing."""

    @wraps(magic)
    def asked(*words: str) -> Run | None:
        try:
            return magic(*words)
        except Refused as refused:
            print(f"verify: {inert(str(refused))}", file=sys.stderr)
        except Exception as error:
            print(f"verify: it failed with {type(error).__name__}: {inert(str(error))}", file=sys.stderr)
        return None

    return asked


@_told
def claim_cell(line: str, cell: str) -> Run | None:
    """`%%claim`: the rest of the cell is a claim file."""
    if line.strip():
        raise Refused("nothing stands after %%claim on its line; the claims begin on the next")
    # The first line of the cell is the magic's.
    return _judged(checked_text(f"\n{cell}", CELL, preambles=PREAMBLES))


@_told
def preamble_cell(line: str, cell: str) -> None:
    """`%%preamble`: declarations for the claims of all cells that are run after it. One that was run before
    is not said twice; what is wrong with it is told here."""
    if len(cell) > MAX_PREAMBLE:
        raise Refused(f"a preamble of more than {MAX_PREAMBLE:,} characters")
    for problem in preamble_problems(f"\n{cell}", CELL):
        print(problem, file=sys.stderr)
    PREAMBLES[:] = [*(text for text in PREAMBLES if text != cell), cell][-MOST_PREAMBLES:]


@_told
def claim_line(line: str) -> Run | None:
    """`%claim x**2 >= 0`: one statement."""
    return _judged(load_line(line))


def _judged(loaded: Loaded) -> Run:
    """Interrupting the kernel ends the run, and shows what is known."""
    judge = judge_in(Path.cwd(), pictures=True)
    with interruptible() as stop:
        return judge.loaded(loaded, stop)
