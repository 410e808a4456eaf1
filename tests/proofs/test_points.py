"""What an engine shows of a counterexample, completed to a point that the kernel can look at."""

import pickle

import pytest

from verifier.evidence import InWords
from verifier.kernel.check import check
from verifier.kernel.judgement import Fails
from verifier.kernel.points.alike import PARTS
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.proofs.points import data_of
from verifier.proofs.statement import context_of
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/points
symbols:
  n: dimension
  m: dimension
  a: real
  s: positive
  X: matrix(n, m)
  p: simplex(n)
  z: random(n, mean=0)
  W: normal(m, n, std=s)
  q: random(n)
  k: random(n, mean=0)
  f: function(n)
assumptions:
  half: s == 1/2
  centred: E(q) == zeros(n)
  white: Cov(q, q) == eye(n)
  also-white: E(k @ k.T) == eye(n)
claims:
  c:
    says: "%s"
"""


def in_words(*parts: int | str) -> InWords:
    return InWords("a matrix", dict(zip(PARTS, map(str, parts), strict=True)))


SHOWN: list[tuple[str, dict[str, object]]] = [
    # all that is shown; the rest is filled in with ones, and what is assumed is not given again
    ("norm(X)**2 <= n", {"n": 2, "m": 3, "X": [[1, 0, 1], [0, 1, 0]]}),
    ("norm(X)**2 <= 3", {"n": 2, "m": 3, "X": in_words(1, 1, 1, 1, 1)}),
    ("norm(X)**2 <= 8", {"n": 3, "m": 3, "X": in_words(2, 0, 0, 2, 0)}),
    ("norm(p)**2 <= 1/2", {"n": 3, "p": in_words("4/5", 0, "1/10", 0, 0)}),
    ("norm(X)**2 <= 1/3", {"n": 2, "m": 2, "X": in_words(*["sqrt(1/8)"] * 5)}),
    ("a**2 < 20/9 - s/9", {"a": "-2*sqrt(5)/3"}),
    ("E(norm(z)**2) <= 1", {"n": 2, "z_step": [[1], [1]]}),
    ("a + E(norm(W)**2) <= 1", {"n": 2, "m": 3, "a": "1/3", "s": 7}),
    ("a**2 >= 2", {}),
    # laws of which moments are stated
    ("E(norm(z)**2) == 0", {"n": 2}),
    ("E((q.T @ X @ X.T @ q)**2) == 0", {"n": 2, "m": 2, "X": [[1, 0], [1, 1]]}),
    ("E(norm(q)**2) == 2*n", {}),
    ("E(inner(q, k)**2) == n**2", {"n": 2}),
    ("E(inner(q, k)**4) == 3*n**2", {"n": 2}),
    # functions that are declared
    ("E(f(q)) == f(E(q))", {"n": 1}),
    ("f(2*p) == 2*f(p)", {"n": 1, "p": [[1]], "f_slope": [[1]], "f_value": 1}),
]


@pytest.mark.parametrize(("says", "values"), SHOWN)
def test_a_shown_counterexample_is_one(says: str, values: dict[str, object]) -> None:
    (claim,) = load_text(SPEC % says).claims
    goal = Fails(claim.steps[0].fact)
    outcomes = []
    for data in data_of(claim, values):
        try:
            check(context_of(claim), Proof("point", goal, (), data), goal)
        except Rejected as rejected:
            outcomes.append(rejected.reason)
        else:
            outcomes.append("accepted")  # type: ignore[arg-type]
    assert "accepted" in outcomes, outcomes


@pytest.mark.parametrize(
    ("says", "values"),
    [
        ("norm(X)**2 <= 3", {"n": 2, "m": 3, "X": [[1, 0, 1], [0, 1, 0]]}),  # it holds there
        ("norm(p)**2 <= 1/2", {"n": 3, "p": in_words("1/3", 0, "1/3", 0, 0)}),
        ("norm(p)**2 <= 1/2", {"n": 3, "p": in_words(1, 0, 1, 0, 0)}),  # it does not sum to 1
        ("a**2 < 20/9", {"a": "-2*sqrt(5)/4"}),
        ("E(norm(z)**2) <= 1", {"n": 1, "z_step": [[1]]}),
        ("E(norm(q)**2) == n", {"n": 2}),
        ("E(inner(q, k)**2) == n", {"n": 2}),
        ("E(f(z)) == f(E(z))", {"n": 1, "f_slope": [[1]]}),
        ("E(norm(z)**2) <= 1", {"n": 1, "z_centre": [[2]]}),  # its mean is not 0
        ("norm(X)**2 <= 3", {"n": 2, "m": 3, "X": "some other words", "a": "nan"}),
    ],
)
def test_what_is_none_is_not_made_one(says: str, values: dict[str, object]) -> None:
    (claim,) = load_text(SPEC % says).claims
    goal = Fails(claim.steps[0].fact)
    for data in list(data_of(claim, values))[:1]:
        with pytest.raises(Rejected):
            check(context_of(claim), Proof("point", goal, (), data), goal)


def test_a_copy_of_a_matrix_in_words_has_its_entries() -> None:
    """Words travel between processes."""
    words = in_words(1, 0, 0, 1, 0)
    other = pickle.loads(pickle.dumps(words))
    assert other == words == "a matrix"
    assert other.parts == words.parts
