"""Between which numbers a tree lies: against its values at points, and where nothing may be said."""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exact.helpers import claim as claim_of
from tests.facts.test_spans import holds
from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, Interval, Positive, Real
from verifier.facts.spans import Span
from verifier.facts.values import Values

SYMBOLS = (
    "n: dimension; m: dimension; k: integer; x: real; a: positive; b: positive; t: interval(0, 1); "
    "s: interval(-1/2, 1/2); v: vector(n); w: vector(n); A: matrix(n, n); Q: psd(n); S: symmetric(n); "
    "p: simplex(n); Z: normal(n); e: rademacher(n); u: uniform(n, 1, 1, 2); "
    "B: bernoulli(n, 1, t); i: index(n)"
)


def span(text: str, assumptions: str = "", lets: str = "") -> Span:
    claim = claim_of(f"{text} >= 0", SYMBOLS, assumptions, lets)
    fact = claim.steps[0].fact
    assert isinstance(fact, N.Relation)
    return claim.values(fact.left)


def sign(text: str, assumptions: str = "", lets: str = "") -> str:
    found = span(text, assumptions, lets)
    for word in ("zero", "positive", "negative", "nonnegative", "nonpositive", "nonzero"):
        if getattr(found, f"is_{word}"):
            return word
    return "unknown"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a*n/b", "positive"),
        ("-a - 2*b", "negative"),
        ("sqrt(a) + exp(x)", "positive"),
        ("a - b", "unknown"),
        ("-1 - a**(1/2)", "negative"),
        ("(-a)*(-b)", "positive"),
        ("x**2", "nonnegative"),
        ("x**3", "unknown"),
        ("1/x", "nonzero"),
        ("1 + x**2", "positive"),
        ("(a - b)**2", "nonnegative"),
        ("x*x", "nonnegative"),
        ("x*a", "unknown"),
        ("x**2 - a", "unknown"),
        ("n - 1", "nonnegative"),
        ("n - 2", "unknown"),
        ("2*n - 1", "positive"),
        ("1 - t", "nonnegative"),
        ("1 - s", "positive"),
        ("1 - t**n", "nonnegative"),
        ("a**x", "positive"),
        ("(-1)**n", "nonzero"),
        ("(-1)**(2*n)", "positive"),
        ("x**(2*k)", "nonnegative"),
        ("x**(2*a)", "unknown"),
        ("2**n - 1", "nonnegative"),
        ("log(1 + a)", "positive"),
        ("log(a)", "unknown"),
        ("log(n)", "nonnegative"),
        ("tanh(a)", "positive"),
        ("tanh(x)", "unknown"),
        ("gelu(a)", "positive"),
        ("sigmoid(x) - 1", "negative"),
        ("cos(x) + 1", "nonnegative"),
        ("abs(x)", "nonnegative"),
        ("max(x, a)", "positive"),
        ("min(x, a)", "unknown"),
        ("min(a, b)", "positive"),
        ("relu(x)", "nonnegative"),
        ("relu(a)", "positive"),
        ("factorial(n)", "positive"),
        ("factorial(x)", "nonzero"),
        ("factorial2(2*n - 1)", "positive"),
        ("factorial2(k)", "unknown"),
        ("binomial(n, m)", "nonnegative"),
        ("binomial(x, n)", "unknown"),
        ("binomial(k, n)", "unknown"),
        ("binomial(2*n, n)", "positive"),
        ("i", "positive"),
        ("pi - 3", "positive"),
        ("a - a*0", "positive"),
    ],
)
def test_scalars(text: str, word: str) -> None:
    assert sign(text) == word


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("norm(v)", "nonnegative"),
        ("norm(ones(n))", "positive"),
        ("norm(zeros(n))", "zero"),
        ("norm(e)", "positive"),
        ("x**2 + norm(v)", "nonnegative"),
        ("tr(Q)*a", "nonnegative"),
        ("tr(S)", "unknown"),
        ("tr(A.T @ A)", "nonnegative"),
        ("tr(A @ A)", "unknown"),
        ("Q[1, 1]", "nonnegative"),
        ("Q[1, n]", "unknown"),
        ("v.T @ v", "nonnegative"),
        ("v.T @ w", "unknown"),
        ("inner(v, v)", "nonnegative"),
        ("inner(v, w)", "unknown"),
        ("inner(p, exp(v))", "nonnegative"),
        ("inner(ones(n), exp(v))", "positive"),
        ("p[i]", "nonnegative"),
        ("softmax(A)[1, 1]", "positive"),
        ("rmsnorm(A)[1, 1]", "unknown"),
        ("eye(n)[1, i]", "nonnegative"),
        ("Z[1]", "unknown"),
        ("u[1]", "positive"),
        ("1 - B[1]", "nonnegative"),
        ("e[1]", "nonzero"),
        ("e[1] + 1", "nonnegative"),
        ("matpow(ones(n, n), n)[1, 1]", "nonnegative"),
        ("matpow(ones(n, n), k)[1, 1]", "unknown"),
        ("diag(exp(v))[1, n]", "nonnegative"),
        ("kron(ones(n), exp(v))[1]", "positive"),
    ],
)
def test_matrices_by_their_entries(text: str, word: str) -> None:
    assert sign(text) == word


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("sum(j, j, 1, n)", "positive"),
        ("sum(j, j, 0, n)", "nonnegative"),
        ("sum(j, j, -n, n)", "unknown"),
        ("sum(j - 1, j, 1, n)", "nonnegative"),
        ("sum(1, j, 2, n)", "nonnegative"),  # no term for n == 1
        ("sum(1, j, n, 2*n)", "nonnegative"),
        ("sum(1, j, 1, n, j != i)", "nonnegative"),
        ("sum(sum(1, l, 1, j), j, 1, n)", "positive"),
        ("sum(sum(1, l, j, n), j, 1, n)", "nonnegative"),
        ("sum(1/2**j, j, 1, oo)", "positive"),
        ("sum(v[j]**4, j, 1, n)", "nonnegative"),
        ("sum(v[j], j, 1, n)", "unknown"),
        ("prod(exp(v[j]), j, 1, n)", "positive"),
        ("prod(v[j]**2, j, 2, n)", "nonnegative"),
        ("prod(-a, j, 1, n)", "nonzero"),
        ("1 - prod(p[j], j, 2, n)", "nonnegative"),
        ("2 - prod(1 + p[j], j, 1, n)", "unknown"),
        ("esum(p[j], j, 1, n, m)", "nonnegative"),
        ("esum(v[j], j, 1, n, 2)", "unknown"),
    ],
)
def test_sums_may_be_empty_and_indices_may_be_anything(text: str, word: str) -> None:
    assert sign(text) == word


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("E(exp(Z[1]))", "positive"),
        ("E(Z[1])", "unknown"),
        ("E(norm(Z + v))", "nonnegative"),
        ("E(e[1])", "unknown"),  # a mean of what is never 0 may be 0
        ("E(u[1]) - 1", "nonnegative"),
        ("Var(Z[1])", "nonnegative"),
        ("Cov(Z[1], Z[1])", "nonnegative"),
        ("Cov(Z[1], Z[1] + x)", "unknown"),
        ("P(Z[1] >= x)", "nonnegative"),
        ("1 - P(Z[1] >= x)", "nonnegative"),
        ("limit(exp(-a*n), n, oo)", "nonnegative"),  # which is 0
        ("limit(x, x, -a)", "unknown"),
        ("limit(sqrt(b), b, x)", "nonnegative"),
        ("limit(b, b, x)", "unknown"),
        ("sup(a, a)", "positive"),
        ("inf(a, a)", "nonnegative"),
        ("sup(-a, a)", "nonpositive"),
        ("inf(x**2 + 1, x)", "positive"),
        ("D(x**2, x)", "unknown"),
    ],
)
def test_means_limits_and_extremes(text: str, word: str) -> None:
    assert sign(text) == word


@pytest.mark.parametrize(
    ("text", "assumptions", "word"),
    [
        ("x", "c: x > 0", "positive"),
        ("x", "c: x != 0", "nonzero"),
        ("x", "c: x >= 0", "nonnegative"),
        ("x", "c: x != 1", "unknown"),
        ("1 - x", "c: x < 1", "positive"),
        ("1 - x", "c: 1 >= x", "nonnegative"),
        ("x - a", "c: x >= a", "nonnegative"),
        ("x", "c: x >= a", "positive"),
        ("a - x", "c: x >= a", "nonpositive"),
        ("x", "c: x in [1, 2]", "positive"),
        ("x", "c: x in [-a, 2]", "unknown"),
        ("norm(v)", "c: norm(v) == 1", "positive"),
        ("x", "c: x == exp(b)", "positive"),
        ("x", "c: x == b - a", "unknown"),
        ("A[1, 1]", "c: A == ones(n, n)", "positive"),
        ("A[1, 1]", "c: A[1, 2] > 0", "unknown"),
        ("Z[1]", "c: Z[1] > 0", "positive"),
        ("E(Z[1])", "c: Z[1] > 0", "unknown"),  # a mean runs over all draws
        ("E(x*exp(Z[1]))", "c: x > 0", "positive"),
        ("sup(x, x)", "c: x < 0", "unknown"),
        ("inf(x*a, a)", "c: x > 0", "nonnegative"),
        ("limit(1 - x, x, oo)", "c: x < 1", "unknown"),
    ],
)
def test_assumptions(text: str, assumptions: str, word: str) -> None:
    assert sign(text, assumptions) == word


def test_an_assumed_value_takes_the_place_of_what_made_it() -> None:
    assert sign("M[1, 1]", lets="M: softmax(A)") == "positive"
    assert sign("M[1, 1]", "c: M == -ones(n, n)", "M: softmax(A)") == "negative"
    assert sign("x", "c: x == y*2; d: y == x", "y: x/2") == "unknown"


def test_every_function_has_its_values() -> None:
    for name in N.UNARY:
        assert isinstance(Values.of({})(N.Apply(name, (N.Symbol("x"),))), Span)


def test_ends_that_name_each_other_end() -> None:
    x, y = N.Symbol("x"), N.Symbol("y")
    symbols = {
        "x": Declared("x", Interval(y, N.Infinity()), x.shape),
        "y": Declared("y", Interval(x, N.Infinity()), y.shape),
        "z": Declared("z", Interval(N.Number(Fraction(1)), y), x.shape),
    }
    assert Values.of(symbols)(x) == Span()
    assert Values.of(symbols)(N.Symbol("z")).is_positive


Made = tuple[N.Node, float]
AT = {"x": 0.7, "y": -1.3, "a": 0.4, "c": 2.5, "t": 0.25}
DECLARED = {
    **{name: Declared(name, Real(), N.Symbol(name).shape) for name in "xy"},
    **{name: Declared(name, Positive(), N.Symbol(name).shape) for name in "ac"},
    "t": Declared("t", Interval(N.Number(Fraction(0)), N.Number(Fraction(1))), N.Symbol("t").shape),
}
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "exp": math.exp,
    "sin": math.sin,
    "cos": math.cos,
    "atan": math.atan,
    "tanh": math.tanh,
    "erf": math.erf,
    "abs": abs,
    "sigmoid": lambda u: 1 / (1 + math.exp(-u)),
    "relu": lambda u: max(u, 0.0),
    "silu": lambda u: u / (1 + math.exp(-u)),
    "gelu": lambda u: u * (1 + math.erf(u / math.sqrt(2))) / 2,
    "softplus": lambda u: math.log1p(math.exp(u)),
    "Phi": lambda u: (1 + math.erf(u / math.sqrt(2))) / 2,
    "phi": lambda u: math.exp(-u * u / 2) / math.sqrt(2 * math.pi),
}


def _grow(inner: st.SearchStrategy[Made]) -> st.SearchStrategy[Made]:
    def apply(name: str, one: Made) -> Made:
        return N.Apply(name, (one[0],)), FUNCTIONS[name](max(min(one[1], 30.0), -30.0))

    def power(one: Made, k: int) -> Made:
        return N.Power(one[0], N.Number(Fraction(k))), one[1] ** k

    return st.one_of(
        st.builds(lambda f, g: (N.Add(f[0], g[0]), f[1] + g[1]), inner, inner),
        st.builds(lambda f, g: (N.Subtract(f[0], g[0]), f[1] - g[1]), inner, inner),
        st.builds(lambda f, g: (N.Multiply(f[0], g[0]), f[1] * g[1]), inner, inner),
        st.builds(lambda f, g: (N.Apply("max", (f[0], g[0])), max(f[1], g[1])), inner, inner),
        st.builds(lambda f, g: (N.Apply("min", (f[0], g[0])), min(f[1], g[1])), inner, inner),
        st.builds(apply, st.sampled_from(sorted(FUNCTIONS)), inner),
        st.builds(power, inner, st.integers(0, 4)),
    )


LEAVES: st.SearchStrategy[Made] = st.one_of(
    st.sampled_from([(N.Symbol(name), value) for name, value in AT.items()]),
    st.integers(-2, 2).map(lambda k: (N.Number(Fraction(k)), float(k))),
)


@given(st.recursive(LEAVES, _grow, max_leaves=6))
def test_no_value_is_lost(made: Made) -> None:
    tree, value = made
    found = Values.of(DECLARED)(tree)
    if math.isfinite(value) and 1e-9 < abs(value) < 1e9:
        nudged = [Fraction(value * scale) for scale in (1 - 1e-9, 1, 1 + 1e-9)]
        assert any(holds(found, near) for near in nudged)
