"""The sizes that are worth a look: small ones in many patterns first."""

from collections.abc import Iterator
from itertools import product

from verifier.expr import symbols as K
from verifier.refute.domain.domain_at_sizes import Cell
from verifier.refute.domain.space import Domain

INTEGERS = (1, 2, 0, 3, -1, 4, -2, 6)


def cells_of(domain: Domain, limit: int) -> Iterator[Cell]:
    """Sizes worth looking at that the assumptions allow."""
    seen, count = set(), 0
    for sizes in _sizes(domain):
        key = tuple(sorted(sizes.items()))
        if key in seen:
            continue
        seen.add(key)
        cell = domain.cell(sizes)
        if cell is not None:
            count += 1
            yield cell
        if count >= limit:
            return


def _sizes(domain: Domain) -> Iterator[dict[str, int]]:
    dims, integers, indices = domain.dimensions, domain.sized(K.Integer), domain.sized(K.IndexOf)
    turn = 0
    for at, levels in enumerate(_levels(len(dims), bool(integers or indices))):
        sizes = dict(zip(dims, levels, strict=True))
        for position, name in enumerate(integers):
            sizes[name] = INTEGERS[(at + position) % len(INTEGERS)]
        for position, name in enumerate(indices):
            kind = domain.claim.symbols[name].kind
            assert isinstance(kind, K.IndexOf)
            known = all(other in sizes for other in kind.size.names)
            limit = kind.size.at(sizes) if known else 1
            sizes[name] = 1 + (at + _apart(turn, position)) % max(limit, 1)
        yield sizes
        turn += set(levels) != {1}


def _apart(turn: int, position: int) -> int:
    """Indices that all differ, that are all equal, and that are equal in pairs: a claim may break, or be
    tight, in one of these cases alone."""
    return (position, 0, position, position // 2)[turn % 4]


def _levels(count: int, varied: bool) -> Iterator[tuple[int, ...]]:
    """Small sizes in many patterns; then the same patterns larger, for assumptions that exclude these."""
    if count == 0:
        yield from [()] * (len(INTEGERS) if varied else 1)
        return
    patterns = list(_patterns(count, varied))
    for shift in (0, 2, 5, 9):
        for pattern in patterns:
            yield tuple(level + shift for level in pattern)
    yield from product(range(1, 6), repeat=count) if 1 < count <= 4 else ()


def _patterns(count: int, varied: bool) -> Iterator[tuple[int, ...]]:
    """All equal, all different, one much larger than the others, one of them 1."""
    if count == 1:
        yield from ((level,) for level in (2, 1, 3, 5, 4, 8, 12))
        yield from ((level,) for level in (2, 1, 3, 5, 4, 2, 3) if varied)
        return
    yield (2,) * count
    yield (1,) * count
    yield tuple((2, 3, 5, 4)[at % 4] for at in range(count))
    yield (3,) * count
    for large in range(count):
        yield tuple(7 if at == large else 2 for at in range(count))
    for one in range(count):
        yield tuple(1 if at == one else 3 for at in range(count))
    yield tuple((5, 3, 2, 4)[at % 4] for at in range(count))
    yield (5,) * count
    yield (8,) * count
