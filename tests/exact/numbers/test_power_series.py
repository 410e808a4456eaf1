"""Power series in a small scale, against quadrature and against expansions worked out by hand."""

import mpmath
import pytest
from flint import fmpq

from verifier.exact.means.entry_moments import Draw
from verifier.exact.numbers import value_matrices as mx
from verifier.exact.numbers.constants import HALF, ONE, ZERO, enclose
from verifier.exact.numbers.operations import apply, inverse, power
from verifier.exact.numbers.polynomial import Poly
from verifier.exact.numbers.power_series import Series, line_at
from verifier.exact.numbers.refusals import Unsupported

ORDER = 4


def normal(factor: fmpq = ONE) -> tuple[Draw, Series]:
    """factor * s * z with a standard normal z."""
    from verifier.expr.nodes import Number
    from verifier.expr.symbols import Normal

    draw = Draw()
    law = Normal(Number(0), Number(1))
    ((entry,),) = draw.entries(law, 1, 1, lambda node: ((fmpq(int(node.value)),),))
    return draw, Series.scale(ORDER, factor) * entry


@pytest.mark.parametrize("name", ["sin", "cos", "tanh", "sigmoid", "softplus", "erf", "gelu", "silu", "Phi"])
def test_means_of_functions_agree_with_quadrature(name: str) -> None:
    draw, x = normal(fmpq(3, 2))
    mean = draw.integrate(apply(name, x + HALF) * apply(name, x + HALF))
    coefficients = [mpmath.mpf(str(enclose(c).mid().str(30, radius=False))) for c in mean.coefficients]
    functions = {
        "sigmoid": lambda u: 1 / (1 + mpmath.exp(-u)),
        "softplus": lambda u: mpmath.log1p(mpmath.exp(u)),
        "gelu": lambda u: u * mpmath.ncdf(u),
        "silu": lambda u: u / (1 + mpmath.exp(-u)),
        "Phi": mpmath.ncdf,
    }
    f = functions.get(name) or getattr(mpmath, name)
    with mpmath.workdps(30):
        errors = []
        for s in (mpmath.mpf(1) / 50, mpmath.mpf(1) / 100):
            exact = mpmath.quad(lambda z, s=s: f(1.5 * s * z + 0.5) ** 2 * mpmath.npdf(z), [-12, 0, 12])
            errors.append(abs(exact - mpmath.polyval(coefficients[::-1], s)))
        # The mean is even in s, so what is left out begins with s**6.
        assert errors[1] < errors[0] / 50 < mpmath.mpf(10) ** -8


def test_a_softmax_of_small_logits() -> None:
    """E a**2 = 1/4 + s**2/16 - s**4/32 + ... for a = 1/(1 + exp(-s z))"""
    draw, x = normal()
    ((weight, rest),) = mx.softmax(((x, ZERO),))
    assert draw.integrate(weight * weight).coefficients == (fmpq(1, 4), 0, fmpq(1, 16), 0, fmpq(-1, 32))
    assert draw.integrate(weight + rest).coefficients == (ONE, 0, 0, 0, 0)
    assert draw.integrate(weight).coefficients == (HALF, 0, 0, 0, 0)


def test_roots_and_quotients_of_what_is_certain() -> None:
    s = Series.scale(ORDER)
    assert inverse(ONE + s).coefficients == (1, -1, 1, -1, 1)
    assert power(ONE + s, HALF).coefficients[:4] == (1, HALF, fmpq(-1, 8), fmpq(1, 16))
    assert power(s * s * fmpq(4), HALF).coefficients[:3] == (0, 2, 0)
    assert apply("exp", s).coefficients == (1, 1, HALF, fmpq(1, 6), fmpq(1, 24))
    assert apply("log", ONE + s).coefficients == (0, 1, -HALF, fmpq(1, 3), fmpq(-1, 4))
    with pytest.raises(Unsupported):
        inverse(s)
    with pytest.raises(Unsupported):
        power(s, HALF)


def test_what_is_not_known_is_not_made_up() -> None:
    known, short = Series((ONE, ONE, ONE)), Series((ONE, ONE))
    assert (known * short).coefficients == (1, 2)
    assert (known - known).sign is None  # zero as far as is known, which says nothing of the rest
    assert (known - short).leading is None
    assert Series((ZERO, fmpq(-3), ONE)).sign == -1


@pytest.mark.parametrize("name", ["exp", "log", "sqrt", "abs", "relu"])
def test_functions_whose_means_may_not_be_expanded_are_refused(name: str) -> None:
    _, x = normal()
    with pytest.raises(Unsupported):
        apply(name, x + ONE)


def test_functions_of_entries_that_are_not_small_need_moments() -> None:
    _, x = normal()
    entry = Poly.variable(7)
    assert (x * entry.apply("relu")).is_random
    with pytest.raises(Unsupported):
        x * entry.apply("exp")
    with pytest.raises(Unsupported):
        line_at(x + entry)
    with pytest.raises(Unsupported):
        inverse(x + ONE)


def test_as_a_reader_sees_it() -> None:
    assert str(Series((fmpq(1, 4), ZERO, fmpq(-1, 8)))) == "1/4 - 1/8*s**2 + ..."
    assert str(Series((ZERO, ONE))) == "s + ..."
    assert str(Series((fmpq(3),))) == "3"
