"""Theorems of a draft, as values: what is said of letters, and the claims."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from verifier.read.gather import Note, Section
from verifier.read.paper import Formula
from verifier.read.stated import as_steps
from verifier.read.told import Told


@dataclass(frozen=True)
class Drafted:
    """A claim: its statement or steps, the assumptions in force, and the formula that it was read from."""

    formula: Formula
    says: tuple[str, ...]
    is_chain: bool
    under: tuple[str, ...]
    growing: str | None = None
    part: int = 0  # which of several statements of one formula
    written_out: tuple[str, ...] = ()  # the definitions of functions whose values are written out

    @property
    def text(self) -> str:
        return as_steps(self.says) if self.is_chain else self.says[0]


@dataclass(frozen=True)
class Layers:
    """A sequence of the paper, as the claim language has it."""

    state: str
    depth: str
    next: str
    line: int
    printed: str
    drawn: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Theorem:
    """A section as a theorem of the claim language."""

    section: Section
    symbols: Mapping[str, Told] = field(default_factory=dict)
    lets: Mapping[str, Told] = field(default_factory=dict)
    assumptions: Mapping[str, Told] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    claims: tuple[Drafted, ...] = ()
    notes: tuple[Note, ...] = ()
    layers: Layers | None = None
