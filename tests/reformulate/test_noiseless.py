"""What relations come to without noise, and where that is not asked."""

import textwrap

import pytest

from verifier.expr.text import to_text
from verifier.read.specs.load import load_text
from verifier.reformulate.noiseless import without_noise

SPEC = """
theorem: test/noiseless
symbols:
  d: dimension
  s: positive
  t: interval(0, s)
  r: positive
  a: real
  mu: vector(d)
  x: vector(d)
  v: normal(d, mean=mu, std=s/sqrt(d))
  e: normal(mean=a, std=%s)
  g: normal()
  q: iid(d, mean=0, var=1)
assumptions:
  small: r <= 1
claims:
  c: {says: "%s", under: [%s]}
"""


def still(says: str, std: str = "r", under: str = "") -> str | None:
    spec = SPEC % (std, says, under)
    spec = spec if "t " in says else spec.replace("  t: interval(0, s)\n", "")
    loaded = load_text(textwrap.dedent(spec))
    assert loaded.claims, loaded.entries
    claim = loaded.claims[0]
    found = without_noise(claim, claim.steps[0])
    return None if found is None else to_text(found[1].fact)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("E(norm(v)) >= norm(mu)", "norm(mu) >= norm(mu)"),
        ("E(norm(v)) > norm(mu)", "norm(mu) >= norm(mu)"),
        ("E(relu(v.T @ x)) + s >= 0", "relu(mu.T @ x) + 0 >= 0"),
        ("E(tanh(e)*g**2) <= 1", "E(tanh(a)*g**2) <= 1"),
        ("E(sigmoid(e)) in [0, 1]", "sigmoid(a) in [0, 1]"),
        ("E(softmax(v.T)[1, 1]) <= 1", "softmax(mu.T)[1, 1] <= 1"),
    ],
)
def test_means_become_values_at_the_mean(says: str, expected: str) -> None:
    assert still(says) == expected


@pytest.mark.parametrize(
    "says",
    [
        "E(norm(v - mu)**2) <= 2*d*s**2",  # both sides vanish: how fast is another question
        "norm(mu) <= E(norm(v))",
        "E(norm(v)) == norm(mu)",
        "E(exp(norm(v)**2)) >= 1",  # it may have no mean
        "E(norm(q + v)) >= 0",  # nor may this
        "E(1/(1 + norm(v))) <= 1",
        "E(norm(v))/s >= 0",
        "Var(norm(v)) >= 0",
        "norm(v) >= 0",  # outside of a mean it is any vector
        "E(norm(v)) >= t - s",  # a scale that bounds another symbol
    ],
)
def test_what_may_jump_or_is_another_question(says: str) -> None:
    assert still(says) is None


def test_a_scale_that_is_spoken_of_or_does_not_vanish() -> None:
    assert still("E(relu(e)) >= 0") == "relu(a) >= 0"
    assert still("E(relu(e)) >= 0", under="small") is None
    assert still("E(relu(e)) >= 0", std="1 + r") is None
