"""Core terms: scalars made of entries.

A matrix is its entry at two positions, a product of matrices a sum over an index, a derivative is already
taken. Positions are integer polynomials in sizes and indices. Every bound index has a name of its own, which
begins with `%` and is never used twice; a mean names the draws that it integrates.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from verifier.expr.dims import Dim
from verifier.expr.nodes import Member, Node, Symbol
from verifier.expr.walk import walk as walk_tree

Position = Dim
Positions = tuple[Dim, ...]


@dataclass(frozen=True)
class Term:
    """A real number that depends on indices and symbols."""


@final
@dataclass(frozen=True)
class Num(Term):
    """A rational."""

    value: Fraction


@final
@dataclass(frozen=True)
class Var(Term):
    """An entry of a symbol: of a scalar at no position, of a vector at one, of a matrix at two; of a family,
    the number of the copy comes first. A bound index as a number is a Var of its name."""

    name: str
    at: Positions = ()


@final
@dataclass(frozen=True)
class Sum(Term):
    """sum of body for index = low..high."""

    index: str
    low: Dim
    high: Dim
    body: Term


@final
@dataclass(frozen=True)
class Plus(Term):
    parts: tuple[Term, ...]


@final
@dataclass(frozen=True)
class Times(Term):
    """`chained`: the slope of a function at a term, and the slope of the term."""

    parts: tuple[Term, ...]
    chained: bool = False


@final
@dataclass(frozen=True)
class Pow(Term):
    """base ** exponent; a root is a power too."""

    base: Term
    exponent: Term


@final
@dataclass(frozen=True)
class Fn(Term):
    """A function of scalars: exp, relu, step (the slope of relu), pi (of nothing), ..."""

    name: str
    args: tuple[Term, ...] = ()


@final
@dataclass(frozen=True)
class Call(Term):
    """A declared function at this matrix, or an entry of its gradient there. Without a function it is the
    number that a tree stands for, of which nothing more is known."""

    function: str
    arg: Node
    at: Positions | None = None


@final
@dataclass(frozen=True)
class Delta(Term):
    """1 where the positions are equal, else 0."""

    left: Position
    right: Position


@final
@dataclass(frozen=True)
class Mean(Term):
    """The mean of body over these draws, which are bound in it. It may not depend on the draws in `apart`."""

    draws: frozenset[str]
    body: Term
    apart: frozenset[str] = frozenset()


ZERO, UNIT = Num(Fraction(0)), Num(Fraction(1))
HALF = Num(Fraction(1, 2))


def number(value: int | Fraction) -> Num:
    return Num(Fraction(value))


def plus(*parts: Term) -> Term:
    kept = [part for part in parts if part != ZERO]
    return ZERO if not kept else kept[0] if len(kept) == 1 else Plus(tuple(kept))


# Functions that have a value everywhere, and the slopes of kinks are not among them.
TOTAL = frozenset({"abs", "atan", "cos", "erf", "exp", "max", "min", "Phi", "pi", "relu", "sigmoid", "sin"})
TOTAL |= {"above", "less", "softplus", "tanh"}


def times(*parts: Term) -> Term:
    """0 times what has a value is 0; a factor that may have none is kept beside it, for who asks."""
    if ZERO in parts:
        return nothing_of(*parts)
    kept = [part for part in parts if part != UNIT]
    return UNIT if not kept else kept[0] if len(kept) == 1 else Times(tuple(kept))


def chained(slope: Term, inner: Term) -> Term:
    """By the chain rule: the two stay together, for who asks whether they have a value."""
    return times(slope, inner) if ZERO in (slope, inner) else Times((slope, inner), chained=True)


def nothing_of(*parts: Term) -> Term:
    """0, with the terms that may have no value as factors."""
    partial = tuple(part for part in parts if not is_total(part))
    return Times((ZERO, *partial)) if partial else ZERO


def is_total(term: Term) -> bool:
    """Whether it has a value whatever its variables are, as far as its form tells."""
    match term:
        case Pow(base, Num(power)):
            return power.denominator == 1 and power >= 0 and is_total(base)
        case Pow():
            return False
        case Fn(name, args):
            return name in TOTAL and all(map(is_total, args))
    return all(map(is_total, parts_of(term)))


# Functions that are never negative.
NONNEGATIVE = frozenset({"abs", "exp", "relu", "sigmoid", "softplus", "Phi", "phi", "pi", "step"})


def is_nonnegative(term: Term) -> bool:
    """Whether its form shows that it is not negative where it has a value."""
    match term:
        case Num(value):
            return value >= 0
        case Pow(base, Num(value)):
            return value.denominator > 1 or value % 2 == 0 or is_nonnegative(base)
        case Times():
            parts = factors_of(term)
            return all(parts.count(part) % 2 == 0 or is_nonnegative(part) for part in parts)
        case Plus() | Sum() | Mean():
            return all(map(is_nonnegative, parts_of(term)))
        case Fn(name):
            return name in NONNEGATIVE
    return isinstance(term, Delta)


def minus(left: Term, right: Term) -> Term:
    return plus(left, times(number(-1), right))


def power(base: Term, exponent: int | Fraction) -> Term:
    return base if exponent == 1 else Pow(base, number(exponent))


def inverse(term: Term) -> Term:
    return power(term, -1)


def delta(left: Position, right: Position) -> Term:
    """Settled where the difference of the positions is a number."""
    apart = (left - right).constant
    return Delta(left, right) if apart is None else ZERO if apart else UNIT


def deltas(left: Positions, right: Positions) -> Term:
    return times(*(delta(a, b) for a, b in zip(left, right, strict=True)))


def of_dim(dim: Dim) -> Term:
    """A size or position as a number."""
    return plus(
        *(
            times(number(factor), *(power(Var(name), exponent) for name, exponent in monomial))
            for monomial, factor in dim.terms
        )
    )


def parts_of(term: Term) -> tuple[Term, ...]:
    match term:
        case Num() | Var() | Delta() | Call():
            return ()
        case Plus(parts) | Times(parts):
            return parts
        case Pow(base, exponent):
            return base, exponent
        case Fn(_, args):
            return args
        case Sum(body=body) | Mean(body=body):
            return (body,)
    raise TypeError(term)


def factors_of(term: Term) -> tuple[Term, ...]:
    """What a product is made of, products in it taken apart."""
    if not isinstance(term, Times):
        return (term,)
    return tuple(factor for part in term.parts for factor in factors_of(part))


def rebuilt(term: Term, change: Callable[[Term], Term]) -> Term:
    """The term with `change` made in each of its parts."""
    match term:
        case Num() | Var() | Delta() | Call():
            return term
        case Plus(parts):
            return plus(*map(change, parts))
        case Times((slope, inner), chained=True):
            return chained(change(slope), change(inner))
        case Times(parts):
            return times(*map(change, parts))
        case Pow(base, exponent):
            return Pow(change(base), change(exponent))
        case Fn(name, args):
            return Fn(name, tuple(map(change, args)))
        case Sum(index, low, high, body):
            return Sum(index, low, high, change(body))
        case Mean(draws, body, apart):
            return Mean(draws, change(body), apart)
    raise TypeError(term)


def walk(term: Term) -> Iterator[Term]:
    todo = [term]
    while todo:
        item = todo.pop()
        yield item
        todo += parts_of(item)


def free(term: Term) -> frozenset[str]:
    """Names of the symbols that a term depends on; what a mean integrates is not among them."""
    match term:
        case Var(name, at):
            return frozenset({name}).union(*(position.names for position in at))
        case Call(_, arg, at):
            symbols = (node for node in walk_tree(arg) if isinstance(node, Symbol | Member))
            return frozenset(node.name for node in symbols).union(*(p.names for p in at or ()))
        case Delta(left, right):
            return left.names | right.names
        case Sum(index, low, high, body):
            return (free(body) - {index}) | low.names | high.names
        case Mean(draws, body):
            return free(body) - draws
    return frozenset[str]().union(*map(free, parts_of(term)))
