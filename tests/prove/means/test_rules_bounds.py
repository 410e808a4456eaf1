"""Rules that are inequalities, symmetries and recursions: each one sampled by quadrature with mpmath."""

from collections.abc import Callable
from fractions import Fraction

import mpmath as mp
import pytest
from flint import arb

from tests.prove.integrate.quadrature import FUNCTIONS, one
from tests.prove.specs import claim
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.evaluate import Evaluator, evaluate
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.prove.equal.closed_form import closed_form
from verifier.prove.means.correlated_products import (
    HALF_LARGEST,
    HALF_SLOPE,
    LARGEST,
    NONNEGATIVE,
    ODD,
    SLOPE,
)

Function = Callable[[mp.mpf], mp.mpf]
ALL: dict[str, Function] = {**FUNCTIONS, "atan": mp.atan}
GRID = [mp.mpf(k) / 8 + mp.mpf("0.01") for k in range(-64, 65)]
STEP = mp.mpf(1) / 4
NODES = [k * STEP for k in range(-36, 37)]  # of the trapezoidal rule, which is exact to 1e-15 for these f
WEIGHTS = [mp.npdf(z) * STEP for z in NODES]


def value(node: N.Node) -> mp.mpf:
    ((found,),) = evaluate(node, {})
    return mp.mpf(enclose(found).str(30, radius=False))


def mean(f: Function) -> mp.mpf:
    return mp.fsum(w * f(z) for z, w in zip(NODES, WEIGHTS, strict=True))


def joint(f: Function, g: Function, r: mp.mpf) -> mp.mpf:
    """E f(u) g(v) for standard normal u, v of correlation r."""
    left = mp.sqrt(1 - r * r)
    inner = [mp.fsum(w * g(r * u + left * z) for z, w in zip(NODES, WEIGHTS, strict=True)) for u in NODES]
    return mp.fsum(w * f(u) * x for u, w, x in zip(NODES, WEIGHTS, inner, strict=True))


@pytest.mark.parametrize("r", ["-0.9", "0.3", "0.95"])
@pytest.mark.parametrize(("first", "second"), [("tanh", "erf"), ("sin", "tanh"), ("sigmoid", "silu")])
def test_cauchy_and_gebelein(first: str, second: str, r: str) -> None:
    """|E f(u) g(v)| <= sqrt(E f**2 E g**2); with |r| in front for odd f, g, and for covariances of any"""
    f, g = ALL[first], ALL[second]
    found, squares = joint(f, g, mp.mpf(r)), [mean(lambda x, h=h: h(x) ** 2) for h in (f, g)]
    centres = [mean(h) for h in (f, g)]
    assert abs(found) <= mp.sqrt(squares[0] * squares[1])
    if {first, second} <= ODD:
        assert abs(found) <= abs(mp.mpf(r)) * mp.sqrt(squares[0] * squares[1])
        assert abs(found) > mp.mpf(r) ** 2 * mp.sqrt(squares[0] * squares[1]) or abs(mp.mpf(r)) > 0.9
    spreads = mp.sqrt((squares[0] - centres[0] ** 2) * (squares[1] - centres[1] ** 2))
    assert abs(found - centres[0] * centres[1]) <= abs(mp.mpf(r)) * spreads


def test_the_largest_values_and_slopes() -> None:
    """|f(x)| <= c and |f(x)| <= k |x|, with the smallest c and k; f >= 0; f(-x) = -f(x)"""
    for name, bound in LARGEST.items():
        assert max(abs(ALL[name](40 * x)) for x in GRID) <= value(bound) + mp.mpf(10) ** -20
        assert max(abs(ALL[name](40 * x)) for x in GRID) > mp.mpf("0.99") * value(bound)
    for name, bound in SLOPE.items():
        ratios = [abs(ALL[name](x) / x) for x in GRID]
        assert mp.mpf("0.97") * value(bound) < max(ratios) <= value(bound) + mp.mpf(10) ** -20
    assert all(ALL[name](x) >= 0 for name in NONNEGATIVE for x in GRID)
    assert all(abs(ALL[name](x) + ALL[name](-x)) < mp.mpf(10) ** -14 for name in ODD for x in GRID)


@pytest.mark.parametrize("variance", ["0.5", "10000"])
def test_halves(variance: str) -> None:
    """E f(u)**2 <= Var(u)/2 and E f(u)**2 <= 1/2, by f(u)**2 + f(-u)**2; nearly reached"""
    v = mp.mpf(variance)
    for name in HALF_SLOPE:
        assert one(lambda u, f=ALL[name]: f(u) ** 2, v) <= v / 2 + mp.mpf(10) ** -12
        assert v < 100 or one(lambda u, f=ALL[name]: f(u) ** 2, v) > mp.mpf("0.48") * v
        assert all(ALL[name](x) ** 2 + ALL[name](-x) ** 2 <= x * x + mp.mpf(10) ** -14 for x in GRID)
    for name in HALF_LARGEST:
        assert one(lambda u, f=ALL[name]: f(u) ** 2, v) <= mp.mpf(1) / 2
        assert all(ALL[name](x) ** 2 + ALL[name](-x) ** 2 <= 1 for x in GRID)


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_jensen_and_hoelder_for_norms(size: int) -> None:
    """(E |F|**2)**(3/2)/sqrt(E |F|**4) <= E |F| <= sqrt(E |F|**2), here for F = w of some size"""
    moments = [length(size, k) for k in (1, 2, 4)]
    assert moments[1] ** mp.mpf("1.5") / mp.sqrt(moments[2]) <= moments[0] <= mp.sqrt(moments[1])


def length(size: int, order: int) -> mp.mpf:
    """E |w|**order for w ~ N(0, I), by the density of the length."""
    density = 2 ** (1 - mp.mpf(size) / 2) / mp.gamma(mp.mpf(size) / 2)
    return mp.quad(lambda r: density * r ** (size - 1 + order) * mp.exp(-r * r / 2), [0, 1, 3, 6, 16])


def closed(text: str, symbols: str) -> mp.mpf:
    made = claim(f"{text} == 1", symbols)
    found = closed_form(made, made.steps[0].fact.left)  # type: ignore[union-attr]
    assert found is not None, text
    return value(found)


@pytest.mark.parametrize("order", [-2, -1, 1, 2, 3])
def test_moments_of_lengths(order: int) -> None:
    """E |w|**(j + 2) = (D + j) E |w|**j for j > -D; beside a step, which is homogeneous of degree 0"""
    symbols = "w: normal(5)"
    expected = length(5, order) / 2
    power = f"norm(w)**{order}" if order > 0 else f"1/norm(w)**{-order}"
    assert mp.almosteq(closed(f"E(indicator(w[1] > 0)*{power})", symbols), expected, mp.mpf(10) ** -12)


ANGLES = [0, mp.pi / 2, mp.pi, 3 * mp.pi / 2, 2 * mp.pi]


@pytest.mark.parametrize(
    ("text", "f"),
    [
        ("E(relu(w[1])**2*relu(w[2])/norm(w)**3)", lambda c, s: max(c, 0) ** 2 * max(s, 0)),
        ("E(abs(w[1])*relu(w[2])/norm(w)**2)", lambda c, s: abs(c) * max(s, 0)),
        ("E(norm(relu(rmsnorm(w.T)))**4)", lambda c, s: 4 * (max(c, 0) ** 2 + max(s, 0) ** 2) ** 2),
        ("E(norm(rmsnorm(w.T), 1))", lambda c, s: mp.sqrt(2) * (abs(c) + abs(s))),
    ],
)
def test_directions_of_homogeneous_functions(text: str, f: Callable[[mp.mpf, mp.mpf], mp.mpf]) -> None:
    """relu(c u) = c relu(u); the direction of two normal entries is a uniform angle"""
    with mp.workdps(20):
        angular = mp.quad(lambda t: f(mp.cos(t), mp.sin(t)), ANGLES) / (2 * mp.pi)
        assert mp.almosteq(closed(text, "w: normal(2)"), angular, mp.mpf(10) ** -12)


def test_centred_rows_are_directions_of_one_dimension_less() -> None:
    """layernorm of three entries: a uniform angle in the plane that is orthogonal to (1, 1, 1)"""

    def first(t: mp.mpf) -> mp.mpf:
        return mp.sqrt(3) * mp.sqrt(mp.mpf(2) / 3) * mp.cos(t)

    angular = mp.quad(lambda t: max(first(t), 0) ** 4, ANGLES) / (2 * mp.pi)
    assert mp.almosteq(closed("E(relu(layernorm(w.T)[1, 1])**4)", "w: normal(3)"), angular, mp.mpf(10) ** -12)


@pytest.mark.parametrize(("a", "b", "r"), [("0.7", "1.9", "0.4"), ("2", "0.3", "-0.8")])
def test_lengths_and_angles(a: str, b: str, r: str) -> None:
    """E relu(u) relu(v) = a b K(r): homogeneous in both lengths, and a function of the angle else"""
    with mp.workdps(20):
        turn = mp.acos(mp.mpf(r))
        angular = mp.quad(lambda t: mp.cos(t) * mp.cos(t - turn), [turn - mp.pi / 2, mp.pi / 2]) / mp.pi
        text = f"E(relu({a}*g)*relu({b}*({r}*g + sqrt(1 - ({r})**2)*h)))"
        found = closed(text, "g: normal()\nh: normal()")
        assert mp.almosteq(found, mp.mpf(a) * mp.mpf(b) * angular, mp.mpf(10) ** -12)


def test_roots_of_products() -> None:
    """sqrt(1 + a + b + a b) = sqrt(1 + a) sqrt(1 + b), in E Phi(g) Phi(h) for independent g, h: 1/4"""
    found = closed("E(gelu(g)*gelu(h))", "g: normal(std=2)\nh: normal(std=3)")
    each = [one(lambda u: u * mp.ncdf(u), mp.mpf(v)) for v in (4, 9)]
    assert mp.almosteq(found, each[0] * each[1], mp.mpf(10) ** -12)


def test_the_softmax_of_exchangeable_entries() -> None:
    """E softmax(w)[1] = 1/2 for two entries: E sigmoid(w_1 - w_2)"""
    found = closed("E(softmax(w.T)[1, 1])", "w: normal(2, std=3)")
    assert mp.almosteq(found, one(ALL["sigmoid"], mp.mpf(18)), mp.mpf(10) ** -12)


@pytest.mark.parametrize("power", [1, 2])
def test_equal_or_apart(power: int) -> None:
    """E (sum_a f(u_a))**2 = m E f**2 + m (m - 1) (E f)**2 for independent u_a"""
    text, f = f"E(inner(ones(3), relu(w)**{power})**2)", ALL["relu"]
    first, second = (one(lambda u, k=k: f(u) ** (k * power), mp.mpf(4)) for k in (1, 2))
    assert mp.almosteq(closed(text, "w: normal(3, std=2)"), 3 * second + 6 * first**2, mp.mpf(10) ** -12)


@pytest.mark.parametrize("body", ["tanh", "gelu", "silu"])
def test_an_integral_over_a_piece(body: str) -> None:
    """E f(s z)**2 for all s of a piece is enclosed at once."""
    made = claim(f"E({body}(s*g)**2) <= s**2", "s: interval(0, 2)\ng: normal()")
    fact = made.steps[0].fact
    assert isinstance(fact, N.Relation)
    piece = arb("1.25").union(arb("1.3125"))
    ((found,),) = Evaluator(Context.of(made), {"s": piece}).value(fact.left)
    for s in (Fraction(5, 4), Fraction(41, 32), Fraction(21, 16)):
        exact = one(lambda u: ALL[body](u) ** 2, mp.mpf(s.numerator) ** 2 / s.denominator**2)
        assert enclose(found).overlaps(arb(str(exact)))
    assert enclose(found).rad() < 0.3
