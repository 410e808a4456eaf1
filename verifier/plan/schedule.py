"""The scheduler: rows of a table are worked through, turn by turn, each case at every turn.

A row says who is asked, on what that depends and for how long. At a turn every case is asked about before any
goes on to the next, so that a long chain does not lose its proofs to a slow witness.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import groupby
from typing import Literal

from verifier.evidence import Attempt, Finding, Outcome
from verifier.plan.asking import Case
from verifier.plan.known import Known, is_open, wanted
from verifier.plan.messages import Stage
from verifier.plan.settings import EXACT_ROUND, Engine, Settings
from verifier.timer import cuts, worked

ROUND_SHARE = 0.7  # of the time that is left, so that those who are asked later have some
LATER_SHARE = 0.25  # a bound that is proved should not stay undecided because a search took all of the time
LEAST_SECONDS = 0.1
LATE = "no time was left"
Of = Literal["steps", "whole", "all"]


class Turn(IntEnum):
    """When a row is asked; engines, by their rounds, in between."""

    SENSE = -2  # whether there is anything to ask about
    PROOF = -1  # the kernel alone, where a proof is all that is wanted
    ENGINES = 0
    OPEN = 10  # what the engines left open
    CHAIN = 11  # first against last
    TIGHT = 12  # how tight a bound is that is proved
    RIGHT = 13  # the right side that would be true
    HALF = 14  # what is true all the same
    AGAIN = 15  # what the clock cut short


@dataclass(frozen=True)
class Limit:
    """A part of a claim's time: of what is planned for its engines, of what proofs have, or of all. `shared`:
    by all cases together. `beside`: not beyond the claim's time, for no verdict depends on it. `until`: no
    later than in this part of the time after which a claim is stopped by force."""

    part: float
    of: Literal["soft_seconds", "proving", "seconds"] = "soft_seconds"
    shared: bool = False
    beside: bool = False
    until: float = 1.0

    def seconds(self, settings: Settings) -> float:
        whole: float = getattr(settings, self.of)
        return self.part * whole


@dataclass(frozen=True)
class Row:
    """One way of finding something out. `run` returns what of its time is nobody's, as that of loading an
    engine; no limit: an even share of what is left."""

    name: str
    turn: int
    run: Callable[[Case, float], float | None]
    when: tuple[Known, ...] = ()
    limit: Limit | None = None
    of: Of = "steps"

    def is_for(self, case: Case) -> bool:
        """Whether it asks about steps of a chain, about first against last, or about both."""
        return self.of == "all" or (self.of == "whole") == bool(case.parts)

    def missing(self, case: Case) -> Known | None:
        """The first condition that does not hold."""
        return next((known for known in self.when if not known.holds(case)), None)


def engine_rows(settings: Settings, of: Of) -> list[Row]:
    """The engines of a run as rows."""
    return [
        Row(engine.name, Turn.ENGINES + engine.round, asking(engine), (wanted(engine),), of=of)
        for engine in sorted(settings.engines, key=lambda engine: engine.round)
    ]


def asking(engine: Engine) -> Callable[[Case, float], float]:
    """How a row asks an engine."""
    return lambda case, seconds: case.ask(engine, seconds)


def examine_cases(
    cases: Sequence[Case],
    settings: Settings,
    seconds: float,
    proving: bool = False,
    enough: Callable[[], bool] = lambda: False,
) -> None:
    """Ask the engines, round by round. `proving`: those that prove, and no others."""
    rows = engine_rows(settings, "all")
    work_through([row for row in rows if not proving or row.turn <= EXACT_ROUND], cases, seconds, enough)


def work_through(
    rows: Sequence[Row], cases: Sequence[Case], seconds: float, enough: Callable[[], bool] = lambda: False
) -> None:
    """Ask every row about every case, turn by turn, within this time, until enough is known."""
    clock = _Clock(worked() + seconds, max((row.turn for row in rows if row.limit is None), default=0))
    passed_over: dict[tuple[int, str], list[str]] = {}
    for turn, group in groupby(rows, key=lambda row: row.turn):
        together = list(group)
        there = [case for case in cases if any(row.is_for(case) for row in together)]
        clock.begin(turn, there)
        for at, case in enumerate(there):
            clock.next(case, len(there) - at)
            rows_here = [row for row in together if row.is_for(case)]
            for place, row in enumerate(rows_here):
                if enough():
                    return
                missing = row.missing(case)
                allowed = clock.allowed(row, case, len(rows_here) - place, len(there))
                if missing is None and allowed is not None:
                    clock.spare(attempt(row, case, allowed))
                else:
                    words = LATE if missing is None else missing.otherwise
                    passed_over.setdefault((case.at, words), []).append(row.name)
    for case in cases if cases[0].is_told else ():
        for (at, words), names in passed_over.items():
            if words and at == case.at:
                case.note(Attempt(", ".join(names), "not asked", words))


@dataclass
class _Clock:
    """What is left of the claim's time, of an engine's round, and of the case that has its turn."""

    deadline: float
    last: int  # the last turn that shares out what is left
    turn: int = 0
    spared: float = 0.0  # nobody's time, by which the engines may end later
    later: float = 0.0
    end: float = 0.0
    left: float = 0.0

    def begin(self, turn: int, cases: Sequence[Case]) -> None:
        more = LATER_SHARE * cases[0].settings.soft_seconds if cases else 0.0
        self.turn, self.later = turn, max(self.deadline, worked() + more)

    def next(self, case: Case, cases_left: int) -> None:
        share = max(self.deadline + self.spared - worked(), 0.0) / cases_left
        self.end = worked() + share * (1.0 if self.turn == self.last else ROUND_SHARE)
        self.left = (self.later if case.verdict.is_open else self.deadline) - worked()

    def allowed(self, row: Row, case: Case, rows_left: int, cases: int) -> float | None:
        """For how long a row may be asked; None where it is too late."""
        if row.limit is None:
            return (self.end - worked()) / rows_left
        seconds = row.limit.seconds(case.settings) / (cases if row.limit.shared else 1)
        left = case.watch.worked + row.limit.until * case.settings.seconds - worked()
        if not row.limit.beside:
            return min(seconds, left) if left > 0 else None
        return None if self.left < LEAST_SECONDS else min(self.left, seconds)

    def spare(self, seconds: float) -> None:
        if self.turn < Turn.ENGINES:
            self.deadline += seconds
        else:
            self.spared += seconds
            self.end += seconds


def attempt(row: Row, case: Case, seconds: float) -> float:
    """Ask, and record what came of it; returns how much of the time is nobody's."""
    case.emit(Stage(f"{row.name}: {case.step.text[:60]}"))
    begun, cut, known, asked = worked(), cuts(), len(case.findings), len(case.attempts)
    case.depth += 1
    free = row.run(case, seconds) or 0.0
    case.depth -= 1
    ended = worked()
    inside = folded(case.attempts[asked:])
    del case.attempts[asked:]
    outcome, words = _came_of(case, known, cuts() > cut)
    case.note(Attempt(row.name, outcome, words, ended - begun - free, inside=inside))
    if case.prover is not None and len(case.findings) > known:
        free += case.prover.hear(case.findings)
    return ended - begun if row.turn < Turn.ENGINES else free


def folded(attempts: Sequence[Attempt]) -> tuple[Attempt, ...]:
    """Equal answers of the same one as one, with their number and what they cost together."""
    found: dict[tuple[str, Outcome], Attempt] = {}
    for one in attempts:
        first = found.get((one.who, one.outcome))
        found[one.who, one.outcome] = one if first is None else replace(
            first, words="", work=first.work + one.work, times=first.times + one.times,
            inside=folded((*first.inside, *one.inside)),
        )  # fmt: skip
    return tuple(found.values())


def _came_of(case: Case, known: int, was_cut: bool) -> tuple[Outcome, str]:
    """What the findings since then say: the first that decides, what is offered beside what was decided, or
    why nothing was found."""
    truths = {found.truth for found in case.findings[:known] if found.decides}
    new = case.findings[known:]
    first = next((found for found in new if found.decides and found.truth not in truths), None)
    offered = next(filter(None, map(_offered, new)), None)
    if first is None and offered is not None:
        return "told", offered
    decisive = first or next((found for found in new if found.decides), None)
    if decisive is not None:
        return ("proved" if decisive.proves else "refuted"), decisive.reason
    words = (new[-1].missing and f"missing: {new[-1].missing}") or new[-1].reason if new else ""
    return ("cut" if was_cut and is_open(case) else "nothing"), words


def _offered(found: Finding) -> str:
    """What would be true, or how tight it is."""
    if found.corrected is not None:
        return f"it would be {found.corrected}"
    if found.instead is not None:
        return f"true instead: {found.instead}"
    if found.tightness is None or found.tightness.tight is None:
        return ""
    return found.tightness.note or ("tight" if found.tightness.tight else "loose")
