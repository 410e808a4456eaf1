"""What an expectation is taken of, on paper: the printed polynomial, integrated again, gives the mean."""

import re
from fractions import Fraction

import pytest
import sympy as sp

from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.integrand import integrand
from verifier.exact.values.point_context import Context
from verifier.exact.values.worked_by_hand import worked
from verifier.expr import nodes as n
from verifier.expr.dims import SCALAR
from verifier.expr.elaborate import elaborate
from verifier.expr.scope import Scope
from verifier.expr.symbols import Declared, Real
from verifier.expr.syntax import parse
from verifier.expr.walk import children, walk
from verifier.read.specs.load import load_text

SPEC = """\
theorem: paper/means
symbols: {n: dimension, d: dimension, x: vector(n), W: "normal(n, d)", v: "normal(d, std=2)",
  e: rademacher(n), m: "normal(n, mean=1)", r: "normal(n, row_corr=1/2)", g: normal()}
claims:
  fourth: {says: "E(norm(W @ v)**4) == 0"}
  line: {says: "E((x.T @ W @ v)**2) == 0"}
  cubes: {says: "E((1 + g)**6) == 0"}
  signs: {says: "E((e.T @ W @ v)**2) == 0"}
  shifted: {says: "E(norm(m)**2) == 0"}
  tied: {says: "E(norm(r)**4) == 0"}
  open: {says: "E(exp(g)) == 0"}
"""
CLAIMS = {claim.id.partition("#")[2]: claim for claim in load_text(SPEC, "means.yaml").claims}
STD = {"W": 1, "v": 2, "g": 1}


def _point(n_: int, d: int) -> dict[str, object]:
    return {"n": Fraction(n_), "d": Fraction(d), "x": tuple((Fraction(k + 1),) for k in range(n_))}


def _printed(name: str, sizes: tuple[int, int]) -> tuple[str, str | None] | None:
    claim = CLAIMS[name]
    (mean,) = (part for part in walk(claim.steps[0].fact) if isinstance(part, n.Expectation))
    return integrand(Evaluator(Context.of(claim), _point(*sizes)), mean)


def _mean(text: str) -> sp.Expr:
    """Monomial by monomial: E w**k = (k - 1)!! std**k for even k; a sign has even powers 1."""
    found = re.findall(r"[A-Za-z]\w*(?:\[[\d, ]+\])?", text)
    letters = {name: sp.Symbol(f"q{k}") for k, name in enumerate(dict.fromkeys(found))}
    text = re.sub(r"[A-Za-z]\w*(?:\[[\d, ]+\])?", lambda name: str(letters[name[0]]), text)
    scope = Scope({str(letter): Declared(str(letter), Real(), SCALAR) for letter in letters.values()})
    back = {letter: name.partition("[")[0] for name, letter in letters.items()}
    poly = sp.Poly(_sympy(elaborate(parse(text), scope)), *letters.values())
    total = sp.Integer(0)
    for degrees, coefficient in poly.terms():
        for letter, k in zip(letters.values(), degrees, strict=True):
            if k % 2:
                coefficient = sp.Integer(0)
            elif back[letter] != "e":
                coefficient *= sp.factorial2(k - 1) * STD[back[letter]] ** k
        total += coefficient
    return total


def _sympy(node: n.Node) -> sp.Expr:
    match node:
        case n.Number(value):
            return sp.Rational(value.numerator, value.denominator)
        case n.Symbol(name):
            return sp.Symbol(name)
    left, right = map(_sympy, children(node))
    return {n.Add: left + right, n.Multiply: left * right, n.Power: left**right}[type(node)]


@pytest.mark.parametrize("sizes", [(1, 1), (2, 1), (2, 3), (3, 2)])
@pytest.mark.parametrize("name", ["fourth", "line", "cubes", "signs"])
def test_the_printed_polynomial_has_the_mean_that_is_claimed(name, sizes):
    claim = CLAIMS[name]
    printed = _printed(name, sizes)
    assert printed is not None
    lines = worked(claim, claim.steps[0].fact, _point(*sizes))
    assert str(_mean(printed[0])) == lines[-1].partition(" ==")[0]


def test_moments_are_those_of_the_law():
    text, moments = _printed("fourth", (1, 1))
    assert text == "W**4*v**4"
    assert moments == "E(W**4) = 3, E(v**4) = 48 for the entries"
    assert _printed("cubes", (1, 1))[1] == "E(w**2) = 1, E(w**4) = 3, E(w**6) = 15 for every entry w"


@pytest.mark.parametrize("name", ["shifted", "open"])
def test_what_is_no_polynomial_in_the_entries_is_not_printed(name):
    assert _printed(name, (2, 1)) is None


def test_correlated_entries_have_no_moments_of_their_own():
    text, moments = _printed("tied", (2, 1))
    assert text == "(r[1]**2 + r[2]**2)**2"
    assert moments is None
