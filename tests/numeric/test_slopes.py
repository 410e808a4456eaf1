"""Growth by sampling: the exponent is seen with its interval, and never decides."""

import pytest

from tests.symbolic.scalar.helpers import claim
from verifier.evidence import Budget, Sample
from verifier.numeric.engine import examine
from verifier.numeric.slopes import slope_of


def samples(values, width=0.01):
    return [Sample({}, v, v * (1 - width), v * (1 + width), 1.0, 100) for v in values]


def test_the_slope_of_a_power_is_its_exponent():
    slope = slope_of(samples([size**1.5 for size in (2, 4, 8, 16, 32)]))
    assert slope is not None
    assert slope.low < 1.5 < slope.high
    assert slope.high - slope.low < 0.1
    assert slope_of(samples([1.0, 2.0])) is None


@pytest.mark.parametrize(
    ("order", "words"), [("sqrt(N)", "close to the claimed order"), ("1/N", "not the claimed order")]
)
def test_a_sweep_says_what_it_sees_and_decides_nothing(order, words):
    symbols = {"N": "dimension", "X": "normal(N, 3, std=1)"}
    made = claim(f"E(norm(tanh(X))) == Theta({order})", symbols, grow="N -> oo")
    found = examine(made, made.steps[0], Budget(seconds=4.0))
    assert found.truth == "unknown"
    assert words in found.reason
    assert len(found.samples) >= 3
