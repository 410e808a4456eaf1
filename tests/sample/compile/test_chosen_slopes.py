"""A derivative counts where the slopes from both sides agree, and its kinks are no counterexamples."""

import pytest
import torch

from tests.sample.specs import claim_of, look
from verifier.sample.compile.chosen_slopes import SIDED, sided_norm

SYMBOLS = {
    "n": "dimension",
    "x": "real",
    "g": "normal(1, 1)",
    "w": "normal(n)",
    "r": "rademacher(n)",
    "q": "rademacher(n)",
    "b": "bernoulli(1, 1, 1/2)",
}


def slope(side: str, function: str, *args: float) -> list[float]:
    tensors = [torch.tensor(arg, dtype=torch.float64, requires_grad=True) for arg in args]
    SIDED[side][function](*tensors).backward()  # type: ignore[index]
    return [0.0 if item.grad is None else float(item.grad) for item in tensors]


def test_slopes_at_kinks_are_those_of_one_side() -> None:
    assert slope("above", "relu", 0.0) == [1.0]
    assert slope("below", "relu", 0.0) == [0.0]
    assert slope("above", "abs", 0.0) == [1.0]
    assert slope("below", "abs", 0.0) == [-1.0]
    assert slope("above", "max", 2.0, 2.0) == [1.0, 0.0]
    assert slope("below", "max", 2.0, 2.0) == [0.0, 1.0]
    assert slope("above", "min", 2.0, 2.0) != slope("below", "min", 2.0, 2.0)


def test_sided_norms_have_the_values_of_norms() -> None:
    value = torch.tensor([[1.0], [-3.0], [3.0], [0.0]], dtype=torch.float64)
    for side in SIDED:
        assert float(sided_norm(value, "1", side)) == 7
        assert float(sided_norm(value, "oo", side)) == 3


NOWHERE = ["E(D(relu(r[1] + q[1]), r))", "E(D(max(r[1], q[1]), r))", "E(D(norm(r, oo), r))"]


@pytest.mark.parametrize("left", NOWHERE)
def test_what_meets_kinks_with_positive_chance_has_no_mean(left: str) -> None:
    found = look(claim_of(f"{left} == 5 * ones(1, n)", SYMBOLS, extra="where: {n: 3}"), seconds=1.0)
    assert found.truth == "unknown"
    assert not found.samples


TRUE = {  # false siblings: the same with twice the right side
    "E(D(relu(x * g), x)**2)": "1/2",
    "E(D(abs(x * g), x)**2)": "1",
    "E(D(relu(relu(x) * b), x) - D(relu(x) * b, x) + 1)": "1",  # relu(0) of a zero function is no kink
    "E(norm(D(relu(w * relu(w)), w))**2)": "2 * n",  # so it is where w < 0: 4 w^2 above, 0 below
}


@pytest.mark.parametrize("left", TRUE)
def test_kinks_of_no_weight_refute_nothing(left: str) -> None:
    assert look(claim_of(f"{left} == {TRUE[left]}", SYMBOLS), seconds=1.5).truth != "false"
    assert look(claim_of(f"{left} == 2 * ({TRUE[left]})", SYMBOLS), seconds=1.5).truth == "false"
