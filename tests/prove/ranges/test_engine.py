"""The engine on whole claims: each right constant beside a loose one and a wrong one."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from time import process_time

import pytest

from tests.exact.helpers import claim
from verifier.evidence import Budget, Finding
from verifier.prove.ranges.engine import examine

LINE = "x: real"
POSITIVE = "x: positive"


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Processor time, so that a busy machine does not fail the test."""
    begun = process_time()
    yield
    assert process_time() - begun < seconds


def judge(says: str, symbols: str = LINE, assumptions: str = "", seconds: float = 20) -> Finding:
    stated = claim(says, symbols, assumptions)
    return examine(stated, stated.steps[0], Budget(seconds))


# relation with a slot for the constant; right (tight), loose (true, more than 1% off), wrong
BOUNDS = [
    ("D(sigmoid(x), x) <= {}", LINE, "", "1/4", "0.26", "0.249"),
    ("D(sigmoid(x), x) <= {}", LINE, "", "0.2525", "0.2527", "0.2499999"),
    ("D(tanh(x), x) <= {}", LINE, "", "1", "1.02", "0.99"),
    ("tanh(x) < {}", LINE, "", "1", "1.02", "0.999"),
    ("x*exp(-x) <= {}", LINE, "", "exp(-1)", "0.375", "0.367"),
    ("x**2*exp(-x) <= {}", POSITIVE, "", "4*exp(-2)", "0.55", "0.54"),
    ("softplus(x) - relu(x) <= {}", LINE, "", "log(2)", "0.71", "0.69"),
    ("x/(1 + x**2) <= {}", LINE, "", "1/2", "0.51", "0.495"),
    ("sin(x)/x <= {}", LINE, "", "1", "1.02", "0.999"),
    ("gelu(x) >= {}", LINE, "", "-0.17", "-0.173", "-0.1699"),
    ("silu(x) >= {}", LINE, "", "-0.279", "-0.29", "-0.278"),
    ("phi(x) <= {}", LINE, "", "1/sqrt(2*pi)", "0.41", "0.398"),
    ("abs(D(D(tanh(x), x), x)) <= {}", LINE, "", "4/(3*sqrt(3))", "0.78", "0.769"),
    ("x*log(x) >= {}", POSITIVE, "", "-exp(-1)", "-0.38", "-0.36"),
    ("(1 + 1/x)**x < {}", POSITIVE, "", "exp(1)", "2.75", "2.7"),
    ("log(1 + x) <= {}*x", LINE, "domain: x > -1", "1", None, "0.98"),
    ("log(1 + x) <= {}*x", POSITIVE, "", "1", "1.02", "0.98"),
    ("(1 + x)**5 >= 1 + {}*x", LINE, "domain: x >= -1", "5", None, "5.1"),
    ("1 - Phi(x) <= {}*exp(-x**2/2)", POSITIVE, "", "0.5", "0.51", "0.49"),
    ("x*(1 - x) <= {}", "x: interval(0, 1)", "", "1/4", "0.26", "0.24"),
    ("x**2 <= {}", LINE, "domain: abs(x) <= 3", "9", "9.2", "8.9"),
    ("atan(x) < {}", LINE, "", "pi/2", "1.6", "1.57"),
    ("asin(x) <= {}", "x: interval(-1, 1)", "", "pi/2", "1.6", "1.57"),
    ("acos(x)**2 >= {}*(1 - x)", "x: interval(-1, 1)", "", "2", "1.9", "2.05"),
    ("1/x <= {}", "x: interval(2, oo)", "", "1/2", "0.51", "0.49"),
    ("n/(n + 1) < {}", "n: dimension", "", "1", "1.02", "0.9"),
    ("E(norm(W)**4) <= {}*s**4", "s: positive; W: normal(2, 3, std=s)", "", "48", "49", "47"),
]


@pytest.mark.parametrize(("says", "symbols", "assumptions", "right", "loose", "wrong"), BOUNDS)
def test_bounds(says: str, symbols: str, assumptions: str, right: str, loose: str | None, wrong: str) -> None:
    with at_most(2):
        found = judge(says.format(right), symbols, assumptions)
    assert (found.truth, found.tightness and found.tightness.tight) == ("true", True)
    if loose is not None:
        with at_most(2):
            found = judge(says.format(loose), symbols, assumptions)
        assert (found.truth, found.tightness and found.tightness.tight) == ("true", False)
    with at_most(2):
        found = judge(says.format(wrong), symbols, assumptions)
    assert found.truth == "false"
    assert found.counterexample is not None
    assert found.grade in ("proved", "certified")


# expression, tight range, loose range, wrong range
RANGES = [
    ("D(gelu(x), x)", "[-0.13, 1.13]", "[-0.15, 1.13]", "[-0.1289, 1.13]"),
    ("D(gelu(x), x)", "[-0.129, 1.129]", "[-0.129, 1.15]", "[-0.13, 1.1289]"),
    ("D(silu(x), x)", "[-0.1, 1.1]", "[-0.1, 1.12]", "[-0.09, 1.1]"),
    ("D(sigmoid(x), x)", "[0, 1/4]", "[0, 0.26]", "[0.001, 1/4]"),
    ("tanh(x)", "[-1, 1]", "[-1, 1.03]", "[-1, 0.99]"),
    ("softplus(x) - relu(x)", "[0, log(2)]", "[-0.01, log(2)]", "[0, 0.693]"),
    ("D(D(tanh(x), x), x)", "[-4/(3*sqrt(3)), 4/(3*sqrt(3))]", "[-0.8, 0.77]", "[-0.77, 0.76]"),
    ("x/(1 + x**2)", "[-1/2, 1/2]", "[-0.52, 1/2]", "[-0.49, 1/2]"),
    ("D(relu(x), x)", "[0, 1]", "[0, 1.1]", "[0, 1/2]"),
]


@pytest.mark.parametrize(("value", "tight", "loose", "wrong"), RANGES)
def test_ranges(value: str, tight: str, loose: str, wrong: str) -> None:
    found = judge(f"{value} in {tight}")
    assert (found.truth, found.tightness and found.tightness.tight) == ("true", True)
    found = judge(f"{value} in {loose}")
    assert (found.truth, found.tightness and found.tightness.tight) == ("true", False)
    assert found.tightness is not None
    assert found.tightness.better is not None
    found = judge(f"{value} in {wrong}")
    assert found.truth == "false"
    # The corrected range is a true and tight claim of its own.
    found = judge(f"{value} in {found.corrected}")
    assert (found.truth, found.tightness and found.tightness.tight) == ("true", True)


def test_corrections_are_closed_forms_where_they_are_proven() -> None:
    assert judge("D(sigmoid(x), x) <= 0.2").corrected == "1/4"
    assert judge("softplus(x) - relu(x) in [0, 0.6]").corrected == "[0, log(2)]"
    assert judge("D(D(tanh(x), x), x) in [-1/2, 1/2]").corrected == "[-4*sqrt(3)/9, 4*sqrt(3)/9]"
    assert judge("gelu(x) >= -0.1").corrected == "-0.169972"


def test_counterexamples_are_simple_and_exact() -> None:
    found = judge("(1 + x)**3 >= 1 + 3*x")
    assert found.counterexample is not None
    assert found.counterexample.values == {"x": -4}
    assert (found.counterexample.lhs_exact, found.counterexample.rhs_exact) == ("-27", "-11")
    assert found.grade == "proved"


def test_the_gap_is_the_contracts() -> None:
    found = judge("x*(1 - x) <= 1", "x: interval(0, 1)")
    assert found.tightness is not None
    assert found.tightness.gap_low is not None
    assert abs(found.tightness.gap_low - Fraction(3, 4)) < 1e-6
    assert found.tightness.better == "1/4"
    # Tightness looks at dimensions >= 2: n**2 >= n is reached at n = 1 only.
    found = judge("n**2 >= n", "n: dimension")
    assert found.tightness is not None
    assert found.tightness.tight is False


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("2 + 2 == 4", "true"),
        ("2 + 2 == 5", "false"),
        ("sqrt(2)*sqrt(3) == sqrt(6)", "true"),
        ("pi <= 22/7", "true"),
        ("pi <= 3", "false"),
        ("sqrt(x**2) == x", "false"),
        ("cos(x)**2 + sin(x)**2 == 1", "true"),
        ("sin(2*x) == 2*sin(x)", "false"),
        ("limit(sin(x)/x, x, 0) == 1", "true"),
        ("limit(sin(x)/x, x, 0) == 2", "false"),
        ("sup(x*exp(-x), x) <= 0.4", "true"),
        ("sup(x*exp(-x), x) <= 0.3", "false"),
        ("inf(gelu(x), x) >= -0.17", "true"),
        ("1/x <= 100", "false"),
        ("log(100 - x) <= 5", "false"),
        ("x**2 >= 0", "true"),
        ("x**2 > 0", "false"),
        ("exp(x) < oo", "true"),
        ("sup(x*exp(x), x) < oo", "unknown"),
    ],
)
def test_truth(says: str, truth: str) -> None:
    assert judge(says).truth == truth


def test_several_variables() -> None:
    square = "x: interval(0, 1); y: interval(0, 1)"
    assert judge("x*y <= 1", square).truth == "true"
    assert judge("x*y <= 0.9", square).truth == "false"
    assert judge("x*y + x <= 2", square).truth == "true"
    found = judge("x*y <= 2", square)
    assert found.tightness is not None
    assert found.tightness.tight is False
    assert judge("x <= y", square, "order: x <= y").truth == "true"
    assert judge("x <= y", square).truth == "false"


def test_assumptions_bound_the_variables() -> None:
    assert judge("rho**2 < rho", "rho: real", "low: rho > 0; high: rho < 1").truth == "true"
    assert judge("rho**2 < rho", "rho: real", "low: rho > 0").truth == "false"
    assert judge("1/x**2 > 0", LINE, "nonzero: x != 0").truth == "true"
    assert judge("x**2 > 0", LINE, "nonzero: x != 0").truth == "true"


def test_substitutions_enter_and_keep_their_declarations() -> None:
    symbols = "a: positive; b: positive"
    assert judge("a*b == 1", symbols, "inverse: a == 1/b").truth == "true"
    assert judge("a*b == 2", symbols, "inverse: a == 1/b").truth == "false"
    # a is declared in [0, 1], so b >= 1: the point b = 1/2 is not allowed.
    assert judge("1/b <= 1", "a: interval(0, 1); b: positive", "inverse: a == 1/b").truth != "false"


def test_an_odd_power_of_a_negative_number_is_not_lost() -> None:
    found = judge("rho**n >= 0", "rho: interval(-1, 1); n: dimension")
    assert found.truth == "false"
    assert found.counterexample is not None
    assert found.counterexample.values == {"n": 1, "rho": -1}


def test_sums_are_refuted_at_small_sizes_only() -> None:
    assert judge("sum(k, k, 1, n) == n*(n + 1)/2", "n: dimension").truth == "unknown"
    found = judge("sum(k, k, 1, n) == n*(n + 1)/2 + (n - 1)*(n - 2)", "n: dimension")
    assert found.truth == "false"
    assert found.counterexample is not None
    assert found.counterexample.values == {"n": 3}


def test_expectations_are_refuted_at_small_sizes() -> None:
    symbols = "n: dimension; d: dimension; s: positive; W: normal(n, d, std=s)"
    assert judge("E(norm(W)**2) == n*d*s**2", symbols).truth == "unknown"
    found = judge("E(norm(W)**2) == n*d*s**2 + (n - 1)*(d - 1)", symbols)
    assert found.truth == "false"
    assert found.grade == "proved"


def test_matrices_of_free_sizes_are_left_to_others() -> None:
    found = judge("norm(A) >= 0", "n: dimension; A: matrix(n, 3)")
    assert found.truth == "unknown"
    assert found.missing


def test_small_matrices_are_decided_entry_by_entry() -> None:
    found = judge("norm(A @ x)**2 <= 4*norm(A)**2*norm(x)**2", "A: matrix(1, 2); x: vector(2)")
    assert (found.truth, found.grade) == ("true", "certified")
    assert judge("norm(x)**2 >= 0.51*norm(x, 1)**2", "x: vector(2)").truth == "unknown"


def test_vacuous_assumptions_are_not_used() -> None:
    found = judge("x == x + 1", "x: real", "low: x > 1; high: x < 0")
    assert found.truth == "unknown"
    assert found.reason.startswith("no value satisfies the assumptions")


def test_the_budget_is_kept() -> None:
    hard = "exp(x*y) + exp(y*z) + exp(z*x) >= 3 + x*y + y*z + z*x"
    found = judge(hard, "x: real; y: real; z: real", seconds=1)
    assert found.truth == "unknown"
    assert found.seconds < 1.5


@pytest.mark.parametrize(
    ("says", "corrected", "instead"),
    [
        ("tanh(x) < 1/2", "1", None),  # approached, and never reached
        ("sin(x) < 1/2", None, "sin(x) <= 1"),
        ("exp(-x**2) < 1/2", None, "exp(-x**2) <= 1"),
        ("x**2 > 1", None, "x**2 >= 0"),
        ("sin(x) <= 1/2", "1", None),
    ],
)
def test_nothing_is_strictly_below_its_own_maximum(
    says: str, corrected: str | None, instead: str | None
) -> None:
    found = judge(says)
    assert (found.truth, found.corrected, found.instead) == ("false", corrected, instead)


@pytest.mark.parametrize(
    ("says", "better"),
    [
        ("x <= 4*x", "x"),
        ("-3*x <= -x", "-3*x"),
        ("-x >= -3*x", "-x"),
        ("4*x >= x", "4*x"),
        ("x <= 7*x/2", "x"),
    ],
)
def test_a_better_multiple_of_a_right_side_of_either_sign(says: str, better: str) -> None:
    found = judge(says, POSITIVE)
    assert found.tightness is not None
    assert (found.truth, found.tightness.tight, found.tightness.better) == ("true", False, better)
