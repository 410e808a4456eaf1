"""Special cases of what nobody decided: simple values, and none that the claim gives or bounds."""

from verifier.plan.asking import Case
from verifier.plan.settings import Settings
from verifier.plan.special_values import specialise
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/special
symbols: {n: dimension, a: real, b: real, s: positive, W: "normal(n, 3, std=s)"}
assumptions: {bounded: b >= 1}
claims:
  c: {says: "%s", where: {n: 5}}
"""


def heard(says: str) -> list[str]:
    """The truths that special cases show."""
    (claim,) = load_text(SPEC % says, "special.yaml").claims
    case = Case(claim, claim.steps[0], Settings(trust="engines"))
    specialise(case, 10.0)
    return [finding.truth for finding in case.findings]


def test_what_fails_at_a_simple_value_fails() -> None:
    assert heard("E(norm(W)**2) + a**2 <= 14*s**2 + a**2") == ["false"]


def test_what_is_true_there_says_nothing() -> None:
    assert heard("E(norm(W)**2) + a**2 <= 15*s**2 + a**2") == []


def test_values_that_are_given_or_bounded_stay() -> None:
    assert heard("E(norm(W)**2) == 3*n*s**2 + (n - 5)*a") == []
    assert heard("a**2*(b - 1) >= 0") == []


def test_a_special_case_that_no_point_satisfies_is_no_counterexample() -> None:
    """At n = 1 no probability vector has so small a norm: that 1 >= 3 is false shows nothing."""
    spec = """
    theorem: toy/nowhere
    symbols: {n: dimension, p: simplex(n)}
    assumptions: {spread: norm(p)**2 <= 1/3}
    claims:
      sizes: {says: n >= 3}
    """
    (claim,) = load_text(spec, "special.yaml").claims
    case = Case(claim, claim.steps[0], Settings(trust="engines"))
    specialise(case, 4.0)
    assert not case.findings


def test_a_course_of_growing_values_is_a_point_at_each_of_them() -> None:
    """At a = 0 the ratio is a square of t: every value of t on the way is one that the claim allows."""
    spec = """
    theorem: toy/course
    symbols: {n: dimension, a: real, t: positive, x: vector(n)}
    assumptions: {ray: %s}
    claims:
      bounded: {says: "t**2*norm(x)**2 + a**2 <= O(1)", as: t -> oo}
    """
    for ray, truths in (("norm(x) == 1", ["false"]), ("norm(x) == 1/t", [])):
        (claim,) = load_text(spec % ray, "special.yaml").claims
        case = Case(claim, claim.steps[0], Settings(trust="engines"))
        specialise(case, 4.0)
        assert [finding.truth for finding in case.findings] == truths
