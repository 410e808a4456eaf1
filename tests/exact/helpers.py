"""Claims from text, random scalar functions, and mpmath as the independent witness."""

from fractions import Fraction
from typing import Any

import mpmath
from flint import arb, ctx, fmpq
from hypothesis import assume
from hypothesis import strategies as st

from verifier.claim.model import Claim
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import enclose
from verifier.exact.numbers.scalar_terms import Call, Linear, Product, Variable
from verifier.read.specs.load import load_text


def claim(
    says: str, symbols: str = "x: real", assumptions: str = "", lets: str = "", layers: str = ""
) -> Claim:
    """One claim from its parts; entries are separated by semicolons."""
    text = "schema: 1\ntheorem: t/one\ntitle: one\nsymbols:\n" + _block(symbols)
    text += ("let:\n" + _block(lets)) if lets else ""
    text += ("assumptions:\n" + _block(assumptions)) if assumptions else ""
    text += layers
    text += f"claims:\n  a:\n    says: '{says}'\n"
    loaded = load_text(text, "one.yaml")
    assert not loaded.problems, loaded.problems
    (found,) = loaded.claims
    return found


def _block(entries: str) -> str:
    return "".join(f"  {entry.strip()}\n" for entry in entries.split(";"))


X = Variable("x")
SMOOTH = ("exp", "sin", "cos", "tanh", "sigmoid", "softplus", "erf", "erfc", "atan")
KINKED = ("abs", "relu")
rationals = st.fractions(min_value=-3, max_value=3, max_denominator=6)


def q(value: Fraction | int) -> fmpq:
    value = Fraction(value)
    return fmpq(value.numerator, value.denominator)


def grow(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(lambda a, b: a - b, inner, inner),
        st.builds(lambda name, a: ar.apply(name, a), st.sampled_from((*SMOOTH, *KINKED)), inner),
        st.builds(lambda a: ar.inverse(fmpq(2) + ar.power(a, fmpq(2))), inner),
        st.builds(lambda a: ar.power(fmpq(1) + ar.power(a, fmpq(2)), fmpq(1, 2)), inner),
    )


def functions() -> st.SearchStrategy[Any]:
    """Functions of x, some smooth, some with kinks, built of few operations."""
    leaves = st.one_of(st.just(X), st.just(X), rationals.map(q))
    return st.recursive(leaves, grow, max_leaves=5).filter(
        lambda f: isinstance(f, Variable | Linear | Product | Call)
    )


def witness(term: Any, x: mpmath.mpf) -> mpmath.mpf:
    """The term by mpmath, from its form alone."""
    match term:
        case Variable():
            return x
        case Linear(constant, parts):
            return number(constant) + sum(number(c) * witness(t, x) for t, c in parts)
        case Product(factors):
            result = mpmath.mpf(1)
            for base, exponent in factors:
                result *= witness(base, x) ** (mpmath.mpf(int(exponent.p)) / int(exponent.q))
            return result
        case Call(name, (arg,)):
            inner = witness(arg, x)
            assume(abs(inner) < 1e40)  # beyond, mpmath takes its time over sines and towers of exp
            return FUNCTIONS[name](inner)
    return number(term)


def number(value: Any) -> mpmath.mpf:
    if isinstance(value, fmpq):
        return mpmath.mpf(int(value.p)) / int(value.q)
    before = ctx.prec
    ctx.prec = 200
    try:
        return mpmath.mpf(enclose(value).mid().str(50, radius=False))
    finally:
        ctx.prec = before


FUNCTIONS = {
    "exp": mpmath.exp,
    "log": mpmath.log,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "atan": mpmath.atan,
    "tanh": mpmath.tanh,
    "sigmoid": lambda u: 1 / (1 + mpmath.exp(-u)),
    "softplus": lambda u: mpmath.log(1 + mpmath.exp(u)),
    "erf": mpmath.erf,
    "erfc": mpmath.erfc,
    "abs": abs,
    "relu": lambda u: max(u, mpmath.mpf(0)),
    "sign": mpmath.sign,
}


def close(ball: arb, value: mpmath.mpf, tolerance: float = 1e-25) -> bool:
    """Whether the ball, widened by the witness's own error, holds the value."""
    reach = tolerance * (1 + abs(value))
    low, high = (mpmath.mpf(end.str(60, radius=False)) for end in (ball.lower(), ball.upper()))
    return bool(low - reach <= value <= high + reach)
