"""Jensen's inequality for random matrices of any law, and what is neither convex nor concave."""

import pytest

from tests.prove.specs import claim, judged
from verifier.prove.means.jensen import bend

SYMBOLS = """
n: dimension
m: dimension
c: positive
b: real
x: vector(n)
A: matrix(m, n)
e: rademacher(n)
u: uniform(n, 0, 2)
Z: random(n, mean=0)
Y: random(n, m, mean=1)
X: random(n)
g: normal(n)
"""


@pytest.mark.parametrize(
    "true",
    [
        "E(exp(inner(x, Z))) >= 1",
        "E(softplus(inner(x, Z))) >= log(2)",
        "E(norm(Y)**2) >= n*m",
        "E(norm(X)) >= norm(E(X))",
        "E(norm(A @ u)**4) >= norm(A @ ones(n))**4",
        "norm(E(X), 1) <= E(norm(X, 1))",
        "E(abs(inner(x, e))) <= norm(x)",
        "E(log(sum(exp(e[k]), k, 1, n))) >= log(n)",
        "E(log(1 + norm(g)**2)) <= log(1 + n)",
        "E(sqrt(4 + norm(g)**2)) <= sqrt(4 + n)",
        "E(log(ones(n).T @ exp(g))) <= log(n) + 1/2",
        "E(softplus(norm(g)**2)) >= softplus(n)",
        "E(c*norm(g + x)) >= c*norm(x)",
        "E(exp(b)*norm(g + x)) >= exp(b)*norm(x)",
        "E((1 + b**2)*norm(g + x)) >= (1 + b**2)*norm(x)",
        "E(norm(A)*norm(g + x)) >= norm(A)*norm(x)",
        "E(log(n)*norm(g + x)) >= log(n)*norm(x)",
    ],
)
def test_true_bounds(true: str) -> None:
    assert judged(true, SYMBOLS).truth == "true"


@pytest.mark.parametrize(
    "false",
    [
        "E(exp(inner(x, Z))) >= 2",
        "E(norm(Y)**2) >= n*m + 1",
        "E(norm(X)) >= 2*norm(E(X))",
        "E(norm(A @ u)**4) >= 2*norm(A @ ones(n))**4",
        "E(sin(inner(x, Z))) >= 0",
        "E(log(sum(exp(e[k]), k, 1, n))) >= log(n) + 1",
        "E(log(1 + norm(g)**2)) <= log(n)",
        "E(log(ones(n).T @ exp(g))) <= log(n) + 1/4",
        "E(softplus(norm(g)**2)) >= softplus(2*n)",
        "E(b*norm(g + x)) >= b*norm(x)",
        "E((1 - b**2)*norm(g + x)) >= (1 - b**2)*norm(x)",
        "E((norm(A) - c)*norm(g + x)) >= (norm(A) - c)*norm(x)",
        "E(log(c)*norm(g + x)) >= log(c)*norm(x)",
    ],
)
def test_false_bounds_are_not_shown(false: str) -> None:
    assert judged(false, SYMBOLS).truth != "true"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("inner(x, Z) + 3", "affine"),
        ("norm(A @ Z - ones(m))", "convex"),
        ("c*exp(-inner(x, Z))", "convex"),
        ("b*exp(inner(x, Z))", None),
        ("-softplus(inner(x, Z))", "concave"),
        ("exp(norm(Z))", "convex"),
        ("norm(exp(Z))", None),
        ("norm(Z) - norm(A @ Z)", None),
        ("inner(Z, Z)", None),
        ("inner(x, Z)**3", None),
        ("max(inner(x, Z), 1)", "convex"),
        ("min(inner(x, Z), norm(Z))", None),
        ("log(c + inner(x, Z))", "concave"),
        ("sum(relu(x[i]*Z[i]), i, 1, n)", "convex"),
        ("log(sum(exp(Z[i]), i, 1, n))", "convex"),
        ("log(c + 2*exp(norm(Z)))", "convex"),
        ("log(b + ones(n).T @ exp(Z))", None),
        ("log(sum(exp(-norm(Z)), i, 1, n))", None),
    ],
)
def test_what_bends_which_way(body: str, kind: str | None) -> None:
    made = claim(f"E({body}) >= 0", SYMBOLS)
    mean = made.steps[0].fact.left  # type: ignore[union-attr]
    assert bend(made, mean.body) == kind
