"""Sizes compared as several symbols grow, with logarithms and assumed inequalities between the symbols.

    log(u) <= C u**e for every e > 0,  log(u) >= 1:   a power beats a logarithm of its own symbol
    v <= u:   u = v w with some w >= 1,  log(u) = log(v) w'  with some w' >= 1

so monomials in u, log(u) become monomials in what is at least 1, of which an order is a matter of
exponents. An order is wrong along a path on which the ratio runs away: u = t**k, or u = 2**(t**k), which
outgrows every power of the others while log(u) keeps their pace.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from itertools import product as choices

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.symbolic.scalar.orders import Exponents, dominated
from verifier.symbolic.scalar.tropics import LOG, Size, product

SMALL = Fraction(1, 10**6)
MOST = 3  # growing symbols whose paths are tried
Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class Path:
    """u = t**speed, or u = 2**(t**speed) for the fast ones."""

    speeds: tuple[int, ...]
    fast: tuple[bool, ...]

    @property
    def has_fast(self) -> bool:
        return any(self.fast)

    def at(self, step: int) -> tuple[int, ...]:
        pairs = zip(self.speeds, self.fast, strict=True)
        return tuple(2 ** (step**k) if fast else step**k for k, fast in pairs)

    def rate(self, monomial: Exponents) -> Vector:
        """The exponents of ..., 2**(t**2), 2**t, t and log(t)."""
        count, top = len(self.speeds), max(self.speeds)
        logs = monomial[count : 2 * count] or (Fraction(0),) * count
        rate = [Fraction(0)] * (top + 2)
        for power, log, speed, fast in zip(monomial, logs, self.speeds, self.fast, strict=False):
            if fast:
                rate[top - speed] += power
                rate[top] += Fraction(log) * speed
            else:
                rate[top] += Fraction(power) * speed
                rate[top + 1] += log
        return tuple(rate)


def paths(count: int) -> Iterator[Path]:
    """Simple ones first; none for many symbols."""
    if count > MOST:
        return
    for speeds in choices((1, 2, 3), repeat=count):
        yield Path(speeds, (False,) * count)
    for size in range(1, count):
        for chosen in combinations(range(count), size):
            fast = tuple(k in chosen for k in range(count))
            for speeds in choices((1, 2), repeat=count):
                yield Path(speeds, fast)


@dataclass(frozen=True)
class Ground:
    """The growing symbols, `count` of them, and how each is written by what is at least 1."""

    count: int
    rows: tuple[Vector, ...]

    def within(self, low: Size, high: Size) -> bool:
        """low = O(high)."""
        over, under = product(low.above, high.below), product(high.above, low.below)
        return all(self._below(monomial, under) for monomial in over)

    def vanishes(self, low: Size, high: Size) -> bool:
        """low = o(high): each monomial is below another, strictly in a symbol that grows."""
        over, under = product(low.above, high.below), product(high.above, low.below)
        return all(any(self._is_far_below(m, r) for r in under) for m in over)

    def reduced(self, size: Size) -> Size:
        """Without monomials that another one outgrows."""
        above = frozenset(
            m for m in size.above if not any(m != r and self._below(m, [r]) for r in size.above)
        )
        return Size(above or size.above, size.below)

    def runaways(self, high: Size, low: Size) -> Iterator[Path]:
        """Paths along which high/low grows without bound."""
        over, under = product(high.above, low.below), product(low.above, high.below)
        for path in paths(self.count) if over else ():
            if max(map(path.rate, over)) > max(map(path.rate, under)):
                yield path

    def _below(self, monomial: Exponents, bounds: Iterable[Exponents]) -> bool:
        known = list(bounds)
        return any(
            dominated([self._moved(monomial, held, 1)], [self._moved(r, held, -1) for r in known])
            for held in self._held(monomial, known)
        )

    def _is_far_below(self, monomial: Exponents, bound: Exponents) -> bool:
        for held in self._held(monomial, [bound]):
            low, high = self._moved(monomial, held, 1), self._moved(bound, held, -1)
            growing = [k for k in range(len(low)) if self._grows(k)]
            if all(a <= b for a, b in zip(low, high, strict=True)) and any(low[k] < high[k] for k in growing):
                return True
        return False

    def _grows(self, place: int) -> bool:
        """Whether the coordinate is a growing symbol itself, and no quotient of two that may stay."""
        return sum(bool(e) for e in self.rows[place % self.count]) == 1

    def _held(self, monomial: Exponents, bounds: list[Exponents]) -> Iterator[frozenset[int]]:
        """Which logarithms are compared as such; the others are weighed against powers of their symbols."""
        logs = {
            k
            for k in range(self.count)
            if any(m[self.count + k : self.count + k + 1] not in ((), (0,)) for m in (monomial, *bounds))
        }
        for size in range(len(logs), -1, -1):
            yield from map(frozenset, combinations(sorted(logs), size))

    def _moved(self, monomial: Exponents, held: frozenset[int], side: int) -> Vector:
        """A bound of the monomial from above (side 1) or below (side -1), by what is at least 1."""
        moved: list[Fraction] = []
        blocks = [monomial[k : k + self.count] for k in range(0, len(monomial), self.count)]
        plain = [Fraction(e) for e in blocks[0]]
        logs = [Fraction(e) for e in blocks[1]] if len(blocks) > 1 else []
        for k, log in enumerate(logs):
            if k not in held:
                plain[k] += SMALL * log if side * log > 0 else 0
                logs[k] = Fraction(0)
        for block in (plain, logs):
            moved += (
                [
                    sum((e * row[k] for e, row in zip(block, self.rows, strict=True)), Fraction(0))
                    for k in range(self.count)
                ]
                if block
                else []
            )
        return tuple(moved)


def ground(claim: Claim, names: tuple[str, ...]) -> Ground:
    """The growing symbols, under assumed inequalities between two of them."""
    count = len(names)
    rows = [tuple(Fraction(int(i == j)) for j in range(count)) for i in range(count)]
    for low, high in _assumed(claim, names):
        own = tuple(Fraction(int(j == high)) for j in range(count))
        if rows[high] != own or rows[low][high]:
            continue
        below = rows[low]
        rows = [tuple(e + row[high] * b for e, b in zip(row, below, strict=True)) for row in rows]
    return Ground(count, tuple(rows))


def with_logarithms(names: tuple[str, ...]) -> tuple[str, ...]:
    return (*names, *(LOG + name for name in names))


def _assumed(claim: Claim, names: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """(low, high) for each assumption that one growing symbol is at most a number times another."""
    for fact in claim.constraints:
        if not isinstance(fact, n.Relation) or fact.op not in ("<", "<=", ">", ">="):
            continue
        left, right = (_multiple(side) for side in (fact.left, fact.right))
        low, high = (left, right) if fact.op in ("<", "<=") else (right, left)
        if low in names and high in names and low != high:
            yield names.index(low), names.index(high)


def _multiple(node: n.Node) -> str | None:
    """u of u times a positive number."""
    match node:
        case n.Symbol(name):
            return name
        case n.Multiply(n.Number(c), n.Symbol(name)) | n.Multiply(n.Symbol(name), n.Number(c)) if c > 0:
            return name
        case n.Divide(n.Symbol(name), n.Number(c)) if c > 0:
            return name
    return None
