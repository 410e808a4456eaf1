"""Bounds on what a stranger's formula may make the engines compute."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import inf, log2
from sys import getrecursionlimit, setrecursionlimit

from verifier.expr import nodes as N

MAX_EXPONENT = 1_000
MAX_BITS = 100_000
MAX_FACTORIAL = 2_000
MAX_TREE_DEPTH = 200
_MAX_EXACT_BITS = 256

# Trees are at most MAX_TREE_DEPTH deep, and a walk takes a few frames per level: more in all than
# Python allows by default, and far less than a thread's stack holds.
RECURSION_LIMIT = 20_000


@contextmanager
def room_for_trees() -> Iterator[None]:
    """Let functions recurse over the deepest tree that is accepted."""
    before = getrecursionlimit()
    setrecursionlimit(max(before, RECURSION_LIMIT))
    try:
        yield
    finally:
        setrecursionlimit(before)


# What constants are made of. Asked of every node of every claim, and most are symbols: a look into
# a set is many times faster than the misses of a match over abstract classes.
_ARITHMETIC = frozenset(
    {N.Number, N.Negate, N.Let, N.Add, N.Subtract, N.Multiply, N.Divide, N.Power, N.Apply}
)
_COMPUTED = (_ARITHMETIC | {N.MatPower}) - {N.Number, N.Let}


def constant_bits(node: N.Node) -> float | None:
    """An upper bound on the bits of a constant expression's value; None if it is no constant."""
    if type(node) not in _ARITHMETIC:
        return None
    match node:
        case N.Number(value):
            return _bits(value)
        case N.Negate(arg) | N.Let(_, arg):
            return constant_bits(arg)
        case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right) | N.Divide(left, right):
            a = constant_bits(left)
            b = constant_bits(right) if a is not None else None
            return None if a is None or b is None else a + b + 1
        case N.Power(base, exponent):
            a = constant_bits(base)
            times = rational(exponent) if a is not None else None
            return None if a is None or times is None else a * max(abs(float(times)), 1.0) + 1
        case N.Apply("factorial" | "factorial2", (arg,)):
            size = rational(arg)
            return None if size is None else abs(float(size)) * log2(abs(float(size)) + 2)
    return None


def rational(node: N.Node) -> Fraction | float | None:
    """The exact value of a rational constant, inf where it takes too many digits to write down;
    None if this is not a rational constant."""
    if type(node) not in _ARITHMETIC:
        return None
    match node:
        case N.Number(value):
            return value if _bits(value) <= _MAX_EXACT_BITS else inf
        case N.Negate(arg):
            inner = rational(arg)
            return None if inner is None else -inner
        case N.Let(_, body):
            return rational(body)
        case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right) | N.Divide(left, right):
            a = rational(left)
            b = rational(right) if a is not None else None
            return None if a is None or b is None else _combined(node, a, b)
        case N.Power(base, exponent):
            a = rational(base)
            b = rational(exponent) if a is not None else None
            return None if a is None or b is None else _power(a, b)
        case N.Apply("factorial" | "factorial2"):
            # Its size is bounded where it stands; as an exponent it is large as soon as it is not tiny.
            return inf if constant_bits(node) is not None else None
    return None


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _combined(node: N.Node, a: Fraction | float, b: Fraction | float) -> Fraction | float | None:
    if not isinstance(a, Fraction) or not isinstance(b, Fraction) or _bits(a) + _bits(b) > _MAX_EXACT_BITS:
        return inf
    match node:
        case N.Add():
            return a + b
        case N.Subtract():
            return a - b
        case N.Multiply():
            return a * b
    return a / b if b else None


def _power(base: Fraction | float, exponent: Fraction | float) -> Fraction | float | None:
    if not isinstance(base, Fraction) or not isinstance(exponent, Fraction):
        return inf
    if exponent.denominator != 1 or (base == 0 and exponent < 0):
        return None
    return inf if _bits(base) * abs(exponent) > _MAX_EXACT_BITS else base**exponent


def _beyond(node: N.Node, bound: int) -> bool:
    value = rational(node)
    return value is not None and abs(float(value)) > bound


def excess(node: N.Node) -> str | None:
    """Why this node is too large to compute with, or None."""
    if type(node) not in _COMPUTED:
        return None
    match node:
        case N.Power(_, exponent) | N.MatPower(_, exponent):
            if _beyond(exponent, MAX_EXPONENT):
                return f"an exponent beyond {MAX_EXPONENT}"
        case N.Apply("factorial" | "factorial2" | "binomial", args):
            if any(_beyond(arg, MAX_FACTORIAL) for arg in args):
                return f"a {node.function} beyond {MAX_FACTORIAL}"
    bits = constant_bits(node)
    if bits is not None and bits > MAX_BITS:
        return "a constant of more than 30,000 digits"
    return None


def float_or_inf(value: Fraction | float) -> float:
    """The number as a float, infinite where it is beyond floats: to compare with, not to compute with."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf
