"""Claims with means: an error where one does not exist, judged where it does, open where that is open."""

import pytest

from verifier import Verdict, load_text, verify
from verifier.plan.settings import Settings

SPEC = """
theorem: toy/means
symbols:
  n: dimension
  s: positive
  t: real
  g: normal()
  h: normal()
  w: normal(n)
  v: normal(3)
  r: rademacher()
  b: bernoulli(1/2)
  u: uniform(0, 1)
  z: iid(mean=0, var=1)
let: {ratio: g/h}
claims:
"""


def judged(spec: str) -> list[Verdict]:
    run = verify(load_text(spec), Settings(trust="engines"))
    assert not run.problems
    return [item for item in run.verdicts if isinstance(item, Verdict)]


def verdicts(says: list[str], spec: str = SPEC) -> list[tuple[str, str]]:
    lines = (f'  c{k}: {{says: "{text}"}}\n' for k, text in enumerate(says))
    return [(item.verdict, item.reason) for item in judged(spec + "".join(lines))]


NO_MEAN = [
    "E(r/Phi(g)) == 0",
    "E(r*exp(g**3)) == 0",
    "E(h/b) == 0",
    "E(exp(g**3)) - E(exp(g**3)) == 0",
    "E(exp(g**2/2)) >= 1",
    "E(exp(w[1]**2)) - E(exp(w[1]**2)) == 0",
    "E(g/h) == 0",
    "E(ratio) <= 1",
    "E(ratio - ratio) + E(ratio) == E(ratio)",
    "Var(1/g) >= 0",
    "Var(r*exp(g**2/4)) >= 0",
    "Cov(g, h/g) == 0",
    "E(r*exp(norm(w)**2)) == 0",
    "E(1/u) >= 1",
    "E(log(b)) <= 0",
    "E(1 + abs(g/h)/1000) == order(1e0)",
    "limit(E(g/h)/n, n, oo) == 0",
    "D(E(g/h + t), t) == 1",
    "E(g/h) == O(n)",
]


def test_a_mean_that_does_not_exist_is_an_error() -> None:
    for (verdict, reason), says in zip(verdicts(NO_MEAN), NO_MEAN, strict=True):
        assert verdict == "error", (says, reason)
        assert "the mean of abs(" in reason, says


NO_VALUE = [
    "E(0*log(b)) == 0",
    "E(r + 0/b) == 0",
    "E(log(b)**0) == 1",
    "E(r*tanh(1/b)) == 0",
    "E(0*sqrt(g)) == 0",
    "E(r*asin(g)) == 0",
    "P(log(b) <= 1) == 1",
    "Var(0*log(b)) == 0",
    "Cov(0/b, r) == 0",
    "E(D(t + log(b), t)) == 1",
]


def test_a_mean_of_what_has_no_value_is_an_error_though_it_is_multiplied_by_0_or_bounded() -> None:
    for (verdict, reason), says in zip(verdicts(NO_VALUE), NO_VALUE, strict=True):
        assert verdict == "error", (says, reason)
        assert "has no value" in reason, says


def test_every_step_of_a_chain_needs_its_means() -> None:
    spec = SPEC + "  chain:\n    steps: |\n      E(g)\n      == E(g/h)\n      == 0\n"
    (item,) = judged(spec)
    assert item.verdict == "error"
    assert "g/h" in item.reason


@pytest.mark.parametrize(
    "says",
    [
        "E(t*exp(g**2)) == 0",
        "E(sin(g)/g) == E(sin(g)/g)",
        "E(z*exp(g**3)) == 0",
        "E(r/(1 + tanh(g))) == 0",
        "E(h**2*max(exp(g**2), 1)) >= 0",
    ],
)
def test_nothing_is_said_of_a_mean_that_may_not_exist(says: str) -> None:
    ((verdict, reason),) = verdicts([says])
    assert verdict == "inconclusive"
    assert "is finite" in reason


def test_where_a_mean_exists_for_some_values_the_others_are_left_out() -> None:
    (item,) = judged(SPEC + '  c: {says: "E(r*exp(t*g**2)) == 0"}\n')
    assert item.verdict == "holds"
    assert any("2*t >= 1" in f.excluded for step in item.steps for f in step.findings)


@pytest.mark.parametrize(
    ("says", "verdict"),
    [
        ("E(1/g**2) < oo", "fails"),
        ("E(exp(g**2)) < oo", "fails"),
        ("E(exp(g**2/4)) < oo", "holds"),
        ("E(1/norm(v)**2) < oo", "holds"),
        ("E(1/norm(v)**3) < oo", "fails"),
        ("E(g/h) < oo", "error"),
    ],
)
def test_that_a_mean_is_finite_may_be_claimed(says: str, verdict: str) -> None:
    ((found, reason),) = verdicts([says])
    assert found == verdict, reason


def test_a_mean_in_an_assumption() -> None:
    spec = SPEC.replace("claims:", "assumptions: {nothing: E(g/h) <= s}\nclaims:")
    ((verdict, _),) = verdicts(["s > 0"], spec)
    assert verdict == "error"


def test_that_a_mean_is_infinite_may_be_claimed() -> None:
    said = verdicts(
        ["E(exp(g**2)) == oo", "E(1/g**2) == oo", "E(g**2) == oo", "E(exp(g)) == oo", "E(r*exp(g**2)) == oo"]
    )
    assert [verdict for verdict, _ in said] == ["holds", "holds", "fails", "fails", "error"]
