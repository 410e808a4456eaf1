"""One line at a shell: what the kernel shows needs no large library, and the verdict is the usual one."""

import subprocess
import sys
from dataclasses import replace

import pytest

from verifier.api import verify
from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding
from verifier.exact.values import few_points
from verifier.judge.decide import decide
from verifier.plan.kernel_alone import KERNEL, by_the_kernel
from verifier.plan.settings import ENGINES, FEW_POINTS, LEAN_ENGINES, Settings
from verifier.prove.ranges.touch import examine
from verifier.serve.line import load_line

USUAL = Settings(jobs=1)
LEAN = replace(USUAL, lean=True, engines=LEAN_ENGINES)
WORKER = """
import sys
from dataclasses import replace
from verifier.read.specs.loaded import Ready
from verifier.plan.messages import Proposed
from verifier.plan.examine import examine_claim
from verifier.plan.settings import LEAN_ENGINES, Settings
from verifier.serve.line import load_line

sys.setrecursionlimit(20_000)
(entry,) = load_line(*sys.argv[1:]).entries
heard = []
examine_claim(entry.draft, replace(Settings(), lean=True, engines=LEAN_ENGINES), heard.append)
checked = any(isinstance(event, Proposed) and not event.proof.sites for event in heard)
print(checked, *(name for name in ("sympy", "numpy", "torch") if name in sys.modules))
"""


@pytest.mark.parametrize(
    "line",
    [
        ["norm(A @ B) <= norm(A) * norm(B)"],
        ["abs(a + b) <= abs(a) + abs(b)"],
        ["a*b <= (a**2 + b**2)/2"],
        ["(a + b)**2 == a**2 + 2*a*b + b**2"],
        ["exp(x) >= 1 + x"],
        ["E(norm(W @ x)**2) == n*norm(x)**2", "W: normal(n, m)"],
    ],
    ids=lambda line: line[0],
)
def test_what_the_kernel_shows_loads_no_large_library(line: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", WORKER, *line], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"]


@pytest.mark.parametrize("line", ["a*b <= (a**2 + b**2)/3", "(a + b)**2 == a**2 + b**2"])
def test_what_is_false_loads_no_torch(line: str) -> None:
    done = subprocess.run([sys.executable, "-c", WORKER, line], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "True"
    assert "torch" not in done.stdout


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


def _asked(line: str, *given: str) -> tuple[Claim, Step]:
    (entry,) = load_line(line, *given).entries
    return entry.claim, entry.claim.steps[0]


BUDGET = Budget(1.0, 0, "cpu", 2**30, 1e-9, None, lambda line: None)


@pytest.mark.parametrize(
    "line",
    [
        "norm(A @ B) <= norm(A)*norm(B)",
        "exp(x) >= 1 + x",
        "a*b <= (a**2 + b**2)/2",
        "a**2 >= 0",
        "norm(A) >= 0",
    ],
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
        "a**2 + 1 >= 0",  # never 0
        "exp(x) > 1 + x",  # strict: false where they meet
        "a + b == b + a",  # no bound
    ],
)
def test_where_they_do_not_nothing_is_said(line: str) -> None:
    assert examine(*_asked(line), BUDGET).tightness is None


ALIKE = [
    # true, and false siblings of it
    (("A @ B == A @ B",), ("A @ B == B @ A",)),
    (("tr(A @ B) == tr(B @ A)",), ("tr(A @ B) == tr(A)*tr(B)", "A: matrix(n, n)", "B: matrix(n, n)")),
    (("(a + b)**3 == a**3 + 3*a**2*b + 3*a*b**2 + b**3",), ("(a + b)**3 == a**3 + b**3",)),
    (("abs(a + b) <= abs(a) + abs(b)",), ("abs(a + b) <= abs(a)",)),
    (("a*b >= 0", "a >= 0", "b >= 0"), ("a*b >= 0", "a >= 0")),
    (("E(norm(W)**2) == n*m", "W: normal(n, m)"), ("E(norm(W)**2) == n", "W: normal(n, m)")),
    (("sum(p[i], i, 1, n) == 1", "p: simplex(n)"), ("sum(p[i], i, 1, n) == 1", "p: vector(n)")),
    (("tr(Q.T @ Q) == n", "Q: orthogonal(n)"), ("tr(Q.T @ Q) == 1", "Q: orthogonal(n)")),
]


@pytest.mark.parametrize(("true", "false"), ALIKE, ids=[false[0] for _, false in ALIKE])
def test_the_kernel_shows_what_is_true_and_a_point_breaks_what_is_not(
    true: tuple[str, ...], false: tuple[str, ...]
) -> None:
    shown, agreed = by_the_kernel(*_asked(*true), 1.0), few_points.examine(*_asked(*true), BUDGET)
    assert (shown.truth, shown.grade) == ("true", "proved")
    assert (agreed.truth, agreed.reason[:7]) == ("unknown", "true at")  # points prove nothing
    claim, step = _asked(*false)
    assert by_the_kernel(claim, step, 1.0).truth != "true"
    broken = few_points.examine(claim, step, BUDGET)
    assert (broken.truth, broken.counterexample is not None) == ("false", True)
    # Were the kernel to say so, nobody would be believed.
    verdict = decide(step, [Finding(KERNEL, "true", "proved"), broken])
    assert (verdict.verdict, verdict.disagreement is not None) == ("inconclusive", True)


@pytest.mark.parametrize("line", ["x/x == 2", "log(-1 - x**2) == 0"])
def test_where_no_point_has_values_nothing_is_counted(line: str) -> None:
    assert not few_points.examine(*_asked(line), BUDGET).reason.startswith("true")


def test_the_fork_server_holds_every_engine() -> None:
    """An import that nobody uses looks dead, and is what these modules are for."""
    loaded = "import sys, verifier.run.preload, verifier.run.preload_torch; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert {"verifier.proofs.propose", *(engine.module for engine in ENGINES)} <= set(done.stdout.split())
    loaded = "import sys, verifier.run.preload_rules; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    first = {engine.module for engine in (*LEAN_ENGINES, FEW_POINTS) if engine.round == 0}
    assert {"verifier.proofs.propose", *first} <= set(done.stdout.split())
    assert not {"sympy", "numpy", "torch"} & set(done.stdout.split())
