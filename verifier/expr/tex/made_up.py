"""Values that are made up for symbols, and functions for what is not worked out: the same each time."""

import math
import random
from collections.abc import Callable
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.tex.matrices import Matrix, entrywise

SCALES = (0.5, 1.0, 1.0, 2.5)
VALUES = 4  # of a random symbol


def distinct_sizes(count: int, chance: random.Random) -> list[int]:
    """Small sizes, different ones as far as there are enough."""
    pool = [2, 3, 4, 5]
    chance.shuffle(pool)
    return [pool[at % len(pool)] for at in range(count)]


def entries_of(kind: K.Kind, chance: random.Random, positive: bool) -> Callable[[int, int], float]:
    """Entries that are as good as any; of one sign where the kind or an assumption says so."""
    signs = (1,) if positive or isinstance(kind, K.Positive) else (1, -1)
    if isinstance(kind, K.Integer):
        return lambda i, j: float(chance.randint(1, 7) * chance.choice(signs))
    scale = chance.choice(SCALES)
    return lambda i, j: chance.uniform(0.2, 0.9) * scale * chance.choice(signs)


def mean_of(kind: K.RandomKind) -> N.Node | None:
    """The mean of the law, where it is told."""
    match kind:
        case K.Uniform(low, high):
            return N.Divide(N.Add(low, high), N.Number(Fraction(2)))
        case K.Normal() | K.Iid() | K.AnyLaw():
            return kind.mean
    return None


def turned(kind: K.RandomKind, made: Matrix, which: int, middle: Matrix | None) -> Matrix:
    """One of the values of a random symbol. Where a mean is told they have it; those of a symmetric law are
    two and their mirror images."""
    sign = (-1) ** which
    if isinstance(kind, K.Rademacher | K.Bernoulli):
        made = made if which < VALUES // 2 else entrywise(lambda x: math.cos(7 * x), made)
        ends = (1.0, -1.0) if isinstance(kind, K.Rademacher) else (1.0, 0.0)
        return entrywise(lambda x: ends[(x > 0) != (sign > 0)], made)
    if middle is None:
        return entrywise(lambda x: x + math.cos(3 * which * x) - 1, made)
    if isinstance(kind, K.Normal | K.Uniform):
        return entrywise(
            lambda m, x: m + sign * (x if which < VALUES // 2 else math.cos(7 * x)), middle, made
        )
    rest = VALUES - 1
    if which < rest:
        return entrywise(lambda m, x: m + math.cos((2 + which) * x), middle, made)
    return entrywise(lambda m, x: m - sum(math.cos((2 + at) * x) for at in range(rest)), middle, made)


def smooth_function(head: str, symmetric: bool) -> Callable[[list[float]], float]:
    """A smooth function of its entries that is the same whenever it has this name."""

    def value(entries: list[float]) -> float:
        found, chance = 0.0, random.Random(head)
        rate, phase = chance.uniform(0.5, 1.5), chance.uniform(0, 3)
        for entry in entries:
            found += math.cos(rate * entry + phase) + 0.3 * entry
            if not symmetric:
                rate, phase = chance.uniform(0.5, 1.5), chance.uniform(0, 3)
        return found

    return value
