"""Closed forms of whole expressions at one point against plain draws: five standard errors, fixed seed."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from tests.prove.specs import claim
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.prove.equal.closed_form import closed_form

SYMBOLS = """
d: dimension
m: dimension
k: dimension
s: positive
t: positive
rho: interval(0, 1)
x: vector(d)
y: vector(d)
b: vector(m)
W: normal(m, d, std=s)
R: normal(m, d, std=s, row_corr=rho)
M: normal(m, d, std=s, mean=1)
U: normal(k, m, std=t)
q: normal(m, std=1/2)
F: normal(m, d, std=s, copies=2)
"""
POINT = {"d": 2, "m": 3, "k": 2, "s": Fraction(1, 2), "t": 2, "rho": Fraction(1, 4)} | {
    "x": [[1], [2]],
    "y": [[2], [-1]],
    "b": [[1], [-1], [2]],
}
DRAWS = 100_000
rng = np.random.default_rng(7)
x, y, b = (np.array(POINT[name], dtype=float) for name in ("x", "y", "b"))
W, F1, F2 = 0.5 * rng.standard_normal((3, DRAWS, 3, 2))
U, q, M = 2 * rng.standard_normal((DRAWS, 2, 3)), 0.5 * rng.standard_normal((DRAWS, 3, 1)), 1 + F1
R = 0.5 * (0.5 * rng.standard_normal((DRAWS, 1, 2)) + math.sqrt(0.75) * rng.standard_normal((DRAWS, 3, 2)))
erf = np.vectorize(math.erf)


def relu(a: np.ndarray) -> np.ndarray:
    return np.maximum(a, 0)


def gelu(a: np.ndarray) -> np.ndarray:
    return a * (1 + erf(a / math.sqrt(2))) / 2


def total(a: np.ndarray) -> np.ndarray:
    return a.sum((1, 2))


def gradient() -> np.ndarray:
    """2 W' diag(step(W x)) U' U relu(W x)"""
    back = np.einsum("nki,nk->ni", U, (U @ relu(W @ x))[..., 0]) * ((W @ x)[..., 0] > 0)
    return 2 * np.einsum("nij,ni->nj", W, back)


CASES: dict[str, Callable[[], np.ndarray]] = {
    "E((ones(m).T @ relu(W @ x))**3)": lambda: total(relu(W @ x)) ** 3,
    "E(norm(relu(W @ x))**2 * (ones(m).T @ relu(W @ y)))": lambda: (
        total(relu(W @ x) ** 2) * total(relu(W @ y))
    ),
    "E(norm(relu(R @ x))**2)": lambda: total(relu(R @ x) ** 2),
    "E((ones(m).T @ relu(R @ x))**2)": lambda: total(relu(R @ x)) ** 2,
    "E(norm(relu(M @ x))**2)": lambda: total(relu(M @ x) ** 2),
    "E(norm(relu(W @ x + q + b))**2)": lambda: total(relu(W @ x + q + b) ** 2),
    "E(norm(D(norm(U @ relu(W @ x))**2, x))**2)": lambda: (gradient() ** 2).sum(1),
    "E(inner(gelu(W @ x), gelu(W @ y)))": lambda: total(gelu(W @ x) * gelu(W @ y)),
    "E((ones(m).T @ gelu(W @ x))**2)": lambda: total(gelu(W @ x)) ** 2,
    "E((x.T @ W.T @ relu(W @ y))**2)": lambda: total((W @ x) * relu(W @ y)) ** 2,
    "E(norm(relu(F[1] @ x) - relu(F[2] @ x))**2)": lambda: total((relu(F1 @ x) - relu(F2 @ x)) ** 2),
    "E(norm(U @ (relu(W @ x) - relu(W @ y)))**2)": lambda: total((U @ (relu(W @ x) - relu(W @ y))) ** 2),
    "E(relu(W @ x)[1]*relu(W @ x)[2]*relu(W @ y)[1])": lambda: (
        relu(W @ x)[:, 0] * relu(W @ x)[:, 1] * relu(W @ y)[:, 0]
    ),
    "E(norm(sin(W @ x) * (W @ y))**2)": lambda: total((np.sin(W @ x) * (W @ y)) ** 2),
    "E(norm(abs(W @ x) * (W @ y))**2)": lambda: total((W @ x) ** 2 * (W @ y) ** 2),
    "E(ones(m).T @ max(W @ x, W @ y))": lambda: total(np.maximum(W @ x, W @ y)),
    "E(norm(relu(W) @ x)**2)": lambda: total((relu(W) @ x) ** 2),
    "E(norm(relu(W) @ relu(W).T)**2)": lambda: total((relu(W) @ relu(W).transpose(0, 2, 1)) ** 2),
}


@pytest.mark.parametrize("expression", CASES)
def test_the_closed_form_lies_among_the_draws(expression: str) -> None:
    made = claim(f"{expression} == 0", SYMBOLS)
    closed = closed_form(made, made.steps[0].fact.left, 20)  # type: ignore[union-attr]
    assert closed is not None
    ((value,),) = evaluate(closed, POINT, Context.of(made))
    draws = CASES[expression]().ravel()
    error = draws.std() / math.sqrt(DRAWS)
    assert abs(float(enclose(value).mid()) - draws.mean()) < 5 * error
