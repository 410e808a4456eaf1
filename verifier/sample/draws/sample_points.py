"""Where to look: `sweep` and `where`, else small distinct dimensions, edges, one larger point."""

import hashlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import torch
from torch import Tensor

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.sizes import float_or_inf
from verifier.expr.symbols import (
    Declared,
    Dimension,
    FixedKind,
    FixedMatrix,
    IndexOf,
    Integer,
    Interval,
    MatrixClass,
    Positive,
    Real,
)
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws import dependence as sources
from verifier.sample.draws import fixed_matrices as structures
from verifier.sample.draws.allowed_points import relevant, settle
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.draws.scene import Point
from verifier.sample.draws.symbol_kinds import belongs
from verifier.sample.unsupported import RefusedError, UndefinedError
from verifier.timer import past

SMALL = (
    (2, 3, 5, 4, 7, 6),
    (3, 2, 4, 5, 2, 3),
    (4, 5, 2, 3, 3, 2),
    (1, 2, 3, 1, 2, 3),
    (2, 1, 1, 2, 1, 2),
    (1,),
)
LARGE = (8, 12, 6, 9, 10, 7)
DEPTHS = (2, 3, 1, 4, 8, 64)
POSITIVE = ("1", "3/2", "1/2", "2", "5/4", "3", "1/4", "8", "1/64", "100")
REAL = ("1", "-1/2", "3/2", "-2", "1/4", "3", "-5/4", "0", "-50", "64")
WITHIN = ("1/2", "1/4", "7/8", "0", "1", "5/8")
INTEGERS = (1, 2, 3, 0, -1, 4, -3, 9, -8, 17)
ATTEMPTS = 12
PLAIN = 8  # attempts, and the moderate numbers that they use
HOPELESS = 48
LONGEST = 64
CONES = ("matrix", "vector", "symmetric", "psd")
STEPS = (1, 2, 4, 5, 7, 8)


def points(
    claim: Claim, fact: N.Fact, count: int, seed: int = 0, deadline: float = math.inf, larger: bool = True
) -> Iterator[Point]:
    """Up to `count` points that satisfy the assumptions, plain ones first; none after the deadline."""
    constraints = relevant(claim, fact)
    chosen, landmarks, beyond = list(_sweep(claim)), _landmarks(fact), _beyond(fact)
    seen: set[str] = set()
    found = 0
    for attempt in range(max(ATTEMPTS * count, len(chosen))):
        hopeless = not found and attempt >= max(HOPELESS, len(chosen))
        if found >= count or hopeless or past(deadline):
            return
        fixed = chosen[attempt % len(chosen)] if chosen else {}
        try:
            candidate = _candidate(claim, attempt, fixed, seed, larger, landmarks, beyond)
        except UndefinedError:
            continue
        point = settle(claim, constraints, candidate, deadline)
        if point is None or _signature(point) in seen:
            continue
        seen.add(_signature(point))
        found += 1
        yield point


def _signature(point: Point) -> str:
    values = {name: value.tolist() for name, value in sorted(point.values.items())}
    return repr((sorted(point.sizes.items()), values))


def _sweep(claim: Claim) -> Iterator[dict[str, Fraction]]:
    if claim.sweep:
        names = list(claim.sweep)
        for values in product(*(claim.sweep[name] for name in names)):
            yield dict(zip(names, values, strict=True))


def _candidate(
    claim: Claim,
    attempt: int,
    fixed: Mapping[str, Fraction],
    seed: int,
    larger: bool,
    landmarks: tuple[float, ...],
    beyond: tuple[int, ...],
) -> Point:
    """The attempt-th point, before the assumptions have been looked at."""
    text = f"{seed}\x00points\x00{attempt}"
    digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(int.from_bytes(digest, "big"))))
    given = {**claim.where, **fixed}
    world = World.of(claim, {})
    sizes = _sizes(claim, world, attempt, given, larger, beyond)
    values: dict[str, Tensor] = {}
    labels: list[str] = []
    exact = True
    free = [s for name, s in claim.symbols.items() if not s.is_random and name not in world.substituted]
    for position, symbol in enumerate(free):
        if symbol.name in sizes or isinstance(symbol.kind, Dimension | Integer | IndexOf):
            continue
        if isinstance(symbol.kind, FixedMatrix):
            # Steps coprime to the number of structures: each matrix meets all of them, in its own order.
            step = STEPS[len(labels) % len(STEPS)]
            structure = structures.NAMES[attempt * step % len(structures.NAMES)]
            shape = replace(world, sizes=sizes).shape(symbol.shape)
            copies = 1 if symbol.copies is None else replace(world, sizes=sizes).size(symbol.copies)
            built = [structures.build(symbol.kind.family, structure, rng, *shape) for _ in range(copies)]
            scale = _scale(symbol.kind.family, attempt, landmarks)
            each = [scale * value for value, _ in built]
            values[symbol.name] = each[0] if symbol.copies is None else torch.stack(each)
            exact &= all(precise for _, precise in built)
            labels.append(f"{symbol.name} {structure}")
        else:
            scope = Scope(replace(world, sizes=sizes), values)
            choice = (attempt + 3 * position) % PLAIN if attempt < PLAIN else int(rng.integers(1000))
            number = given[symbol.name] if symbol.name in given else _scalar(symbol, choice, scope)
            if attempt >= PLAIN and attempt % 2 and landmarks and symbol.name not in given:
                mark = landmarks[choice % len(landmarks)]
                assert isinstance(symbol.kind, FixedKind)
                number = mark if belongs(symbol.kind, _full(mark), scope) else number
            values[symbol.name] = _full(float(number))
    return Point(sizes, values, f"{attempt}: {', '.join(labels)}" if labels else str(attempt), exact)


def _scale(family: MatrixClass, attempt: int, landmarks: tuple[float, ...]) -> float:
    """Now and then as large as the numbers that the claim names."""
    if attempt < PLAIN or attempt % 4 != 1 or not landmarks or family not in CONES:
        return 1.0
    mark = landmarks[attempt // 4 % len(landmarks)]
    return abs(mark) if family == "psd" else mark


def _full(number: float) -> Tensor:
    return torch.full((1, 1), number, dtype=torch.float64)


def _landmarks(fact: N.Fact) -> tuple[float, ...]:
    """Twice and half the numbers that the claim names, on both sides: it may turn there."""
    named = sorted({abs(float_or_inf(n.value)) for n in sources.nodes(fact) if isinstance(n, N.Number)})
    found = [sign * scale * number for number in named if number for scale in (2, 0.5) for sign in (1, -1)]
    return tuple(round(1024 * value) / 1024 for value in found if abs(value) < 1e9)


def _beyond(fact: N.Fact) -> tuple[int, ...]:
    """Sizes above the whole numbers that the claim names: a sum may begin there."""
    named = {
        int(n.value) for n in sources.nodes(fact) if isinstance(n, N.Number) and n.value.denominator == 1
    }
    return tuple(sorted(number + 1 for number in named if 3 < number < LONGEST))


def _sizes(
    claim: Claim,
    world: World,
    attempt: int,
    given: Mapping[str, Fraction],
    larger: bool,
    beyond: tuple[int, ...],
) -> dict[str, int]:
    """Dimensions, integers and indices; substituted ones follow from the others."""
    table = LARGE if larger and attempt % 7 == 5 else SMALL[attempt % len(SMALL)]
    late = larger and bool(beyond) and attempt >= PLAIN and attempt % 7 == 6
    if late:
        table = (beyond[attempt // 7 % len(beyond)],)
    depth = claim.layers.depth.name if claim.layers else None
    sizes: dict[str, int] = {}
    dimensions = [s for s in claim.symbols.values() if isinstance(s.kind, Dimension)]
    for position, symbol in enumerate(s for s in dimensions if s.name not in world.substituted):
        own = DEPTHS[attempt % len(DEPTHS)] if symbol.name == depth else table[position % len(table)]
        sizes[symbol.name] = _whole(given.get(symbol.name, Fraction(own)))
    integers = [
        s for s in claim.symbols.values() if isinstance(s.kind, Integer) and s.name not in world.substituted
    ]
    for position, symbol in enumerate(integers):
        own = INTEGERS[(attempt + position) % len(INTEGERS)]
        if late:  # on both sides of 0
            own = table[0] if attempt // 7 % 2 else -table[0]
        sizes[symbol.name] = _whole(given.get(symbol.name, Fraction(own)))
    for name, value in given.items():
        if name not in claim.symbols or isinstance(claim.symbols[name].kind, IndexOf):
            sizes[name] = _whole(value)
    _substituted_sizes(claim, world, sizes)
    indices = [s for s in claim.symbols.values() if isinstance(s.kind, IndexOf) and s.name not in sizes]
    for position, symbol in enumerate(s for s in indices if s.name not in world.substituted):
        assert isinstance(symbol.kind, IndexOf)
        limit = replace(world, sizes=sizes).size(symbol.kind.size)
        sizes[symbol.name] = 1 + (attempt // (1 + position) + position) % limit if limit else 1
    for name in _substituted_sizes(claim, world, sizes):
        raise RefusedError(f"a value for the size {name}")
    return sizes


def _substituted_sizes(claim: Claim, world: World, sizes: dict[str, int]) -> list[str]:
    """d_k == d_v, d_F == 4 * d_v, j == i: sizes that assumptions give. Returns those still unknown."""
    waiting = [
        n for n in world.substituted if isinstance(claim.symbols[n].kind, Dimension | Integer | IndexOf)
    ]
    for _ in range(len(waiting)):
        for name in waiting:
            needed = sources.names(world.substituted[name], world.literal)
            if name in sizes or not needed <= sizes.keys():
                continue
            value = evaluate(world.substituted[name], Scope(replace(world, sizes=sizes), {}))
            if abs(float(value) - round(float(value))) > 1e-9:
                raise UndefinedError(f"{name} would be {float(value):.6g}")
            sizes[name] = round(float(value))
    return [name for name in waiting if name not in sizes]


def _whole(value: Fraction) -> int:
    if value.denominator != 1:
        raise UndefinedError(f"a size of {value}")
    return int(value)


def _scalar(symbol: Declared, choice: int, scope: Scope) -> float:
    match symbol.kind:
        case Positive():
            return float(Fraction(POSITIVE[choice % len(POSITIVE)]))
        case Real():
            return float(Fraction(REAL[choice % len(REAL)]))
        case Interval(low, high):
            return _between(
                float(evaluate(low, scope)) if not _is_minus_infinity(low) else -math.inf,
                float(evaluate(high, scope)),
                choice,
            )
    raise RefusedError(f"values for {symbol.name}")


def _is_minus_infinity(node: N.Node) -> bool:
    return isinstance(node, N.Negate) and isinstance(node.arg, N.Infinity)


def _between(low: float, high: float, choice: int) -> float:
    """Inside the interval, and at its ends."""
    if math.isfinite(low) and math.isfinite(high):
        return low + float(Fraction(WITHIN[choice % len(WITHIN)])) * (high - low)
    step = float(Fraction(POSITIVE[choice % len(POSITIVE)]))
    if math.isfinite(low):
        return low + (step if choice % 4 else 0.0)
    if math.isfinite(high):
        return high - (step if choice % 4 else 0.0)
    return float(Fraction(REAL[choice % len(REAL)]))
