"""Networks with activations of normal weights: each true claim with false siblings that are refuted."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
d: dimension
m: dimension
k: dimension
n: dimension
s: positive
t: positive
x: vector(d)
y: vector(d)
b: vector(m)
X: matrix(n, d)
W: normal(m, d, std=s)
U: normal(k, m, std=t)
V: normal(d, k, std=sqrt(2/d))
G: normal(d, k, std=1/sqrt(d))
g: normal(1, 1, std=1)
"""
ANGLE = "theta: acos(inner(x, y)/(norm(x)*norm(y)))"
Q = "(s**2*norm(x)**2)"
GELU = f"(1/4 + asin({Q}/(1 + {Q}))/(2*pi) + {Q}/(pi*(1 + {Q})*sqrt(1 + 2*{Q})))"
GELU_SLOPE = (
    f"(1/4 + asin({Q}/(1 + {Q}))/(2*pi) + {Q}/(2*pi*sqrt(1 + 2*{Q}))"
    f" - {Q}**2/(pi*sqrt(1 + 2*{Q})**3) + {Q}/(pi*(1 + {Q})*sqrt(1 + 2*{Q})))"
)

CLAIMS: dict[str, tuple[str, list[str]]] = {
    "initialisation that keeps the second moment of relu": (
        "E(norm(relu(X @ V))**2) == k*norm(X)**2/d",
        ["E(norm(relu(X @ V))**2) == k*norm(X)**2", "E(norm(relu(X @ V))**2) == 2*k*norm(X)**2/d"],
    ),
    "initialisation that keeps the second moment of linear maps": (
        "E(norm(relu(X @ G))**2) == k*norm(X)**2/(2*d)",
        ["E(norm(relu(X @ G))**2) == k*norm(X)**2/d"],
    ),
    "abs": ("E(norm(abs(X @ G))**2) == k*norm(X)**2/d", ["E(norm(abs(X @ G))**2) == k*norm(X)**2/(2*d)"]),
    "the first moment of relu": (
        "E(relu(W @ x)) == s*norm(x)/sqrt(2*pi)*ones(m)",
        ["E(relu(W @ x)) == s*norm(x)/2*ones(m)", "E(relu(W @ x)) == s*norm(x)/sqrt(pi)*ones(m)"],
    ),
    "the factor 1/2": (
        "E(norm(relu(W @ x))**2) == m*s**2*norm(x)**2/2",
        ["E(norm(relu(W @ x))**2) == m*s**2*norm(x)**2", "E(norm(relu(W @ x))**2) == m**2*s**2*norm(x)**2/2"],
    ),
    "fourth moment": (
        "E(norm(relu(W @ x))**4) == m*(m + 5)*s**4*norm(x)**4/4",
        ["E(norm(relu(W @ x))**4) == m**2*s**4*norm(x)**4/4", "E(norm(relu(W @ x))**4) == 3*m*(m + 2)/4"],
    ),
    "variance": (
        "Var(norm(relu(W @ x))**2) == 5*m*s**4*norm(x)**4/4",
        ["Var(norm(relu(W @ x))**2) == 2*m*s**4*norm(x)**4"],
    ),
    "covariance of layers": (
        "Cov(relu(W @ x), W @ x) == s**2*norm(x)**2/2*eye(m)",
        ["Cov(relu(W @ x), W @ x) == s**2*norm(x)**2*eye(m)"],
    ),
    "second moments of all pairs": (
        "E(relu(W @ x) @ relu(W @ x).T) == s**2*norm(x)**2*((1/2 - 1/(2*pi))*eye(m) + ones(m, m)/(2*pi))",
        ["E(relu(W @ x) @ relu(W @ x).T) == s**2*norm(x)**2/2*eye(m)"],
    ),
    "two layers": (
        "E(norm(U @ relu(W @ x))**2) == k*t**2*m*s**2*norm(x)**2/2",
        ["E(norm(U @ relu(W @ x))**2) == k*t**2*m*s**2*norm(x)**2"],
    ),
    "two layers of relu": (
        "E(norm(relu(U @ relu(W @ x)))**2) == k*t**2*m*s**2*norm(x)**2/4",
        ["E(norm(relu(U @ relu(W @ x)))**2) == k*t**2*m*s**2*norm(x)**2/2"],
    ),
    "gradient in the first layer": (
        "E(norm(D(U @ relu(W @ x), W))**2) == k*m*t**2*norm(x)**2/2",
        ["E(norm(D(U @ relu(W @ x), W))**2) == k*m*t**2*norm(x)**2"],
    ),
    "gradient in the second layer": (
        "E(norm(D(U @ relu(W @ x), U))**2) == k*m*s**2*norm(x)**2/2",
        ["E(norm(D(U @ relu(W @ x), U))**2) == k*m*s**2*norm(x)**2"],
    ),
    "gradient in the input": (
        "E(norm(D(U @ relu(W @ x), x))**2) == k*m*d*t**2*s**2/2",
        ["E(norm(D(U @ relu(W @ x), x))**2) == k*m*d*t**2*s**2", "E(norm(D(U @ relu(W @ x), x))**2) == 0"],
    ),
    "weights beside the activation": (
        "E(tr(W @ x @ relu(W @ x).T)) == m*s**2*norm(x)**2/2",
        ["E(tr(W @ x @ relu(W @ x).T)) == m*s**2*norm(x)**2"],
    ),
    "gelu": (
        f"E(norm(gelu(W @ x))**2) == m*{Q}*{GELU}",
        [f"E(norm(gelu(W @ x))**2) == m*{Q}/2", f"E(norm(gelu(W @ x))**2) == m*{GELU}"],
    ),
    "gelu of a standard normal": (
        "E(gelu(g)**2) == 1/3 + sqrt(3)/(6*pi)",
        ["E(gelu(g)**2) == 1/3", "E(gelu(g)**2) == 0.425", "E(gelu(g)**2) == 1/2"],
    ),
    "the slope of gelu": (
        f"E(norm(D(gelu(W @ x), W))**2) == m*norm(x)**2*{GELU_SLOPE}",
        [
            f"E(norm(D(gelu(W @ x), W))**2) == m*norm(x)**2*{GELU}",
            "E(norm(D(gelu(W @ x), W))**2) == m*norm(x)**2/2",
        ],
    ),
    "erf": (
        f"E(norm(erf(W @ x))**2) == 2*m/pi*asin(2*{Q}/(1 + 2*{Q}))",
        [f"E(norm(erf(W @ x))**2) == 2*m/pi*asin({Q}/(1 + {Q}))"],
    ),
    "the slope of erf": (
        f"E(norm(D(erf(W @ x), W))**2) == 4*m*norm(x)**2/(pi*sqrt(1 + 4*{Q}))",
        [f"E(norm(D(erf(W @ x), W))**2) == 4*m*norm(x)**2/(pi*sqrt(1 + 2*{Q}))"],
    ),
    "Phi": (
        f"E(norm(Phi(W @ x))**2) == m*(1/4 + asin({Q}/(1 + {Q}))/(2*pi))",
        ["E(norm(Phi(W @ x))**2) == m/3"],
    ),
    "exp": (
        "E(exp(g)) == exp(1/2)",
        ["E(exp(g)) == exp(1)", "E(exp(g)) == 1", "E(abs(exp(g))) == exp(-1/2)"],
    ),
    "the absolute value of exp": ("E(abs(exp(g))) == exp(1/2)", ["E(abs(exp(g))) == 2*exp(1/2)"]),
    "exp of a linear map": (
        f"E(norm(exp(W @ x))**2) == m*exp(2*{Q})",
        [f"E(norm(exp(W @ x))**2) == m*exp({Q})", f"E(norm(exp(W @ x))**2) == m*exp({Q}/2)"],
    ),
    "random features": (
        "E(inner(cos(W @ x), cos(W @ y)) + inner(sin(W @ x), sin(W @ y))) == m*exp(-s**2*norm(x - y)**2/2)",
        ["E(inner(cos(W @ x), cos(W @ y)) + inner(sin(W @ x), sin(W @ y))) == m*exp(-s**2*norm(x + y)**2/2)"],
    ),
    "exponential kernel": (
        "E(inner(exp(W @ x), exp(W @ y))) == m*exp(s**2*norm(x + y)**2/2)",
        ["E(inner(exp(W @ x), exp(W @ y))) == m*exp(s**2*(norm(x)**2 + norm(y)**2)/2)"],
    ),
    "arc-cosine kernel": (
        "E(inner(relu(W @ x), relu(W @ y)))"
        " == m*s**2/(2*pi)*norm(x)*norm(y)*(sin(theta) + (pi - theta)*cos(theta))",
        [
            "E(inner(relu(W @ x), relu(W @ y)))"
            " == m*s**2/(2*pi)*norm(x)*norm(y)*(sin(theta) + theta*cos(theta))",
            "E(inner(relu(W @ x), relu(W @ y)))"
            " == m*s**2/pi*norm(x)*norm(y)*(sin(theta) + (pi - theta)*cos(theta))",
        ],
    ),
    "arc-cosine kernel of slopes": (
        "E(inner(D(relu(W @ x), W), D(relu(W @ y), W))) == m*inner(x, y)*(pi - theta)/(2*pi)",
        ["E(inner(D(relu(W @ x), W), D(relu(W @ y), W))) == m*inner(x, y)*theta/(2*pi)"],
    ),
    "arc-sine kernel": (
        "E(inner(erf(W @ x), erf(W @ y))) == 2*m/pi"
        "*asin(2*s**2*inner(x, y)/sqrt((1 + 2*s**2*norm(x)**2)*(1 + 2*s**2*norm(y)**2)))",
        [
            "E(inner(erf(W @ x), erf(W @ y))) == 2*m/pi"
            "*asin(s**2*inner(x, y)/sqrt((1 + s**2*norm(x)**2)*(1 + s**2*norm(y)**2)))"
        ],
    ),
    "bias": (
        "E(relu(g + t)) == t*Phi(t) + exp(-t**2/2)/sqrt(2*pi)",
        ["E(relu(g + t)) == t*Phi(t)", "E(relu(g + t)) == t + 1/sqrt(2*pi)"],
    ),
    "maximum with zero": (
        "E(norm(max(W @ x, 0))**2) == E(norm(min(W @ x, 0))**2)",
        ["E(norm(max(W @ x, 0))**2) == 2*E(norm(min(W @ x, 0))**2)"],
    ),
    "no closed form, one integral": (
        "E(norm(tanh(W @ x))**2) == m*E(tanh(s*norm(x)*g)**2)",
        ["E(norm(tanh(W @ x))**2) == m*E(tanh(2*s*norm(x)*g)**2)"],
    ),
    "silu": (
        "E(norm(silu(W @ x))**2) == m*E(silu(s*norm(x)*g)**2)",
        ["E(norm(silu(W @ x))**2) == 2*m*E(silu(s*norm(x)*g)**2)"],
    ),
}
TRUE = {name: says for name, (says, _) in CLAIMS.items()}


@pytest.mark.parametrize("says", TRUE.values(), ids=TRUE)
def test_true_claims_are_proved(says: str) -> None:
    found = judged(says, SYMBOLS, ANGLE)
    assert (found.truth, found.grade) == ("true", "proved"), found


FALSE = [(name, says) for name, (_, siblings) in CLAIMS.items() for says in siblings]


@pytest.mark.parametrize(
    "says", [says for _, says in FALSE], ids=[f"{n}-{k}" for k, (n, _) in enumerate(FALSE)]
)
def test_false_siblings_are_refuted(says: str) -> None:
    found = judged(says, SYMBOLS, ANGLE)
    assert found.truth == "false", found
    assert found.counterexample is not None


def test_the_missing_factor_is_put_back() -> None:
    found = judged("E(norm(relu(W @ x))**2) == m*s**2*norm(x)**2", SYMBOLS)
    assert found.corrected is not None
    assert judged(f"E(norm(relu(W @ x))**2) == {found.corrected}", SYMBOLS).truth == "true"


REFUSED = [
    "E(norm(relu(W @ W.T @ b))**2) == 0",  # not linear in the weights
    "E(norm(relu(relu(W @ x)*(W @ y)))**2) == 0",
    "E(norm(gelu(W @ x))**4) == 0",  # four steps
    "E(norm(log(W @ x))**2) == 0",
]


@pytest.mark.parametrize("says", REFUSED)
def test_what_is_not_recognised_is_never_true(says: str) -> None:
    assert judged(says, SYMBOLS, seconds=5).truth != "true"


def test_other_laws_are_left_alone() -> None:
    signs = "d: dimension\nm: dimension\nx: vector(d)\nW: rademacher(m, d)"
    found = judged("E(sum(relu(W @ x)[i], i, 1, m)) == m*norm(x)/sqrt(2*pi)", signs)
    assert found.truth != "true"


SCALED = """
a: positive
s: positive
y: real
g: normal(std=1)
h: normal(std=s)
"""


@pytest.mark.parametrize(
    ("says", "sibling"),
    [
        ("E(exp(-a*h**2)) == 1/sqrt(1 + 2*a*s**2)", "E(exp(-a*h**2)) == 1/sqrt(1 + a*s**2)"),
        ("E(min(max(g, -1), 1)) == 0", "E(min(max(g, -1), 2)) == 0"),
        ("E(relu(relu(h) - a)) == E(relu(h - a))", "E(relu(relu(h) - a)) == E(relu(h + a))"),
        ("E(abs(g*h)) == 2*s/pi", "E(abs(g*h)) == s/pi"),
        ("Phi(-y) == 1 - Phi(y)", "Phi(-y) == Phi(y)"),
    ],
)
def test_scaled_squares_clipping_and_signs(says: str, sibling: str) -> None:
    assert judged(says, SCALED).truth == "true"
    assert judged(sibling, SCALED).truth == "false"
