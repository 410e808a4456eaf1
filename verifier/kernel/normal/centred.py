"""Conditional means that assumptions give as 0: `E(A, given=B) == zeros(p, q)`.

Then E(sum of A[i, j]*g(B)) = 0 where it exists: given B it is 0, where B is bounded at first, and so in the
limit. A mean is 0 in this way as a whole or not at all: its parts need not have means.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.expr.dims import Dim
from verifier.expr.nodes import Expectation, Fact, Node, Relation, Zeros
from verifier.kernel.core.axes import columns, fixed, rows
from verifier.kernel.normal.atoms import Entry, Monomial, Net
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.gathered import Gathered

MOST_OPENED = 8


@dataclass(frozen=True)
class Block:
    """Entries of a symbol: the places with params in their ranges."""

    entry: Entry
    params: tuple[str, ...]

    def holds(self, algebra: "Gathered", entry: Entry) -> bool:
        if entry.name != self.entry.name or len(entry.at) != len(self.entry.at):
            return False
        for want, have in zip(self.entry.at, entry.at, strict=True):
            names = [name for name in self.params if name in want.names]
            if not names:
                if want != have:
                    return False
                continue
            (name,) = names  # of the form: a number of places and a param
            if not algebra.is_among(have - (want - Dim.of(name)), name):
                return False
        return True


@dataclass(frozen=True)
class Centred:
    """The entries of `block` have mean 0, given those of `known`."""

    block: Block
    known: tuple[Block, ...]


def centred_blocks(algebra: "Gathered") -> Iterator[Centred]:
    for fact in algebra.context.assumptions:
        if (told := mean_told(fact)) is not None and isinstance(told[2], Zeros):
            with suppress(Rejected):
                body, given, _ = told
                yield Centred(_block(algebra, body), tuple(_block(algebra, node) for node in given))


def mean_told(fact: Fact) -> tuple[Node, tuple[Node, ...], Node] | None:
    """Of E(A, given=B) == value: A, B and the value."""
    match fact:
        case Relation("==", Expectation(body, given), value) if given and body.shape == value.shape:
            return body, given, value
    return None


def _block(algebra: "Gathered", node: Node) -> Block:
    places, params = [], []
    for axis_of, size in ((rows, node.shape.rows), (columns, node.shape.cols)):
        axis = fixed(axis_of(node), size)
        names = [f"%q{next(algebra.fresh)}" for _ in axis]
        algebra.ranges |= {name: (Dim.of(1), limit) for name, limit in zip(names, axis, strict=True)}
        places.append(tuple(map(Dim.of, names)))
        params += names
    found = algebra.of_node(node, *places)
    match list(found.terms.items()):
        case [(((Entry() as entry, 1),), factor)] if factor == 1:
            used = [[name for name in params if name in place.names] for place in entry.at]
            if all(_is_plain(place, names) for place, names in zip(entry.at, used, strict=True)):
                return Block(entry, tuple(params))
    raise Rejected("outside", "a mean of something else than a block of entries")


def _is_linear(algebra: "Gathered", law: Centred, powers: Monomial, draws: frozenset[str]) -> bool:
    """One entry of the block, times entries that are known."""
    found = list(_entries(algebra, powers, draws))
    if None in found:
        return False
    own = [entry for entry in found if entry is not None and law.block.holds(algebra, entry)]
    rest = [entry for entry in found if entry is not None and entry not in own]
    return len(own) == 1 and all(any(block.holds(algebra, entry) for block in law.known) for entry in rest)


def _entries(algebra: "Gathered", powers: Monomial, draws: frozenset[str]) -> Iterator[Entry | None]:
    """The draws in a product, each as often as it stands there; None for anything else."""
    for atom, power in powers:
        if not draws & atom.names:
            continue
        if not isinstance(power, int) or not 0 < power <= MOST_OPENED:
            yield None
        elif isinstance(atom, Net):
            for _ in range(power):
                _, inner = algebra.open(atom)
                yield from _entries(algebra, next(iter(inner.terms)), draws)
        elif isinstance(atom, Entry):
            yield from [atom] * power
        else:
            yield None


def _is_plain(place: Dim, names: list[str]) -> bool:
    """A number of places and one param, or none."""
    return not names or (len(names) == 1 and names[0] not in (place - Dim.of(names[0])).names)


def is_centred(algebra: "Gathered", powers: Monomial) -> bool:
    """Whether a product with a mean in it is 0 by what is assumed."""
    part = algebra.as_mean(powers) if algebra.centred else None
    if part is None or part[0] & part[1].names:
        return False
    return any(
        all(_is_linear(algebra, law, each, part[0]) for each in part[2].terms) for law in algebra.centred
    )
