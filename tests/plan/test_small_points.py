"""Small points and small scales: what is false is found, what is true is not."""

from verifier.expr.nodes import Relation
from verifier.plan.small_points import broken, broken_when_small
from verifier.read.specs.load import load_text

HEAD = """
theorem: toy/small
symbols: {n: dimension, d: dimension, a: real, sigma: positive, X: "matrix(n, d)", x: vector(d),
          W: "normal(d, d, std=sigma)", V: "normal(d, d)"}
let: {A: softmax(X @ W @ X.T), Z: "X + a*X @ V", F: relu(Z @ W)}
assumptions: {equal: "all(norm(X[k]) == norm(x), k, 1, n)"}
claims:
  one: {says: "%s"}
"""


def found(how, says: str):
    (claim,) = load_text(HEAD % says).claims
    fact = claim.steps[0].fact
    assert isinstance(fact, Relation)
    return how(claim, fact)


def test_a_branch_is_switched_off_where_the_whole_is_out_of_reach() -> None:
    """relu of a product of two random matrices has no exact mean here; without the branch, E F**2 is half."""
    example = found(broken, "E(norm(F)**2) == E(norm(Z @ W)**2)")
    assert example is not None
    assert example.values["a"] == 0
    assert example.rhs == 2 * example.lhs
    assert found(broken, "2*E(norm(F)**2) == E(norm(Z @ W)**2)") is None


def test_points_keep_to_assumptions_when_small() -> None:
    name, example = found(broken_when_small, "E(norm(A @ X)**2) == norm(X.T @ ones(n))**2/n")
    assert name == "sigma"
    rows = example.values["X"]
    assert len({sum(x * x for x in row) for row in rows}) == 1
    assert example.lhs_exact != example.rhs_exact
    assert found(broken_when_small, "E(norm(A @ ones(n))**2) == n") is None


def test_limits_and_orders_are_not_for_small_scales() -> None:
    assert found(broken_when_small, "limit(E(norm(A @ X)**2), sigma, 0) == norm(X.T @ ones(n))**2/n") is None


DEEP = """
theorem: toy/deep
symbols: {n: dimension, d: dimension, L: dimension, a: real, sigma: positive, x: vector(d), X: "matrix(n, d)",
          i: index(n), j: index(n)}
layers:
  state: X
  depth: L
  symbols: {W: "normal(d, d, std=sigma)", V: "normal(d, d)"}
  let: {A: softmax(X @ W @ X.T)}
  next: X + a * A @ X @ V
assumptions: {equal: "all(norm(X[k]) == norm(x), k, 1, n)"}
claims:
  one: {says: "%s"}
"""


def test_a_second_layer_shows_what_the_first_hides() -> None:
    """One layer keeps tokens of one length at one mean length, since it sees a row only by its length; the
    second meets tokens that are no longer alike."""
    (claim,) = load_text(DEEP % "E(norm(after(X, L)[i])**2) == E(norm(after(X, L)[j])**2)").claims
    fact = claim.steps[0].fact
    assert isinstance(fact, Relation)
    found = broken_when_small(claim, fact, {"n"})
    assert found is not None
    name, example = found
    assert name == "sigma"
    assert example.values["L"] == 2
    assert example.values["n"] == 3
    assert len({str(row) for row in example.values["X"]}) > 1
    (claim,) = load_text(DEEP % "E(norm(after(X, L)[i])**2) >= norm(X[i])**2").claims
    fact = claim.steps[0].fact
    assert isinstance(fact, Relation)
    assert broken_when_small(claim, fact, {"n"}) is None


SHARED = """
theorem: toy/shared
symbols: {n: dimension, s: positive, t: positive, X: "matrix(n, 1)", Q: "normal(1, 1, std=s)",
          K: "normal(1, 1, std=t)"}
let: {A: softmax(X @ Q @ K.T @ X.T), spread: "X.T @ X - X.T @ ones(n, n) @ X / n"}
assumptions: {same: "%s"}
claims:
  one: {says: "E(norm(D(A @ X, K))**2) == t**2 / n**2 * norm(X)**2 * norm(spread)**2"}
"""


def test_a_positive_symbol_that_is_another_one_is_small_with_it() -> None:
    """At tokens 1 and 2 the sides are 5/16 t**2 - 51/32 t**6 + ... and 5/16 t**2."""
    for assumed, is_found in (("s == t", True), ("s + t == 2", False)):
        (claim,) = load_text(SHARED % assumed).claims
        fact = claim.steps[0].fact
        assert isinstance(fact, Relation)
        found = broken_when_small(claim, fact, {"n"})
        assert (found is not None and found[0] == "t") is is_found
