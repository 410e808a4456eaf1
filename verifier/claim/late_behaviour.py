"""What a few sizes cannot show: (n - 30)**2 is far from 0 at all of them, and sin(n) comes near to 0 late.

A number that is added to a size turns something where the size is as large as the number; a sum from 30 to n
is empty until then, as binomial(n, 30) is 0; a wave of a size is at its ends where nobody looks.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import count
from math import inf, log10, prod

from verifier.expr import nodes as N
from verifier.expr.sizes import float_or_inf
from verifier.expr.walk import bound_ranges, children, expand_lets

WAVES = ("sin", "cos")
MOST = 11  # digits of what a ratio of two sides in floating point still shows
MOST_DIGITS = 300
TURNING = ("binomial", "factorial", "factorial2", "min", "max")


def hidden(fact: N.Relation | N.Within, searched: Mapping[str, Set[int]]) -> str | None:
    """Why the sizes that were searched say little of others; None where no reason is seen."""
    return next(_Sizes(searched).reasons(expand_lets(fact), added=True), None) if searched else None


def turning(fact: N.Relation | N.Within, searched: Mapping[str, Set[int]]) -> str | None:
    """The same of an equality, which no single number beside a size makes true at several sizes."""
    return next(_Sizes(searched).reasons(expand_lets(fact), added=False), None)


@dataclass(frozen=True)
class _Index:
    """What an index runs over: up to sizes, or to a number."""

    sizes: frozenset[str]
    reach: float


@dataclass(frozen=True)
class _Sizes:
    searched: Mapping[str, Set[int]]
    indices: Mapping[str, _Index] = field(default_factory=dict)

    def reasons(self, part: N.Node | N.Fact, added: bool) -> Iterator[str]:
        """added: numbers that are added to sizes count, as they do in every product over indices."""
        ranges = bound_ranges(part) if isinstance(part, N.Node) else ()
        inner = self._inside(ranges)
        if isinstance(part, N.Node):
            yield from self._own(part, added)
        ends = [end for span in ranges for end in (span.low, span.high)]
        ends += [side for condition in getattr(part, "conditions", ()) for side in _sides(condition)]
        ends += [part.order] if isinstance(part, N.SubsetSum) else []
        yield from inner._beside(ends, max)
        for child in children(part):
            yield from inner.reasons(child, added or isinstance(part, N.Product))

    def _own(self, node: N.Node, added: bool) -> Iterator[str]:
        match node:
            case N.Apply(function, args) if function in WAVES and (sizes := self._sizes(args)):
                yield f"{function} of {', '.join(sorted(sizes))} comes to its ends at sizes nobody looked at"
            case N.Apply(function, args) if function in TURNING:
                yield from self._beside(args, max)
            case N.Add() | N.Subtract() if added and node.shape.is_scalar:
                yield from self._beside((node,), prod)
            case N.Apply("log", args) if added and self._is_slow(args):
                yield "a logarithm of a logarithm grows so slowly that nobody sees it"
            case N.Number() | N.Power() | N.Multiply() | N.Divide() if added and _digits(node) > MOST:
                yield "beside so large a number no growth with the sizes is seen"

    def _beside(self, nodes: Sequence[N.Node], joined: Callable[[Iterable[float]], float]) -> Iterator[str]:
        """Numbers that are as large as a size that was left out."""
        sizes = self._sizes(nodes)
        if sizes and joined([1.0, *map(self._reach, nodes)]) >= min(self._left_out(name) for name in sizes):
            yield f"a number beside {', '.join(sorted(sizes))} is as large as sizes nobody looked at"

    def _is_slow(self, args: Iterable[N.Node]) -> bool:
        logs = (part for arg in args for part in _nodes(arg) if isinstance(part, N.Apply))
        return any(part.function == "log" and bool(self._sizes(part.args)) for part in logs)

    def _left_out(self, name: str) -> int:
        """The first size beyond 2 that was not searched."""
        return next(size for size in count(3) if size not in self.searched[name])

    def _inside(self, ranges: Sequence[N.Range]) -> "_Sizes":
        known = dict(self.indices)
        for span in ranges:
            ends = (span.low, span.high)
            known[span.index] = _Index(frozenset(self._sizes(ends)), max(map(self._reach, ends)))
        return _Sizes(self.searched, known)

    def _sizes(self, nodes: Iterable[N.Node]) -> set[str]:
        found: set[str] = set()
        for part in (part for node in nodes for part in _nodes(node)):
            if isinstance(part, N.Symbol) and part.name in self.searched:
                found.add(part.name)
            elif isinstance(part, N.Index) and part.name in self.indices:
                found |= self.indices[part.name].sizes
        return found

    def _reach(self, node: N.Node) -> float:
        """How large or how small what its numbers make could be."""
        match node:
            case N.Power(base, exponent):
                alone = not self._sizes((base, exponent))
                return _power(self._reach(base), self._reach(exponent) if alone else 1.0)
            case N.Apply("factorial" | "factorial2", args) if not self._sizes(args):
                return prod(_power(reach, reach) for reach in map(self._reach, args))
            case N.Sum(body) | N.Product(body):
                ends = [end for span in bound_ranges(node) for end in (span.low, span.high)]
                known = [] if self._sizes(ends) else ends
                return prod(map(self._reach, known)) * self._inside(bound_ranges(node))._reach(body)
        return self._size(node) * prod(map(self._reach, children(node)))

    def _size(self, node: N.Node) -> float:
        match node:
            case N.Number(value) if value:
                return float_or_inf(max(abs(value), 1 / abs(value)))
            case N.Index(name) if name in self.indices:
                return self.indices[name].reach
        return 1.0


def _power(base: float, exponent: float) -> float:
    return pow(base, exponent) if base == 1 or exponent * log10(base) < MOST_DIGITS else inf


def _digits(node: N.Node) -> float:
    """How far from 1 a number lies, in powers of ten."""
    match node:
        case N.Number(value) if value:
            return abs(log10(abs(value.numerator)) - log10(value.denominator))
        case N.Power(base, N.Number(exponent)):
            return _digits(base) * float_or_inf(abs(exponent))
        case N.Multiply(left, right) | N.Divide(left, right):
            return _digits(left) + _digits(right)
    return 0.0


def _sides(condition: N.Condition) -> tuple[N.Node, N.Node]:
    return condition.left, condition.right


def _nodes(part: N.Node) -> Iterator[N.Node]:
    """Every node below, but for exponents and the ends of sums."""
    yield part
    match part:
        case N.Power(base, _):
            inside: tuple[N.Node, ...] = (base,)
        case N.Sum(body) | N.Product(body):
            inside = (body,)
        case _:
            inside = tuple(children(part))
    for child in inside:
        yield from _nodes(child)
