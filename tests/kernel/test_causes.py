"""An engine that is wrong again in every way in which one was: the kernel accepts no proof of what it says.

Each statement was once called proved, or refuted, and is the contrary. The finding below says so again; every
candidate for a proof is made and none is accepted."""

import pytest

from verifier.evidence import Counterexample, Finding
from verifier.proofs.propose import propose
from verifier.read.specs.load import load_text

SPEC = """
theorem: kernel/causes
symbols:
  n: dimension
  m: dimension
  s: positive
  b: positive
  i: index(n)
  x: vector(n)
  y: vector(n)
  z: vector(m)
  u: real
  v: real
  A: matrix(n, m)
  Z: random(n, mean=0)
  V: normal(n, n)
  W: normal(n, n, std=1/sqrt(n))
  g: normal()
  h: normal()
  e: rademacher()
  q: iid(n, mean=0)
assumptions:
  one-entry: x[1] == y[1]
  one-moment: E(Z[1]**2) == 1
  disc: u**2 + v**2 <= 1
  square: u**2 <= 2
  unit: norm(x) == 1
layers:
  state: x
  depth: L
  next: W @ x
claims:
  statement:
    says: "%s"
    under: [%s]
""".replace("  n: dimension\n", "  n: dimension\n  L: dimension\n", 1)

FALSE = [
    # an equation about one entry or one moment is applied to all
    ("norm(x - y) == 0", "one-entry"),
    ("E(norm(Z)**2) == n", "one-moment"),
    # a draw that all layers share
    ("E(norm(after(x, 2))**2) == 1", "unit"),
    ("E(norm(after(x, L))**2) == 1", "unit"),
    # means that do not exist
    ("E(e/Phi(g)) == 0", ""),
    ("E(e*exp(g**3)) == 0", ""),
    ("E(e/g) == 0", ""),
    ("E(q[1]**3) - E(q[1]**3) == 1", ""),
    # what an opaque mean depends on
    ("D(E(tanh(s*g)**2), s) == 0", ""),
    # D through a jump
    ("D(P(exp(g) <= b), b) <= 1/20", ""),
    # a total over one index where another is summed too
    ("sum(softmax(z.T)[1, j]*tanh(A[k, j]), k, 1, n, j, 1, m) <= 25", ""),
    # entries that are tied are not exchangeable
    ("E(softmax(V + V.T)) == ones(n, n)/n", ""),
    # equality on an open set, maxima at a boundary, strict bounds that are reached
    ("norm(x/max(1, norm(x)) - y/max(1, norm(y)), 1) <= norm(x - y, 1)", ""),
    ("u + 2*v <= 2.236", "disc"),
    ("u**2 < 2", "square"),
    # slow sums, almost-periods
    ("sum(1/k, k, 1, n) - log(n) >= 0.5772157", ""),
    ("cos(u) + cos(sqrt(2)*u) + cos(sqrt(3)*u) >= -2.99", ""),
    # a size that may be 1, a range that may be empty
    ("sum(1, k, 3, n) == n - 2", ""),
    ("n**2 > n", ""),
]
TRUE = [
    ("P(abs(g) <= 1) <= 7/10", "", {}),
    ("E(norm(after(x, 2))**2) == 1 + 2/n**2", "unit", {"n": 2, "x": [["1"], ["0"]]}),
    ("D(P(exp(g) <= b), b) > 0", "", {"b": "1"}),
    ("D(E(tanh(s*g)**2), s) > 0", "", {"s": "1"}),
    ("x[1]**2 == y[1]**2", "one-entry", {"n": 2, "x": [["1"], ["0"]], "y": [["2"], ["0"]]}),
    ("u**2 <= 2", "square", {"u": "2"}),
    ("norm(x)**2 == 1", "unit", {"n": 1, "x": [["2"]]}),
]


@pytest.mark.parametrize(("says", "under"), FALSE, ids=lambda text: text[:50])
def test_no_proof_of_what_is_false(says: str, under: str) -> None:
    (claim,) = load_text(SPEC % (says, under)).claims
    lie = Finding("symbolic", "true", "proved", "both sides have the same closed form")
    assert dict(propose(claim, claim.steps[0], lie).rules) == {"trust": 1}


@pytest.mark.parametrize(("says", "under", "values"), TRUE, ids=lambda text: str(text)[:50])
def test_no_refutation_of_what_is_true(says: str, under: str, values: dict[str, object]) -> None:
    (claim,) = load_text(SPEC % (says, under)).claims
    lie = Finding("search", "false", "proved", "it breaks", counterexample=Counterexample(values, None, None))
    assert dict(propose(claim, claim.steps[0], lie).rules) == {"trust": 1}
