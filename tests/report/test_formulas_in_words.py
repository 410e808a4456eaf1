"""Expressions inside sentences are typeset, words stay words."""

import re

import pytest

from verifier.read.specs.load import load_text
from verifier.report.formulas_in_words import in_unicode, spelled

SPEC = """\
schema: 1
theorem: toy/words
title: Words
symbols:
  {n: dimension, d_v: dimension, sigma_q: positive, X: "matrix(n, d_v)", W_Q: "normal(d_v, n, std=sigma_q)"}
claims:
  c: {says: E(norm(X @ W_Q)**2) <= n}
"""
(CLAIM,) = load_text(SPEC, "toy.yaml").claims


@pytest.mark.parametrize(
    ("words", "letters"),
    [
        ("in the special case norm(X.T @ ones(n)) = 0", "in the special case ‖Xᵀ 𝟏_n‖ = 0"),
        ("the mean of abs(1/g[1]) is infinite", "the mean of |1/g[1]| is infinite"),
        ("K = 2 and delta = 1/2, as n - 1 >= 0", "K = 2 and δ = 0.5, as n − 1 ≥ 0"),
        ("r = W_V[1, 1]*y**2, which is small", "r = W_V[1, 1]·y², which is small"),
        ("at W_Q**2*(27*X + 8) it ends.", "at W_Q²·(27·X + 8) it ends."),
        ("With 4*n/3 on the right it is true as well.", "With 4·n/3 on the right it is true as well."),
    ],
)
def test_an_expression_is_set_as_long_as_it_can_be_read(words: str, letters: str) -> None:
    assert in_unicode(CLAIM, words) == letters
    assert "<math>" in spelled(CLAIM, words)
    assert "*" not in re.sub(r"<[^>]+>", "", spelled(CLAIM, words))


@pytest.mark.parametrize(
    "words",
    [
        "true at every draw by triangle",
        "consistent at 2 points, to within 30%, with up to 8192 draws (seed 0)",
        "a step-by-step argument, e.g. n-by-m",
        "the step p(x) => q is no expression (here)",
        "a point [[1, 2], [3, 4]] and an interval [0, 1]",
        "1/2 of all, 3 - 2 = 1",
        "sizes such as 8.19e-40",
        "((((",
        "norm(X",
        "",
    ],
)
def test_words_stay_words(words: str) -> None:
    assert in_unicode(CLAIM, words) == words
    assert "<math>" not in spelled(CLAIM, words)


def test_what_is_typeset_is_escaped() -> None:
    shown = spelled(CLAIM, "<b>norm(X)</b> is less than <script>n < 2</script>")
    assert "<b>" not in shown
    assert "<script>" not in shown


def test_long_sentences_take_no_long_time() -> None:
    words = "norm(X) + " * 2000
    assert in_unicode(CLAIM, words).count("‖X‖") + in_unicode(CLAIM, words).count("norm(X)") == 2000
