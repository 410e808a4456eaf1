"""Closed forms that this process has found, by what they depend on.

The claims of a file share their symbols and assumptions, and a depth-L claim asks for one layer's
action again and again: each closed form is worked out once. Which index a tree speaks of makes no
difference to it, so indices are remembered by the order in which they occur.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import IndexOf
from verifier.expr.walk import substitute, walk

MOST = 2000
RECENT = 32


@dataclass(frozen=True)
class Memory:
    """Trees by claim and tree; what took too long is not kept. A claim's meaning is a number, found once
    per claim: hashing all of it takes as long as a small closed form."""

    known: dict[Hashable, N.Node | None] = field(default_factory=dict)
    meanings: dict[Hashable, int] = field(default_factory=dict)
    recent: dict[int, tuple[Claim, int]] = field(default_factory=dict)

    def recall(self, claim: Claim, node: N.Node, work: Callable[[], N.Node | None]) -> N.Node | None:
        """The tree that `work` gives, from memory where it has been given before."""
        names = _indices(claim, node)
        places: dict[N.Node, N.Node] = {
            N.Symbol(name): N.Symbol(f"#{k}") for k, name in enumerate(names, start=1)
        }
        sizes = tuple(claim.symbols[name].kind for name in names)
        key = (self._number(claim), sizes, substitute(node, places))
        if key not in self.known:
            found = work()
            if len(self.known) >= MOST:
                self.known.clear()
            self.known[key] = None if found is None else substitute(found, places)
            return found
        kept = self.known[key]
        return None if kept is None else substitute(kept, {new: old for old, new in places.items()})

    def _number(self, claim: Claim) -> int:
        """Equal for claims that mean the same. A claim is kept with its number: its id stays its own."""
        kept = self.recent.get(id(claim))
        if kept is None:
            if len(self.recent) >= RECENT:
                self.recent.clear()
            kept = claim, self.meanings.setdefault(_meaning(claim), len(self.meanings))
            self.recent[id(claim)] = kept
        return kept[1]


def _indices(claim: Claim, node: N.Node) -> list[str]:
    """The indices that a tree speaks of, and no assumption does, in the order in which they occur."""
    assumed = {part for a in claim.assumptions for part in walk(a.fact) if isinstance(part, N.Symbol)}
    used = dict.fromkeys(part for part in walk(node) if isinstance(part, N.Symbol) and part not in assumed)
    return [part.name for part in used if isinstance(claim.symbols[part.name].kind, IndexOf)]


def _meaning(claim: Claim) -> Hashable:
    """All that a closed form depends on."""
    assumed = {part.name for a in claim.assumptions for part in walk(a.fact) if isinstance(part, N.Symbol)}
    symbols = frozenset(
        item for item in claim.symbols.items() if item[0] in assumed or not isinstance(item[1].kind, IndexOf)
    )
    facts = tuple(assumption.fact for assumption in claim.assumptions)
    sizes = frozenset(claim.dims.items()), frozenset(claim.where.items())
    return symbols, claim.lets, facts, claim.layers, sizes
