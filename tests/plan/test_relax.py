"""What each assumption buys, end to end."""

from verifier import Settings, Verdict, load_text, verify

SPEC = """
theorem: toy/relax
symbols: {n: dimension, u: vector(n), v: vector(n)}
assumptions: {unit-u: norm(u) == 1, unit-v: norm(v) == 1}
claims:
  far: {says: "inner(u, v) <= 2", under: [unit-u, unit-v]}
  any: {says: "inner(u, v) <= norm(u)*norm(v)", under: [unit-u]}
"""


def test_a_bound_far_from_broken_needs_its_assumption_all_the_same() -> None:
    bought = {
        item.id.partition("#")[2]: {a.name: a.status for a in item.assumptions}
        for item in verify(load_text(SPEC), Settings(trust="engines")).verdicts
        if isinstance(item, Verdict)
    }
    assert bought["far"] == {"unit-u": "needed", "unit-v": "needed"}
    assert bought["any"] == {"unit-u": "unneeded"}


LAYERED = """
theorem: toy/layers
symbols: {n: dimension, d: dimension, L: dimension, s: positive, X: "matrix(n, d)"}
layers:
  state: X
  depth: L
  symbols: {W: "normal(d, d, std=s)", Q: "normal(d, d)"}
  let: {A: softmax(X @ Q @ X.T)}
  next: A @ X @ W
assumptions: {uniform: "A == ones(n, n) / n", scale: s == 1/sqrt(d)}
claims:
  mean: {says: "E(norm(after(X, L).T @ ones(n))**2) == norm(X.T @ ones(n))**2"}
"""


def test_an_assumption_about_what_each_layer_draws_has_its_word_too() -> None:
    (verdict,) = verify(load_text(LAYERED), Settings(trust="engines")).verdicts
    assert isinstance(verdict, Verdict)
    assert verdict.verdict == "holds"
    assert {a.name: a.status for a in verdict.assumptions} == {"uniform": "needed", "scale": "needed"}


SMALL = """
theorem: toy/small
symbols: {n: dimension, d: dimension, sigma: positive, X: "matrix(n, d)", W: "normal(d, d, std=sigma)"}
let: {A: softmax(X @ W @ X.T)}
assumptions: {uniform: "A == ones(n, n) / n"}
claims:
  mean: {says: "E(norm(A @ X)**2) == norm(X.T @ ones(n))**2/n"}
  rows: {says: "norm(A @ ones(n))**2 == n"}
"""


def test_what_an_assumed_value_buys_is_seen_where_a_symbol_is_small() -> None:
    statuses = {}
    for verdict in verify(load_text(SMALL), Settings(trust="engines")).verdicts:
        assert isinstance(verdict, Verdict)
        assert verdict.verdict == "holds"
        (bought,) = verdict.assumptions
        statuses[verdict.id.partition("#")[2]] = bought.status
        if bought.status == "needed":
            assert bought.counterexample is not None
            assert bought.counterexample.values["sigma"] == "s"
    assert statuses["mean"] == "needed"
    assert statuses["rows"] != "needed"


LIMIT = """
theorem: toy/limit
symbols: {n: dimension, d: dimension, a: positive, alpha: real, X: "matrix(n, d)"}
layers:
  state: X
  depth: L
  symbols: {Q: "normal(d, d)", W: "normal(d, d, std=1/sqrt(d))", V: "iid(d, d, mean=0, var=1/d)"}
  let: {A: softmax(X @ Q @ X.T), F: relu(X @ W)}
  next: X + alpha * (A @ F @ V)
assumptions: {uniform: "A == ones(n, n) / n", linear: F == X @ W, scaled: alpha == sqrt(a/L)}
claims:
  grows: {says: "limit(E(norm(after(X, L).T @ ones(n))**2), L, oo) == exp(a) * norm(X.T @ ones(n))**2"}
"""


def test_what_an_activation_costs_in_the_limit_is_seen_with_one_token() -> None:
    (verdict,) = verify(load_text(LIMIT), Settings(trust="engines")).verdicts
    assert isinstance(verdict, Verdict)
    assert verdict.verdict == "holds"
    bought = {item.name: item for item in verdict.assumptions}
    assert bought["linear"].status == "needed"  # exp(a/2), since a ReLU keeps half of the square
    assert bought["linear"].counterexample is not None
    assert bought["linear"].counterexample.values["n"] == 1
    assert bought["uniform"].status != "unneeded"  # false for two tokens
    assert bought["scaled"].status == "needed"


ALLOWED = """
theorem: toy/allowed
symbols: {n: dimension, d: dimension, L: dimension, a: real, b: real, s: positive, X: "matrix(n, d)",
          x: vector(d)}
layers:
  state: X
  depth: L
  symbols: {W: "normal(d, d, std=s)", V: "normal(d, d, std=s)"}
  let: {Z: "X + a * (ones(n, n) / n @ X @ W)"}
  next: Z + b * Z @ V
let:
  total: E(sum(inner(after(X, L)[k], after(X, L)[m]), k, 1, n, m, 1, n))
assumptions: {scale: s == 1/sqrt(d), one: a == 1, equal: "all(norm(X[k]) == norm(x), k, 1, n)"}
claims:
  grows: {says: "total >= sum(inner(X[k], X[m]), k, 1, n, m, 1, n)"}
  doubles: {says: "total >= 2**L * sum(inner(X[k], X[m]), k, 1, n, m, 1, n)"}
"""


def test_what_a_depth_needs_is_told_in_the_order_written() -> None:
    statuses = {}
    for verdict in verify(load_text(ALLOWED), Settings(seconds=30.0, trust="engines")).verdicts:
        assert isinstance(verdict, Verdict)
        assert [a.name for a in verdict.assumptions] == ["scale", "one", "equal"]
        statuses[verdict.id.partition("#")[2]] = [a.status for a in verdict.assumptions]
        assert all(a.counterexample is not None for a in verdict.assumptions if a.status == "needed")
    assert statuses["grows"] == ["unneeded", "unneeded", "unneeded"]
    assert statuses["doubles"] == ["needed", "needed", "unneeded"]


STILL = """
theorem: toy/still
symbols: {n: dimension, d: dimension, L: dimension, a: real, b: real, X: "matrix(n, d)"}
layers:
  state: X
  depth: L
  symbols: {W: "normal(d, d)", V: "normal(d, d)"}
  next: X + a * X @ W + b * relu(X @ V)
assumptions: {first: a == 0, second: b == 0}
claims:
  same: {says: "after(X, L) == X"}
"""


def test_one_layer_of_size_one_shows_what_moves_a_state() -> None:
    (verdict,) = verify(load_text(STILL), Settings(trust="engines")).verdicts
    assert isinstance(verdict, Verdict)
    assert verdict.verdict == "holds"
    assert {a.name: a.status for a in verdict.assumptions} == {"first": "needed", "second": "needed"}
    assert all(a.counterexample is not None for a in verdict.assumptions)
