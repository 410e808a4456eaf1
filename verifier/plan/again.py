"""What the clock cut short: asked once more where time is left, and said where others kept the machine busy.

A verdict shall not depend on who else computes here. What is decided within its usual time on an idle machine
has twice that time before it counts as open; and what is open on a busy machine is `inconclusive`, never
`unrefuted`: with its usual time it might have been proved or broken.
"""

from verifier.evidence import Finding
from verifier.plan.asking import Case
from verifier.plan.known import is_open
from verifier.timer import worked

LONGER = 2.0


def ask_again(case: Case, seconds: float) -> None:
    """Let those whom the clock cut short speak once more, each with twice its time, if so much is left; what
    stays open says so if it had less of the machine than usual."""
    end = worked() + seconds
    cut_short = {finding.engine: finding.seconds for finding in case.findings if finding.ran_out}
    for engine in case.settings.engines:
        longer = LONGER * cut_short.get(engine.name, 0.0)
        if is_open(case) and not engine.is_witness and 0 < longer <= end - worked():
            case.ask(engine, longer, again=True)
    if is_open(case) and case.watch.was_busy:
        words = "others kept the machine busy"
        case.hear(Finding("run", "unknown", reason=words, ran_out=True, starved=True))
