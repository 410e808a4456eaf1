"""Depth-L claims: transfer matrices, limits under depth scaling, special inputs, wrong siblings."""

import pytest

from tests.prove.scalars.helpers import judge

RESIDUAL = """
layers:
  state: X
  depth: L
  symbols:
    V: normal(d, d, std=1/sqrt(d))
    W: normal(d, d, std=1/sqrt(d))
  let:
    Z: s * (ones(n, n) / n @ X @ V) + X
  next: t * (Z @ W) + Z
"""
S = {"n": "dimension", "d": "dimension", "L": "dimension", "s": "real", "t": "real", "X": "matrix(n, d)"}
SCALED = {**S, "a": "real", "b": "real"}
SCALING = ("s == sqrt(a/L)", "t == sqrt(b/L)")
TOTAL = "E(norm(after(X, L).T @ ones(n))**2)"
SQUARE = "E(norm(after(X, L))**2)"
ADDED = "sum(E(norm((after(X, k) - after(X, k - 1)).T @ ones(n))**2), k, {}, L)"


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (f"{TOTAL} == ((s**2 + 1)*(t**2 + 1))**L*norm(X.T @ ones(n))**2", "true"),
        (f"{TOTAL} == ((s**2 + 2)*(t**2 + 1))**L*norm(X.T @ ones(n))**2", "false"),
        (f"{TOTAL} == ((s**2 + 1)*(t**2 + 1))**(L + 1)*norm(X.T @ ones(n))**2", "false"),
        (
            f"{SQUARE} == (t**2 + 1)**L*norm(X)**2"
            " + (t**2 + 1)**L*s**2*sum((s**2 + 1)**k, k, 0, L - 1)*norm(X.T @ ones(n))**2/n",
            "true",
        ),
        (
            f"{SQUARE} == (t**2 + 1)**L*norm(X)**2"
            " + (t**2 + 1)**L*s**2*sum((s**2 + 1)**k, k, 0, L)*norm(X.T @ ones(n))**2/n",
            "false",
        ),
        (f"{SQUARE} == (t**2 + 1)**L*norm(X)**2", "false"),
        ("E(norm(after(X, L + 1).T @ ones(n))**2) == (s**2 + 1)*(t**2 + 1)*" + TOTAL, "true"),
        ("E(norm(after(X, L + 1).T @ ones(n))**2) == (s**2 + 1)*" + TOTAL, "false"),
        (f"{SQUARE} >= norm(X)**2", "true"),
        ("E(after(X, L)[1, 1]) == X[1, 1]", "true"),
    ],
)
def test_transfer_matrices(says, expected):
    found = judge(says, S, rest=RESIDUAL)
    assert found.truth == expected, (found.reason, found.missing)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (f"limit({TOTAL}, L, oo) == exp(a + b)*norm(X.T @ ones(n))**2", "true"),
        (f"limit({TOTAL}, L, oo) == exp(a)*norm(X.T @ ones(n))**2", "false"),
        (f"limit({SQUARE}, L, oo) == exp(b)*(norm(X)**2 + (exp(a) - 1)*norm(X.T @ ones(n))**2/n)", "true"),
        (f"limit({SQUARE}, L, oo) == exp(b)*(norm(X)**2 + exp(a)*norm(X.T @ ones(n))**2/n)", "false"),
    ],
)
def test_limits_under_depth_scaling(says, expected):
    found = judge(says, SCALED, SCALING, RESIDUAL)
    assert found.truth == expected, (found.reason, found.missing)


def test_growth_with_depth():
    assert judge(f"{SQUARE} == Theta(norm(X)**2)", SCALED, SCALING, RESIDUAL, grow="L -> oo").truth == "true"
    found = judge(f"{SQUARE} == Theta(norm(X)**2)", S, (), RESIDUAL, grow="L -> oo")
    assert found.truth == "false"
    assert found.counterexample.values["X"]


def test_an_input_that_sums_to_zero_is_its_own_case():
    """The share of the mean tends to 1 with depth, unless the input has none."""
    share = "limit(E(norm(after(X, L).T @ ones(n))**2)/(n*E(norm(after(X, L))**2)), L, oo) == 1"
    found = judge(share, S, ("s != 0",), RESIDUAL)
    assert found.truth == "false"
    rows = found.counterexample.values["X"]
    assert all(sum(int(row[j]) for row in rows) == 0 for j in range(len(rows[0])))
    generic = judge(share, S, ("s != 0", "norm(X.T @ ones(n)) == 1"), RESIDUAL)
    assert generic.truth == "true", (generic.reason, generic.missing)


def test_correlations_as_ratios_of_expectations():
    symbols = {**SCALED, "x": "vector(d)"}
    assume = (*SCALING, "all(norm(X[k]) == norm(x), k, 1, n)")
    left = (
        "limit(1/(n*(n - 1))*sum(E(inner(after(X, L)[k], after(X, L)[m]))"
        "/sqrt(E(norm(after(X, L)[k])**2)*E(norm(after(X, L)[m])**2)), k, 1, n, m, 1, n, k != m), L, oo)"
    )
    total = "norm(X.T @ ones(n))**2"
    right = f"n*exp(a)*{total}/((n - 1)*((exp(a) - 1)*{total} + n*norm(X)**2)) - 1/(n - 1)"
    assert judge(f"{left} == {right}", symbols, assume, RESIDUAL).truth == "true"
    wrong = right.replace("exp(a)*norm", "exp(a + b)*norm", 1)
    assert judge(f"{left} == {wrong}", symbols, assume, RESIDUAL).truth == "false"


def test_fourth_moments():
    """One layer X' = X V: E|X'|**4 = (1 + 2/d)|X|**4 for one row."""
    rest = RESIDUAL.split("  let:")[0].replace("    W: normal(d, d, std=1/sqrt(d))\n", "") + "  next: X @ V\n"
    symbols = {"d": "dimension", "L": "dimension", "X": "matrix(1, d)"}
    assert judge("E(norm(after(X, L))**4) == (1 + 2/d)**L*norm(X)**4", symbols, (), rest).truth == "true"
    assert judge("Var(after(X, L)[1, 1]) == norm(X)**2/d", symbols, (), rest).truth == "true"
    assert judge("Var(after(X, L)[1, 1]) == norm(X)**2", symbols, (), rest).truth == "false"
    assert judge("E(norm(after(X, L))**4) == (1 + 1/d)**L*norm(X)**4", symbols, (), rest).truth == "false"


def test_a_random_input_is_integrated_last():
    symbols = {**S, "X": "normal(n, d, std=1)"}
    assert judge(f"{TOTAL} == ((s**2 + 1)*(t**2 + 1))**L*n*d", symbols, (), RESIDUAL).truth == "true"
    assert judge(f"{TOTAL} == ((s**2 + 1)*(t**2 + 1))**L*n", symbols, (), RESIDUAL).truth == "false"


MIXING = """
layers:
  state: X
  depth: L
  symbols:
    B: normal(n, n, std=s)
    V: normal(d, d, std=1/sqrt(d))
  next: X + B @ X + t * (ones(n, n) / n @ X @ V)
"""


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (f"E(norm(after(X, L + 1))**2) == (1 + n*s**2)*{SQUARE} + t**2/n*{TOTAL}", "true"),
        (f"E(norm(after(X, L + 1))**2) == (1 + n*s**2)*{SQUARE} + t**2*{TOTAL}", "false"),
        (f"{SQUARE} == (1 + n*s**2)**L*norm(X)**2", "false"),
    ],
)
def test_invariants_that_feed_each_other(says, expected):
    """|X|**2 and |X'1|**2 each enter the other: the transfer matrix is not triangular."""
    found = judge(says, {**S, "s": "positive", "t": "positive"}, (), MIXING)
    assert found.truth == expected, (found.reason, found.missing)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("E(after(X, L)) == X", "true"),
        ("E(after(X, L)) == 2*X", "false"),
        ("E(after(X, L).T) == X.T", "true"),
        ("limit(E(after(X, L))*(L + 1)/L, L, oo) == X", "true"),
        ("limit(E(after(X, L))*(L + 1)/L, L, oo) == X + ones(n, d)", "false"),
        ("E(after(X, L) @ after(X, L).T) == X @ X.T", "false"),
    ],
)
def test_matrices_entry_by_entry(says, expected):
    found = judge(says, S, rest=RESIDUAL)
    assert found.truth == expected, (found.reason, found.missing)
    assert found.corrected is None


DENSE = """layers:
  state: X
  depth: L
  symbols:
    W: normal(d, d, std=1/d)
    V: normal(d, d, std=1/sqrt(d))
  next: W * tr(X) + V @ X + X + tr(X) * eye(d) / d"""
ROOT = "sqrt(1 + 2/d + 13/(4*d**2))"


@pytest.mark.parametrize(
    ("says", "grow", "truth"),
    [
        ("E(norm(after(X, L))**2) == Theta((3 + 1/(2*d) + ROOT)**L)", "L -> oo", "true"),
        ("E(norm(after(X, L))**2) == Theta((3 + 1/(2*d) - ROOT)**L)", "L -> oo", "false"),
        ("LIMIT == (1 + 1/(2*d) + ROOT)/(1 + 3/d)", "", "true"),
        ("LIMIT == 1", "", "false"),
    ],
)
def test_eigenvalues_with_a_square_root(says, grow, truth):
    ratio = "limit(E(tr(after(X, L))**2)/E(norm(after(X, L))**2), L, oo)"
    symbols = {"d": "dimension", "X": "matrix(d, d)"}
    text = says.replace("ROOT", ROOT).replace("LIMIT", ratio)
    assert judge(text, symbols, ("norm(X) > 0",), DENSE, grow).truth == truth


GRADIENT = "E(norm(D(after(X, L), X))**2)"


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (f"{GRADIENT} == d*(t**2 + 1)**L*(n - 1 + (s**2 + 1)**L)", "true"),
        (f"{GRADIENT} == n*d*(t**2 + 1)**L*(s**2 + 1)**L", "false"),
        ("E(norm(D(after(X, L).T @ ones(n), X))**2) == n*d*((t**2 + 1)*(s**2 + 1))**L", "true"),
        ("E(norm(D(after(X, L).T @ ones(n), X))**2) == d*((t**2 + 1)*(s**2 + 1))**L", "false"),
    ],
)
def test_gradients_through_linear_layers(says, expected):
    assert judge(says, S, rest=RESIDUAL).truth == expected


NOISY = """
layers:
  state: X
  depth: L
  symbols:
    V: normal(d, d, std=1/sqrt(d))
    B: normal(n, d, std=1)
  next: s * (ones(n, n)/n @ X @ V) + X + B
"""


@pytest.mark.parametrize(
    ("says", "assume", "truth"),
    [
        ("limit(E(norm(after(X, L))**2)/L, L, oo) == d*(n - 1) + d*(exp(a) - 1)/a", True, "true"),
        ("limit(E(norm(after(X, L))**2)/L, L, oo) == n*d", True, "false"),
        ("E(norm(after(X, 2))**2) == norm(X)**2 + 2*n*d", False, "false"),
    ],
)
def test_noise_that_every_layer_adds(says, assume, truth):
    symbols = {**S, "a": "positive"}
    assert judge(says, symbols, ("s == sqrt(a/L)",) if assume else (), rest=NOISY).truth == truth


LINEAR = """
layers:
  state: x
  depth: L
  symbols:
    W: normal(d, d, std=s/sqrt(d))
  next: W @ x
"""
CHI = "sqrt(2/d)*factorial((d - 1)/2)/factorial(d/2 - 1)"


@pytest.mark.parametrize(
    ("says", "grow", "truth"),
    [
        # A root of a second moment is no lower bound where the degree grows with the depth.
        ("E(norm(after(x, L))) == Theta(s**L)", "L -> oo", "false"),
        ("E(norm(after(x, L))) == Theta(1)", "d -> oo", "true"),
        ("E(norm(after(x, L))) == Theta(sqrt(d))", "d -> oo", "false"),
        (f"E(norm(after(x, L))) == (s*{CHI})**L", "", "true"),
        ("E(norm(after(x, L))) == s**L", "", "false"),
    ],
)
def test_the_mean_length_of_a_product_of_random_matrices(says, grow, truth):
    symbols = {"d": "dimension", "L": "dimension", "s": "positive", "x": "vector(d)"}
    found = judge(says, symbols, ("norm(x) == 1",), LINEAR, grow)
    assert found.truth == truth, found.reason


@pytest.mark.parametrize(
    ("says", "zero", "truth"),
    [
        (f"{SQUARE} == (t**2 + 1)**L*norm(X)**2", "X.T @ ones(n) == zeros(d)", "true"),
        (f"{SQUARE} == (t**2 + 1)**L*norm(X)**2", "ones(n).T @ X == zeros(1, d)", "true"),
        (f"{SQUARE} == (s**2 + 1)**L*(t**2 + 1)**L*norm(X)**2", "X.T @ ones(n) == zeros(d)", "false"),
    ],
)
def test_inputs_that_sum_to_zero(says, zero, truth):
    assert judge(says, S, (zero,), rest=RESIDUAL).truth == truth


HALVED = """
layers:
  state: t
  depth: L
  symbols: {w: normal()}
  next: t/2 + a
"""
AVERAGED = """
layers:
  state: X
  depth: L
  symbols: {w: normal()}
  next: ones(n, n)/n @ X
"""


@pytest.mark.parametrize(
    ("layers", "says", "expected"),
    [
        (HALVED, "after(t, L) == t/2**L + 2*a*(1 - 1/2**L)", "true"),
        (HALVED, "after(t, L) == t/2**L + 2*a*(1 - 1/2**(L - 1))", "false"),
        (HALVED, "limit(after(t, L), L, oo) == 2*a", "true"),
        (HALVED, "limit(after(t, L), L, oo) == a", "false"),
        (AVERAGED, "norm(after(X, L))**2 == norm(X.T @ ones(n))**2/n", "true"),
        (AVERAGED, "norm(after(X, L))**2 == norm(X)**2", "false"),
        (RESIDUAL, "norm(after(X, L))**2 == norm(X)**2", "unknown"),  # it is random
    ],
)
def test_layers_that_draw_nothing_have_states_and_no_means(layers, says, expected):
    symbols = {"n": "dimension", "d": "dimension", "a": "positive", "t": "real", "X": "matrix(n, d)"}
    found = judge(says, {**symbols, "s": "real"}, rest=layers)
    assert found.truth == expected, (found.reason, found.missing)


def test_a_random_input_stays_random():
    symbols = {"n": "dimension", "d": "dimension", "X": "normal(n, d)"}
    assert judge("norm(after(X, L))**2 == d", symbols, rest=AVERAGED).truth == "unknown"
    assert judge("E(norm(after(X, L))**2) == d", symbols, rest=AVERAGED).truth == "true"


CUBED = ("t == b/L**(1/3)", "s == 0")


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (f"{SQUARE} <= O(exp(b**2*L**(1/3)))", "true"),
        (f"{SQUARE} <= O(exp(b**2*L**(1/3)/2))", "false"),
        (f"{SQUARE} == (1 + b**2/L**(2/3))**L*norm(X)**2", "true"),
        (f"{SQUARE} == (1 + b**2/L**(1/3))**L*norm(X)**2", "false"),
    ],
)
def test_any_power_of_the_depth_as_a_scale(says, expected):
    grow = "L -> oo" if "O(" in says else ""
    assert judge(says, {**SCALED, "b": "positive"}, CUBED, rest=RESIDUAL, grow=grow).truth == expected


# relu of several tokens has correlations that no finite set of invariants holds.
RECTIFIED = """
layers:
  state: X
  depth: L
  symbols:
    V: normal(d, d, std=1/sqrt(d))
    W: normal(d, d, std=sqrt(2/d))
  let:
    Z: X + s * (ones(n, n) / n @ X @ V)
  next: relu(Z @ W)
"""


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("E(norm(after(X, 1))**2) == norm(X)**2 + s**2*norm(X.T @ ones(n))**2/n", "true"),
        ("E(norm(after(X, 1))**2) == (1 + s**2)*norm(X)**2", "false"),
        ("E(norm(after(X, L))**2) == (1 + s**2)**L*norm(X)**2", "false"),  # of one layer
    ],
)
def test_a_single_layer_needs_no_closed_set_of_invariants(says, expected):
    found = judge(says, S, rest=RECTIFIED)
    assert found.truth == expected, (found.reason, found.missing)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        # E(next(X) | X) = X: what a layer adds is orthogonal to what there is.
        ("E(inner(after(X, L + 1), after(X, L))) == " + SQUARE, "true"),
        ("E(inner(after(X, L + 1), after(X, L))) == E(norm(after(X, L + 1))**2)", "false"),
        ("E(norm(after(X, L) - after(X, L - 1))**2) == " + SQUARE + " - E(norm(after(X, L - 1))**2)", "true"),
        ("E(norm(after(X, L) - after(X, L - 1))**2) == " + SQUARE, "false"),
        (f"{ADDED.format(1)} == {TOTAL} - norm(X.T @ ones(n))**2", "true"),
        (f"{ADDED.format(2)} == {TOTAL} - norm(X.T @ ones(n))**2", "false"),
        ("sum(E(inner(after(X, k), X)), k, 0, L - 1) == L*norm(X)**2", "true"),
        ("sum(E(inner(after(X, k), X)), k, 0, L) == L*norm(X)**2", "false"),
    ],
)
def test_states_of_several_depths(says, expected):
    found = judge(says, S, rest=RESIDUAL)
    assert found.truth == expected, (found.reason, found.missing)
