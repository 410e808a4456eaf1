"""Rules for functions that do not change faster than their arguments; a docstring is the inequality."""

from collections.abc import Iterator
from functools import cache, reduce
from typing import Any

from flint import fmpq

from verifier.exact.numbers.constants import ONE, PI, constant, power
from verifier.expr import nodes as N
from verifier.prove.rules.magnitude_forms import Magnitude, Reader, of_number

ENTRYWISE = ("fro", "1", "oo")  # norms that do not shrink when an entry grows
HALF = fmpq(1, 2)


@cache
def steepest(function: str) -> Any:
    """sup |f'| in closed form, or a little more; None for a function without one."""
    root_two_pi: Any = power(constant(PI) * fmpq(2), -HALF)
    match function:
        case "relu" | "tanh" | "sin" | "cos" | "softplus" | "abs":
            return ONE
        case "sigmoid":
            return fmpq(1, 4)
        case "erf":
            return power(constant(PI), -HALF) * fmpq(2)
        case "Phi":
            return root_two_pi
        case "gelu":
            return fmpq(1129, 1000)  # gelu'(sqrt(2)) = 1.12890...
        case "silu":
            return fmpq(11, 10)  # 1.09983...
    return None


def lipschitz(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(f(A) - f(B)) <= sup |f'| norm(A - B), and |f(x) - f(y)| likewise"""
    match atom:
        case N.Norm(N.Subtract(N.Apply(f, (a,)), N.Apply(g, (b,))), kind) if f == g and kind in ENTRYWISE:
            slope = steepest(f)
            if slope is not None and a.shape == b.shape:
                yield of_number(slope) * reader.norm(N.Subtract(a, b), kind)
        case N.Apply("abs", (N.Subtract(N.Apply(f, (a,)), N.Apply(g, (b,))),)) if f == g:
            slope = steepest(f)
            if slope is not None:
                yield of_number(slope) * reader.size(N.Subtract(a, b))


def softmax_lipschitz(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(softmax(A) - softmax(B)) <= norm(A - B)/2, for the Jacobian's spectral norm is at most 1/2"""
    match atom:
        case N.Norm(N.Subtract(N.RowWise("softmax", a), N.RowWise("softmax", b)), "fro"):
            yield of_number(HALF) * reader.norm(N.Subtract(a, b), "fro")


def below_identity(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(f(A)) <= norm(A) where |f(x)| <= |x|"""
    match atom:
        case N.Norm(N.Apply("relu" | "tanh" | "sin" | "gelu" | "silu" | "abs", (arg,)), kind):
            if kind in ENTRYWISE:
                yield reader.norm(arg, kind)


def common_factor(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(A @ B @ D - A @ C @ D) = norm(A @ (B - C) @ D), sums and A.T - B.T, a*B - a*C, B/a - C/a alike"""
    match atom:
        case N.Norm(N.Subtract(N.Transpose(a), N.Transpose(b)), kind):
            yield reader.norm(N.Subtract(a, b), kind)
        case N.Norm(N.Subtract(N.Multiply(a, x), N.Multiply(b, y)), kind) if a == b and a.shape.is_scalar:
            yield reader.norm(N.Multiply(a, N.Subtract(x, y)), kind)
        case N.Norm(N.Subtract(N.Divide(x, a), N.Divide(y, b)), kind) if a == b and a.shape.is_scalar:
            yield reader.norm(N.Divide(N.Subtract(x, y), a), kind)
        case N.Norm(N.Subtract() | N.Add() as both, kind):
            left, right = _chain(both.left), _chain(both.right)
            most = min(len(left), len(right)) - 1
            before = _agreeing(left, right, most)
            after = _agreeing(left[::-1], right[::-1], most - before)
            if before or after:
                inner = (_joined(part[before : len(part) - after]) for part in (left, right))
                middle = type(both)(*inner)
                parts = [*left[:before], middle, *left[len(left) - after :]]
                yield reader.norm(_joined(parts), kind)


def _chain(node: N.Node) -> list[N.Node]:
    """The factors of a matrix product."""
    return [*_chain(node.left), *_chain(node.right)] if isinstance(node, N.MatMul) else [node]


def _agreeing(left: list[N.Node], right: list[N.Node], most: int) -> int:
    """How many factors are the same from the start on."""
    same = (a == b for a, b in zip(left[:most], right, strict=False))
    return next((at for at, equal in enumerate(same) if not equal), most)


def _joined(factors: list[N.Node]) -> N.Node:
    return reduce(N.MatMul, factors)


LIPSCHITZ = (lipschitz, softmax_lipschitz, below_identity, common_factor)
