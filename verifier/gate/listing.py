"""The claims that would be judged, and what is wrong with those that would not."""

import sys

from verifier.claim.load import Ready, load_paths
from verifier.expr.unseen import inert
from verifier.gate.session import Request
from verifier.run.selection import select


def list_claims(request: Request) -> int:
    """Print them; returns the exit status."""
    loaded = load_paths(request.paths)
    if not loaded.entries:
        print(f"verify: no claims were found in {' '.join(map(str, request.paths))}", file=sys.stderr)
    elif request.only:
        loaded = select(loaded, request.only, request.exactly)
        if not loaded.entries:
            print(f"verify: no claim matches {request.only!r}", file=sys.stderr)
    for claim in loaded.claims:
        print(inert(f"{claim.id}  {claim.position.file}:{claim.position.line}"))
    broken = [
        problem for entry in loaded.entries if not isinstance(entry, Ready) for problem in entry.problems
    ]
    problems = [*broken, *loaded.problems]
    for problem in dict.fromkeys(problems):
        print(problem, file=sys.stderr)
    return 2 if problems or not loaded.entries else 0
