"""Jensen's inequality for functions of random matrices, whatever their law.

E f(W) >= f(E W)   where f is convex, and <= where it is concave
E f(Y) >= f(E Y)   for a convex f of one number, whatever Y is made of;   E log Y <= log E Y   for Y > 0

Convexity is read off the tree: affine maps, norms, sums with positive weights, increasing convex functions,
logarithms of sums of exponentials.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from verifier.claim.model import Claim
from verifier.evidence import Finding, Tightness
from verifier.expr import nodes as N
from verifier.expr.symbols import AnyLaw, Bernoulli, Iid, Normal, Rademacher, Uniform
from verifier.expr.walk import expand_lets, substitute

Judge = Callable[[Claim, N.Relation], Finding]
Near = Callable[[N.Relation], Tightness | None]
Bend = Literal["affine", "convex", "concave"]
_CONVEX = frozenset({"exp", "softplus", "relu", "abs"})
_RISING = frozenset({"exp", "softplus", "relu"})
_CONCAVE = frozenset({"log", "sqrt"})  # and rising
_FLIPPED: dict[str, N.Comparison] = {"<=": ">=", ">=": "<=", "<": ">", ">": "<"}
_TURNED: dict[Bend, Bend] = {"affine": "affine", "convex": "concave", "concave": "convex"}
_HALF = N.Number(Fraction(1, 2))


def examine_jensen(claim: Claim, fact: N.Relation, judge: Judge, near: Near) -> Finding | None:
    """The bound on a mean, from the one at the means of the random symbols, which `judge` decides."""
    if claim.layers is not None or any(a.constraint is None for a in claim.assumptions):
        return None
    if isinstance(fact.right, N.Expectation):
        fact = N.Relation(_FLIPPED.get(fact.op, fact.op), fact.right, fact.left)
    match fact.left:
        case N.Expectation(body, ()) if body.shape.is_scalar:
            body = expand_lets(body)
        case _:
            return None
    return _of_symbols(claim, fact, body, judge, near) or _of_a_number(claim, fact, body, judge, near)


def _of_a_number(claim: Claim, fact: N.Relation, body: N.Node, judge: Judge, near: Near) -> Finding | None:
    """By f(E Y), for a mean E f(Y)."""
    match body:
        case N.Apply(f, (inside,)) if f in _CONVEX and fact.op == ">=":
            words = f"{f} is convex"
        case N.Apply(f, (inside,)) if f in _CONCAVE and fact.op == "<=" and _is_positive(claim, inside):
            words = f"{f} is concave"
        case _:
            return None
    inner = N.Relation(fact.op, N.Apply(f, (N.Expectation(inside),)), expand_lets(fact.right))
    said = judge(claim, inner)
    if said.truth != "true" or said.grade not in ("proved", "certified"):
        return None
    reason = f"by Jensen's inequality: {words}"
    return Finding("symbolic", "true", said.grade, reason, tightness=near(fact))


def _of_symbols(claim: Claim, fact: N.Relation, body: N.Node, judge: Judge, near: Near) -> Finding | None:
    """By f(E W), for a mean E f(W)."""
    wanted: Bend | None = {">=": "convex", "<=": "concave"}.get(fact.op)  # type: ignore[assignment]
    names = claim.random_in(body)
    if wanted is None or bend(claim, body) != wanted:
        return None
    if wanted == "concave" and any(isinstance(claim.symbols[name].kind, Normal) for name in names):
        return None  # roots and logarithms of what is negative now and then have no mean
    means: dict[N.Node, N.Node] = {
        N.Symbol(name, claim.symbols[name].shape): _mean(claim, name) for name in names
    }
    if any(claim.symbols[name].copies is not None for name in names):
        return None
    inner = N.Relation(fact.op, substitute(body, means), expand_lets(fact.right))
    if inner.left == inner.right:
        said = Finding("symbolic", "true", "proved", tightness=Tightness(True, Fraction(0), Fraction(0)))
    else:
        said = judge(claim, inner)
    if said.truth != "true" or said.grade not in ("proved", "certified"):
        return None
    sure = all(isinstance(claim.symbols[name].kind, AnyLaw) for name in names) and not claim.assumptions
    tightness = said.tightness if sure else near(fact)  # any law may be that of a constant
    words = f"by Jensen's inequality: the function is {wanted}"
    return Finding("symbolic", "true", said.grade, words, tightness=tightness)


def _mean(claim: Claim, name: str) -> N.Node:
    declared = claim.symbols[name]
    match declared.kind:
        case Normal(mean, _, _, _) | Iid(N.Node() as mean, _) | AnyLaw(N.Node() as mean):
            value = mean
        case Rademacher():
            value = N.Number(Fraction(0))
        case Bernoulli(chance):
            value = chance
        case Uniform(low, high):
            value = N.Multiply(_HALF, N.Add(low, high))
        case _:
            return N.Expectation(N.Symbol(name, declared.shape))
    if value.shape == declared.shape:
        return value
    if value == N.Number(Fraction(0)):
        return N.Zeros(declared.shape)
    return N.Multiply(value, N.Ones(declared.shape))


def bend(claim: Claim, node: N.Node) -> Bend | None:
    """What the node is as a function of the random symbols, entry by entry; None where that is not seen."""
    if not claim.random_in(node):
        return "affine"
    match node:
        case N.Symbol():
            return "affine"
        case N.Transpose(arg) | N.Trace(arg) | N.Entry(arg, _, _) | N.Row(arg, _) | N.VecR(arg):
            return bend(claim, arg)
        case N.Sum(arg, _, _):
            return bend(claim, arg)
        case N.Negate(arg):
            return _turned(bend(claim, arg))
        case N.Add(left, right):
            return _both(bend(claim, left), bend(claim, right))
        case N.Subtract(left, right):
            return _both(bend(claim, left), _turned(bend(claim, right)))
        case N.Multiply(left, right):
            return _scaled(claim, left, right) or _scaled(claim, right, left)
        case N.Divide(left, right):
            return _scaled(claim, right, left)
        case N.MatMul(left, right) | N.Inner(left, right):
            return _linear(claim, left, right) or _linear(claim, right, left)
        case N.Norm(arg, _):
            return "convex" if bend(claim, arg) == "affine" else None
        case N.Power(base, N.Number(k)):
            return _power(claim, base, k)
        case N.Apply("log", (arg,)) if _is_log_convex(claim, arg):
            return "convex"
        case N.Apply(function, (arg,)):
            return _applied(function, bend(claim, arg))
        case N.Apply("max" | "min" as function, (left, right)):
            found = _both(bend(claim, left), bend(claim, right))
            wanted: Bend = "convex" if function == "max" else "concave"
            return wanted if found in ("affine", wanted) else None
    return None


def _is_log_convex(claim: Claim, node: N.Node) -> bool:
    """Products and sums of exponentials of what is convex: log(exp(f) + exp(g)) is convex."""
    match node:
        case N.Apply("exp", (arg,)):
            return bend(claim, arg) in ("affine", "convex")
        case N.Sum(arg, _, _) | N.Transpose(arg) | N.Entry(arg, _, _) | N.Row(arg, _):
            return _is_log_convex(claim, arg)
        case N.Add(left, right) | N.Multiply(left, right) | N.MatMul(left, right) | N.Inner(left, right):
            return _is_log_convex(claim, left) and _is_log_convex(claim, right)
        case N.Divide(left, right):
            return _is_log_convex(claim, left) and _is_positive(claim, right)
        case N.Ones():
            return True
    return _is_positive(claim, node)


def _is_positive(claim: Claim, node: N.Node) -> bool:
    """Whether every entry is positive whatever is drawn."""
    return claim.values.in_mean()(node).is_positive


def _turned(found: Bend | None) -> Bend | None:
    return None if found is None else _TURNED[found]


def _both(left: Bend | None, right: Bend | None) -> Bend | None:
    if left == right or right == "affine":
        return left
    return right if left == "affine" else None


def _linear(claim: Claim, fixed: N.Node, node: N.Node) -> Bend | None:
    """An affine function times something fixed."""
    return "affine" if not claim.random_in(fixed) and bend(claim, node) == "affine" else None


def _scaled(claim: Claim, fixed: N.Node, node: N.Node) -> Bend | None:
    """Something times (or divided by) a fixed factor, whose sign matters unless it is affine."""
    found = bend(claim, node) if not claim.random_in(fixed) else None
    return found if found == "affine" or (found is not None and claim.values(fixed).is_nonnegative) else None


def _power(claim: Claim, base: N.Node, k: Fraction) -> Bend | None:
    """norm**k for k >= 1, even powers of affine functions, roots of what is concave"""
    found = bend(claim, base)
    is_size = isinstance(base, N.Norm) or (isinstance(base, N.Apply) and base.function in ("abs", "relu"))
    if k >= 1 and is_size and found == "convex":
        return "convex"
    if k >= 2 and k.denominator == 1 and k % 2 == 0 and found == "affine":
        return "convex"
    return "concave" if 0 < k < 1 and found in ("affine", "concave") else None


def _applied(function: str, found: Bend | None) -> Bend | None:
    if function in _CONVEX and found == "affine":
        return "convex"
    if function in _RISING and found == "convex":
        return "convex"
    return "concave" if function in _CONCAVE and found in ("affine", "concave") else None
