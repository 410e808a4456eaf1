"""Isolation: whatever an engine does costs the claim it was asked about, and nothing else."""

import multiprocessing
import time

import pytest

from tests.plan.specs import by_name, judged, theorem
from verifier.read.specs.load import load_text
from verifier.timer import PATIENCE

DEADLY = {
    "vanishes": "its process died (exit status 3)",
    "is-killed": "its process died (exit status -9)",
    "segfaults": "its process died (exit status -11)",
    "exits-politely": "its process died (exit status 0)",
    "raises": "it failed with ZeroDivisionError: in an engine",
    "recurses": "it nested too deeply",
    "allocates-at-once": "it ran out of memory",
    "opens-many-files": "it failed with OSError",
}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_death_costs_one_claim(jobs: int) -> None:
    names = [name for deadly in DEADLY for name in (deadly, f"after-{deadly}")]
    found = by_name(judged(theorem(["first", *names]), jobs=jobs))
    for name, verdict in found.items():
        if name in DEADLY:
            assert verdict.verdict == "inconclusive"
            assert DEADLY[name] in verdict.reason
        else:
            assert verdict.verdict == "holds", (name, verdict.reason)


def test_time_is_limited_by_force() -> None:
    names = ["hangs", "one", "spins", "two", "ignores-signals", "three"]
    started = time.monotonic()
    found = by_name(judged(theorem(names), jobs=3, seconds=2.0))
    assert time.monotonic() - started < 30
    for name in ("hangs", "spins", "ignores-signals"):
        assert found[name].verdict == "inconclusive"
        # Who computes for ever may be ended by the timer inside its process before the one outside is due.
        outside = "stopped after 2 s" in found[name].reason
        assert outside or (name == "spins" and "the clock stopped it" in found[name].reason)
        assert "symbolic" in found[name].reason
        assert 2.0 <= found[name].seconds < 2.0 * PATIENCE + 3.0  # seconds of work: more on a busy machine
    assert {found[name].verdict for name in ("one", "two", "three")} == {"holds"}


def test_memory_is_limited_by_force() -> None:
    found = by_name(judged(theorem(["hoards", "one", "two"]), jobs=2, memory_bytes=300 * 2**20))
    assert found["hoards"].verdict == "inconclusive"
    assert "stopped at 0.3 GiB of memory" in found["hoards"].reason
    assert found["one"].verdict == found["two"].verdict == "holds"


def test_a_claim_does_not_pay_for_the_memory_of_another() -> None:
    spec = "theorem: run/memory\nclaims:\n  leaves-behind: {says: 'p == p', each: {p: [1, 2, 3, 4]}}\n"
    run = judged(load_text(spec), jobs=1, memory_bytes=600 * 2**20)
    assert [verdict.verdict for verdict in run.verdicts] == ["holds"] * 4


def test_workers_are_gone_after_a_run() -> None:
    judged(theorem(["one", "hangs"]), seconds=1.0)
    assert multiprocessing.active_children() == []


def test_verdicts_come_in_the_order_written() -> None:
    names = ["hangs", *(f"claim-{at}" for at in range(12))]
    run = judged(theorem(names), jobs=3, seconds=1.0)
    assert [verdict.id.partition("#")[2] for verdict in run.verdicts] == names
