"""An explanation holds all that is known of a claim."""

import io
from dataclasses import replace

from rich.console import Console

from tests.report.examples import example_run
from verifier.evidence import ProofRecord
from verifier.judge.verdict import Verdict
from verifier.report.explain import explain


def explained(slug: str) -> str:
    stream = io.StringIO()
    item = next(item for item in example_run().verdicts if item.id.endswith(f"#{slug}"))
    assert isinstance(item, Verdict)
    explain(item, Console(file=stream, highlight=False))
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


def test_the_rules_of_a_proof_are_told_in_words() -> None:
    run = example_run()
    item = next(item for item in run.verdicts if item.id.endswith("#second-moment"))
    assert isinstance(item, Verdict)
    record = ProofRecord("true", "[]", {"assumption": 1, "weaken": 2})
    stream = io.StringIO()
    told = replace(item, steps=tuple(replace(step, proof=record) for step in item.steps))
    explain(told, Console(file=stream, highlight=False))
    text = stream.getvalue()
    assert "checked by the kernel" in text
    assert "weaken (2 times)" in text
    assert "Γ ⊢ a < b  ⟹  Γ ⊢ a ≤ b" in text
    assert "An assumption in force, as its author wrote it." in text
    assert "not checked: it rests on trust" in explained("second-moment")
    assert "Proof" not in explained("growth").splitlines()
