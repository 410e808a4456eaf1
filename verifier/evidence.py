"""What an engine found out about one relation: values that the judge reads and the report shows.

Engines never say `holds`. They say whether the relation is true, on what grade of evidence, and
how tight it is; `judge` owns the table from these to verdicts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from verifier.expr.nodes import Node

Truth = Literal["true", "false", "unknown"]
Grade = Literal["proved", "certified", "sampled", "searched"]
GRADES: tuple[Grade, ...] = ("proved", "certified", "sampled", "searched")  # strongest first
# Whose word a verdict may rest on: the kernel's alone, or that of every engine.
Trust = Literal["checked", "engines"]
EXACT: tuple[Grade, ...] = ("proved", "certified")  # beyond doubt, for every value


def weakest(*grades: Grade | None) -> Grade:
    """What a conclusion rests on: the weakest of all that it was drawn from."""
    return max((grade or "searched" for grade in grades), key=GRADES.index)


class InWords(str):
    """A value told in words, and what a proof is told of it as exact text. Of a matrix that is alike at every
    size `parts` are its entries: the first, the others of row 1 and of column 1, and of the rest those on the
    diagonal and beside it. Of a sequence they are its numbers."""

    parts: Mapping[str, str]

    def __new__(cls, words: str, parts: Mapping[str, str]) -> "InWords":
        made = super().__new__(cls, words)
        made.parts = parts
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, str]]:  # type: ignore[override]
        """What it is made of, so that a copy of it is one too."""
        return str(self), self.parts


@dataclass(frozen=True)
class Counterexample:
    """A point that breaks the relation: values by symbol name (scalars as exact text or number,
    matrices as nested rows or in words), and both sides there.

    For growth some values are lists, the sizes tried; `ratios` is left side over right side at each."""

    values: Mapping[str, object]
    lhs: float | None
    rhs: float | None
    lhs_exact: str | None = None
    rhs_exact: str | None = None
    arithmetic: tuple[str, ...] = ()
    ratios: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Tightness:
    """How close a true bound comes: gap = inf (rhs - lhs)/|rhs| (mirrored for >=).

    `gap_low <= gap <= gap_high` is what is known of it; a constant bound 0 uses `approached`.
    For `in`, `tight` is false as soon as one end is off by more than 1% of the range's width.
    `better` is the improved right side (or range), in the claim's own language. `proved`: that it is not
    tight was shown beyond doubt, as the stronger statement was; else a search or a sample suspects it."""

    tight: bool | None
    gap_low: Fraction | float | None = None
    gap_high: Fraction | float | None = None
    better: str | None = None
    where: Mapping[str, object] | None = None
    note: str | None = None
    proved: bool = False

    @property
    def is_settled(self) -> bool:
        """Nothing is left to find out: a point or a limit shows it tight, or a proof shows it loose."""
        return self.tight is True or (self.tight is False and self.proved)


@dataclass(frozen=True)
class Sample:
    """A Monte Carlo estimate of lhs at one point, with its confidence interval."""

    at: Mapping[str, object]
    estimate: float
    low: float
    high: float
    claimed: float | None
    draws: int
    rigorous: bool = False
    rhs_low: float | None = None
    rhs_high: float | None = None
    # How the estimate narrowed: (draws, estimate, low, high), one entry per doubling.
    path: tuple[tuple[int, float, float, float], ...] = ()


@dataclass(frozen=True)
class Curve:
    """Numbers along one symbol, kept for a picture by whoever had them: the report computes nothing.

    `lines` holds named values at the places `at`; `bands` named intervals, an open end being None;
    `held` says what the other symbols are. A `ratio` is left side over right side."""

    about: Literal["function", "ratio", "growth", "cost"]
    along: str
    at: tuple[float, ...]
    lines: Mapping[str, tuple[float | None, ...]]
    bands: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    held: str = ""


@dataclass(frozen=True)
class Finding:
    """What one engine says of one relation."""

    engine: str
    truth: Truth
    grade: Grade | None = None
    reason: str = ""
    region: str | None = None
    lhs: Node | str | None = None
    rhs: Node | str | None = None
    corrected: str | None = None
    # A weaker relation that is true, where the one asked about is not.
    instead: str | None = None
    counterexample: Counterexample | None = None
    tightness: Tightness | None = None
    samples: tuple[Sample, ...] = ()
    derivation: tuple[str, ...] = ()
    curves: tuple[Curve, ...] = ()
    excluded: tuple[str, ...] = ()
    missing: str | None = None
    # Set where nothing satisfies the assumptions: then the spec is wrong, whatever it says.
    vacuous: str | None = None
    # Set where a side has no value, as a mean that does not exist: which, and why. The claim is an error.
    undefined: str | None = None
    # Set where two independent computations contradict each other: a bug in us, to be shown.
    disagreement: str | None = None
    seconds: float = 0.0
    # Whether the clock ended it: on a machine with more time it might have said more.
    ran_out: bool = False
    # Whether others kept the machine busy, so that all who were asked had less than their time.
    starved: bool = False

    @property
    def proves(self) -> bool:
        """Whether it shows the relation beyond doubt; a search or a sample that found nothing does not."""
        return self.truth == "true" and self.grade in EXACT

    @property
    def refutes(self) -> bool:
        """Whether it breaks the relation; a point in floating point alone does not."""
        return self.truth == "false" and self.grade is not None and self.grade != "searched"

    @property
    def decides(self) -> bool:
        return self.proves or self.refutes


@dataclass(frozen=True)
class ProofRecord:
    """A proof that a relation is true, or that it is false, as it is told and kept.

    `text` is the proof as JSON (`proofs/text.py`), `rules` how often each rule is used, `sites` who answers
    for the leaves that nobody checks: without any, the kernel has accepted it. `exact`: no leaf is interval
    arithmetic."""

    truth: Truth
    text: str
    rules: Mapping[str, int]
    sites: tuple[str, ...] = ()
    exact: bool = True


# told: how tight it is, or what would be true; cut: its limit ended it.
Outcome = Literal["proved", "refuted", "told", "nothing", "cut", "not asked"]


@dataclass(frozen=True)
class Attempt:
    """Who was asked about a relation, what came of it and why, and what it cost in seconds of work.

    `inside`: what it asked of others on the way, equal ones counted."""

    who: str
    outcome: Outcome
    words: str = ""
    work: float = 0.0
    times: int = 1
    inside: tuple["Attempt", ...] = ()


SideKind = Literal["attained", "loose", "better", "corrected", "instead", "needed", "unneeded", "repair"]


@dataclass(frozen=True)
class SideProof:
    """Checked proofs of what is offered beside a verdict: `of` is the expression, the relation, the name or
    the condition that is offered, `step` the number of the step that it is offered for.

    There may be several ways of showing it, each with its goals (`proofs/beside.py`): `text` holds a proof as
    JSON for every goal of the `way` that was found."""

    kind: SideKind
    of: str
    step: int
    way: int
    text: tuple[str, ...]
    rules: Mapping[str, int]
    exact: bool = True


@dataclass(frozen=True)
class Budget:
    """How long an engine may look, from which seed it draws, and how often it may be wrong.

    alpha: the chance that what it says on sampling is wrong: this question's share of the run's.
    draws: the most draws of one estimate. tell: where it says what it is doing.
    """

    seconds: float = 5.0
    seed: int = 0
    device: str = "cpu"
    memory_bytes: int = 3 * 2**30
    alpha: float = 1e-9
    draws: int | None = None
    tell: Callable[[str], None] = lambda line: None
