"""Random well-shaped trees of the language, for round trips and fuzzing."""

from fractions import Fraction

from hypothesis import strategies as st

from verifier.expr import nodes as N
from verifier.expr.dims import Dim, Shape
from verifier.expr.scope import Scope
from verifier.expr.symbols import (
    Declared,
    Dimension,
    FixedMatrix,
    IndexOf,
    Normal,
    Positive,
    Real,
)

n, m = Dim.of("n"), Dim.of("m")
ZERO, ONE = N.Number(Fraction(0)), N.Number(Fraction(1))
SYMBOLS = {
    "n": Declared("n", Dimension(), Shape()),
    "m": Declared("m", Dimension(), Shape()),
    "i": Declared("i", IndexOf(n), Shape()),
    "x": Declared("x", Real(), Shape()),
    "s": Declared("s", Positive(), Shape()),
    "X": Declared("X", FixedMatrix("matrix"), Shape(n, m)),
    "Q": Declared("Q", FixedMatrix("matrix"), Shape(n, n)),
    "W": Declared("W", Normal(ZERO, ONE), Shape(n, m)),
    "V": Declared("V", Normal(ZERO, ONE), Shape(n, m), copies=m),
    "u": Declared("u", FixedMatrix("vector"), Shape(n)),
}
SCOPE = Scope(symbols=SYMBOLS, state=N.Symbol("X", Shape(n, m)))


def symbol(name: str) -> N.Symbol:
    return N.Symbol(name, SYMBOLS[name].shape)


numbers = st.fractions(min_value=-20, max_value=20, max_denominator=9).map(N.Number)
I = N.Range("k", ONE, symbol("n"))  # noqa: E741
SHAPES = {"nm": Shape(n, m), "nn": Shape(n, n), "n1": Shape(n)}


def _negated(node: N.Node) -> N.Node:
    return N.Number(-node.value) if isinstance(node, N.Number) else N.Negate(node)


def _divided(left: N.Node, right: N.Node) -> N.Node:
    """As the elaborator builds it: a quotient of numbers is a number."""
    if isinstance(left, N.Number) and isinstance(right, N.Number):
        return N.Number(left.value / (right.value or 1))
    return N.Divide(left, right)


def matrices(key: str, depth: int) -> st.SearchStrategy[N.Node]:
    """Matrices of one shape."""
    names = [name for name, s in SYMBOLS.items() if s.shape == SHAPES[key] and s.copies is None]
    leaves = st.sampled_from([symbol(name) for name in names])
    fixed = {"nm": N.Ones(SHAPES["nm"]), "nn": N.Eye(n), "n1": N.Zeros(SHAPES["n1"])}[key]
    if depth == 0:
        return leaves | st.just(fixed)
    same, scalar = matrices(key, depth - 1), scalars(depth - 1)
    options = [
        leaves,
        st.builds(N.Add, same, same),
        st.builds(N.Subtract, same, same),
        st.builds(N.Multiply, scalar, same),
        st.builds(N.Divide, same, scalar),
        st.builds(N.Power, same, st.just(N.Number(Fraction(2)))),
        same.map(_negated),
        same.map(N.Expectation),
        st.builds(lambda f, a: N.Apply(f, (a,)), st.sampled_from(["exp", "gelu", "sqrt"]), same),
        st.builds(N.Sum, same, st.just((I,))),
    ]
    if key == "nm":
        options += [
            st.builds(N.MatMul, matrices("nn", depth - 1), same),
            st.builds(N.RowWise, st.sampled_from(N.ROWWISE), same),
            st.builds(lambda k: N.Member("V", SHAPES["nm"], k), st.sampled_from([symbol("i"), ONE])),
        ]
    elif key == "nn":
        options += [
            st.builds(lambda a, b: N.MatMul(a, N.Transpose(b)), matrices("nm", depth - 1), matrices("nm", 0)),
            same.map(N.Transpose),
            matrices("n1", depth - 1).map(N.DiagMatrix),
            st.builds(N.MatPower, same, st.just(N.Number(Fraction(3)))),
        ]
    else:
        options += [
            st.builds(N.MatMul, matrices("nn", depth - 1), same),
            matrices("nn", depth - 1).map(N.DiagPart),
        ]
    return st.one_of(options)


def scalars(depth: int) -> st.SearchStrategy[N.Node]:
    """Scalars: numbers, symbols, and functionals of matrices."""
    leaves = numbers | st.sampled_from([symbol(name) for name in ("n", "m", "x", "s")]) | st.just(N.Pi())
    if depth == 0:
        return leaves
    inner, matrix = (
        scalars(depth - 1),
        st.sampled_from(["nm", "nn", "n1"]).flatmap(lambda key: matrices(key, depth - 1)),
    )
    return st.one_of(
        leaves,
        st.builds(N.Add, inner, inner),
        st.builds(N.Subtract, inner, inner),
        st.builds(N.Multiply, inner, inner),
        st.builds(_divided, inner, inner),
        st.builds(N.Power, inner, st.sampled_from([N.Number(Fraction(k)) for k in (2, -1, 3)])),
        inner.map(_negated),
        st.builds(lambda f, a, b: N.Apply(f, (a, b)), st.sampled_from(["min", "max"]), inner, inner),
        st.builds(N.Norm, matrix),
        # Of a vector this is written as its length.
        matrix.filter(lambda a: not a.shape.is_vector).map(lambda a: N.Norm(a, "2")),
        matrices("nn", depth - 1).map(N.Trace),
        st.builds(N.Inner, matrices("nm", depth - 1), matrices("nm", depth - 1)),
        st.builds(lambda a: N.Entry(a, symbol("i"), ONE), matrices("nm", depth - 1)),
        inner.map(N.Variance),
        st.builds(N.Covariance, inner, inner),
        st.builds(lambda a: N.Norm(N.Derivative(a, symbol("W"))), matrices("nm", depth - 1)),
        st.builds(lambda a: N.Limit(a, symbol("m"), N.Infinity()), inner),
        st.builds(lambda a: N.Extreme("sup", a, (symbol("x"),)), inner),
        st.builds(lambda a: N.Growth("Theta", a), inner),
        st.just(N.Order(-3, -2)),
        st.builds(lambda a, b: N.Expectation(N.Indicator(N.Relation(">=", a, b))), inner, inner),
        st.builds(lambda a, b: N.Indicator(N.Within(a, b, N.Infinity())), inner, inner),
        st.builds(lambda a: N.Norm(N.Kron(a, N.Commutation(n, m))), matrices("nn", depth - 1)),
        st.builds(lambda a: N.Norm(N.BlockDiag(a, I, n)), matrices("nm", depth - 1)),
        st.builds(lambda a: N.Norm(N.VecR(a)), matrices("nm", depth - 1)),
        st.builds(lambda a: N.Norm(N.Row(a, symbol("i"))), matrices("nm", depth - 1)),
        st.builds(lambda a: N.Norm(N.After(symbol("X"), a)), inner),
        st.builds(
            lambda a: N.Product(
                a, (I, N.Range("l", ONE, symbol("m"))), (N.Condition("!=", N.Index("k"), N.Index("l")),)
            ),
            inner,
        ),
    )
