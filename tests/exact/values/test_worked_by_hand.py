"""Arithmetic on paper: every line is true, the last one says what is not."""

from fractions import Fraction

import pytest

from verifier.claim.model import Claim
from verifier.exact.numbers.constants import is_zero
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.exact.values.worked_by_hand import MOST_LINES, worked
from verifier.expr.elaborate import elaborate
from verifier.expr.syntax import parse
from verifier.read.specs.load import load_text

SPEC = """\
schema: 1
theorem: paper/lines
symbols: {n: dimension, d: dimension, s: positive, x: real, X: "matrix(n, d)", u: "vector(n)", v: "vector(n)"}
let: {xbar: X.T @ ones(n) / n}
claims:
  scalar: {says: "3*d*(d + 2)*s**4 == d*(d + 8)*s**4"}
  norms: {says: norm(X @ X.T)**2 <= n * norm(xbar)**4}
  inner: {says: "inner(u, v) >= norm(u) * norm(v)"}
  root: {says: sqrt(2) * s <= s}
  range: {says: "Phi(x) in [4/5, 1]"}
  summed: {says: "sum(u[i]**2, i, 1, n) == tr(X @ X.T)"}
  long: {says: "n == sum(norm(k*X)**2 + norm((k+1)*X)**4, k, 1, 3) + norm(X)**2 + norm(u)**2 + norm(v)**2"}
  entries: {says: "X @ X.T == X @ X.T + ones(n, n)"}
"""
POINT = {
    "n": 2, "d": 3, "s": Fraction(1, 2), "x": Fraction(0), "X": [[1, 0, -2], [0, 3, 1]],
    "u": [[1], [-2]], "v": [[2], [1]],
}  # fmt: skip
CLAIMS = {claim.id.partition("#")[2]: claim for claim in load_text(SPEC, "paper.yaml").claims}


def lines(name: str) -> tuple[str, ...]:
    claim = CLAIMS[name]
    return worked(claim, claim.steps[0].fact, POINT)


def number(claim: Claim, text: str) -> object:
    ((value,),) = evaluate(elaborate(parse(text), claim.scope), POINT, Context.of(claim), 128)
    return value


@pytest.mark.parametrize("name", ["scalar", "norms", "inner", "root", "summed", "range"])
def test_all_parts_of_a_line_are_equal(name: str) -> None:
    claim = CLAIMS[name]
    written = lines(name)
    assert 2 <= len(written) <= MOST_LINES
    for line in written[:-1]:
        parts = [part for part in line.split(" = ") if part not in ("left side", "right side")]
        if parts[-1].startswith("["):
            continue
        values = [number(claim, part) for part in parts]
        assert len(values) >= 1
        assert all(is_zero(value - values[0]) for value in values), line


def test_the_last_line_says_what_is_false() -> None:
    assert lines("scalar")[-1] == "45/16 == 33/16 is false"
    assert lines("range")[-1] == "1/2 >= 4/5 is false"
    assert lines("root")[-1] == "sqrt(2)/2 <= 1/2 is false"


def test_values_stand_in_their_places() -> None:
    assert lines("scalar")[0] == ("left side = 3*d*(d + 2)*s**4 = 3*3*(3 + 2)*(1/2)**4 = 45/16")


def test_matrices_on_the_way_are_shown() -> None:
    written = lines("norms")
    assert "X @ X.T = [[5, -2], [-2, 10]]" in written
    assert "norm(X @ X.T)**2 = 5**2 + (-2)**2 + (-2)**2 + 10**2 = 133" in "\n".join(written)
    assert "xbar = X.T @ ones(n)/n = [[1/2], [3/2], [-1/2]]" in written
    assert any(line.startswith("norm(xbar)**4") for line in written)


def test_terms_of_a_sum_are_shown() -> None:
    assert lines("summed")[-3] == "left side = sum(u[i]**2, i, 1, n) = 1 + 4 = 5"


def test_long_arithmetic_is_cut_to_a_dozen_lines() -> None:
    written = lines("long")
    assert 0 < len(written) <= MOST_LINES
    assert written[-1].endswith("is false")


def test_matrices_that_differ_are_both_shown() -> None:
    assert lines("entries") == (
        "left side = X @ X.T = [[5, -2], [-2, 10]]",
        "right side = X @ X.T + ones(n, n) = [[6, -1], [-1, 11]]",
    )


def test_nothing_is_written_where_nothing_is_broken_or_known() -> None:
    claim = CLAIMS["scalar"]
    assert worked(claim, claim.steps[0].fact, {**POINT, "d": 1}) == ()
    assert worked(claim, claim.steps[0].fact, {"d": 3}) == ()
