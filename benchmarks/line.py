"""One line at a shell against what an answer usually costs: `verify -e` beside a bare import of the libraries
that other engines stand on, and beside the same claim on standard input, where every witness is asked.

    python benchmarks/line.py > benchmarks/line.log

Processor time of all processes that a command starts, in turns, so that what else the machine does falls on
all alike; the least of the turns counts. Every verdict is checked. Linux alone: there a process adopts the
children of its children, and so knows what they computed.
"""

import ctypes
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

TURNS = 7
ADOPT = 36  # PR_SET_CHILD_SUBREAPER
VERIFY = [sys.executable, "-m", "verifier"]
IMPORTS = {name: [sys.executable, "-c", f"import {name}"] for name in ("sympy", "torch")}
LINES = {
    "norm(A @ B) <= norm(A) * norm(B)": ("holds", "symbols: {n: dimension, m: dimension, d: dimension, "
                                         "A: 'matrix(n, m)', B: 'matrix(m, d)'}"),
    "(a + b)**2 == a**2 + 2*a*b + b**2": ("holds", "symbols: {a: real, b: real}"),
    "exp(x) >= 1 + x": ("holds", "symbols: {x: real}"),
    "(a + b)**2 == a**2 + b**2": ("fails", "symbols: {a: real, b: real}"),
}  # fmt: skip
CLAIM = "theorem: bench/line\n{symbols}\nclaims:\n  it:\n    says: {line}\n"


def main() -> None:
    ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)
    imports = {name: least(command) for name, command in IMPORTS.items()}
    for name, (seconds,) in imports.items():
        print(f"import {name:<35} {seconds:6.2f} s of processor time")
    for line, (verdict, symbols) in LINES.items():
        text = CLAIM.format(symbols=symbols, line=line)
        shell, file = least([*VERIFY, "-e", line], [*VERIFY, "--no-cache", "-"], text=text, wanted=verdict)
        print(f"-e {line:<39} {shell:6.2f} s; with every witness {file / shell:4.1f} times", end="")
        print("".join(f", import {name} {took / shell:4.1f} times" for name, (took,) in imports.items()))


def least(*commands: Sequence[str], text: str = "", wanted: str | None = None) -> list[float]:
    """The least processor time of each, over turns in which each is run once."""
    turns = [[spent(command, text, wanted) for command in commands] for _ in range(TURNS)]
    return [min(found) for found in zip(*turns, strict=True)]


def spent(command: Sequence[str], text: str, wanted: str | None) -> float:
    before = computed()
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    with suppress(ChildProcessError):
        while True:
            os.wait()
    if wanted is not None and not done.stdout.startswith(wanted):
        raise SystemExit(f"{command[-1]} is not judged {wanted}: {done.stdout}{done.stderr}")
    return computed() - before


def computed() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
