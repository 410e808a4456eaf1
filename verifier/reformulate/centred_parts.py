"""Claims about two parts of one random symbol, one of them centred given the other.

    E(A, given=B) == 0    gives    E(A h(B)) = 0 for every function h

A statement about expectations of degree 2 at most in A and B knows A and B by their first two moments. These
are E(A) = 0, E(A B) = 0, and whatever E(B), E(A A), E(B B) are: the same as for A and B independent of each
other, A with mean 0. What is true of such a pair is true under the assumption.
"""

from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim, Step
from verifier.expr import nodes as N
from verifier.expr.symbols import AnyLaw, Declared
from verifier.expr.walk import children, rebuild, symbols_in, walk
from verifier.reformulate.function_families import Instance

_LINEAR = (N.Transpose, N.Trace, N.VecR, N.DiagPart, N.DiagMatrix, N.Negate, N.Entry, N.Row, N.Sum)
MOST = 2


def with_independent_parts(claim: Claim, step: Step) -> Instance | None:
    """The claim for two independent symbols; None where it is not about two such parts."""
    for item in claim.assumptions:
        match item.fact:
            case N.Relation("==", N.Expectation(N.Let() as part, (N.Let() as other,)), zero) if _is_zero(
                zero
            ):
                found = _split(claim, step, item, part, other)
                if found is not None:
                    return found
    return None


def _split(claim: Claim, step: Step, item: Assumption, part: N.Let, other: N.Let) -> Instance | None:
    names = {part.name: part, other.name: other}

    def change(node: N.Node) -> N.Node:
        if isinstance(node, N.Let) and node.name in names:
            return N.Symbol(node.name, node.shape)
        return rebuild(node, change)

    fact = rebuild(step.fact, change)
    rest = [replace(a, fact=rebuild(a.fact, change)) for a in claim.assumptions if a is not item]
    whole = {x.name for let in names.values() for x in walk(let) if isinstance(x, N.Symbol | N.Member)}
    whole &= claim.random
    kept = [a for a in rest if not symbols_in(a.fact) & (whole | names.keys())]
    if len(kept) != len(rest) or symbols_in(fact) & whole or claim.layers is not None:
        return None
    if not all(_is_of_second_order(child, part.name, other.name) for child in children(fact)):
        return None
    zero = N.Number(Fraction(0))
    made = {
        part.name: Declared(part.name, AnyLaw(zero), part.shape),
        other.name: Declared(other.name, AnyLaw(None), other.shape),
    }
    lets = [N.Let(let.name, change(let.body)) for let in claim.lets if let.name not in names]
    lets = [let for let in lets if not symbols_in(let) & whole]
    symbols = {name: symbol for name, symbol in claim.symbols.items() if name not in whole}
    changed = replace(claim, symbols={**symbols, **made}, lets=tuple(lets), assumptions=tuple(kept))
    words = f"{part.name} centred and {other.name} any, of whose joint law two moments matter"
    return Instance(changed, replace(step, fact=fact), (words,))


def _is_zero(node: N.Node) -> bool:
    return isinstance(node, N.Zeros) or (isinstance(node, N.Number) and node.value == 0)


# --- degrees -------------------------------------------------------------------------------------------


def _is_of_second_order(node: N.Node, part: str, other: str) -> bool:
    """Whether both symbols stand inside of averages alone, to the degree 2 at most."""
    if not symbols_in(node) & {part, other}:
        return True
    match node:
        case N.Expectation() | N.Variance() | N.Covariance():
            return _average(node, part, other) is not None
        case N.Symbol():
            return False
    return all(_is_of_second_order(child, part, other) for child in children(node))


def _average(node: N.Node, part: str, other: str) -> int | None:
    """The degree that an average has as a function of what is given; None where it has moments beyond."""
    match node:
        case N.Expectation(body, ()):
            return 0 if _at_most(_degree(body, part, other), MOST) else None
        case N.Expectation(body, (N.Symbol(name),)) if name == other and _degree(body, other, other) == 0:
            return 0 if _at_most(_degree(body, part, other), 1) else None
        case N.Variance(body):
            return 0 if _at_most(_degree(body, part, other), 1) else None
        case N.Covariance(left, right):
            degrees = _degree(left, part, other), _degree(right, part, other)
            return 0 if all(_at_most(degree, 1) for degree in degrees) else None
    return None


def _at_most(degree: int | None, most: int) -> bool:
    return degree is not None and degree <= most


def _degree(node: N.Node, part: str, other: str) -> int | None:
    """The degree of a polynomial in both symbols; None where it is none."""
    if not symbols_in(node) & {part, other}:
        return 0
    match node:
        case N.Symbol():
            return 1
        case N.Let(_, body):
            return _degree(body, part, other)
        case N.Add(left, right) | N.Subtract(left, right):
            degrees = _degree(left, part, other), _degree(right, part, other)
            return None if None in degrees else max(d for d in degrees if d is not None)
        case N.Multiply(left, right) | N.MatMul(left, right) | N.Inner(left, right) | N.Kron(left, right):
            degrees = _degree(left, part, other), _degree(right, part, other)
            return None if None in degrees else sum(d for d in degrees if d is not None)
        case N.Divide(left, right):
            return _degree(left, part, other) if _degree(right, part, other) == 0 else None
        case N.Power(N.Norm(arg, "fro"), N.Number(k)) if k == MOST:
            inner = _degree(arg, part, other)
            return None if inner is None else MOST * inner
        case N.Power(base, N.Number(k)) if k.denominator == 1 and k >= 0:
            inner = _degree(base, part, other)
            return None if inner is None else int(k) * inner
        case N.Expectation() | N.Variance() | N.Covariance():
            return _average(node, part, other)
    if isinstance(node, _LINEAR):
        arg = node.body if isinstance(node, N.Sum) else node.arg
        beside = (child for child in children(node) if child is not arg)
        bound_free = not any(symbols_in(child) & {part, other} for child in beside)
        return _degree(arg, part, other) if bound_free else None
    return None
