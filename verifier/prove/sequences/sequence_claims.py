"""A claim about a sequence of any law: shown by a theorem, or refuted by an explicit sequence."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product

from verifier.claim.model import Assumption, Claim
from verifier.claim.sequences import beyond_points, without_sequences
from verifier.evidence import Counterexample, Finding, InWords
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.expr.walk import distinct
from verifier.kernel.sequences.modes import Chance, Mode, Reader, Surely
from verifier.kernel.sequences.spikes import Spike
from verifier.kernel.sequences.theorems import follows, needs_positive
from verifier.prove.sequences.explicit_sequences import World, worlds
from verifier.prove.sequences.spikes import described, library

Fact = N.Relation | N.Within
Judge = Callable[[Claim, Fact], Finding]
NAME = "symbolic"
ZERO = N.Number(Fraction(0))
STATEMENT = "how a sequence converges: almost surely, in probability, in mean, or by a finite sum"


def examine_sequences(claim: Claim, fact: Fact, judge: Judge) -> Finding:
    """Judge what is said of a sequence by what is assumed of it."""
    plain = without_sequences(claim)

    def positive(node: N.Node) -> bool:
        found = judge(plain, N.Relation(">", node, ZERO))
        return found.truth == "true" and found.grade == "proved"

    reader = Reader(claim.symbols, tuple(item.fact for item in claim.assumptions), positive)
    wanted = reader.mode(fact)
    if wanted is None:
        return Finding(NAME, "unknown", missing=STATEMENT)
    beyond = beyond_points(claim)
    known = [(item, reader.mode(item.fact)) for item in claim.assumptions if item.name in beyond]
    for item, mode in known:
        theorems = None if mode is None else follows(mode, wanted)
        if mode is not None and theorems is not None and _is_positive(mode, wanted, positive):
            lines = (f"Z = {to_text(wanted.gap)}, of which {item.name} is assumed", *theorems)
            reason = f"it follows from {item.name}: {theorems[-1]}"
            return Finding(NAME, "true", "proved", reason, derivation=lines)
    refuted = _refuted(claim, plain, wanted, known)
    if refuted is not None:
        return refuted
    unread = " and ".join(item.name for item, mode in known if mode is None)
    reason = "no theorem at hand leads from the assumptions to it, and no explicit sequence breaks it"
    return Finding(NAME, "unknown", reason=reason, missing=f"a use for {unread}" if unread else "a proof")


def _is_positive(mode: Mode, wanted: Mode, positive: Callable[[N.Node], bool]) -> bool:
    """The threshold that is wanted, where the theorems need it."""
    if isinstance(wanted, Surely) or not isinstance(wanted.size, Chance) or wanted.size.above is None:
        return True
    return not needs_positive(mode, wanted) or positive(wanted.size.above)


def _refuted(
    claim: Claim, plain: Claim, wanted: Mode, known: list[tuple[Assumption, Mode | None]]
) -> Finding | None:
    """The first sequence of the library that is as assumed, and not as claimed."""
    assumed = [mode for _, mode in known if mode is not None]
    gaps = [mode.gap for mode in (wanted, *assumed)]
    names = {node.name for gap in gaps for node in distinct(gap) if isinstance(node, N.Member)}
    if len(assumed) < len(known) or len(names) != 1:
        return None
    allowed = list(worlds(claim, plain, next(iter(names)), (wanted, *assumed)))
    thresholds = [world.threshold(mode) for world in allowed for mode in (wanted, *assumed)]
    for spike, world in product(library(filter(None, thresholds)), allowed):
        found = world.truth(wanted, spike)
        if found is None or found[0]:
            continue
        others = [world.truth(mode, spike) for mode in assumed]
        if all(other is not None and other[0] for other in others):
            pairs = zip(known, others, strict=True)
            lines = [f"{item.name}: {other[1]}" for (item, _), other in pairs if other is not None]
            return _shown(claim, world, spike, wanted, (*lines, found[1]))
    return None


def _shown(claim: Claim, world: World, spike: Spike, wanted: Mode, lines: tuple[str, ...]) -> Finding:
    """The sequence, and what is true of it, for a person to check."""
    is_matrix = not claim.symbols[world.sequence].shape.is_scalar
    member = f"{world.sequence}[i]{'[1, 1]' if is_matrix else ''}"
    numbers = {f"{name}{_entry(claim, name)}": str(value) for name, value in world.values.items()}
    rest = {"all other entries": "0"} if is_matrix else {}
    values: dict[str, object] = {**numbers, member: _told(spike, world.limit), **rest}
    example = Counterexample(values, None, None, arithmetic=lines)
    if isinstance(wanted, Surely):
        example = replace(example, lhs=0.0, rhs=1.0, lhs_exact="0", rhs_exact="1")
    reason = f"not for every sequence: {lines[-1]}"
    return Finding(NAME, "false", "proved", reason, counterexample=example, derivation=lines)


def _told(spike: Spike, limit: Fraction) -> InWords:
    """In words for people, and what it is made of for a proof."""
    numbers = {"height": spike.height, "power": spike.power, "rarity": spike.rarity, "limit": limit}
    flags = {"nested": spike.nested, "fair": spike.fair}
    return InWords(
        described(spike, limit), {name: str(value) for name, value in {**numbers, **flags}.items()}
    )


def _entry(claim: Claim, name: str) -> str:
    return "" if claim.symbols[name].shape.is_scalar else "[1, 1]"
