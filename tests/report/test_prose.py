"""Names in sentences stand as they do in formulas, and nothing else is changed."""

import pytest

from verifier.report.prose import prose, words_of


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("every σ_q, d_v ≥ 1", "every σ<sub>q</sub>, d<sub>v</sub> ≥ 1"),
        ("(σ_v²·d_v/n²)·‖X‖_F²", "(σ<sub>v</sub>²·d<sub>v</sub>/n²)·‖X‖<sub>F</sub>²"),
        ("A = 𝟏_{n×n}/n", "A = 𝟏<sub>n×n</sub>/n"),
        ("false for every sigma_q", "false for every σ<sub>q</sub>"),
        ("a d_v-by-d_k matrix", "a d<sub>v</sub>-by-d<sub>k</sub> matrix"),
        ("at sigma_k = 3", "at σ<sub>k</sub> = 3"),
        ("order(1e-3, 1e2)", "order(10<sup>−3</sup>, 10<sup>2</sup>)"),
        ("12512 and 1.25e+16", "12512 and 1.25·10<sup>16</sup>"),
        ("as n -> oo", "as n → ∞"),
        ("where n == 2, x <= 1", "where n = 2, x ≤ 1"),
        ("max_{i} x̄_i", "max<sub>i</sub> x̄<sub>i</sub>"),
    ],
)
def test_what_stands_below_is_set_below(text: str, shown: str) -> None:
    assert prose(text, ["sigma_q", "x"]) == shown


@pytest.mark.parametrize(
    "text",
    ["claims/a_b.yaml:3", "a_b.tex", "no name at all", "1_000", "a__b", "x1e5", "zoo", "2e", "foo(oo1)"],
)
def test_other_words_stay(text: str) -> None:
    assert prose(text, ["sigma_q"]) == text


def test_what_others_wrote_is_escaped() -> None:
    assert prose("<b>x_1</b> & d_{<i>}") == "&lt;b&gt;x<sub>1</sub>&lt;/b&gt; &amp; d<sub>&lt;i&gt;</sub>"


@pytest.mark.parametrize(
    ("name", "words"),
    [("rank-collapse", "Rank collapse"), ("A1-peak", "A1 peak"), ("i-not-j", "i not j"), ("A2", "A2")],
)
def test_assumptions_have_names_in_words(name: str, words: str) -> None:
    assert words_of(name) == words
