"""Random scalar arithmetic and its exact value: a printed formula must keep the value it had."""

from fractions import Fraction

from hypothesis import strategies as st

from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR
from verifier.expr.elaborate import elaborate
from verifier.expr.scope import Scope
from verifier.expr.symbols import Declared, Real
from verifier.expr.syntax import parse

VALUES = {"a": Fraction(2), "b": Fraction(-3), "c": Fraction(5, 7)}
SCOPE = Scope(symbols={name: Declared(name, Real(), SCALAR) for name in VALUES})

leaves = st.one_of(
    st.sampled_from([N.Symbol(name) for name in VALUES]),
    st.integers(-3, 12).map(lambda value: N.Number(Fraction(value))),
    st.sampled_from([Fraction(1, 3), Fraction(-1, 2)]).map(N.Number),
)


def _grow(inner: st.SearchStrategy[N.Node]) -> st.SearchStrategy[N.Node]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        *(
            pairs.map(lambda pair, kind=kind: kind(*pair))
            for kind in (N.Add, N.Subtract, N.Multiply, N.Divide)
        ),
        inner.map(N.Negate),
        st.tuples(inner, st.integers(0, 3)).map(lambda it: N.Power(it[0], N.Number(Fraction(it[1])))),
        inner.map(lambda body: N.Sum(body, (N.Range("k", N.Number(Fraction(1)), N.Number(Fraction(3))),))),
    )


formulas = st.recursive(leaves, _grow, max_leaves=12)


class UndefinedError(Exception):
    """A division by zero."""


def value(node: N.Node) -> Fraction:
    """The exact value of a formula; a sum's body does not use its index, so it counts terms."""
    match node:
        case N.Number(number):
            return number
        case N.Symbol(name):
            return VALUES[name]
        case N.Add(left, right):
            return value(left) + value(right)
        case N.Subtract(left, right):
            return value(left) - value(right)
        case N.Multiply(left, right):
            return value(left) * value(right)
        case N.Divide(left, right):
            if value(right) == 0:
                raise UndefinedError
            return value(left) / value(right)
        case N.Negate(arg):
            return -value(arg)
        case N.Power(base, N.Number(exponent)):
            return value(base) ** int(exponent)
        case N.Sum(body):
            return 3 * value(body)
    raise AssertionError(node)


def read(text: str) -> N.Node:
    """The tree of a text in the claim language."""
    return elaborate(parse(text), SCOPE)
