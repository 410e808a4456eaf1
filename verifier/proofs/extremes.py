"""Proofs about extremes: a bound at every value, and a value at which it is reached."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.expr.walk import substitute
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails, Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rules.defined import unfolded
from verifier.proofs.linear import at_most, follows
from verifier.proofs.points import Data, exactly
from verifier.proofs.simple import TWO, parameters, simple_numbers

MOST_VALUES = 80
Prove = Callable[[Relation], Proof | None]


def extremes(context: Context, fact: Relation, prove: Prove) -> Iterator[Proof]:
    """A relation with an extreme as one of its sides; `prove` finds a proof of an inequality."""
    if fact.op == "==":
        yield from _both(context, fact, prove)
        return
    backwards = fact.op in (">", ">=")
    small, large = (fact.right, fact.left) if backwards else (fact.left, fact.right)
    strict = fact.op in ("<", ">")
    match small, large:
        case N.Extreme("sup", body), bound if not strict:
            found = prove(Relation("<=", body, bound))
        case bound, N.Extreme("inf", body) if not strict:
            found = prove(Relation("<=", bound, body))
        case _:
            yield from _reached(context, fact, small, large, strict)
            return
    if found is not None:
        yield Proof("bounded_extreme", Holds(fact), (found,))


def not_reached(
    context: Context, fact: Relation, points: list[Data], shown: object, prove: Prove
) -> Iterator[Proof]:
    """An extreme that stays away from a number: a bound, and a point at which the number is beyond it."""
    match fact:
        case Relation("==" | ">=" | "<=", N.Extreme(kind, body)):
            for bound in _bounds(context, fact, shown):
                sides = (body, bound) if kind == "sup" else (bound, body)
                if (found := prove(Relation("<=", *sides))) is not None:
                    for data in points:
                        yield Proof("never_reached", Fails(fact), (found,), data)


def _bounds(context: Context, fact: Relation, shown: object) -> Iterator[N.Node]:
    """The value that an engine shows, and simple functions of the parameters."""
    if isinstance(exact := exactly(shown), Fraction):
        yield N.Number(exact)
    assert isinstance(fact.left, N.Extreme)
    over = {symbol.name for symbol in fact.left.over}
    for part in parameters(context, (fact.left, fact.right)):
        if part.name not in over:
            square = N.Multiply(part, part)
            yield from (N.Divide(square, TWO), N.Divide(square, N.Number(Fraction(4))))
            yield N.Subtract(N.Multiply(part, N.Apply("log", (part,))), part)


def _both(context: Context, fact: Relation, prove: Prove) -> Iterator[Proof]:
    """Reached, which is shown first since it is the cheaper half, and never beyond."""
    sides = (fact.left, fact.right)
    halves = [Relation("<=", *sides), Relation("<=", *reversed(sides))]
    if any(isinstance(side, N.Extreme) for side in sides):
        found: list[Proof] = []
        for half in sorted(halves, key=_is_bound):
            proof = next((p for p in extremes(context, half, prove) if _accepted(context, p)), None)
            if proof is None:
                return
            found.append(proof)
        premises = sorted(found, key=lambda proof: proof.conclusion != Holds(halves[0]))
        yield Proof("antisymmetric", Holds(fact), tuple(premises))


def _is_bound(fact: Relation) -> bool:
    return getattr(fact.left, "kind", "") == "sup" or getattr(fact.right, "kind", "") == "inf"


def _accepted(context: Context, proof: Proof) -> bool:
    return all(follows(context, part) for part in proof.walk())


def _reached(context: Context, fact: Relation, small: N.Node, large: N.Node, strict: bool) -> Iterator[Proof]:
    match small, large:
        case bound, N.Extreme("sup", body, over):
            pass
        case N.Extreme("inf", body, over), bound:
            pass
        case _:
            return
    for values in _values(context, over, (body, bound)):
        there = substitute(unfolded(context, body), values)
        ends = (there, bound) if isinstance(small, N.Extreme) else (bound, there)
        premises = [Proof("sign", at_most(*ends, strict))]
        if not strict:
            equal = Proof("contract", Holds(Relation("==", *ends)))
            premises.insert(0, Proof("weaken", Holds(Relation("<=", *ends)), (equal,)))
        for premise in premises:
            proof = Proof("reached_extreme", Holds(fact), (premise,))
            if _accepted(context, proof):
                yield proof
                return


def _values(
    context: Context, over: tuple[N.Symbol, ...], parts: tuple[N.Node, ...]
) -> Iterator[dict[N.Node, N.Node]]:
    """Simple values for what is varied."""
    names = [part for part in parameters(context, parts) if part not in over]
    numbers = simple_numbers(names)
    choices = [numbers if symbol.shape.is_scalar else list(_matrices(symbol)) for symbol in over]
    for count, values in enumerate(product(*choices)):
        if count >= MOST_VALUES:
            return
        yield dict(zip(over, values, strict=True))


def _matrices(symbol: N.Symbol) -> Iterator[N.Node]:
    ones = N.Ones(symbol.shape)
    yield from (N.Zeros(symbol.shape), ones, N.Negate(ones), N.Multiply(TWO, ones))
    if symbol.shape.rows == symbol.shape.cols:
        yield N.Eye(symbol.shape.rows)
