"""Ranges of means: tight, loose by one end, and false."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
m: dimension
d: dimension
s: positive
x: vector(d)
W: normal(m, d, std=1/sqrt(d))
h: normal(std=s)
"""
UNIT = "unit: norm(x)**2 == d"


@pytest.mark.parametrize(
    ("says", "tight"),
    [
        ("E(sigmoid(h)**2) in [1/4, 1/2]", True),
        ("E(sigmoid(h)**2) in [0, 1/2]", False),
        ("E(sigmoid(h)**2) in [1/4, 1]", False),
        ("E(norm(tanh(W @ x))**2)/m in [0.394, 0.395]", False),
    ],
)
def test_true_ranges(says: str, tight: bool) -> None:
    found = judged(says, SYMBOLS, assume=UNIT)
    assert found.truth == "true", found
    assert found.tightness is not None
    assert found.tightness.tight is tight
    if not tight:  # the better range is true as well
        assert found.tightness.better is not None
        better = f"{says.partition(' in ')[0]} in {found.tightness.better}"
        assert judged(better, SYMBOLS, assume=UNIT).truth == "true"


@pytest.mark.parametrize(
    "says", ["E(sigmoid(h)**2) in [1/4, 1/3]", "E(norm(tanh(W @ x))**2)/m in [0.395, 1]"]
)
def test_false_ranges(says: str) -> None:
    assert judged(says, SYMBOLS, assume=UNIT).truth == "false"


@pytest.mark.parametrize("high", ["limit(1/4 + 1/m, m, oo)", "-oo"])
def test_an_end_bounds_unless_it_is_infinite_outwards(high: str) -> None:
    found = judged(f"E(sigmoid(h)**2) in [1/4, {high}]", SYMBOLS)
    assert found.truth != "true", found


@pytest.mark.parametrize("says", ["E(norm(W)**2)/m in [1, 2]", "E(norm(W)**2)/m in [0, 1]"])
def test_a_range_around_one_number_shrinks_to_it(says: str) -> None:
    found = judged(says, SYMBOLS)
    assert found.tightness is not None
    assert (found.truth, found.tightness.tight, found.tightness.better) == ("true", False, "[1, 1]")
