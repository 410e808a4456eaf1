"""Derivations: contractions in tables, every other line as it is."""

from tests.report.examples import example_claims
from verifier.report.derivation import MOST_LINES, Averaged, derivation

LINES = (
    "first a remark",
    "E over W: norm(X @ W)**4",
    "  contract one W of norm(X @ W)**2:",
    "  1 -> (d*sigma**2) * norm(X)**2",
    "  2 -> (2*sigma**2) * norm(X @ X.T)**2",
    "E over W: tr(W)",
    "  contract one W of tr(W):",
    "3 pairings of W merged",
)


def test_classes_have_counts_and_contributions() -> None:
    found = derivation(example_claims()["second-moment"], "symbolic", LINES)
    remark, table, merged = found.parts
    assert (remark, merged) == ("first a remark", "3 pairings of W merged")
    assert isinstance(table, tuple)
    first, second = table
    assert isinstance(first, Averaged)
    assert [item.count for item in first.classes] == [1, 2]
    assert "<math>" in first.classes[0].factor
    assert second.classes == []
    assert found.summary == "2 contractions, 2 classes of pairings, 2 lines"


def test_what_cannot_be_typeset_is_shown_as_text_and_escaped() -> None:
    lines = ("E over W: <b>(W", "  3 -> (1) * delta(_i0, _i1)")
    ((item,),) = derivation(example_claims()["second-moment"], "symbolic", lines).parts
    assert item.body == "&lt;b&gt;(W"
    assert item.classes[0].rest == "delta(_i0, _i1)"


def test_long_ones_are_cut_and_say_so() -> None:
    found = derivation(example_claims()["second-moment"], "symbolic", LINES * 1000)
    assert found.left_out == 8000 - MOST_LINES
