"""Mean squares over many layers of attention: what does not tend to 0, and siblings that do."""

import numpy as np
import pytest

from verifier.evidence import Budget, Finding
from verifier.prove.engine import examine
from verifier.prove.rays.mean_squares import examine_rays
from verifier.read.specs.load import load_text

ATTENTION = "softmax(X @ W_Q @ W_K.T @ X.T / sqrt(d_k))"
CENTRED = "E(norm(after(X, L) - ones(n, n)/n @ after(X, L))**2)"
SQUARE = "E(norm(after(X, L))**2)"
SKIP = "X + A @ X @ W_V"
COLLAPSE = f"limit({CENTRED}, L, oo) == 0"


def judged(
    says: str = COLLAPSE,
    values: str = "1/sqrt(d_v)",
    following: str = "A @ X @ W_V",
    assume: str = "",
    state: str = "matrix(n, d_v)",
    shared: str = "",
) -> Finding | None:
    text = "theorem: t/t\nsymbols:\n  n: dimension\n  d_v: dimension\n  d_k: dimension\n  L: dimension\n"
    text += f"  X: {state}\n{shared}layers:\n  state: X\n  depth: L\n  symbols:\n"
    text += "    W_Q: normal(d_v, d_k, std=1)\n    W_K: normal(d_v, d_k, std=1)\n"
    text += f"    W_V: normal(d_v, d_v, std={values})\n    W_O: normal(d_v, d_v, std=1)\n"
    text += f"  let:\n    A: {ATTENTION}\n  next: {following}\n"
    text += f"assumptions:\n  a: {assume}\n" if assume else ""
    (claim,) = load_text(f'{text}claims:\n  c: {{says: "{says}"}}\n').claims
    return examine_rays(claim, claim.steps[0].fact, 10)


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"says": f"limit({CENTRED}, L, oo) <= 1000"},
        {"says": f"7 > limit({CENTRED}, L, oo)"},
        {"says": "limit(sqrt(E(norm(after(X, L))**2)/n), L, oo) == 0"},
        {"says": f"limit({CENTRED}/norm(X)**2, L, oo) == 0"},
        {"says": f"{CENTRED} <= exp(-L)*norm(X)**2"},
        {"values": "2/sqrt(d_v)"},
        {"following": "A @ X @ W_V @ W_O"},
        {"following": "2*(A @ X) @ W_V", "values": "1/2"},
        {"following": SKIP},
        {"following": SKIP, "values": "1/10"},
        {"following": SKIP, "says": f"{CENTRED} < norm(X - ones(n, n)/n @ X)**2"},
        {"following": SKIP, "says": f"{SQUARE} <= 2*norm(X)**2"},
        {"following": SKIP, "says": f"limit({SQUARE}, L, oo) <= 1000*norm(X)**2"},
        {"following": "X + A @ X @ W_V/L", "says": f"{SQUARE} < norm(X)**2"},
        {"assume": "W_Q == W_K"},
        {"assume": "n >= 3"},
        {"assume": "norm(X) >= 3"},
    ],
)
def test_does_not_collapse(case):
    found = judged(**case)
    assert found is not None
    assert (found.truth, found.grade) == ("false", "certified")
    assert found.counterexample is not None


@pytest.mark.parametrize(
    "case",
    [
        {"values": "1/(2*sqrt(d_v))"},  # E x'**2 <= x**2/4: true
        {"assume": "A == ones(n, n)/n"},  # true after one layer
        {"assume": "n == 1"},  # nothing to collapse: true
        {"assume": "norm(X) <= 1"},  # the bound says nothing of small inputs
        {"assume": "norm(W_V) <= 1"},  # other draws
        {"assume": "norm(A) <= 1"},  # other draws
        {"says": "limit(E(norm(after(X, L))), L, oo) == 0"},  # in the mean the state does tend to 0
        {"says": f"limit({CENTRED}, L, oo) >= 0"},  # true
        {"says": f"limit({CENTRED}/norm(X)**2, L, oo) <= 1"},  # true on the ray
        {"says": "limit(E(norm(after(X, L) - X)**2), L, oo) == 0"},  # no quadratic of the state alone
        {"following": "X/2 + A @ X @ W_V"},  # the factor is no product, and it may be small
        {"says": f"{SQUARE} <= 2**L*norm(X)**2", "following": SKIP},  # an equality on the ray of ones
        {"says": f"{SQUARE} >= norm(X)**2", "following": SKIP},
        {"following": "A @ X @ W_V @ V", "shared": "  V: normal(d_v, d_v, std=1)\n"},  # one V in all layers
        {"following": "W_Q[1, 1]*(A @ X)"},  # the factor is not independent of the attention
        {"says": f"sup({CENTRED}, X) <= 0"},
        {"says": f"limit({CENTRED}, n, oo) <= 0"},
        {"says": "E(D(norm(after(X, L))**2, d)**2) <= 0", "shared": "  d: real\n", "values": "d"},
        {"says": "D(E(norm(after(X, L))**2), d) <= 0", "shared": "  d: real\n", "values": "d"},
        {"state": "normal(n, d_v, std=1)"},  # no input can be chosen
        {"values": "1/sqrt(L)"},  # other layers at each depth
    ],
)
def test_nothing_is_said(case):
    assert judged(**case) is None


@pytest.mark.parametrize(
    ("following", "expected"),
    [
        ("w*tanh(z*x)*x", True),
        ("w*tanh(z*x**2/3)**2*x", True),
        ("x + w*tanh(z*x)*x", True),
        ("w*(1 + tanh(z*x)**2)*x", True),
        ("x/2 + w*tanh(z*x)*x", False),
        ("x + w*tanh(w*x)*x", False),  # E(r**2 | x) needs the joint law
        ("w*(2*sigmoid(z*x) - 1)*x", True),
        ("w*u*tanh(z*x)*x", False),  # E u**2 = 1/3
        ("2*w*u*tanh(z*x)*x", True),
        ("w*sigmoid(z*x)*x", False),  # small for half of the draws
        ("r*tanh(z*x)*x", False),  # a sign does not decay: E|r| = 1
        ("w*tanh(z)*x", False),  # linear in x
        ("w*tanh(z*x + 1)*x", False),
        ("w*tanh(z*x)*x + w", False),
    ],
)
def test_states_of_one_number(following, expected):
    text = "theorem: t/t\nsymbols: {x: real, L: dimension}\nlayers:\n  state: x\n  depth: L\n  symbols:\n"
    text += "    w: normal(std=1)\n    z: normal(std=1)\n    u: uniform(-1, 1)\n    r: rademacher()\n"
    text += f'  next: {following}\nclaims:\n  c: {{says: "limit(E(after(x, L)**2), L, oo) == 0"}}\n'
    (claim,) = load_text(text).claims
    assert (examine_rays(claim, claim.steps[0].fact, 10) is not None) is expected


def test_the_engine_says_it():
    text = "theorem: t/t\nsymbols: {x: real, L: dimension}\nlayers:\n  state: x\n  depth: L\n  symbols:\n"
    text += "    w: normal(std=1)\n    z: normal(std=1)\n  next: w*tanh(z*x)*x\n"
    (claim,) = load_text(f'{text}claims:\n  c: {{says: "limit(E(after(x, L)**2), L, oo) == 0"}}\n').claims
    found = examine(claim, claim.steps[0], Budget(seconds=10))
    assert found.truth == "false"
    assert found.derivation


def test_the_bound_is_below_what_is_drawn():
    """Under the law with density w**2 phi(w) of w, |w| is the length of a normal vector in space, and
    E x_L**2 = x_0**2 E prod tanh(z x_l**2)**2: an average of numbers in [0, 1], so one with small error."""
    found = judged()
    assert found is not None
    example = found.counterexample
    assert example is not None
    start = example.values["X"][0][0]
    rng, paths = np.random.default_rng(0), 20_000
    x, kept = np.full(paths, float(start)), np.ones(paths)
    for _ in range(40):
        shrunk = np.tanh(rng.normal(size=paths) * rng.normal(size=paths) * x**2)
        kept *= shrunk**2
        x = np.minimum(abs(shrunk * x) * np.linalg.norm(rng.normal(size=(3, paths)), axis=0), 1e6)
    estimate = 2 * start**2 * kept.mean()
    assert int(example.lhs_exact.removeprefix("at least ")) <= estimate <= 2 * start**2
