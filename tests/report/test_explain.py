"""An explanation holds all that is known of a claim."""

import io

from rich.console import Console

from tests.report.examples import example_run
from verifier import load_text, verify
from verifier.judge.verdict import Verdict
from verifier.plan.settings import Settings
from verifier.read.specs.loaded import Broken
from verifier.report.explain import explain

SPEC = """
theorem: toy/proofs
symbols: {n: dimension, a: real, b: real, s: positive, X: "matrix(n, n)", W: "normal(n, n, std=s)"}
assumptions: {below: a < b}
claims:
  weaker: {says: a <= b}
  mean: {says: E(norm(X @ W)**2) == n*s**2*norm(X)**2, under: []}
  broken: {says: a**2 >= a, under: []}
  trusted: {says: "sin(2*a) == 2*sin(a)*cos(a)", under: []}
"""


def explained(slug: str) -> str:
    return written(next(item for item in example_run().verdicts if item.id.endswith(f"#{slug}")))


def written(item: Verdict | Broken) -> str:
    assert isinstance(item, Verdict)
    stream = io.StringIO()
    explain(item, Console(file=stream, highlight=False, width=200))
    return stream.getvalue()


def test_how_it_was_read() -> None:
    text = explained("mean-row")
    assert "𝔼[‖∂(A Y)/∂W‖_F²] = n²·‖x̄‖²" in text
    assert "Assumed (uniform-weights): A = 𝟏_{n×n}/n." in text


def test_how_it_was_judged() -> None:
    text = explained("mean-row")
    for part in (
        "fails (false as stated, proved)",
        "symbolic (0.20 s): fails",
        "numeric (1.50 s)",
        "4096 draws",
    ):
        assert part in text
    assert "J = kron(A X, I)" in text
    assert "left side = d*n*norm(xbar)**2 = 1*2*4/9 = 8/9" in text


def test_what_is_missing_and_left_out() -> None:
    assert "missing: the expected spectral norm of a Gaussian matrix" in explained("growth")
    assert "left out: u = 0" in explained("triangle")
    assert "contradicts the declared symbols: rho = 1 is declared" in explained("triangle")


def test_chains_step_by_step() -> None:
    text = explained("proof")
    assert text.index("Step 1 of 3") < text.index("Step 2 of 3") < text.index("First against last")
    assert "The author expects holds: not as expected." in text


def test_what_the_write_up_prints() -> None:
    text = explained("second-moment")
    assert "The write-up prints" in text
    assert "could not be read: plain bars around a matrix" in text


def test_a_proof_is_told_from_the_statement_down() -> None:
    run = verify(load_text(SPEC, "proofs.yaml"), Settings(trust="engines"))
    weaker, mean, broken, trusted = (written(item) for item in run.verdicts)
    assert "Why it is true\n  The kernel checked this proof." in weaker
    assert "(1) a ≤ b.  [weaken]\n      It is weaker than (2)." in weaker
    assert weaker.index("(1) a ≤ b") < weaker.index("(2) a < b")
    assert "The left side comes to n·s²·" in mean
    assert "The right side comes to the same." in mean
    assert "Why it is false" in broken
    assert "There the relation reads" in broken
    assert "Missing: a proof that the kernel can check." in trusted


def test_what_nobody_decides_says_what_was_tried() -> None:
    text = explained("growth")
    assert "Why it is open\n  Nothing decides it. What was tried, and what is missing:" in text
    assert "symbolic: no rule for spectral norms; missing: the expected spectral norm" in text
