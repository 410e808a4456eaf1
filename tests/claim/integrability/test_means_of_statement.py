"""Whether the mean of an absolute value is finite: bodies whose answer is known by hand."""

import pytest

from verifier.claim.integrability import Standing, is_finite, standing
from verifier.claim.model import Claim
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/means
symbols:
  n: dimension
  s: positive
  t: real
  c: interval(1, 2)
  x: vector(n)
  g: normal()
  h: normal()
  k: normal(std=s)
  half: normal(std=1/2)
  w: normal(n)
  r: rademacher()
  b: bernoulli(1/3)
  u: uniform(0, 1)
  v: uniform(1, 2)
  z: iid(mean=0, var=1)
  m: normal(std=t**2)
  M: normal(n, n)
  q: integer
  i: index(n)
  j: index(n)
  f: function()
let:
  ratio: g/h
  square: g**2
assumptions:
  small: s < 1/4
layers:
  state: x
  depth: L
  symbols: {W: "normal(n, n)"}
  next: x + tanh(W @ x)
claims:
  c: {says: "%s", under: []}
"""


def claim_of(says: str) -> Claim:
    (claim,) = load_text(SPEC % says).claims
    return claim


def stands(body: str) -> Standing:
    claim = claim_of(f"E({body}) <= 1")
    return standing(claim, claim.steps[0].fact)


FINITE = """
exp(g); exp(-g**2); exp(g**2/4); exp(half**2); exp(g - g**4); exp(g**2 - g**4); h*exp(g**2/4); exp(-s*g**2)
g**40*exp(3*g); exp(sin(g**3)); exp(g*h/2); exp(-g**2*h**2); 2**g; 1/exp(g); exp(norm(w)); exp(norm(w)**2/4)
exp(inner(x, w)); 1/Phi(g/2); exp(-g**2)/Phi(g); 1/sigmoid(g); 1/softplus(g); 1/(1 + g**2); 1/(2 + tanh(g))
1/(1 + u); 1/v; 1/(1 + b); 1/r; 1/sqrt(u); 1/sqrt(abs(g)); log(abs(g)); log(g**2); log(u); log(1 + norm(w)**2)
log(abs(g))/sqrt(abs(g)); g**2/g; exp(g**2)**0; (10**40 + u)**9; g*10**400; g/abs(g)
inner(w, x)**2/norm(w)**2; z**4; exp(z); exp(z*g); f(g); exp(c)
log(sum(exp(w[i]), i, 1, n)); g**(2*n - 2); sum(g**i, i, 0, n); inner(after(x, L), x); norm(D(after(x, L), x))
norm(D(tanh(s*w), w)); norm(softmax(w.T)); indicator(exp(g**3) > 1); E(g**2)*g; abs(g)**s
square*exp(square/4)
min(g, h)*max(g, 0); log(ones(n).T @ exp(w)); g**3 - exp(h)
"""
INFINITE = """
r/Phi(g); r*exp(g**3); exp(-g*h); h/b; exp(g**2/2); exp(2*half**2); g/h; 1/g**2; 1/b; 1/g; h*exp(g**2/2)
g*exp(g**2); 1/Phi(g)
exp(g*h); exp(g**2*h); exp(g**2*h**2); exp(g**2 + h); 1/phi(g); 1/Phi(g)**2; 1/exp(g**3); exp(norm(w)**2)
exp(inner(w, w)); exp(norm(w)**3); log(b); 1/u; 1/(u*g); 1/relu(g); exp(g)/g; 1/(g + h); 1/(g - 5)
1/(2*g + 1)
1/inner(x, w); r*b/g; exp(g**2) - 1; exp(g**2) + exp(h**2); ratio; exp(square); sqrt(exp(g**2)*exp(h**2)*g**2)
abs(g)**(-3/2); exp(g**3)*exp(h)
"""
OPEN = """
g/(g + h); w[1]/w[2]; 1/(1 + t*g); 1/(1 + inner(x, w)); exp(w[i]*w[j]/2); exp(w[i]**2 + norm(w)**2/8)
exp(m**3); (1 - erf(g))**(-3/5); matpow(M, q); exp(tr(M @ M)/9); 1/(1 + g*h)
exp(g**2) - exp(h**2); t*exp(g**2); z*exp(g**3); abs(g)**t; sum(g**i, i, -2, n); exp(exp(g)); 1/(1 + tanh(g))
norm(D(norm(w)**3/norm(w), w)); sin(g)*exp(g**2)
"""


# What has no value with a positive chance has none times 0 either, nor as the argument of a bounded function.
VALUELESS = """
0*log(b); 0/b + r; log(b)**0; r + log(b) - log(b); r*(2 - 2)/b; (r - r)*log(b); 0*sqrt(g); r*tanh(1/b)
r*tanh(1/(b - r**2)); r*exp(-1/b**2); sigmoid(log(r)); indicator(log(b) <= 1); min(1, 1/b); asin(2*r)
tanh(1/relu(g)); tanh(1/(g**2*b)); (r - 1)**(-2); tanh(sqrt(r)); tanh(g**(1/2)); D(t + log(b), t)
tanh(u/(b - 1)); acos(g); sigmoid(log(z + g))
"""
VALUED = """
0*log(1 + b); 0*(1/g); 0*sqrt(u); log(u)**0; r*tanh(1/(r - 2)); r*tanh(1/(w[1] - w[2])); asin(r)
acos(tanh(g)); tanh(1/(g**2 + 1)); tanh(1/sum(w[i]**2, i, 1, n)); tanh(1/(g*h)); tanh(log(g**2 + b))
b*log(1 + u); tanh(1/(3*w[1]*w[2] - g*h)); 0*exp(g**4); asin(u)
"""
VALUE_OPEN = "tanh(1/(t*g + b)); tanh(1/(g - g)); tanh(1/max(g, 0)); asin(u + t); tanh(sqrt(u - t))"


def bodies(text: str) -> list[str]:
    return [body.strip() for line in text.strip().splitlines() for body in line.split(";")]


@pytest.mark.parametrize("body", bodies(FINITE))
def test_finite(body: str) -> None:
    assert stands(body) == Standing()


@pytest.mark.parametrize("body", bodies(INFINITE))
def test_infinite(body: str) -> None:
    undefined = stands(body).undefined
    assert undefined is not None
    assert undefined.startswith("the mean of abs(")
    assert "is infinite" in undefined


@pytest.mark.parametrize("body", bodies(VALUELESS))
def test_without_a_value(body: str) -> None:
    undefined = stands(body).undefined
    assert undefined is not None
    assert "with a positive chance" in undefined


@pytest.mark.parametrize("body", bodies(VALUED))
def test_with_a_value_almost_surely(body: str) -> None:
    assert stands(body) == Standing()


@pytest.mark.parametrize("body", bodies(VALUE_OPEN))
def test_with_a_value_or_not(body: str) -> None:
    found = stands(body)
    assert found.undefined is None
    assert found.missing is not None


@pytest.mark.parametrize("body", bodies(OPEN))
def test_open(body: str) -> None:
    found = stands(body)
    assert found.undefined is None
    assert found.missing is not None
    assert not found.conditions


@pytest.mark.parametrize(
    ("body", "left_out"),
    [
        ("exp(t*g**2)", "2*t >= 1"),
        ("exp(s*g**2)", "2*s >= 1"),
        ("exp(k**2)", "2 >= 1/(s*s)"),
        ("exp(s*g*h)", "abs(s) >= 1"),
        ("1/norm(w)", "n <= 1"),
        ("1/norm(w)**2", "n <= 2"),
        ("1/inner(w, w)", "n/2 <= 1"),
    ],
)
def test_finite_under_conditions(body: str, left_out: str) -> None:
    found = stands(body)
    assert (found.undefined, found.missing, found.excluded) == (None, None, (left_out,))


def test_conditions_that_are_only_enough() -> None:
    found = stands("norm(D(rmsnorm(w.T), w))**2")
    assert not found.conditions
    assert len(found.enough) == 1


@pytest.mark.parametrize(
    "says",
    [
        "Var(exp(g**2/4)) >= 0",
        "Cov(g, exp(g**2)) >= 0",
        "Cov(1/sqrt(abs(g)), 1/sqrt(abs(g))) >= 0",
        "D(E(exp(g**2)*t), t) >= 0",
        "sum(E(1/g), i, 1, n) >= 0",
        "limit(E(g/h)/n, n, oo) == 0",
        "sup(E(exp(g**2))*t, t) >= 0",
        "E(E(exp(g**2)*h**2, given=h)) >= 0",
        "E(g*E(1/h)) == 0",
        "P(g <= E(1/h)) >= 0",
    ],
)
def test_wherever_a_mean_stands(says: str) -> None:
    claim = claim_of(says)
    found = standing(claim, claim.steps[0].fact)
    assert found.undefined is not None or found.missing is not None


def test_a_mean_in_an_assumption() -> None:
    spec = SPEC.replace("s < 1/4", "E(1/g) < s").replace(", under: []", "") % "s >= 0"
    (claim,) = load_text(spec).claims
    assert standing(claim, claim.steps[0].fact).undefined is not None


def test_the_limit_of_a_mean_that_exists_far_out() -> None:
    claim = claim_of("limit(E(1/norm(w)), n, oo) == 0")
    assert standing(claim, claim.steps[0].fact) == Standing()


@pytest.mark.parametrize(
    ("says", "answer"),
    [
        ("E(1/g**2) < oo", False),
        ("E(exp(g**2)) < oo", False),
        ("E(exp(g**2/4)) < oo", True),
        ("Var(exp(g**2/4)) < oo", False),
        ("E(g**2) < oo", True),
        ("E(1/g) < oo", None),
        ("E(exp(t*g**2)) < oo", None),
        ("E(g) <= 1", None),
    ],
)
def test_whether_a_mean_is_finite_may_be_claimed(says: str, answer: bool | None) -> None:
    claim = claim_of(says)
    assert is_finite(claim, claim.steps[0].fact) is answer
