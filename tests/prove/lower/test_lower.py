"""Random expressions: the closed form at a point is the exact value of the tree there.

The other side of the comparison expands every entry and every moment, and knows no networks.
"""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.prove.specs import claim
from verifier.claim.model import Claim
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.function_identities import settled
from verifier.prove.forms.sum_values import Evaluation
from verifier.prove.lower.both_sides import read
from verifier.prove.lower.lower import Lowering

SYMBOLS = """
n: dimension
m: dimension
s: positive
A: matrix(n, m)
B: matrix(m, n)
S: symmetric(n)
x: vector(n)
W: normal(n, m, std=s)
V: normal(m, n, std=1, row_corr=1/3)
R: rademacher(n, m)
U: uniform(m, n, -1, 2)
"""
POINT = {
    "n": 2,
    "m": 3,
    "s": Fraction(1, 2),
    "A": [[1, -1, 2], [0, 3, 1]],
    "B": [[2, 1], [-1, 1], [0, 2]],
    "S": [[1, 2], [2, -1]],
    "x": [[1], [-2]],
}
LEAVES = {
    ("n", "m"): ["A", "W", "R", "ones(n, m)", "B.T"],
    ("m", "n"): ["B", "V", "U", "A.T", "W.T"],
    ("n", "n"): ["S", "eye(n)", "diag(x)", "ones(n, n)"],
    ("m", "m"): ["eye(m)", "ones(m, m)"],
    ("n", "1"): ["x", "ones(n)", "diag(S)"],
}


def grown(rows: str, cols: str, depth: int) -> st.SearchStrategy[str]:
    """Matrix expressions of a shape, as text."""
    leaves = st.sampled_from(LEAVES.get((rows, cols), [f"ones({rows}, {cols})"]))
    if depth == 0:
        return leaves
    below = grown(rows, cols, depth - 1)
    middle = st.sampled_from(["n", "m"])
    return st.one_of(
        leaves,
        st.tuples(below, st.sampled_from([" + ", " - ", " * "]), below).map(
            lambda t: f"({t[0]}{t[1]}{t[2]})"
        ),
        middle.flatmap(
            lambda k: st.tuples(grown(rows, k, depth - 1), grown(k, cols, depth - 1)).map(
                lambda t: f"({t[0]} @ {t[1]})"
            )
        ),
        below.map(lambda t: f"({t})**2"),
        below.map(lambda t: f"(2 * {t} / n)"),
    )


def scalars(depth: int) -> st.SearchStrategy[str]:
    square = grown("n", "n", depth)
    wide = grown("n", "m", depth)
    return st.one_of(
        square.map(lambda t: f"tr({t})"),
        wide.map(lambda t: f"norm({t})**2"),
        st.tuples(wide, wide).map(lambda t: f"inner({t[0]}, {t[1]})"),
        wide.map(lambda t: f"({t})[2, 1]"),
        wide.map(lambda t: f"sum(({t})[i, 1] * x[i], i, 1, n)"),
        wide.map(lambda t: f"sum(({t})[i, j], i, 1, n, j, 1, m, i != 1)"),
        square.map(lambda t: f"tr(kron({t}, eye(m)))"),
        square.map(lambda t: f"norm(D({t}, B[1, 2]))**2"),
        wide.map(lambda t: f"norm(D({t}, A))**2"),
        wide.map(lambda t: f"norm(D({t}, W))**2"),
    )


def lowered(made: Claim, node: N.Node) -> Fraction:
    def use(lowering: Lowering) -> Fraction:
        value = settled(lowering.space, lowering.value(node).value)
        evaluation = Evaluation(lowering.space, POINT)
        found = evaluation.value(value, {})
        assert evaluation.exact
        return found

    return read(made, [node], Clock(30.0), use)


def brute(made: Claim, node: N.Node) -> Fraction:
    ((value,),) = evaluate(node, POINT, Context.of(made))
    return Fraction(int(value.p), int(value.q))


@given(scalars(1))
def test_expectations_agree_with_full_expansion(text: str) -> None:
    made = claim(f"E({text}) == 0", SYMBOLS)
    node = made.steps[0].fact.left  # type: ignore[union-attr]
    assert lowered(made, node) == brute(made, node)


@given(scalars(1), scalars(0))
def test_products_and_variances_agree(first: str, second: str) -> None:
    made = claim(f"E(({first}) * ({second})) + Var({second}) == 0", SYMBOLS)
    node = made.steps[0].fact.left  # type: ignore[union-attr]
    assert lowered(made, node) == brute(made, node)
