"""Points whose matrices are patterns: what is computed from few entries is what all entries give."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tests.kernel.helpers import checked, outcome, stated
from verifier.kernel.points import values as v
from verifier.kernel.points.alike import PARTS, Alike, Classes, single
from verifier.kernel.points.norms import norm_of

SYMBOLS = {
    "n": "dimension",
    "m": "dimension",
    "i": "index(n)",
    "X": "matrix(n, m)",
    "S": "matrix(n, n)",
    "x": "vector(m)",
    "F": "matrix(n, m, copies=3)",
    "W": "normal(n, m, mean=X, std=2)",
    "c": "normal(n, cov=C)",
    "C": "psd(n)",
    "e": "rademacher(2, 1)",
    "z": "vector(m)",
}
PATTERN = dict(zip(PARTS, (3, 5, 7, 11, 13), strict=True))
SQUARE = dict(zip(PARTS, (4, -1, 2, 9, 6), strict=True))
PSD = dict(zip(PARTS, (4, 1, 1, 3, 2), strict=True))

SAYS = [
    "norm(X)**2 == {}",
    "tr(X @ X.T) == {}",
    "norm(X @ X.T)**2 == {}",
    "sum(S[j, j], j, 1, n) == {}",
    "sum(S[j, k], j, 1, n, k, 1, n, j != k) == {}",
    "sum(S[j, j]*S[k, k], j, 1, n, k, 1, n, j != k) == {}",
    "sum(X[j, 1]*X[k, 1], j, 1, n, k, 2, n, j < k) == {}",
    "sum(S[j, j + 1], j, 1, n - 1) == {}",
    "sum(j*S[j, 1], j, 1, n) == {}",
    "sum(S[j, 1], j, 2, n) == {}",
    "sum(S[j, 2], j, 2, n - 1) == {}",
    "sum(S[j, 3], j, 1, n) == {}",
    "sum(S[i, j], j, 1, n) == {}",
    "sum(S[j, k]*k, j, 1, n, k, 1, j) == {}",
    "prod(S[j, j], j, 1, n) == {}",
    "tr(matpow(S, 3)) == {}",
    "norm(D(X @ x, x))**2 == {}",
    "norm(D(S @ S, S))**2 == {}",
    "inner(S, S.T) == {}",
    "norm(F[2])**2 == {}",
    "norm(sum(F[j], j, 1, 3))**2 == {}",
    "norm(vec_r(X))**2 == {}",
    "norm(kron(X, S))**2 == {}",
    "E(norm(W)**2) == {}",
    "E(norm(W.T @ W)**2) == {}",
    "E(sum(W[1, j], j, 1, m)**2) == {}",
    "sum(E(W[j, 1]*W[k, 1]), j, 1, n, k, 1, n) == {}",
    "E(norm(c)**4) == {}",
    "E(e[1]*sum(S[j, 1]*e[1], j, 1, n)) == {}",
    "norm(x, 1) == {}",
    "max(X[1, 1], X[n, m]) == {}",
]


def written(pattern: dict[str, int], rows: int, cols: int) -> list[list[int]]:
    def entry(i: int, j: int) -> int:
        if i == 1 or j == 1:
            return pattern["first" if i == j else "row" if i == 1 else "column"]
        return pattern["diagonal" if i == j else "rest"]

    return [[entry(i, j) for j in range(1, cols + 1)] for i in range(1, rows + 1)]


def points(n: int, m: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The same point, by patterns and with every entry."""
    numbers = {"n": n, "m": m, "i": min(3, n)}
    shapes = {"X": (PATTERN, n, m), "S": (SQUARE, n, n), "x": (PATTERN, m, 1), "z": (PATTERN, m, 1)}
    shapes |= {"C": (PSD, n, n)}
    alike = {**numbers, **{name: pattern for name, (pattern, _, _) in shapes.items()}, "F": PATTERN}
    every = {**numbers, **{name: written(*shape) for name, shape in shapes.items()}}
    return alike, {**every, "F": [written(PATTERN, n, m)] * 3}


@pytest.mark.parametrize("says", SAYS)
@pytest.mark.parametrize("sizes", [(5, 3), (3, 5), (4, 4)], ids=str)
def test_a_pattern_is_the_matrix_that_it_stands_for(says: str, sizes: tuple[int, int]) -> None:
    """The number that all entries give is not refuted by the pattern, and a number beside it is."""
    alike, every = points(*sizes)
    value = value_of(says, every)
    assert outcome(stated(says.format(value), SYMBOLS), alike) == "not-false"
    for wrong in (f"({value} + 1)", f"({value} - 1/7)"):
        assert outcome(stated(says.format(wrong), SYMBOLS), alike) == "accepted"


def value_of(says: str, point: dict[str, Any]) -> Fraction:
    """The rational that the left side is, found by asking the rule about every entry."""
    from verifier.kernel.points.fails import fails_at

    context, fact = stated(says.format("1/1234567"), SYMBOLS)
    return Fraction(fails_at(context, fact, {"point": point}).left)


def test_entries_that_differ_are_looked_at() -> None:
    """A relation between matrices is false where one entry is, wherever that stands."""
    for part in PARTS:
        other = {**SQUARE, part: SQUARE[part] + 1}
        symbols = {"n": "dimension", "S": "matrix(n, n)", "T": "matrix(n, n)"}
        point = {"n": 200, "S": SQUARE, "T": other}
        assert outcome(stated("S == T", symbols), point) == "accepted"
        assert outcome(stated("S <= T", symbols), point) == "not-false"


LARGE = {"X": "matrix(197, 768)", "W": "matrix(768, 768)", "v": "vector(1000000)", "p": "simplex(768)"}
ONES, IDENTITY, NOTHING = ((1, 1, 1, 1, 1), (1, 0, 0, 1, 0), (0, 0, 0, 0, 0))
FIRST = (1, 0, 1, 0, 0)
AT_LARGE: list[tuple[str, dict[str, tuple[Any, ...]], str]] = [
    ("norm(X)**2 == 151296", {"X": ONES}, "not-false"),
    ("norm(X)**2 == 151295", {"X": ONES}, "accepted"),
    ("norm(X @ W)**2 == 197", {"X": FIRST, "W": IDENTITY}, "not-false"),
    ("norm(X @ W)**2 <= 196", {"X": FIRST, "W": IDENTITY}, "accepted"),
    ("norm(W, 2) <= 1", {"W": IDENTITY}, "not-false"),
    ("norm(W, 2) < 1", {"W": IDENTITY}, "accepted"),
    ("norm(W, 2) == 768", {"W": ONES}, "not-false"),
    ("norm(X, 2)**2 == 197", {"X": FIRST}, "not-false"),
    ("norm(X, 2)**2 <= 196", {"X": FIRST}, "accepted"),
    ("norm(v) == 1000", {"v": ONES}, "not-false"),
    ("v == 2*v", {"v": NOTHING}, "not-false"),
    ("v == 2*v", {"v": FIRST}, "accepted"),
    ("W @ W.T == W.T @ W", {"W": ONES}, "not-false"),
    ("W @ W.T == W.T @ W", {"W": FIRST}, "accepted"),
    ("norm(softmax(X))**2 <= 197/768", {"X": NOTHING}, "not-false"),
    ("norm(softmax(X))**2 <= 196/768", {"X": NOTHING}, "accepted"),
    ("norm(X)**2 == 1", {"X": ("sqrt(1/151296)",) * 5}, "not-false"),
    ("norm(X)**2 == 1", {"X": ("sqrt(1/151295)",) * 5}, "accepted"),
    ("norm(p)**2 <= 1/4", {"p": ("1/2", 0, "1/1534", 0, 0)}, "accepted"),
    ("norm(p)**2 <= 1/2", {"p": ("1/2", 0, "1/1533", 0, 0)}, "not-allowed"),
    ("norm(p)**2 <= 1/2", {"p": (-1, 0, "2/767", 0, 0)}, "not-allowed"),
]


@pytest.mark.parametrize(("says", "values", "expected"), AT_LARGE)
def test_sizes_at_which_nobody_writes_entries(
    says: str, values: dict[str, tuple[Any, ...]], expected: str
) -> None:
    point = {name: dict(zip(PARTS, value, strict=True)) for name, value in values.items()}
    assert outcome(stated(says, LARGE), point) == expected


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("stochastic(n, m)", ("1/2", "1/4", "1/2", "1/4", "1/4"), ("1/2", "1/4", "1/2", "1/4", "1/8")),
        ("stochastic(n, m)", (0, "1/2", 0, "1/2", "1/2"), (2, "-1/2", 2, "-1/2", "-1/2")),
        ("symmetric(n)", (1, 2, 2, 3, 4), (1, 2, 3, 3, 4)),
        ("psd(n)", (4, 1, 1, 3, 2), (4, 1, 1, 2, 3)),
        ("psd(n)", (1, 1, 1, 1, 1), (1, 2, 2, 1, 1)),
        ("psd(n)", (1, 0, 0, 1, "-1/2"), (1, 0, 0, 1, "-2/3")),
        ("orthogonal(n)", (1, 0, 0, 0, 1), (1, 0, 0, 1, 1)),
        ("orthogonal(n)", (-1, 0, 0, 1, 0), (1, 0, 0, 2, 0)),
    ],
)
def test_a_pattern_is_of_the_declared_kind(kind: str, good: tuple[Any, ...], bad: tuple[Any, ...]) -> None:
    """As it is decided for the same matrix with all its entries."""
    statement = stated("n == n + 1", {"n": "dimension", "m": "dimension", "z": kind})
    size = {"n": 3, "m": 3} if kind != "psd(n)" else {"n": 4, "m": 3}
    for parts, expected in ((good, "accepted"), (bad, "not-allowed")):
        pattern = dict(zip(PARTS, parts, strict=True))
        entries = written(pattern, size["n"], size["n"])
        assert outcome(statement, {**size, "z": pattern}) == expected
        assert outcome(statement, {**size, "z": entries}) == expected


@pytest.mark.parametrize(
    ("point", "reason"),
    [
        ({"n": 2, "w": ONES, "s": 1}, "data"),  # a draw
        ({"n": 2, "s": IDENTITY}, "data"),  # a number
        ({"n": 2, "s": 1, "X": [ONES, ONES]}, "data"),
        ({"n": 2, "s": 1, "X": {"first": 1}}, "data"),
        ({"n": 2, "s": 1, "X": {**dict.fromkeys(PARTS, 1), "more": 1}}, "data"),
        ({"n": 2, "s": 1, "X": {part: [1] for part in PARTS}}, "data"),
        ({"n": 2, "s": 1, "X": dict.fromkeys(PARTS, "sqrt(-1)")}, "data"),
        ({"n": 2, "s": "sqrt(2", "X": ONES}, "data"),
        ({"n": 2, "s": "sqrt(2)+1", "X": ONES}, "data"),
        ({"n": 2, "s": 1, "X": ONES, "Y": ONES}, "outside"),  # beside an assumed value
        ({"n": 2, "s": 1, "X": ONES}, "accepted"),
        ({"n": 2, "s": "sqrt(2)", "X": ONES}, "accepted"),
        ({"n": 2, "s": "-sqrt(2)", "X": ONES}, "not-allowed"),
    ],
)
def test_what_is_no_pattern_is_refused(point: dict[str, Any], reason: str) -> None:
    symbols = {"n": "dimension", "s": "positive", "X": "matrix(n, n)", "Y": "matrix(n, n)", "w": "normal(n)"}
    read = {k: dict(zip(PARTS, x, strict=True)) if isinstance(x, tuple) else x for k, x in point.items()}
    assert outcome(stated("n == n + 1", symbols, ("Y == 2*X",)), read) == reason


def test_roots_are_exact() -> None:
    symbols = {"x": "real", "y": "real"}
    point = {"x": "sqrt(1/5)", "y": "sqrt(4/5)"}
    assert checked(
        stated("x + 2*y < sqrt(5)", symbols, ("x**2 + y**2 <= 1",)), {"point": point, "exact": True}
    )
    assert outcome(stated("x + 2*y <= sqrt(5)", symbols, ("x**2 + y**2 <= 1",)), point) == "not-false"
    assert outcome(stated("x + 2*y < sqrt(5)", symbols, ("x**2 + y**2 < 1",)), point) == "not-allowed"


def test_ranges_are_classes_or_are_not() -> None:
    classes = Classes((1, 2, 5, 9))
    assert classes.within(1, 9) == [(1, 1), (2, 2), (3, 5), (6, 9)]
    assert classes.within(3, 5) == [(3, 5)]
    assert classes.within(2, 5) == [(2, 2), (3, 5)]
    for first, last in ((1, 4), (4, 5), (3, 6), (6, 8), (1, 10), (0, 1)):
        assert classes.within(first, last) is None, (first, last)
    assert [number for number in range(-1, 12) if classes.is_alone(number)] == [1, 2]


@pytest.mark.parametrize("sizes", [(4, 4), (3, 5), (5, 3)], ids=str)
def test_spectral_norms_over_classes(sizes: tuple[int, int]) -> None:
    """The quotient and what is beside it have the largest singular value that all entries have."""
    rows, cols = sizes
    for parts in product((0, 1, -2), repeat=5):
        table = written(dict(zip(PARTS, parts, strict=True)), rows, cols)

        def entry(i: int, j: int, table: list[list[int]] = table) -> Any:
            return v.rational(table[i - 1][j - 1])

        ends = Classes(tuple(sorted({1, rows, cols})))
        few = Alike(ends.within(1, rows) or [], ends.within(1, cols) or [], entry)
        every = Alike(single(rows), single(cols), entry)
        a, b = (v.enclose(norm_of("2", one)) for one in (few, every))
        assert abs(a - b) < 1e-10, parts


ASSUMED = [
    "all(S[j, k] <= 13, j, 1, n, k, 1, n)",
    "all(S[j, j] <= 9, j, 2, n)",
    "all(S[j, k] - S[k, j] <= 3, j, 1, n, k, 1, n)",
    "all(S[j, k] <= 8, j, 1, n, k, 1, n, j != k)",
    "all(S[j, 3] <= 9, j, 1, n)",
    "all(S[j, j + 1] <= 6, j, 1, n - 1)",
    "all(j*S[j, 1] <= 200, j, 1, n)",
    "all(norm(S[j])**2 <= 500, j, 1, n)",
    "all(sum(S[j, k], k, 2, n - 1) <= 50, j, 1, n)",
    "all(1/(S[j, k] + 94) <= 1, j, 1, n, k, 1, n)",
]


@pytest.mark.parametrize("says", ASSUMED)
@pytest.mark.parametrize("changed", PARTS)
@pytest.mark.parametrize("by", [-100, 0, 100])
def test_an_assumption_about_every_index_is_decided_as_entry_by_entry(
    says: str, changed: str, by: int
) -> None:
    symbols = {"n": "dimension", "S": "matrix(n, n)"}
    pattern = {**SQUARE, changed: SQUARE[changed] + by}
    statement = stated("n == n + 1", symbols, (says,))
    for size in (3, 5):
        found = outcome(statement, {"n": size, "S": pattern})
        assert found == outcome(statement, {"n": size, "S": written(pattern, size, size)})
