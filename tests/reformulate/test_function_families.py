"""Arbitrary functions as families: what is replaced by what, and when that loses nothing."""

import textwrap

import pytest

from verifier.claim.model import Claim
from verifier.expr.symbols import FixedMatrix, Real
from verifier.expr.text import to_text
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken
from verifier.reformulate.function_families import (
    functions,
    in_family,
    is_complete,
    point_by_point,
    uses_functions,
    without_functions,
)

SPEC = """
theorem: test/functions
symbols:
  n: dimension
  d: dimension
  f: function(n, d)
  g: function()
  t: real
  X: matrix(n, d)
  F: matrix(d, d)
  W: normal(d, d)
let:
  Y: X @ W
  Z: X @ F
claims:
  c: {says: "%s"}
"""


def stated(says: str) -> Claim:
    loaded = load_text(textwrap.dedent(SPEC % says))
    assert loaded.claims, loaded.entries
    return loaded.claims[0]


def problem(says: str) -> str:
    (entry,) = load_text(textwrap.dedent(SPEC % says)).entries
    assert isinstance(entry, Broken)
    return str(entry.problems[0])


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("f == 0", "f is a function"),
        ("f(X, X) == 0", "one argument"),
        ("f(X.T) == 0", "n-by-d"),
        ("f[1] == 0", "f is a function"),
        ("g(2, given=X) == 0", "one argument"),
        ("D(f(X), f) == 0", "f is a function"),
    ],
)
def test_slips_are_told(says: str, words: str) -> None:
    assert words in problem(says)


def test_a_family_has_its_parameters_as_symbols() -> None:
    claim = stated("f(Z) == 2 * g(t)")
    assert functions(claim) == {"f", "g"}
    made = in_family(claim, claim.steps[0], "quadratic")
    assert not functions(made.claim)
    assert isinstance(made.claim.symbols["f_slope"].kind, FixedMatrix)
    assert isinstance(made.claim.symbols["g_slope"].kind, Real)
    assert to_text(made.step.fact) == (
        "inner(f_slope, Z) + inner(f_curve, Z*Z)/2 + f_value"
        " == 2*(inner(g_slope, t) + inner(g_curve, t*t)/2 + g_value)"
    )
    assert made.forms[0] == "f(Y) = inner(f_slope, Y) + inner(f_curve, Y*Y)/2 + f_value"


def test_a_claim_without_functions_is_left_alone() -> None:
    claim = stated("t**2 >= 0")
    assert not uses_functions(claim, claim.steps[0])
    assert not functions(without_functions(claim))
    assert without_functions(claim).symbols.keys() == claim.symbols.keys() - {"f", "g"}


def test_each_argument_has_its_own_slope() -> None:
    claim = stated("g(t) + g(2*t) == f(Z)")
    made = point_by_point(claim, claim.steps[0])
    assert made is not None
    assert {"g_slope", "g_2_slope", "f_slope"} <= made.claim.symbols.keys()
    assert not is_complete(claim, claim.steps[0])


def test_a_name_and_what_it_stands_for_are_one_argument() -> None:
    claim = stated("f(Z) == f(X @ F)")
    assert is_complete(claim, claim.steps[0])
    made = point_by_point(claim, claim.steps[0])
    assert made is not None
    assert "f_2_slope" not in made.claim.symbols


@pytest.mark.parametrize(
    ("says", "pointwise", "complete"),
    [
        ("D(f(Z), F) == 0", True, True),
        ("norm(D(f(Y), W)) <= 1", True, True),
        ("E(norm(D(f(Y), W))**2) <= 2 * E(f(Y)) + n", True, False),
        ("E(f(Z)) == f(Z)", True, True),
        ("E(f(Y))**2 <= E(f(Y)**2)", False, False),
        ("E(f(Y)) == f(Y)", False, False),
        ("Var(f(Y)) == 0", False, False),
        ("D(D(g(t), t), t) == 0", False, True),
        ("limit(g(t), t, oo) == 0", False, True),
        ("sup(g(t), t) == 0", False, True),
        ("sum(g(t*k), k, 1, n) == 0", False, True),
        ("g(g(t)) == t", False, False),
    ],
)
def test_what_is_stated_point_by_point(says: str, pointwise: bool, complete: bool) -> None:
    claim = stated(says)
    assert (point_by_point(claim, claim.steps[0]) is not None) == pointwise
    assert is_complete(claim, claim.steps[0]) == complete
