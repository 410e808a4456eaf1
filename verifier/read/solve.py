"""Shapes solved: what must be, then what is plain, then what is left open; sizes get plain letters last."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from verifier.expr.dims import ONE, Dim
from verifier.read.rules import Multiplied, Rule, SideBySide
from verifier.read.sizes import Mismatch, Place, Sizes

LETTERS = "n m d k p q r s t u v w l h g"


@dataclass(frozen=True)
class Ranged:
    """A size that an index runs along up to here."""

    place: Place
    size: int
    high: Dim


def solve(
    sizes: Sizes, rules: Sequence[Rule], ranged: Sequence[Ranged], order: Iterable[int], taken: set[str]
) -> tuple[Place, ...]:
    """Give every size its value; returns the places where a scaling and a product could not be told apart.

    `order` says in which order the sizes that stay open get their letters; `taken` are letters in use.
    Raises Mismatch."""
    _leaning(sizes, rules, ranged)
    undecided = _settled(sizes, rules, ranged)
    for size in range(len(sizes.parent)):
        root = sizes.root(size)
        if sizes.of(root) is None and root not in sizes.wide:
            sizes.value[root] = ONE
    _forced(sizes, rules)
    _named(sizes, rules, order, taken)
    return undecided


def _leaning(sizes: Sizes, rules: Sequence[Rule], ranged: Sequence[Ranged]) -> None:
    def step() -> None:
        _forced(sizes, rules)
        for rule in rules:
            rule.lean(sizes)

    _until_quiet(sizes, step)
    if _bind_ranges(sizes, ranged):
        _until_quiet(sizes, step)


def _settled(sizes: Sizes, rules: Sequence[Rule], ranged: Sequence[Ranged]) -> tuple[Place, ...]:
    """Settle what is open, all that is open at once, until nothing is; what cannot be settled is told."""
    while True:
        before = sizes.changes
        for rule in [rule for rule in rules if rule.is_open(sizes)]:
            rule.settle(sizes)
        if sizes.changes == before:
            break
        _leaning(sizes, rules, ranged)
    return tuple(rule.place for rule in rules if isinstance(rule, SideBySide) and rule.is_open(sizes))


def _bind_ranges(sizes: Sizes, ranged: Sequence[Ranged]) -> bool:
    """x[i] with i from 1 to n: where nothing else says how long x is, it is n long."""
    found: dict[int, Ranged] = {}
    for item in ranged:
        root = sizes.root(item.size)
        if sizes.of(root) is not None:
            continue
        other = found.setdefault(root, item)
        if other.high != item.high:
            raise Mismatch(other.high, item.high, item.place)
    for item in found.values():
        sizes.bind(item.size, item.high, item.place)
    return bool(found)


def _named(sizes: Sizes, rules: Sequence[Rule], order: Iterable[int], taken: set[str]) -> None:
    """Letters for what is open; a size that is a product of others follows from theirs."""
    letters = _letters(taken)
    made = {sizes.root(rule.out) for rule in rules if isinstance(rule, Multiplied)}
    for size in [*order, *range(len(sizes.parent))]:
        root = sizes.root(size)
        if sizes.of(root) is None and root not in made:
            sizes.value[root] = Dim.of(next(letters))
    _forced(sizes, rules)
    for size in range(len(sizes.parent)):
        if sizes.of(size) is None:
            sizes.value[sizes.root(size)] = Dim.of(next(letters))


def _letters(taken: set[str]) -> Iterator[str]:
    """n, m, d, ..., then n_2, m_2, ...: none that is in use."""
    for turn in count(1):
        for letter in LETTERS.split():
            name = letter if turn == 1 else f"{letter}_{turn}"
            if name not in taken:
                yield name


def _forced(sizes: Sizes, rules: Sequence[Rule]) -> None:
    def step() -> None:
        for rule in rules:
            rule.force(sizes)

    _until_quiet(sizes, step)


def _until_quiet(sizes: Sizes, step: Callable[[], None]) -> None:
    while True:
        before = sizes.changes
        step()
        if sizes.changes == before:
            return
