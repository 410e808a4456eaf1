"""What the clock cut short is asked once more, and a busy machine is said."""

import pytest

from tests.plan.test_examine import ready
from tests.run import hurried
from verifier.evidence import Finding
from verifier.judge.decide import decide
from verifier.plan.again import ask_again
from verifier.plan.asking import Case
from verifier.plan.settings import Engine, Settings
from verifier.timer import BUSY, Watch, cuts, kept_waiting, past, worked

HURRIED = Engine("hurried", hurried.__name__, 1)


def findings(act: str) -> tuple[list[float], list[Finding]]:
    """The times that the engine was given, and what it said."""
    hurried.asked.clear()
    entry = ready(f"theorem: a/b\nsymbols: {{x: real}}\nclaims: {{{act}: {{says: x == x + 1}}}}\n")
    (step,) = entry.claim.steps
    settings = Settings(seconds=4.0, engines=(HURRIED,), alone=False, trust="engines")
    case = Case(entry.claim, step, settings, shown=False)
    case.ask(HURRIED, 1.0)
    ask_again(case, 3.4)
    return list(hurried.asked), case.findings


def test_what_the_clock_cut_short_is_asked_again_with_twice_its_time() -> None:
    times, found = findings("proved")
    assert len(times) == 2
    assert 2 * hurried.MOMENT <= times[1] <= 2 * found[0].seconds
    assert [finding.ran_out for finding in found] == [True, False]
    assert found[1].proves


def test_it_is_asked_again_once() -> None:
    times, found = findings("cut")
    assert len(times) == 2
    assert all(finding.ran_out for finding in found)


def test_who_came_to_an_end_is_not_asked_again() -> None:
    times, found = findings("idle")
    assert len(times) == 1
    assert not found[0].ran_out


@pytest.mark.parametrize(
    ("work", "waited", "cut", "busy"),
    [
        (1.0, 2 * BUSY, 1, True),
        (1.0, BUSY / 2, 1, False),  # it had nearly all of the machine
        (10.0, 2 * BUSY, 1, False),
        (1.0, 2 * BUSY, 0, False),  # nothing was cut short
    ],
)
def test_busy_is_who_was_kept_waiting_and_cut_short(work: float, waited: float, cut: int, busy: bool) -> None:
    watch = Watch(worked() - work, kept_waiting() - waited, cuts() - cut)
    assert watch.was_busy == busy


def test_the_clock_counts_what_it_ends() -> None:
    before = cuts()
    assert not past(worked() + 1000)
    assert cuts() == before
    assert past(worked() - 1)
    assert cuts() == before + 1


def test_what_is_open_on_a_busy_machine_is_inconclusive_and_says_why() -> None:
    entry = ready("theorem: a/b\nsymbols: {x: real}\nclaims: {c: {says: x <= x + 1}}\n")
    (step,) = entry.claim.steps
    looked = Finding("search", "true", "searched", "nothing at 8 sizes", ran_out=True)
    busy = Finding("run", "unknown", reason="others kept the machine busy", ran_out=True, starved=True)
    assert decide(step, [looked]).verdict == "unrefuted"
    verdict = decide(step, [looked, busy])
    assert (verdict.verdict, verdict.evidence) == ("inconclusive", None)
    assert "others kept the machine busy; the clock stopped it" in verdict.reason
    proof = Finding("symbolic", "true", "proved", "the sides differ by 1")
    assert decide(step, [looked, busy, proof]).verdict == "holds"
