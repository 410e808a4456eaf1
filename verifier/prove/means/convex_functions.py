"""Inequalities for functions of normal variables, by their derivatives.

jensen      E f(u) >= f(E u)                 where f'' >= 0 everywhere, and <= where f'' <= 0
poincare    Var f(w) <= s**2 E |grad f(w)|**2     for independent entries of variance s**2
cacoullos   Var f(u) >= Var(u) (E f'(u))**2
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, Normal, Real
from verifier.expr.walk import substitute, walk
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.opaque_functions import U
from verifier.prove.means.spread_points import closeness

Judge = Callable[[Claim, N.Relation], Finding | None]
_TWO = N.Number(Fraction(2))
SMOOTH = frozenset({"exp", "sin", "cos", "tanh", "sigmoid", "silu", "gelu", "softplus", "erf", "Phi", "phi"})
# The steepest slope of functions where it is rational, or a little more than that.
STEEPEST = dict.fromkeys(("tanh", "relu", "abs", "softplus", "sin", "cos", "atan"), Fraction(1)) | {
    "sigmoid": Fraction(1, 4),
    "gelu": Fraction(112_891, 100_000),
    "silu": Fraction(109_984, 100_000),
    "erf": Fraction(112_838, 100_000),
    "Phi": Fraction(39_895, 100_000),
}
# Squares of those that are irrational and have a closed form.
SQUARES: dict[str, N.Node] = {
    "erf": N.Divide(N.Number(Fraction(4)), N.Pi()),
    "Phi": N.Divide(N.Number(Fraction(1, 2)), N.Pi()),
}
_FLIPPED: dict[str, N.Comparison] = {"<=": ">=", ">=": "<="}


def examine_convexity(
    claim: Claim, fact: N.Relation, clock: Clock, bound: Judge, judge: Judge, decide: Judge, seed: int
) -> Finding | None:
    """By derivatives; `bound` judges bounds on means, `judge` functions of numbers, `decide` closed forms."""
    if fact.op not in ("<=", ">=") or claim.layers is not None:
        return None
    if isinstance(fact.right, N.Expectation | N.Variance):
        fact = N.Relation(_FLIPPED[fact.op], fact.right, fact.left)
    match fact.left:
        case N.Expectation(N.Power(N.Norm(N.Subtract(a, b), "fro"), N.Number(k)), ()) if (
            k == 2 and fact.op == "<="
        ):
            words = lipschitz(claim, fact, a, b, decide)
        case N.Expectation(body, ()) if body.shape.is_scalar:
            words = jensen(claim, fact, body, judge)
        case N.Variance(body) if body.shape.is_scalar:
            words = poincare(claim, fact, body, bound)
        case _:
            return None
    if words is None:
        return None
    near = closeness(claim, fact, Clock(clock.left / 2), seed)
    return Finding("symbolic", "true", "certified", words, tightness=near)


def jensen(claim: Claim, fact: N.Relation, body: N.Node, judge: Judge) -> str | None:
    """E f(u) >= f(E u) where f'' >= 0"""
    found = _variable(claim, body)
    if found is None or not found[0].shape.is_scalar:
        return None
    variable, law = found
    if fact.right != substitute(body, {variable: law.mean}):
        return None
    entry = substitute(body, {variable: U})
    if any(isinstance(x, N.Symbol) and x != U for x in walk(entry)) or not _is_made_of(entry, SMOOTH):
        return None
    symbols = {U.name: Declared(U.name, Real(), U.shape)}
    alone = replace(claim, symbols=symbols, assumptions=(), lets=(), where={})
    bend = N.Derivative(N.Derivative(entry, U), U)
    said = judge(alone, N.Relation(fact.op, bend, N.Number(Fraction(0))))
    shown = said is not None and said.truth == "true" and said.grade in ("proved", "certified")
    kind = "convex" if fact.op == ">=" else "concave"
    return f"by Jensen's inequality: the function is {kind}" if shown else None


def poincare(claim: Claim, fact: N.Relation, body: N.Node, bound: Judge) -> str | None:
    """Var f(w) <= s**2 E |grad f|**2, or for one variable Var f(u) >= s**2 (E f')**2"""
    found = _variable(claim, body)
    if found is None:
        return None
    variable, law = found
    if not _is_made_of(body, SMOOTH | {"relu", "abs", "min", "max"}):
        return None
    slope = N.Derivative(body, variable)
    if fact.op == "<=":
        mean: N.Node = N.Expectation(N.Power(slope if slope.shape.is_scalar else N.Norm(slope), _TWO))
        name = "Poincare"
    elif variable.shape.is_scalar:
        mean, name = N.Power(N.Expectation(slope), _TWO), "Cacoullos"
    else:
        return None
    other = N.Multiply(N.Power(law.std, _TWO), mean)
    if other == fact.right:
        return f"by the inequality of {name}"
    said = bound(claim, N.Relation(fact.op, other, fact.right))
    shown = said is not None and said.truth == "true" and said.grade in ("proved", "certified")
    return f"by the inequality of {name}: the variance against the slope" if shown else None


def lipschitz(claim: Claim, fact: N.Relation, a: N.Node, b: N.Node, decide: Judge) -> str | None:
    """E |f(A) - f(B)|**2 <= k**2 E |A - B|**2 where |f'| <= k"""
    match a, b:
        case N.Apply(f, (first,)), N.Apply(g, (second,)) if f == g and f in STEEPEST:
            apart = N.Expectation(N.Power(N.Norm(N.Subtract(first, second)), _TWO))
            larger = N.Multiply(SQUARES.get(f, N.Number(STEEPEST[f] ** 2)), apart)
            said = decide(claim, N.Relation("<=", larger, fact.right))
            shown = said is not None and said.truth == "true" and said.grade in ("proved", "certified")
            return f"{f} has slopes of at most {STEEPEST[f]}" if shown else None
    return None


def _is_made_of(body: N.Node, functions: frozenset[str]) -> bool:
    """Whether the body has a derivative that says all of it: functions without jumps, no quotients."""
    return all(_is_continuous(part, functions) for part in walk(body))


def _is_continuous(node: N.Node, functions: frozenset[str]) -> bool:
    match node:
        case N.Apply(function, _):
            return function in functions
        case N.Power(_, N.Number(k)):
            return k.denominator == 1 and k >= 0
        case N.Divide(_, N.Number()):
            return True
    plain = (N.Symbol, N.Let, N.Number, N.Pi, N.Add, N.Subtract, N.Multiply, N.Negate, N.MatMul, N.Transpose)
    return isinstance(node, plain)


def _variable(claim: Claim, body: N.Node) -> tuple[N.Symbol, Normal] | None:
    """The one random symbol of the body, where it is normal with independent entries of one variance."""
    random = {x for x in walk(body) if isinstance(x, N.Symbol | N.Member) and x.name in claim.random}
    if len(random) != 1 or any(isinstance(x, N.Expectation | N.Variance) for x in walk(body)):
        return None
    (symbol,) = random
    if isinstance(symbol, N.Member) or any(a.constraint is None for a in claim.assumptions):
        return None
    match claim.symbols[symbol.name].kind:
        case Normal(_, std, None, None) as law if std.shape.is_scalar:
            return symbol, law
    return None
