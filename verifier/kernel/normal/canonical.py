"""Canonical names for the indices of a sum: two sums that differ in names alone become the same.

Indices are told apart by where they stand, again and again, until nothing new is learned; where several still
look alike each is tried as the first of them, and the least text wins.
"""

from collections.abc import Mapping

from verifier.expr.dims import Dim
from verifier.kernel.normal.atoms import Atom, Monomial, write_dim, write_monomial
from verifier.kernel.rejected import Rejected

MOST_LEAVES = 2_000
Bound = Mapping[str, tuple[Dim, Dim]]
Colours = dict[str, int]


def canonical_order(bound: Bound, factors: Monomial) -> list[str]:
    """The bound indices in an order that does not depend on their names."""
    search = _Search(bound, factors)
    search.run(search.refined(_ranked({name: search.limits(name) for name in bound})))
    assert search.best is not None
    return search.best[1]


class _Search:
    def __init__(self, bound: Bound, factors: Monomial) -> None:
        self.bound, self.factors = bound, factors
        self.touching: dict[str, list[tuple[Atom, object]]] = {
            name: [(atom, power) for atom, power in factors if name in atom.names] for name in bound
        }
        self.best: tuple[str, list[str]] | None = None
        self.leaves = 0

    def limits(self, name: str) -> str:
        low, high = self.bound[name]
        return f"{write_dim(low, str)}..{write_dim(high, str)}"

    def refined(self, colours: Colours) -> Colours:
        while len(set(colours.values())) < len(colours):
            seen = {name: f"{colours[name]}|{self._signature(name, colours)}" for name in colours}
            finer = _ranked(seen)
            if len(set(finer.values())) == len(set(colours.values())):
                return finer
            colours = finer
        return colours

    def _signature(self, own: str, colours: Colours) -> str:
        def label(name: str) -> str:
            return "*" if name == own else f"#{colours[name]}" if name in colours else name

        return "&".join(sorted(f"{atom.write(label)}^{power}" for atom, power in self.touching[own]))

    def run(self, colours: Colours) -> None:
        classes: dict[int, list[str]] = {}
        for name, colour in colours.items():
            classes.setdefault(colour, []).append(name)
        alike = min((colour for colour, names in classes.items() if len(names) > 1), default=None)
        if alike is None:
            self._leaf(sorted(colours, key=lambda name: colours[name]))
            return
        for name in classes[alike]:
            # One of them comes first; the others stay alike until it tells them apart.
            split = {other: 2 * colour + 1 for other, colour in colours.items()}
            split[name] -= 1
            self.run(self.refined(split))

    def _leaf(self, order: list[str]) -> None:
        self.leaves += 1
        if self.leaves > MOST_LEAVES:
            raise Rejected("too-large", "a sum with too many indices that look alike")
        names = {name: f"#{at}" for at, name in enumerate(order)}
        text = write_monomial(self.factors, lambda name: names.get(name, name))
        if self.best is None or text < self.best[0]:
            self.best = text, order


def _ranked(texts: Mapping[str, str]) -> Colours:
    ranks = {text: rank for rank, text in enumerate(sorted(set(texts.values())))}
    return {name: ranks[text] for name, text in texts.items()}
