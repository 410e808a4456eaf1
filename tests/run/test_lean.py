"""One line at a shell: a checked proof needs neither SymPy nor torch, and the verdict is the usual one."""

import subprocess
import sys
from dataclasses import replace

import pytest

from verifier.api import verify
from verifier.claim.model import Claim, Step
from verifier.evidence import Budget
from verifier.rigorous.touch import examine
from verifier.run.settings import LEAN_ENGINES, Settings
from verifier.serve.line import load_line

USUAL = Settings(jobs=1)
LEAN = replace(USUAL, lean=True, engines=LEAN_ENGINES)
WORKER = """
import sys
from dataclasses import replace
from verifier.claim.loaded import Ready
from verifier.run.events import Proposed
from verifier.run.examine import examine_claim
from verifier.run.settings import LEAN_ENGINES, Settings
from verifier.serve.line import load_line

sys.setrecursionlimit(20_000)
(entry,) = load_line(sys.argv[1]).entries
heard = []
examine_claim(entry.draft, replace(Settings(), lean=True, engines=LEAN_ENGINES), heard.append)
checked = any(isinstance(event, Proposed) and not event.proof.sites for event in heard)
print(checked, *(name for name in ("sympy", "torch") if name in sys.modules))
"""


@pytest.mark.parametrize(
    "line", ["norm(A @ B) <= norm(A) * norm(B)", "abs(a + b) <= abs(a) + abs(b)", "a*b <= (a**2 + b**2)/2"]
)
def test_what_rules_prove_loads_no_large_library(line: str) -> None:
    done = subprocess.run([sys.executable, "-c", WORKER, line], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"]


@pytest.mark.parametrize(
    "line",
    [
        "norm(A @ B) <= norm(A) * norm(B)",
        "norm(A @ B) <= norm(A) * norm(B) / 2",  # false
        "a*b <= (a**2 + b**2)/2",
        "a*b <= (a**2 + b**2)/3",  # false
        "a*b <= a**2 + b**2",  # met at 0 alone, which is no measure of how tight it is
        "(a + b)**2 == a**2 + 2*a*b + b**2",
        "(a + b)**2 == a**2 + b**2",  # false
    ],
)
def test_the_verdict_is_the_usual_one(line: str) -> None:
    (lean,), (usual,) = (verify(load_line(line), settings).verdicts for settings in (LEAN, USUAL))
    assert (lean.verdict, lean.evidence, lean.corrected) == (usual.verdict, usual.evidence, usual.corrected)
    assert [step.tightness for step in lean.steps] == [step.tightness for step in usual.steps]


def _asked(line: str) -> tuple[Claim, Step]:
    (entry,) = load_line(line).entries
    return entry.claim, entry.claim.steps[0]


BUDGET = Budget(1.0, 0, "cpu", 2**30, 1e-9, None, lambda line: None)


@pytest.mark.parametrize(
    "line", ["norm(A @ B) <= norm(A)*norm(B)", "exp(x) >= 1 + x", "a*b <= (a**2 + b**2)/2"]
)
def test_where_both_sides_meet_a_bound_is_tight(line: str) -> None:
    found = examine(*_asked(line), BUDGET)
    assert found.truth == "unknown"
    assert found.tightness is not None
    assert found.tightness.tight


@pytest.mark.parametrize(
    "line",
    [
        "norm(A @ B) <= 2*norm(A)*norm(B)",  # never met but at 0, where the right side is 0 too
        "exp(x) >= x",
        "a**2 >= 0",  # a bound by 0
        "exp(x) > 1 + x",  # strict: false where they meet
        "a + b == b + a",  # no bound
    ],
)
def test_where_they_do_not_nothing_is_said(line: str) -> None:
    assert examine(*_asked(line), BUDGET).tightness is None
