"""The claims that would be judged, and what is wrong with those that would not."""

import sys

from verifier.claim.problems import Problem
from verifier.expr.unseen import inert
from verifier.gate.session import Request
from verifier.read.specs.load import load_paths
from verifier.read.specs.loaded import Ready
from verifier.run.selection import select


def list_claims(request: Request) -> int:
    """Print them; returns the exit status."""
    loaded = load_paths(request.paths) if request.loaded is None else request.loaded
    if not loaded.entries:
        print(f"verify: no claims were found in {' '.join(map(str, request.paths))}", file=sys.stderr)
    elif request.only:
        loaded = select(loaded, request.only, request.exactly)
        if not loaded.entries:
            print(f"verify: no claim matches {request.only!r}", file=sys.stderr)
    problems: dict[Problem, None] = {}
    for entry in loaded.entries:
        if isinstance(entry, Ready):
            print(inert(f"{entry.id}  {entry.position.file}:{entry.position.line}"))
        else:
            problems |= dict.fromkeys(entry.problems)
    problems |= dict.fromkeys(loaded.problems)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 2 if problems or not loaded.entries else 0
