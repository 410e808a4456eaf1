"""Shapes of undeclared names: the least special ones that fit, the same whatever names and order are."""

import itertools
import re

import pytest

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.read.infer import InferenceError, infer
from verifier.read.specs.load import load_text


def read(*formulas: str, declared: dict[str, str] | None = None) -> dict[str, str]:
    found = infer([S.parse(formula) for formula in formulas], declared)
    return {item.name: item.says for item in found.symbols if item.says != "dimension"}


def shapes(*formulas: str, declared: dict[str, str] | None = None) -> dict[str, str]:
    """The same with sizes called by the order in which the sorted names have them."""
    found = read(*formulas, declared=declared)
    letters: dict[str, str] = {}
    return {
        name: re.sub(
            r"(?<=[(, ])[a-z]\w*", lambda m: letters.setdefault(m[0], f"s{len(letters)}"), found[name]
        )
        for name in sorted(found)
    }


EXAMPLES = {
    "norm(A @ B) <= norm(A) * norm(B)": {"A": "matrix(n, m)", "B": "matrix(m, d)"},
    "norm(c*x) == abs(c) * norm(x)": {"c": "real", "x": "matrix(n, m)"},
    "norm(x + y) <= norm(x) + norm(y)": {"x": "matrix(n, m)", "y": "matrix(n, m)"},
    "x * y <= (x**2 + y**2) / 2": {"x": "real", "y": "real"},
    "c * A @ B == A @ (c * B)": {"c": "real", "A": "matrix(n, m)", "B": "matrix(m, d)"},
    "x.T @ A @ y <= norm(A, 2) * norm(x) * norm(y)": {
        "x": "vector(n)",
        "A": "matrix(n, m)",
        "y": "vector(m)",
    },
    "sum(x[i], i, 1, k) <= sqrt(k) * norm(x)": {"x": "vector(k)"},
    "sum(A[i, j]**2, i, 1, n, j, 1, m) == norm(A)**2": {"A": "matrix(n, m)"},
    "tr(A @ B) == tr(B @ A)": {"A": "matrix(n, m)", "B": "matrix(m, n)"},
    "tr(A) <= sqrt(n) * norm(A) + 0 * sum(1, i, 1, n)": {"A": "matrix(m, m)"},
    "A @ B - B @ A == 0": {"A": "matrix(n, n)", "B": "matrix(n, n)"},
    "A[i, j] <= norm(A)": {"A": "matrix(n, m)", "i": "index(n)", "j": "index(m)"},
    "norm(W[i]) <= norm(W)": {"W": "matrix(n, m)", "i": "index(n)"},
    "norm(diag(v)) == norm(v)": {"v": "vector(n)"},
    "norm(v, 1) >= norm(v)": {"v": "vector(n)"},
    "norm(D(A @ x, x)) >= 0": {"A": "matrix(n, m)", "x": "matrix(m, d)"},
    "softmax(M) <= 1": {"M": "matrix(n, m)"},
    "eye(k) @ A == A": {"A": "matrix(k, n)"},
    "norm(kron(A, B)) == norm(A) * norm(B)": {"A": "matrix(n, m)", "B": "matrix(d, k)"},
    "norm(A @ x - b) >= 0": {"A": "matrix(n, m)", "x": "matrix(m, d)", "b": "matrix(n, d)"},
    "exp(x) >= 1 + x": {"x": "real"},
}


@pytest.mark.parametrize("formula", EXAMPLES)
def test_the_least_special_shapes_that_fit(formula: str) -> None:
    assert read(formula) == EXAMPLES[formula]


@pytest.mark.parametrize("formula", EXAMPLES)
def test_what_is_inferred_is_a_claim_of_the_language(formula: str) -> None:
    found = infer([S.parse(formula)])
    symbols = "".join(f"  {item.name}: {item.says}\n" for item in found.symbols)
    loaded = load_text(f"theorem: a/b\nsymbols:\n{symbols}claims:\n  c: {{says: '{formula}'}}\n")
    assert [entry.id for entry in loaded.ready] == ["a/b#c"], loaded.entries


@pytest.mark.parametrize("formula", EXAMPLES)
def test_names_do_not_matter(formula: str) -> None:
    names = [item.name for item in infer([S.parse(formula)]).symbols]
    other = {name: f"z{len(names) - at}q" for at, name in enumerate(names)}
    renamed = re.sub(r"[A-Za-z]\w*", lambda m: other.get(m[0], m[0]), formula)
    before, after = shapes(formula), shapes(renamed)
    bare = {name: re.sub(r"z\dq", "", kind) for name, kind in after.items()}
    kinds = {name: kind.partition("(")[0] for name, kind in before.items() if name in other}
    assert {name: bare[other[name]].partition("(")[0] for name in kinds} == kinds


def test_the_order_of_formulas_does_not_matter() -> None:
    formulas = ["norm(A @ x) <= c", "norm(c * x) == abs(c) * norm(x)", "y == A @ x + b", "norm(b, 1) <= 1"]
    found = {tuple(shapes(*order).items()) for order in itertools.permutations(formulas)}
    assert len(found) == 1
    (pairs,) = found
    assert dict(pairs)["c"] == "real"
    assert dict(pairs)["x"].startswith("vector")


@pytest.mark.parametrize("sides", [*itertools.permutations(["norm(a * b)", "norm(b * c)"])])
def test_products_that_nothing_decides_are_decided_together(sides: tuple[str, str]) -> None:
    assert set(shapes(" <= ".join(sides)).values()) == {"matrix(s0, s1)"}


def test_one_word_of_a_declaration_changes_the_shape() -> None:
    formula = "norm(A @ x) <= norm(A) * norm(x)"
    assert read(formula, declared={"x": "vector(k)"})["A"] == "matrix(n, k)"
    assert read(formula, declared={"x": "matrix(k, 2)"})["A"] == "matrix(n, k)"
    assert read(formula, declared={"A": "symmetric(k)"})["x"] == "matrix(k, n)"


def test_sizes_and_parameters_of_what_is_declared() -> None:
    found = infer([S.parse("E(norm(W @ x)**2) <= c")], {"W": "normal(p, q, std=sigma)", "x": "vector(q)"})
    says = {item.name: item.says for item in found.symbols}
    assert says == {"p": "dimension", "q": "dimension", "c": "real", "sigma": "positive"}


def test_invented_sizes_collide_with_nothing() -> None:
    found = infer([S.parse("norm(n @ m) <= d * k")])
    says = {item.name: item.says for item in found.symbols}
    assert says["n"] == "matrix(p, q)"
    assert says["m"] == "matrix(q, r)"
    assert says["d"] == says["k"] == "real"


@pytest.mark.parametrize(
    ("formula", "declared", "column"),
    [
        ("A @ A == B", {"A": "matrix(n, m)"}, 0),
        ("norm(x) <= 1 + tr(x.T + x @ y)", {"x": "matrix(n, m)", "y": "vector(k)"}, 24),
        ("A @ A.T == ones(n, m)", {}, 0),
        ("sum(x[i], i, 1, n) <= sum(x[i], i, 1, k)", {}, 28),
    ],
)
def test_a_contradiction_has_a_place_and_a_remedy(
    formula: str, declared: dict[str, str], column: int
) -> None:
    with pytest.raises(InferenceError) as caught:
        read(formula, declared=declared)
    assert caught.value.code == "shape"
    assert caught.value.hint
    assert caught.value.span.start == column


def test_an_unknown_function_is_no_product() -> None:
    with pytest.raises(InferenceError, match="no function"):
        read("f(x) <= 1")
    assert read("f(x) <= 1", declared={"f": "function(k)"}) == {"x": "vector(k)"}
    with pytest.raises(ExprError):
        read("x <= 1", declared={"x": "matrx(n, m)"})


def test_the_formula_with_the_trouble_is_named() -> None:
    with pytest.raises(InferenceError) as caught:
        read("norm(x) <= 1", "f(x) <= 1")
    assert caught.value.formula == 1


def test_long_formulas_are_read_in_time() -> None:
    many = " + ".join(f"norm(A{at} @ A{at + 1})" for at in range(60))
    assert len(read(f"{many} >= 0")) == 61
