"""Stand-in engines that misbehave at a stage: a claim named `is-killed-in-second` is killed in the second.

The first engine proves what it is asked, unless the claim is to be mended or to be searched; the second
agrees, and the others say nothing. Stages: `zeroth`, `first`, `climbing` and `second` engine, `relaxing`
(asked again without the assumption), `mending` (asked again with one more)."""

import os
import stat

from tests.run.engines import misbehave
from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Counterexample, Finding

GARBAGE = "babbles"


def stage_of(claim: Claim) -> tuple[str, str]:
    """What the claim's name asks for, and when."""
    act, _, stage = claim.id.partition("#")[2].rpartition("-in-")
    return act, stage


def act(claim: Claim, now: str) -> None:
    what, stage = stage_of(claim)
    if stage != now:
        return
    if what == GARBAGE:
        babble()
    misbehave(what.rstrip("-0123456789"))


def first(claim: Claim, step: Step, budget: Budget) -> Finding:
    _, stage = stage_of(claim)
    names = {assumption.name for assumption in claim.assumptions}
    act(claim, "first")
    if stage == "relaxing" and "small" not in names:
        act(claim, "relaxing")
    if stage == "climbing":
        return Finding("first", "unknown", reason="it leaves that to the search")
    if stage == "mending":
        if names > {"small"}:
            act(claim, "mending")
        point = Counterexample({"x": "somewhere"}, 1.0, 2.0)
        return Finding("first", "false", "proved", counterexample=point, reason="it breaks somewhere")
    return Finding("first", "true", "proved", reason="it says so")


def zeroth(claim: Claim, step: Step, budget: Budget) -> Finding:
    act(claim, "zeroth")
    return Finding("zeroth", "unknown", reason="it knows no rule")


def climbing(claim: Claim, step: Step, budget: Budget) -> Finding:
    act(claim, "climbing")
    return Finding("climbing", "unknown", reason="it found nothing")


def second(claim: Claim, step: Step, budget: Budget) -> Finding:
    act(claim, "second")
    if stage_of(claim)[1] in ("relaxing", "mending"):
        return Finding("second", "unknown", reason="it has not looked")
    return Finding("second", "true", "sampled", reason="it agrees")


def babble() -> None:
    """A message of the right length that nobody can read, into every pipe of the process."""
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                os.write(number, b"\0\0\0\4junk")
        except OSError:
            continue
