"""The same as the command, for programs: load, verify, judge, and verdicts as frozen values.

`docs/python.md` is the page of this interface; what stands in `__all__` is stable.
"""

from pathlib import Path

from verifier.claim.model import Claim, Position
from verifier.claim.problems import Problem
from verifier.evidence import Counterexample
from verifier.judge.verdict import AssumptionVerdict, Proof, Run, StepVerdict, Verdict
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_paths, load_text
from verifier.read.specs.loaded import Broken, Loaded
from verifier.run.verify import verify
from verifier.serve.line import load_line

__all__ = [
    "AssumptionVerdict", "Broken", "Claim", "Counterexample", "Loaded", "Position", "Problem", "Proof", "Run",
    "Settings", "StepVerdict", "Verdict", "judge", "load", "load_text", "verify",
]  # fmt: skip


def load(*paths: str | Path) -> Loaded:
    """The claims of files and folders."""
    return load_paths(Path(path) for path in paths)


def judge(line: str, *given: str, settings: Settings | None = None) -> Verdict | Broken:
    """The verdict on one statement: `judge("E(norm(W)**2) == n*m", "W: normal(n, m)")`.

    What is given declares a symbol (`W: normal(n, m)`), assumes a relation (`rho < 1`) or lets a symbol grow
    (`n -> oo`); shapes that follow from the line need no declaration. A line that cannot be read is `Broken`:
    nothing is raised for it."""
    (verdict,) = verify(load_line(line, *given), settings).verdicts
    return verdict
