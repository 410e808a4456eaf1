"""Text to tree to text: nothing is lost on the way."""

from hypothesis import given

from tests.expr.strategies import SCOPE, matrices, scalars
from verifier.expr import nodes as N
from verifier.expr.elaborate import elaborate, elaborate_fact
from verifier.expr.syntax import parse
from verifier.expr.text import to_text


@given(scalars(3))
def test_scalars_survive_the_round_trip(tree: N.Node) -> None:
    assert elaborate(parse(to_text(tree)), SCOPE) == tree


@given(matrices("nm", 3))
def test_matrices_survive_the_round_trip(tree: N.Node) -> None:
    assert elaborate(parse(to_text(tree)), SCOPE) == tree


@given(scalars(2), scalars(2), scalars(1))
def test_facts_survive_the_round_trip(a: N.Node, b: N.Node, c: N.Node) -> None:
    ranges = (N.Range("k", N.Number(1), N.Symbol("n")),)  # type: ignore[arg-type]
    for fact in (
        N.Relation("<=", a, b),
        N.Within(a, b, c),
        N.Independent(a, b),
        N.ForAll(N.Relation("!=", a, c), ranges),
    ):
        assert elaborate_fact(parse(to_text(fact)), SCOPE) == fact


def test_brackets_only_where_needed() -> None:
    for text in ("-x**2", "(-x)**2", "(x + 1)*2", "x - (1 - s)", "2**-x", "x/(s*2)", "(1/2)**x", "Q.T @ X"):
        assert to_text(elaborate(parse(text), SCOPE)) == text
    for text in ("hafnian(Q @ Q)", "2*esum(u[k]**2, k, 1, n, 2)", "P(limit(X, s, oo) == zeros(n, m))"):
        assert to_text(elaborate(parse(text), SCOPE)) == text


def test_a_literal_of_many_digits_is_one_again() -> None:
    for text in ("1e400", "-1e400 + x", "1/1e400", "12e399*x", "3e-70", "1000e400"):
        tree = elaborate(parse(text), SCOPE)
        assert elaborate(parse(to_text(tree)), SCOPE) == tree
    assert to_text(elaborate(parse("1e400"), SCOPE)) == "1e400"
    assert to_text(elaborate(parse("1e20"), SCOPE)) == "1" + 20 * "0"
