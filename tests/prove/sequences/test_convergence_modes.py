"""How statements on a sequence are read: up to sign, shift and norm, and only where nothing is lost."""

import pytest

from tests.prove.specs import claim
from verifier.expr.text import to_text
from verifier.kernel.sequences.modes import Chance, Mode, Moment, Reader, Sums, Surely, Vanishes

SYMBOLS = """
i: dimension
k: dimension
n: dimension
eps: positive
c: positive
r: real
V: uniform(0, 1)
Y: sequence()
X: random(joint=Y)
M: sequence(n, 2)
L: random(n, 2, joint=M)
G: sequence(i)
"""


def read(says: str, others: str = "") -> Mode | None:
    """What an assumption says, beside others."""
    made = claim("eps > 0", SYMBOLS, assume=f'read: "{says}"\n{others}')
    return Reader(
        made.symbols,
        tuple(item.fact for item in made.assumptions),
        lambda node: to_text(node) in ("c", "2", "1"),
    ).mode(made.assumptions[0].fact)


def gap(mode: Mode | None) -> str:
    assert mode is not None
    return to_text(mode.gap)


@pytest.mark.parametrize(
    "says",
    [
        "P(limit(Y[i], i, oo) == X) == 1",
        "1 == P(limit(Y[i], i, oo) == X)",
        "P(X == limit(Y[i], i, oo)) >= 1",
        "P(limit(Y[i] - X, i, oo) == 0) == 1",
        "P(limit(X - Y[i + 2], i, oo) == 0) == 1",
    ],
)
def test_almost_surely(says: str) -> None:
    found = read(says)
    assert isinstance(found, Surely)
    assert gap(found) == "Y[i] - X"


@pytest.mark.parametrize("threshold", ["eps", "2*eps", "eps/2", "c*eps**2", "eps**(1/2)", "c/k", "1/eps"])
@pytest.mark.parametrize("event", ["abs(Y[j] - X) > {}", "norm(X - Y[j]) >= {}", "{} < abs(X - Y[j])"])
def test_a_chance_for_every_threshold(event: str, threshold: str) -> None:
    found = read(f"all(sum(P({event.format(threshold)}), j, 0, oo) < oo, eps, k)")
    assert isinstance(found, Sums)
    assert found.size == Chance(found.gap, None)
    assert gap(found) == "Y[i] - X"


@pytest.mark.parametrize("threshold", ["eps + 1", "r*eps", "1", "V*eps", "k"])
def test_thresholds_that_stay_away_from_zero_are_no_such_thing(threshold: str) -> None:
    found = read(f"all(sum(P(abs(Y[j] - X) > {threshold}), j, 0, oo) < oo, eps, k)")
    assert found is None or (isinstance(found, Sums) and found.size == Chance(found.gap, found.size.above))
    assert found is None or to_text(found.size.above) == "1"


def test_one_threshold_is_one_threshold() -> None:
    found = read("sum(P(abs(Y[j] - X) >= eps), j, 3, oo) < oo")
    assert isinstance(found, Sums)
    assert isinstance(found.size, Chance)
    assert (to_text(found.size.above), found.size.strict, found.start) == ("eps", False, 3)


def test_a_quantifier_over_what_another_assumption_bounds_is_not_read() -> None:
    says = "all(sum(P(abs(Y[j] - X) > eps), j, 0, oo) < oo, eps)"
    assert read(says) is not None
    assert read(says, "large: eps >= 1") is None
    assert read(says, 'also: "all(limit(P(abs(Y[i] - X) > eps), i, oo) == 0, eps)"') is not None


def test_what_is_said_of_no_large_gap() -> None:
    found = read("limit(P(abs(Y[i] - X) <= eps), i, oo) == 1")
    assert isinstance(found, Vanishes)
    assert found == read("limit(P(abs(Y[i] - X) > eps), i, oo) == 0")
    assert read("limit(P(abs(Y[i] - X) <= eps), i, oo) == 0") is None
    assert read("limit(P(abs(Y[i] - X) > eps), i, oo) == 1") is None


@pytest.mark.parametrize(
    ("body", "power", "signed"),
    [
        ("(Y[j] - X)**2", 2, False),
        ("abs(Y[j] - X)", 1, False),
        ("abs(Y[j] - X)**3", 3, False),
        ("Y[j] - X", 1, True),
        ("(Y[j] - X)**3", 3, True),
    ],
)
def test_moments(body: str, power: int, signed: bool) -> None:
    found = read(f"sum(E({body}), j, 1, oo) < oo")
    assert isinstance(found, Sums)
    assert found.size == Moment(found.gap, power, signed)


def test_matrices_by_their_norm() -> None:
    found = read("sum(E(norm(M[j] - L)**2), j, 1, oo) < oo")
    assert found == read("sum(E(norm(L - M[j])**2), j, 1, oo) < oo")
    assert gap(found) == "M[i] - L" == gap(read("P(limit(M[i], i, oo) == L) == 1"))


def test_a_shift_moves_the_start() -> None:
    found = read("sum(E((Y[j + 2] - X)**2), j, 1, oo) < oo")
    assert isinstance(found, Sums)
    assert (gap(found), found.start) == ("Y[i] - X", 3)
    assert read("sum(E((Y[j - 2] - X)**2), j, 1, oo) < oo") is None  # Y[-1]


@pytest.mark.parametrize(
    "says",
    [
        "E((Y[i] - X)**2) <= 1",
        "sum(E((Y[j] - X)**2), j, 1, 5) < oo",
        "sum(E((Y[j] - X)**2), j, 1, oo) <= 1",
        "sum(E(log(Y[j])), j, 1, oo) < oo",  # may have no value
        "sum(P(abs(Y[j] - X) > V), j, 1, oo) < oo",  # a random threshold
        "sum(P(abs(Y[j] - X) > 1/j), j, 1, oo) < oo",  # one that moves
        "sum(P(abs(X) > 1), j, 1, oo) < oo",  # nothing moves
        "P(limit(Y[i], i, oo) == X/i) == 1",
        "limit(norm(G[i]), i, oo) == 0",  # the size grows too
        "P(limit(G[i], i, oo) == zeros(i)) == 1",
    ],
)
def test_what_is_not_read(says: str) -> None:
    assert read(says) is None
