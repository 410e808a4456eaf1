"""A run with one claim of every verdict, a chain, layers and problems, for tests of the report."""

from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Curve, Finding, Sample, Tightness
from verifier.expr.nodes import Relation
from verifier.judge.verdict import AssumptionVerdict, Run, StepVerdict, Verdict
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken
from verifier.report.facts import left_of

SPEC = """\
schema: 1
theorem: toy/moments
title: Second moments of a linear layer
source: {document: "A toy write-up", locator: "Section 2"}

symbols:
  n: dimension
  d: dimension
  sigma: positive
  rho: interval(0, 1)
  X: matrix(n, d)
  W: normal(d, d, std=sigma)
  u: vector(d)
  v: vector(d)

let:
  Y: X @ W
  A: softmax(X @ X.T / sqrt(d))
  xbar: X.T @ ones(n) / n

assumptions:
  uniform-weights: A == ones(n, n) / n
  one-row: X == ones(n) @ u.T
  small-correlation: rho < 1

claims:
  second-moment:
    says: E(norm(Y)**2) == d * sigma**2 * norm(X)**2
    latex: \\mathbb{E}\\|Y\\|^2 = d\\sigma^2\\|X\\|^2
    under: []
    expect: holds
  mean-row:
    says: E(norm(D(A @ Y, W))**2) == n**2 * norm(xbar)**2
    under: [uniform-weights]
    note: The factor in front is off by n / d.
  triangle:
    says: abs(u.T @ v) <= 4 * norm(u) * norm(v)
    under: [small-correlation]
  growth:
    says: E(norm(Y, 2)) <= O(sqrt(n))
    as: n -> oo
    under: [one-row]
  proof:
    under: []
    expect: holds
    steps: |
      E(norm(Y)**2)
      == E(tr(Y.T @ Y))
      == d * sigma * norm(X)**2
      == d * sigma * tr(X.T @ X)
  misspelt:
    says: E(norm(Z)**2) == 1
---
schema: 1
theorem: toy/deep
title: Depth
symbols: {n: dimension, d: dimension, L: dimension, X: "matrix(n, d)", s: positive}
layers:
  state: X
  depth: L
  symbols: {W: "normal(d, d, std=s)"}
  let: {Z: X @ W}
  next: Z + X
claims:
  doubling:
    says: E(norm(after(X, L))**2) == (1 + d * s**2)**L * norm(X)**2
    where: {d: 4}
    expect: [holds, inconclusive]
"""


def example_claims() -> dict[str, Claim]:
    return {claim.id.partition("#")[2]: claim for claim in load_text(SPEC, "toy.yaml").claims}


def example_run() -> Run:
    """Made-up findings on real claims."""
    claims = example_claims()
    broken = [entry for entry in load_text(SPEC, "toy.yaml").entries if isinstance(entry, Broken)]
    problems = load_text("schema: 1\ntheorem: [toy\n", "bad.yaml").problems
    verdicts = (
        _holds(claims["second-moment"]),
        _fails(claims["mean-row"]),
        _loose(claims["triangle"]),
        _unknown(claims["growth"]),
        _chain(claims["proof"]),
        *broken,
        _holds(claims["doubling"]),
    )
    versions = {"verify": "0.1", "sympy": "1.14"}
    return Run(verdicts, problems, 7, "cpu", 12.5, versions, "verify toy.yaml --seed 7")


def _holds(claim: Claim) -> Verdict:
    lines = ("contract W with W: 1 pairing, d sigma^2 tr(X'X)", "both sides: d*sigma**2*tr(X.T @ X)")
    found = Finding(
        "symbolic", "true", "proved", "both sides have the same normal form", derivation=lines, seconds=0.01
    )
    reason = "both sides have the same normal form"
    return Verdict(
        claim, "holds", "proved", reason, (_step(claim, 0, "holds", "proved", reason, found),), seconds=0.02
    )


def _fails(claim: Claim) -> Verdict:
    point = Counterexample(
        {"n": 2, "d": 1, "X": [[1], [Fraction(1, 3)]], "sigma": 1},
        8 / 9,
        16 / 9,
        "8/9",
        "16/9",
        (
            "xbar = [[2/3]]",
            "norm(xbar)**2 = 4/9",
            "left side = d*n*norm(xbar)**2 = 1*2*4/9 = 8/9",
            "8/9 == 16/9 is false",
        ),
    )
    reason = "the left side is d*n*norm(xbar)**2, and the right side is n**2*norm(xbar)**2"
    proof = Finding(
        "symbolic",
        "false",
        "proved",
        reason,
        counterexample=point,
        derivation=(
            "J = kron(A X, I)",
            "E over W: norm(X @ W)**2",
            "  3 -> (d*sigma**2) * norm(X)**2",
        ),
        curves=(
            Curve("ratio", "n", (1.0, 2.0, 4.0), {"left side": (1.0, 0.5, 0.25)}, held="d = 1, sigma = 1"),
        ),
        seconds=0.2,
    )
    path = ((1024, 2.6, 2.1, 3.1), (2048, 2.65, 2.3, 3.0), (4096, 2.67, 2.5, 2.8))
    samples = (
        Sample({"n": 2, "d": 3}, 2.67, 2.5, 2.8, 1.78, 4096, path=path),
        Sample({"n": 3, "d": 3}, float("nan"), 1.0, float("inf"), None, 128),
    )
    witness = Finding(
        "numeric", "false", "sampled", "the intervals are disjoint", samples=samples, seconds=1.5
    )
    step = _step(
        claim, 0, "fails", "proved", reason, proof, witness, counterexample=point,
        lhs="d*n*norm(xbar)**2", rhs="n**2*norm(xbar)**2", corrected="d*n*norm(xbar)**2",
    )  # fmt: skip
    cost = Curve(
        "cost", "n", (2.0, 4.0, 8.0), {"left side without the assumption / with it": (1.0, 1.5, 2.25)}
    )
    reason_without = "the claim is false with and without it"
    bought = AssumptionVerdict("uniform-weights", "unknown", reason=reason_without, curves=(cost,))
    return Verdict(claim, "fails", "proved", reason, (step,), assumptions=(bought,), seconds=1.9)


def _loose(claim: Claim) -> Verdict:
    better = Tightness(
        False, Fraction(3, 4), Fraction(3, 4), "norm(u)*norm(v)", note="by Cauchy and Schwarz", proved=True
    )
    slope = Curve(
        "function",
        "rho",
        (0.0, 0.5, 1.0),
        {"left side": (0.0, 0.2, 0.3)},
        {"claimed": (0.1, None), "true": (0.0, 0.3)},
    )
    found = Finding(
        "search", "true", "certified", "nothing crosses the bound", "norm(u), norm(v) <= 10",
        tightness=better, excluded=("u = 0",), curves=(slope,), seconds=2.0,
    )  # fmt: skip
    reason = "true, and four times larger than it has to be"
    step = _step(
        claim, 0, "loose", "certified", reason, found, tight="norm(u)*norm(v)", tightness="loose", slack=4.0
    )
    bought = AssumptionVerdict(
        "small-correlation", "unneeded", True, "rho = 1 is declared", reason="it is never used"
    )
    return Verdict(claim, "loose", "certified", reason, (step,), assumptions=(bought,), seconds=2.1)


def _unknown(claim: Claim) -> Verdict:
    missing = "the expected spectral norm of a Gaussian matrix"
    lines = {"left side": (1.0, 4.0, 16.0), "right side": (1.0, 2.0, 4.0)}
    rates = Curve("growth", "n", (1.0, 4.0, 16.0), lines)
    found = Finding(
        "symbolic",
        "unknown",
        reason="no rule for spectral norms",
        missing=missing,
        curves=(rates,),
        seconds=0.1,
    )
    reason = "no engine knows the expected spectral norm"
    return Verdict(
        claim,
        "inconclusive",
        None,
        reason,
        (_step(claim, 0, "inconclusive", None, reason, found),),
        seconds=9.8,
    )


def _chain(claim: Claim) -> Verdict:
    same = Finding("symbolic", "true", "proved", "equal", seconds=0.1)
    wrong = Finding("symbolic", "false", "proved", "sigma is not squared", seconds=0.1)
    point = Counterexample({"n": 1, "d": 1, "X": [[1]], "sigma": 2}, 4.0, 2.0, "4", "2")
    steps = (
        _step(claim, 0, "holds", "proved", "equal", same),
        _step(claim, 1, "fails", "proved", "sigma is not squared", wrong,
              corrected="d*sigma**2*norm(X)**2", counterexample=point),
        _step(claim, 2, "holds", "proved", "equal", same),
    )  # fmt: skip
    ends = Relation("==", left_of(claim.steps[0].fact), claim.steps[2].fact.right)
    overall = replace(steps[1], fact=ends, reason="the ends differ too", corrected=None)
    return Verdict(claim, "fails", "proved", "step 2: sigma is not squared", steps, overall, seconds=0.5)


def _step(claim: Claim, at: int, verdict, evidence, reason: str, *findings: Finding, **fields) -> StepVerdict:  # type: ignore[no-untyped-def]
    step = claim.steps[at]
    return StepVerdict(
        step.fact, step.text, step.position, verdict, evidence, reason, findings=findings, **fields
    )
