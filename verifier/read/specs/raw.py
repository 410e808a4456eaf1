"""Theorems and claims as written: the right keys with texts of the right sort, nothing elaborated."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

from verifier.claim.model import Severity, Source, VerdictName
from verifier.claim.problems import Problem
from verifier.read.specs.yaml_document import Text


@dataclass(frozen=True)
class RawLayers:
    state: Text
    depth: Text | None
    symbols: Mapping[str, Text]
    lets: Mapping[str, Text]
    next: Text


@dataclass(frozen=True)
class RawClaim:
    """A claim's keys, as written."""

    slug: str
    key: Text
    says: Text | None = None
    steps: Text | None = None
    title: str | None = None
    latex: Text | None = None
    label: Text | None = None
    # What the write-up's letters are called here; None where nothing is said.
    letters: Mapping[str, Text] | None = None
    expect: tuple[VerdictName, ...] | None = None
    under: tuple[Text, ...] | None = None
    where: Mapping[str, tuple[Text, Fraction]] = field(default_factory=dict)
    each: Mapping[str, tuple[Text, tuple[Fraction, ...]]] = field(default_factory=dict)
    sweep: Mapping[str, tuple[Text, tuple[Fraction, ...]]] = field(default_factory=dict)
    growing: tuple[Text, ...] = ()
    severity: Severity = "error"
    note: str | None = None
    uses: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many claims `each` makes of this one."""
        return prod(len(values) for _, values in self.each.values())

    def bindings(self) -> Iterator[dict[str, Fraction]]:
        """One set of values per claim that `each` makes."""
        names = list(self.each)
        for values in itertools.product(*(self.each[name][1] for name in names)):
            yield dict(zip(names, values, strict=True))


@dataclass(frozen=True)
class BrokenClaim:
    """A claim whose keys are wrong; the others of its theorem still get their verdicts."""

    slug: str
    key: Text
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class RawTheorem:
    """A theorem's keys, as written."""

    id: str
    id_text: Text
    title: str
    source: Source
    symbols: Mapping[str, Text]
    lets: Mapping[str, Text]
    assumptions: Mapping[str, Text]
    layers: RawLayers | None
    claims: tuple[RawClaim | BrokenClaim, ...]
    note: str | None = None
    letters: Mapping[str, Text] | None = None
    # Symbols that nobody declared, and why each is taken for what it is.
    inferred: Mapping[str, str] = field(default_factory=dict)
    # Assumptions of the preamble: in force only where a claim names them.
    offered: Mapping[str, Text] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        """Every name that expressions of this theorem may use."""
        inner = {*self.layers.symbols, *self.layers.lets} if self.layers else set()
        return {*self.symbols, *self.lets, *inner}

    @property
    def work(self) -> int:
        """Characters to be read for all the claims: each is elaborated with its whole theorem."""
        layers = [*self.layers.symbols.values(), *self.layers.lets.values()] if self.layers else []
        texts = [*self.symbols.values(), *self.lets.values(), *self.assumptions.values(), *layers]
        shared = sum(len(text.value) for text in texts) + 100
        return shared * sum(claim.count for claim in self.claims if isinstance(claim, RawClaim))
