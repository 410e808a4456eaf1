"""Equations that lead back to their own name are relations; the others give values as before."""

import pytest

from verifier import Settings, load_text, verify
from verifier.claim.model import Claim
from verifier.expr.symbols import FixedMatrix
from verifier.expr.text import to_text
from verifier.read.specs.load import load_text as claims_of

SPEC = """
theorem: test/circles
symbols:
  n: dimension
  A: matrix(n, n)
  W: normal(n, n, std=d)
  F: normal(n, n, copies=n)
  d: positive
  r: real
  s: real
  t: real
let:
  M: A @ A
  K: M + A
assumptions:
  symmetric: A == A.T
  flat: r == tanh(r)
  st: s == 2*t
  tr: t == r + 1
  rs: r == s**2
  one: s == 1
  two: s == 2
  given: M == eye(n)
  around: M == K
  onward: A == K
  law: d == norm(W)
  more: r == r + 1
claims:
  c: {says: "norm(A) >= 0", under: [%s]}
"""


def built(*under: str) -> Claim:
    (claim,) = claims_of(SPEC % ", ".join(under)).claims
    return claim


@pytest.mark.parametrize(
    ("under", "facts"),
    [
        (["flat"], ["tanh(r) == r"]),
        (["st", "tr"], []),
        (["st", "tr", "rs"], ["s**2 == r"]),
        (["rs", "tr", "st"], ["2*t == s"]),
        (["one", "two"], ["2 == s"]),
        (["given"], []),
        (["around"], ["M - K == zeros(n, n)"]),
        (["onward"], ["A - K == zeros(n, n)"]),
        (["given", "onward"], ["A - K == zeros(n, n)"]),
        (["law"], ["norm(W) == d"]),
    ],
)
def test_an_equation_of_a_circle_is_a_relation(under: list[str], facts: list[str]) -> None:
    claim = built(*under)
    assert [to_text(fact) for fact in claim.constraints] == facts  # type: ignore[arg-type]


def test_the_author_reads_what_was_written() -> None:
    (assumption,) = built("flat").assumptions
    assert assumption.written is not None
    assert assumption.text == "r == tanh(r)"


def test_a_matrix_that_equals_its_transpose_is_symmetric() -> None:
    assert built("symmetric").symbols["A"].kind == FixedMatrix("symmetric")
    assert built().symbols["A"].kind == FixedMatrix("matrix")


@pytest.mark.parametrize("under", ["one, two", "more"])
def test_equations_that_nothing_solves_are_an_error(under: str) -> None:
    (verdict,) = verify(load_text(SPEC % under), Settings(trust="engines")).verdicts
    assert verdict.verdict == "error"


def test_an_equation_that_is_turned_round_and_then_solved_is_told_as_written() -> None:
    spec = """
    theorem: test/solved
    symbols: {r: positive, s: positive}
    assumptions: {shifted: r == s + r}
    claims: {one: {says: r <= 1}}
    """
    ((assumption,),) = (claim.assumptions for claim in claims_of(spec).claims)
    assert assumption.written is not None
    assert to_text(assumption.written) == "r == s + r" != to_text(assumption.fact)
