"""Jensen, Poincare and Cacoullos: true where they apply, silent where a kink or a jump would mislead."""

import mpmath as mp
import pytest

from tests.prove.integrate.quadrature import FUNCTIONS, one
from tests.prove.specs import judged
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.evaluate import evaluate
from verifier.prove.means.convex_functions import SQUARES, STEEPEST

SYMBOLS = """
d: dimension
s: positive
mu: real
x: vector(d)
w: normal(d, std=s)
h: normal(std=s)
l: normal(mean=mu, std=s)
"""
CLAIMS = {
    "E(softplus(l)) >= softplus(mu)": ["E(softplus(l)) <= softplus(mu)"],
    "Var(sigmoid(l)) <= s**2/16": ["Var(sigmoid(l)) <= s**2/20"],
    "Var(tanh(l)) <= s**2": ["Var(tanh(l)) <= s**2/2"],
    "Var(silu(x.T @ w)) <= 1.21*s**2*norm(x)**2": ["Var(silu(x.T @ w)) <= s**2*norm(x)**2/8"],
    "Var(tanh(l)) >= s**2*E(D(tanh(l), l))**2": [],
}


@pytest.mark.parametrize("says", CLAIMS)
def test_bounds(says: str) -> None:
    found = judged(says, SYMBOLS)
    assert found.truth == "true", found
    for sibling in CLAIMS[says]:
        false = judged(sibling, SYMBOLS)
        assert false.truth == "false", false
        assert false.counterexample is not None


@pytest.mark.parametrize(
    "says",
    [
        "E(abs(tanh(l))) <= abs(tanh(mu))",  # abs'' is 0 almost everywhere, and abs is not concave
        "Var(D(relu(h), h)) <= 0",  # a jump has slope 0 almost everywhere
        "E(tanh(l)) >= tanh(mu)",  # neither convex nor concave
    ],
)
def test_what_derivatives_do_not_show(says: str) -> None:
    assert judged(says, SYMBOLS, seconds=4.0).truth != "true"


@pytest.mark.parametrize("name", ["tanh", "sigmoid", "silu", "gelu"])
def test_the_inequalities_themselves(name: str) -> None:
    """Var(u) (E f')**2 <= Var f <= Var(u) E f'**2, by quadrature."""
    f = FUNCTIONS[name]
    with mp.workdps(20):
        for variance, mean in ((mp.mpf("0.4"), mp.mpf(1)), (mp.mpf(3), mp.mpf("-0.5"))):
            spread = one(lambda u: f(u) ** 2, variance, mean) - one(f, variance, mean) ** 2
            slope = one(lambda u: mp.diff(f, u), variance, mean)
            steep = one(lambda u: mp.diff(f, u) ** 2, variance, mean)
            assert variance * slope**2 <= spread <= variance * steep


@pytest.mark.parametrize("name", sorted(STEEPEST))
def test_the_steepest_slopes(name: str) -> None:
    """No slope on a fine grid is above the constant, and one comes close."""
    functions = {**FUNCTIONS, "atan": mp.atan}
    slopes = [abs(mp.diff(functions[name], mp.mpf(k) / 10 + mp.mpf("0.003"))) for k in range(-60, 61)]
    limit = mp.mpf(STEEPEST[name].numerator) / STEEPEST[name].denominator
    assert 0.995 * limit < max(slopes) <= limit
    if name in SQUARES:
        ((square,),) = evaluate(SQUARES[name], {})
        assert float(enclose(square)) == pytest.approx(float(limit) ** 2, rel=1e-4)
        assert mp.almosteq(mp.diff(functions[name], 0) ** 2, float(enclose(square)), 1e-12)
