"""Sizes compared as several symbols grow, with logarithms and assumed inequalities between the symbols.

    log(u) <= C u**e for every e > 0,  log(u) >= 1:   a power beats a logarithm of its own symbol
    v**2 <= C u:   u = v**2 w with some w >= 1,  log(u) = log(v) w'  with some w' >= 1

so monomials in u, log(u) become monomials in what is at least 1, of which an order is a matter of exponents
(`cones`). An order is wrong along a path on which the ratio runs away: u = t**k, or u = 2**(t**k), which
outgrows every power of the others while log(u) keeps their pace.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from itertools import product as choices

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.prove.growth.cones import Cone, Vector, cone
from verifier.prove.growth.exponential_towers import Monomial, walls
from verifier.prove.growth.polynomial_orders import Exponents, dominated
from verifier.prove.growth.tropical_sizes import LOG, Size, product, size_of
from verifier.prove.scalars.scalar_refusal import Refused

SMALL = Fraction(1, 10**6)
MOST = 3  # growing symbols whose paths are tried


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
    """The growing symbols, `count` of them, and the rays of the cone that their exponents span."""

    count: int
    cone: Cone
    has_logarithms: bool = False

    def within(self, low: Size, high: Size) -> bool:
        """low = O(high)."""
        over, under = product(low.above, high.below), product(high.above, low.below)
        return all(self._below(monomial, under) for monomial in over)

    def vanishes(self, low: Size, high: Size) -> bool:
        """low = o(high): low (min u)**e = O(high) for some e > 0, over the slowest of what grows, which are
        the logarithms where these are known; and min(u)**e is, up to constants, 1 over the sum of u**-e."""
        over, under = product(low.above, high.below), product(high.above, low.below)
        slowest = range(self.count, 2 * self.count) if self.has_logarithms else range(self.count)
        less = [tuple(e - SMALL * int(j == k) for j, e in enumerate(r)) for r in under for k in slowest]
        return all(self._below(m, less) for m in over)

    def reduced(self, size: Size) -> Size:
        """Without monomials that another one outgrows."""
        above = frozenset(
            m for m in size.above if not any(m != r and self._below(m, [r]) for r in size.above)
        )
        return Size(above or size.above, size.below)

    def runaways(self, high: Size, low: Size) -> Iterator[Path]:
        """Paths along which high/low grows without bound."""
        over, under = product(high.above, low.below), product(low.above, high.below)
        plain = all(not any(m[self.count :]) for m in over | under)
        found = self.cone.escape(over, under, self.count) if plain and over else None
        if found is not None:
            yield Path(found, (False,) * self.count)
        for path in paths(self.count) if over else ():
            if max(map(path.rate, over)) > max(map(path.rate, under)):
                yield path

    def _below(self, monomial: Exponents, bounds: Iterable[Exponents]) -> bool:
        known = list(bounds)
        return any(
            dominated([self._moved(monomial, held, 1)], [self._moved(r, held, -1) for r in known])
            for held in self._held(monomial, known)
        )

    def _held(self, monomial: Exponents, bounds: list[Exponents]) -> Iterator[frozenset[int]]:
        """Which logarithms are compared as such; the others are weighed against powers of their symbols."""
        logs = set[int]()
        if self.has_logarithms:
            logs = {k for k in range(self.count) if any(m[self.count + k] for m in (monomial, *bounds))}
        for size in range(len(logs), -1, -1):
            yield from map(frozenset, combinations(sorted(logs), size))

    def _moved(self, monomial: Exponents, held: frozenset[int], side: int) -> Vector:
        """A bound of the monomial from above (side 1) or below (side -1), by what is at least 1."""
        moved = [Fraction(e) for e in monomial]
        for k, log in enumerate(moved[self.count : 2 * self.count] if self.has_logarithms else ()):
            if k not in held:
                moved[k] += SMALL * log if side * log > 0 else 0
                moved[self.count + k] = Fraction(0)
        return self.cone.exponents(tuple(moved))


def ground(
    claim: Claim, names: tuple[str, ...], known: tuple[str, ...], atoms: tuple[Monomial, ...] = ()
) -> Ground:
    """The growing symbols under what is assumed of them; `known` are those, maybe their logarithms, and the
    exponentials of the atoms."""
    count, width = len(names), len(known) - len(atoms)
    stated = tuple(_assumed(claim, known[:width]))
    plain = cone(tuple(wall[:count] for wall in stated if not any(wall[count:])), count)
    if width > count:
        stated += tuple(_logarithms(plain, count))
    found = cone(stated, width)
    if atoms:
        wider = tuple((*wall, *(Fraction(0),) * len(atoms)) for wall in stated)
        found = cone((*wider, *walls(claim, found, names, atoms)), len(known))
    return Ground(count, found, width > count)


def with_logarithms(names: tuple[str, ...]) -> tuple[str, ...]:
    return (*names, *(LOG + name for name in names))


def _assumed(claim: Claim, names: tuple[str, ...]) -> Iterator[Vector]:
    """high - low, in exponents, for each assumption that a sum of monomials is at most one monomial."""
    for fact in claim.constraints:
        if not isinstance(fact, n.Relation) or fact.op == "!=" or not fact.left.shape.is_scalar:
            continue
        try:
            left, right = (size_of(claim, side, names) for side in (fact.left, fact.right))
        except Refused:
            continue
        if fact.op in ("<", "<=", "=="):
            yield from _walls(left, right)
        if fact.op in (">", ">=", "=="):
            yield from _walls(right, left)


def _walls(low: Size, high: Size) -> Iterator[Vector]:
    over, under = product(low.above, high.below), product(high.above, low.below)
    if len(under) == 1:
        (top,) = under
        yield from (tuple(Fraction(a) - b for a, b in zip(top, m, strict=True)) for m in over)


def _logarithms(plain: Cone, count: int) -> Iterator[Vector]:
    """log(u) >= C log(v) where u is at least a power of v: on no ray does v grow alone."""
    for high, low in permutations(range(count), 2):
        if all(ray[high] for ray in plain.rays if ray[low]):
            yield tuple(Fraction(int(k == count + high) - int(k == count + low)) for k in range(2 * count))
