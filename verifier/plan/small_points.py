"""Small points, and points where a symbol is small, in exact arithmetic: what they break is false."""

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import islice, product
from typing import Any

from verifier.claim.model import Claim
from verifier.evidence import Counterexample
from verifier.expr.dims import Dim
from verifier.expr.nodes import Growth, Limit, Order, Relation
from verifier.expr.symbols import Dimension, IndexOf, Real
from verifier.expr.walk import walk

MOST_POINTS, MOST_UNSUPPORTED = 48, 3
POINTS_PER_SIZE, CHECKED_PER_SIZE, TRIED_PER_SIZE = 3, 8, 40


def broken(
    claim: Claim, fact: Relation, stretched: Set[str] = frozenset(), factor: int = 1, sized: bool = False
) -> Counterexample | None:
    """A small point that breaks the relation and that the claim allows; some symbols made larger. `sized`: at
    each of the simplest sizes in turn, those points first that hide nothing."""
    # Loaded in the worker alone, like the engines: the parent process never needs SymPy.
    from verifier.exact.values.recheck import recheck
    from verifier.prove.equal.small_integer_points import points
    from verifier.prove.ranges.small_scale import is_allowed

    unsupported = 0
    for point in _at_sizes(claim, fact) if sized else islice(points(claim, fact, {}, 0), MOST_POINTS):
        moved = {name: _times(factor, v) if name in stretched else v for name, v in point.items()}
        if not is_allowed(claim, moved):
            continue
        for variant in (moved, *_without_a_branch(claim, moved)):
            checked = recheck(claim, fact, variant)
            if checked.outcome != "unsupported":
                break
        unsupported += checked.outcome == "unsupported"
        if checked.outcome == "false" or unsupported > MOST_UNSUPPORTED:
            return checked.counterexample if checked.outcome == "false" else None
    return None


def _at_sizes(claim: Claim, fact: Relation) -> Iterator[dict[str, Any]]:
    from verifier.prove.equal.small_integer_points import points
    from verifier.prove.ranges.small_scale import is_allowed

    for sizes in _sizes(claim, frozenset()):
        tried = _of_different_matrices(islice(points(claim, fact, sizes, 0), TRIED_PER_SIZE))
        allowed = (point for point in _telling_first(claim, tried) if is_allowed(claim, point))
        yield from islice(allowed, CHECKED_PER_SIZE)


def _without_a_branch(claim: Claim, point: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The point with one real parameter at 0: what it multiplies is gone, the rest may be within reach."""
    for name, value in point.items():
        if isinstance(claim.symbols[name].kind, Real) and value != 0:
            yield {**point, name: 0}


def _times(factor: int, value: Any) -> Any:
    """A number, or every entry of rows."""
    if isinstance(value, list | tuple):
        return [_times(factor, item) for item in value]
    return value if factor == 1 else factor * value


def broken_when_small(
    claim: Claim, fact: Relation, wide: Set[str] = frozenset()
) -> tuple[str, Counterexample] | None:
    """A symbol, and a small point that breaks the relation as this symbol shrinks to 0. Sizes other than 1
    are those in `wide`, if it names any."""
    from verifier.prove.equal.small_integer_points import points
    from verifier.prove.ranges.small_scale import broken_at_small_scale, is_allowed, scales

    if any(isinstance(node, Limit | Growth | Order) for node in walk(fact)):
        return None
    for sizes in _sizes(claim, wide):
        tried = _of_different_matrices(islice(points(claim, fact, sizes, 0), TRIED_PER_SIZE))
        allowed = (point for point in _telling_first(claim, tried) if is_allowed(claim, point))
        for point in islice(allowed, POINTS_PER_SIZE):
            less = _without_the_last_branch(claim, point) if _is_deep(claim, sizes) else point
            if less != point and is_allowed(claim, less):
                point = less
            for name in scales(claim, point):
                found = broken_at_small_scale(claim, fact, point, name)
                if found is not None:
                    return name, found.example(point, name)
    return None


def met_when_small(claim: Claim, fact: Relation) -> bool:
    """Whether both sides meet where a symbol is 0, or shrinks to it, at sizes from 2 on: a bound between them
    is tight."""
    from verifier.prove.equal.small_integer_points import points
    from verifier.prove.ranges.small_scale import is_allowed, meets_at_small_scale, meets_at_zero, scales

    sizes = dict.fromkeys(_dimensions(claim), Dim.of(2))
    tried = _of_different_matrices(islice(points(claim, fact, sizes, 0), TRIED_PER_SIZE))
    allowed = islice((point for point in tried if is_allowed(claim, point)), POINTS_PER_SIZE)
    return any(
        meets(claim, fact, at, name)
        for at in allowed
        for name in scales(claim, at)
        for meets in (meets_at_zero, meets_at_small_scale)
    )


def _of_different_matrices(points: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each also with signs alone, so that rows have one length, as assumptions may ask; without those that
    differ from an earlier one in numbers alone."""
    seen: set[str] = set()
    for point in (variant for given in points for variant in (given, _signs(given))):
        matrices = repr({name: value for name, value in point.items() if isinstance(value, list)})
        if matrices not in seen or matrices == "{}":
            seen.add(matrices)
            yield point


def _telling_first(claim: Claim, points: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Those that hide nothing before those in which all rows are equal, two indices are, or a number is 0."""
    hiding: list[dict[str, Any]] = []
    for point in points:
        if _tells(claim, point):
            yield point
        else:
            hiding.append(point)
    yield from hiding


def _tells(claim: Claim, point: Mapping[str, Any]) -> bool:
    kinds = {name: claim.symbols[name].kind for name in point}
    places = [point[name] for name, kind in kinds.items() if isinstance(kind, IndexOf)]
    if len(set(places)) < len(places) or any(
        point[name] == 0 for name in kinds if isinstance(kinds[name], Real)
    ):
        return False
    for rows in (value for value in point.values() if isinstance(value, list) and len(value) > 1):
        seen = [rows[place - 1] for place in places if place <= len(rows)]
        if all(row == rows[0] for row in rows) or (len(seen) > 1 and all(row == seen[0] for row in seen)):
            return False
    return True


def _without_the_last_branch(claim: Claim, point: dict[str, Any]) -> dict[str, Any]:
    """Each branch of a layer costs, and one of two is enough to tell."""
    reals = [name for name in point if isinstance(claim.symbols[name].kind, Real)]
    return {**point, reals[-1]: 0} if len(reals) > 1 else point


def _signs(value: Any, inside: bool = False) -> Any:
    """1 or -1 for every entry of a matrix."""
    match value:
        case dict():
            return {name: _signs(item) for name, item in value.items()}
        case list():
            return [_signs(item, inside=True) for item in value]
    return (1 if value > 0 else -1) if inside else value


def _sizes(claim: Claim, wide: Set[str]) -> Iterator[dict[str, Dim]]:
    """Every dimension 1 but one, which is 2, or 3, where symmetry hides less; then all of them 2. One layer
    shows what each of them does to a fixed state, two what the second does to a random one."""
    depth = set() if claim.layers is None else {claim.layers.depth.name}
    names = [name for name in _dimensions(claim) if name not in depth]
    chosen = [name for name in names if name in wide] or names
    alone = [
        {name: Dim.of(width if name == wide else 1) for name in names}
        for width, wide in product((2, 3), chosen)
    ]
    yield from ({**sizes, **dict.fromkeys(depth, Dim.of(1))} for sizes in alone)
    if depth:
        yield from ({**sizes, **dict.fromkeys(depth, Dim.of(2))} for sizes in reversed(alone))
    yield {**dict.fromkeys(names, Dim.of(2)), **dict.fromkeys(depth, Dim.of(1))}


def _is_deep(claim: Claim, sizes: Mapping[str, Dim]) -> bool:
    return claim.layers is not None and sizes[claim.layers.depth.name] == Dim.of(2)


def _dimensions(claim: Claim) -> list[str]:
    return [name for name, symbol in claim.symbols.items() if isinstance(symbol.kind, Dimension)]
