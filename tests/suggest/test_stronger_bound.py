"""A bound that can be proved with a smaller right side is loose, and by how much at least."""

from fractions import Fraction

import pytest

from verifier.evidence import Finding, Tightness
from verifier.expr.elaborate import elaborate
from verifier.expr.syntax import parse
from verifier.expr.text import to_text
from verifier.judge.verdict import Verdict
from verifier.plan.asking import Case
from verifier.plan.settings import ENGINES, Settings
from verifier.read.specs.load import load_text
from verifier.run.verify import verify
from verifier.suggest.stronger_bound import sharpen, squeeze

SPEC = """
theorem: toy/squeeze
symbols: {n: dimension, m: dimension, s: positive, t: real, x: vector(n), W: "normal(m, n, std=s)"}
claims:
  c: {says: "%s"}
"""


def squeezed(text: str, proved_by: tuple[str, ...] = ("symbolic",)) -> Finding | None:
    """What is found out about a bound that engines proved without knowing how tight it is."""
    (claim,) = load_text(SPEC % text, "squeeze.yaml").claims
    case = Case(claim, claim.steps[0], Settings(engines=ENGINES[:3], trust="engines"))
    case.findings += [Finding(name, "true", "proved", "shown elsewhere") for name in proved_by]
    squeeze(case, 60.0)
    return case.findings[len(proved_by)] if len(case.findings) > len(proved_by) else None


@pytest.mark.parametrize(
    ("claim", "gap", "better"),
    [
        ("E(norm(W @ x)**2) <= 4*m*s**2*norm(x)**2", Fraction(3, 4), "m*s**2*norm(x)**2"),
        ("Var(norm(W @ x)**2) <= 3*m*s**4*norm(x)**4", Fraction(1, 3), "2*m*s**4*norm(x)**4"),
        ("E(norm(W @ x)**2) >= m*s**2*norm(x)**2/3", Fraction(2), "m*s**2*norm(x)**2"),
    ],
)
def test_a_stronger_bound_is_found(claim: str, gap: Fraction, better: str) -> None:
    found = squeezed(claim)
    assert found is not None
    assert found.tightness is not None
    assert found.tightness.tight is False
    assert found.tightness.gap_low == gap
    (parsed,) = load_text(SPEC % claim, "squeeze.yaml").claims
    assert to_text(elaborate(parse(found.tightness.better or ""), parsed.scope)) == better


@pytest.mark.parametrize(
    "claim",
    [
        "E(norm(W @ x)**2) <= m*s**2*norm(x)**2",  # attained
        "E(norm(W @ x)**2) <= (m + 1/1000)*s**2*norm(x)**2",  # within 1%
        "t <= t + 1",  # the right side may be negative
        "E(norm(W @ x)**2) >= 0",  # approached
        "E(norm(W @ x)**2) + 1/8 >= s - s",
    ],
)
def test_a_tight_bound_and_one_without_a_sign_are_left_alone(claim: str) -> None:
    assert squeezed(claim) is None


@pytest.mark.parametrize(
    ("claim", "better"), [("E(norm(W @ x)**2) + 1/8 >= 0", "1/8"), ("-3/4 - t**2 < 0", "-3/4")]
)
def test_a_zero_that_is_never_approached(claim: str, better: str) -> None:
    found = squeezed(claim)
    assert found is not None
    assert found.tightness is not None
    assert (found.tightness.tight, found.tightness.better) == (False, better)


@pytest.mark.parametrize(
    ("claim", "slack", "better"),
    [
        ("sqrt(s*(1 + s)) <= 1 + 2*s", 2.0, "(1 + 2*s)/2"),
        ("s + 1/s >= 1", 2.0, "2"),
        ("sqrt(s*(1 + s)) <= 1 + 2*s", 2.5, None),  # that is not true
        ("s + 1 <= 2*sqrt(s**2 + 1)", 2**0.5, None),  # no simple number
        ("t**2 + 1 >= t", 2.0, None),  # 2*t is less than t where t is negative
    ],
)
def test_the_right_side_that_a_known_factor_makes(claim: str, slack: float, better: str | None) -> None:
    (parsed,) = load_text(SPEC % claim, "squeeze.yaml").claims
    case = Case(parsed, parsed.steps[0], Settings(engines=ENGINES[:3], trust="engines"))
    gap = 1 - 1 / slack if "<=" in claim else slack - 1
    case.findings.append(Finding("symbolic", "true", "proved", "shown", tightness=Tightness(False, gap, gap)))
    sharpen(case, 60.0)
    assert [f.tightness.better for f in case.findings[1:] if f.tightness] == ([better] if better else [])


@pytest.mark.parametrize(
    ("says", "better"),
    [
        ("inner(x, y) >= -2*norm(x)*norm(y)", "-(norm(x)*norm(y))"),
        ("-3*norm(x)*norm(y) <= -norm(x)*norm(y)", "-(3*norm(x)*norm(y))"),
    ],
)
def test_a_negative_right_side_moves_the_other_way(says: str, better: str) -> None:
    symbols = "symbols: {n: dimension, x: vector(n), y: vector(n)}"
    spec = f'theorem: t/negative\n{symbols}\nclaims:\n  c: {{says: "{says}"}}'
    (found,) = verify(load_text(spec), Settings(jobs=1, trust="engines")).verdicts
    assert isinstance(found, Verdict)
    assert (found.verdict, found.steps[0].tight, found.steps[0].slack) == ("loose", better, None)


@pytest.mark.parametrize(
    ("says", "verdict", "tightness", "better"),
    [
        ("norm(x, 1) <= n*norm(x)", "loose", "loose", "sqrt(n)*norm(x)"),  # equal at n = 1
        ("norm(x, 1) <= sqrt(n)*norm(x)", "holds", "tight", None),
        ("E(abs(sum(e[i], i, 1, n))) <= sqrt(n)", "holds", "unknown", None),
        ("E(abs(sum(e[i], i, 1, n))) <= sqrt(n)/2", "fails", None, None),
    ],
)
def test_truth_and_tightness_are_two_questions(
    says: str, verdict: str, tightness: str | None, better: str | None
) -> None:
    symbols = "{n: dimension, x: 'vector(n)', e: rademacher(n)}"
    (found,) = verify(
        load_text(f"theorem: a/b\nsymbols: {symbols}\nclaims: {{c: {{says: '{says}'}}}}")
    ).verdicts
    assert (found.verdict, found.steps[0].tightness, found.steps[0].tight) == (verdict, tightness, better)
    assert found.as_expected == (verdict != "fails")


@pytest.mark.parametrize("proved_by", [("rules", "symbolic"), ("symbolic", "rules"), ("symbolic",)])
def test_how_tight_a_bound_is_does_not_depend_on_who_proved_it_first(proved_by: tuple[str, ...]) -> None:
    found = squeezed("E(norm(W @ x)**2) <= 4*m*s**2*norm(x)**2", proved_by)
    assert found is not None
    assert found.tightness is not None
    assert found.tightness.gap_low == Fraction(3, 4)
