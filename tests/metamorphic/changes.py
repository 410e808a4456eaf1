"""Other words for a relation: each is as true as what it is made from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from tests.mutants.operators import KEEPING, Change, everywhere, turned
from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.text import to_text
from verifier.read.specs.load import load_text

SCALE = n.Number(Fraction(3, 7))
Symbols = Mapping[str, str]


def claim_of(symbols: Symbols, says: str) -> Claim:
    """One claim, read as a user's is."""
    declared = "".join(f"  {name}: {kind!r}\n" for name, kind in symbols.items())
    loaded = load_text(f"theorem: metamorphic/one\nsymbols:\n{declared}claims:\n  c: {{says: {says!r}}}\n")
    assert loaded.claims, (says, loaded)
    return loaded.claims[0]


def fact_of(claim: Claim) -> n.Relation:
    fact = claim.steps[0].fact
    assert isinstance(fact, n.Relation)
    return fact


# --- of one relation ----------------------------------------------------------------------------------


def scaled(fact: n.Relation) -> n.Relation:
    """a <= b as 3/7 a <= 3/7 b"""
    return replace(fact, left=n.Multiply(SCALE, fact.left), right=n.Multiply(SCALE, fact.right))


def negated(fact: n.Relation) -> n.Relation:
    """a <= b as -b <= -a"""
    return replace(fact, left=n.Negate(fact.right), right=n.Negate(fact.left))


def shifted(fact: n.Relation) -> n.Relation:
    """a <= b as a + b <= b + b"""
    return replace(fact, left=n.Add(fact.left, fact.right), right=n.Add(fact.right, fact.right))


def split(fact: n.Relation) -> n.Relation:
    """a <= b as a/3 + 2 a/3 <= b"""
    third, rest = n.Number(Fraction(1, 3)), n.Number(Fraction(2, 3))
    parts = n.Add(n.Multiply(third, fact.left), n.Multiply(rest, fact.left))
    return replace(fact, left=parts)


def moved(fact: n.Relation) -> n.Relation:
    """a <= b as a - b <= 0"""
    return replace(fact, left=n.Subtract(fact.left, fact.right), right=n.Number(Fraction(0)))


def rewritten(change: Change) -> Callable[[n.Relation], n.Relation]:
    """One node changed by a rule that keeps its value; the relation itself where none fits."""

    def first(fact: n.Relation) -> n.Relation:
        found = next(everywhere(fact, change), fact)
        assert isinstance(found, n.Relation)
        return found

    return first


def mirrored(fact: n.Relation) -> n.Relation:
    found = turned(fact)
    assert isinstance(found, n.Relation)
    return found


CHANGES: dict[str, Callable[[n.Relation], n.Relation]] = {
    "scaled": scaled,
    "negated": negated,
    "shifted": shifted,
    "split": split,
    "moved": moved,
    "turned": mirrored,
    **{name: rewritten(change) for name, change in KEEPING.items()},
}


# --- of its names, and of two relations ---------------------------------------------------------------


def renamed(text: str, names: Mapping[str, str]) -> str:
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(rf"\b({pattern})\b", lambda found: names[found[0]], text)


def relabelled(symbols: Symbols, says: str) -> tuple[Symbols, str]:
    """Every symbol under another name, and declared in the opposite order of names."""
    names = {name: f"{'ABCDEFGHIJ'[-1 - at]}{at}" for at, name in enumerate(symbols)}
    declared = {names[name]: renamed(kind, names) for name, kind in symbols.items()}
    return declared, renamed(says, names)


def merged(symbols: Symbols, says: str) -> tuple[Symbols, str] | None:
    """Two sizes made one. What is true of all sizes is true of equal ones."""
    sizes = [name for name, kind in symbols.items() if kind == "dimension"]
    if len(sizes) < 2:
        return None
    names = {sizes[1]: sizes[0]}
    declared = {name: renamed(kind, names) for name, kind in symbols.items() if name != sizes[1]}
    return declared, renamed(says, names)


def fused(symbols: Symbols, one: str, two: str) -> str:
    """a == b and c == d as a + c == b + d: false if exactly one of the two is."""
    first, second = (fact_of(claim_of(symbols, says)) for says in (one, two))
    left, right = n.Add(first.left, second.left), n.Add(first.right, second.right)
    return to_text(replace(first, left=left, right=right))
