"""One example of every node, fact and kind of symbol, for tests that run over all of them."""

import inspect
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import ONE, SCALAR, Dim, Shape


def final_classes(base: type) -> list[type]:
    """Every concrete class below `base`."""
    found = []
    for child in base.__subclasses__():
        found += final_classes(child)
        if not inspect.isabstract(child) and getattr(child, "__final__", False):
            found.append(child)
    return found


n, d = Dim.of("n"), Dim.of("d_v")
SQUARE, WIDE, TALL = Shape(n, n), Shape(n, d), Shape(n, ONE)
one, two = N.Number(Fraction(1)), N.Number(Fraction(2))
a, b, size = N.Symbol("a"), N.Symbol("sigma_q"), N.Symbol("n")
A, B, X, x = N.Symbol("A", SQUARE), N.Symbol("B", SQUARE), N.Symbol("X", WIDE), N.Symbol("x", TALL)
i, j = N.Index("i"), N.Index("j")
over_i, over_j = N.Range("i", one, size), N.Range("j", one, size)
apart = N.Condition("!=", j, i)

NODES: dict[type[N.Node], N.Node] = {
    type(node): node
    for node in (
        N.Number(Fraction(-1, 3)),
        N.Pi(),
        N.Infinity(),
        b,
        N.Member("W_Q", WIDE, N.Symbol("h")),
        i,
        N.Let("xbar", N.MatMul(N.Transpose(X), N.Ones(TALL))),
        N.After(X, N.Symbol("L")),
        N.Called("f", X),
        N.Add(a, b),
        N.Subtract(a, b),
        N.Multiply(A, B),
        N.Divide(a, b),
        N.Negate(a),
        N.Power(a, two),
        N.MatMul(A, X),
        N.MatPower(A, two),
        N.Transpose(X),
        N.Apply("gelu", (X,)),
        N.RowWise("softmax", X),
        N.Norm(X),
        N.Trace(A),
        N.Hafnian(A),
        N.Inner(A, B),
        N.Eye(n),
        N.Ones(WIDE),
        N.Zeros(TALL),
        N.DiagMatrix(x),
        N.DiagPart(A),
        N.Kron(A, B),
        N.VecR(X),
        N.Commutation(n, d),
        N.BlockDiag(N.Row(X, i), over_i, n),
        N.Entry(A, i, j),
        N.Row(X, i),
        N.Sum(N.Entry(A, i, j), (over_i, over_j), (apart,)),
        N.Product(N.Entry(x, i, one), (over_i,)),
        N.SubsetSum(N.Entry(x, i, one), over_i, two),
        N.Expectation(X, (A,)),
        N.Variance(a),
        N.Covariance(x, x),
        N.Derivative(X, A),
        N.Limit(a, size, N.Infinity()),
        N.Extreme("sup", a, (A, x)),
        N.Growth("Omega", size),
        N.Order(-3, -2),
        N.Indicator(N.Relation(">", a, b)),
    )
}

FACTS: dict[type[N.Fact], N.Fact] = {
    type(fact): fact
    for fact in (
        N.Relation("<=", a, b),
        N.Within(a, one, b),
        N.ForAll(N.Relation("<", N.Entry(A, i, j), b), (over_i, over_j), (apart,)),
        N.Every(N.Relation(">", b, a), (b,)),
        N.Independent(A, B),
    )
}

KINDS: dict[type[K.Kind], K.Declared] = {
    type(kind): K.Declared("W_Q", kind, shape, copies)
    for kind, shape, copies in (
        (K.Dimension(), SCALAR, None),
        (K.IndexOf(n), SCALAR, None),
        (K.Integer(), SCALAR, None),
        (K.Real(), SCALAR, None),
        (K.Positive(), SCALAR, None),
        (K.Interval(one, N.Infinity()), SCALAR, None),
        (K.FixedMatrix("stochastic"), WIDE, None),
        (K.Function(), WIDE, None),
        (K.Normal(one, b), WIDE, Dim.of("H")),
        (K.Rademacher(), TALL, None),
        (K.Bernoulli(b), WIDE, None),
        (K.Uniform(one, b), SCALAR, None),
        (K.Iid(one, None), WIDE, None),
        (K.AnyLaw(None), TALL, n),
        (K.Sequence(), WIDE, None),
        (K.JointWith("Y"), WIDE, None),
    )
}

EVERYTHING: list[N.Node | N.Fact | K.Declared] = [*NODES.values(), *FACTS.values(), *KINDS.values()]
EVERYTHING += [N.Apply(name, (a,)) for name in N.UNARY] + [N.Apply(name, (a, b)) for name in N.BINARY]
EVERYTHING += [N.RowWise(name, X) for name in N.ROWWISE] + [N.Norm(x, kind) for kind in ("2", "1", "oo")]
EVERYTHING += [
    K.Declared("x", K.Normal(one, b, row_corr=a), WIDE),
    K.Declared("x", K.Normal(x, b, cov=A), TALL),
]

HOSTILE = [
    "<script>alert(1)</script>",
    "a&b",
    "x\"y'z",
    "\\end{document}",
    "100%$#_{}^~",
    "\x1b[31mred\x00",
    "]]>",
]
