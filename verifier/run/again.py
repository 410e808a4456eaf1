"""What the clock cut short: asked once more where time is left, and said where others kept the machine busy.

A verdict shall not depend on who else computes here. What is decided within its usual time on an idle machine
has twice that time before it counts as open; and what is open on a busy machine is `inconclusive`, never
`unrefuted`: with its usual time it might have been proved or broken.
"""

from dataclasses import dataclass, field

from verifier.evidence import Finding
from verifier.judge.decide import decide
from verifier.run.asking import Case
from verifier.timer import cuts, kept_waiting, worked

LIMIT_SHARE = 0.85  # of the time after which a claim is stopped by force
LONGER = 2.0
BUSY = 0.25  # of what was worked: who waited longer than that had not the machine to itself


@dataclass(frozen=True)
class Watch:
    """What the clock said when a claim was begun."""

    worked: float = field(default_factory=worked)
    waited: float = field(default_factory=kept_waiting)
    cuts: int = field(default_factory=cuts)

    @property
    def was_busy(self) -> bool:
        """Whether others took so much of the machine that what the clock cut short since then may be due to
        them."""
        waited = kept_waiting() - self.waited
        return cuts() > self.cuts and waited > BUSY * (worked() - self.worked)


def ask_again(case: Case, watch: Watch) -> None:
    """Let those whom the clock cut short speak once more, each with twice its time, if so much is left."""
    end = watch.worked + LIMIT_SHARE * case.settings.seconds
    cut_short = {finding.engine: finding.seconds for finding in case.findings if finding.ran_out}
    for engine in case.settings.engines:
        seconds = LONGER * cut_short.get(engine.name, 0.0)
        if is_open(case) and not engine.is_witness and 0 < seconds <= end - worked():
            case.ask(engine, seconds, again=True)


def say_if_busy(case: Case, watch: Watch) -> None:
    """That an open claim had less of the machine than usual."""
    if is_open(case) and watch.was_busy:
        words = "others kept the machine busy"
        case.hear(Finding("run", "unknown", reason=words, ran_out=True, starved=True))


def is_open(case: Case) -> bool:
    """Whether nobody knows if it is true."""
    return decide(case.step, case.findings).verdict in ("unrefuted", "inconclusive")
