"""A crash, a hang, too much memory or a kill, at every stage of a claim, costs what was still to come."""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.faults import between
from tests.faults.acts import GARBAGE
from verifier.judge.verdict import Verdict
from verifier.plan.settings import Engine, Settings
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Loaded, Ready
from verifier.run.verify import verify

ENGINES = (
    Engine("zeroth", "tests.faults.zeroth", 0),
    Engine("first", "tests.faults.first", 1),
    Engine("climbing", "tests.faults.climbing", 2, climbs=True),
    Engine("second", "tests.faults.second", 3, is_witness=True),
)
SETTINGS = Settings(
    jobs=2, seconds=2.0, memory_bytes=300 * 2**20, engines=ENGINES, alone=False, trust="engines"
)
# What is done, and the words for it. A hang is first cut short inside the worker, where Python runs.
ACTS = {
    "is-killed": "its process died (exit status -9)",
    "vanishes": "its process died (exit status 3)",
    "segfaults": "its process died (exit status -11)",
    "ignores-signals": "stopped after 2 s",
    "hoards": "stopped at 0.3 GiB of memory",
    GARBAGE: "its words could not be read",
}
STAGES = ("zeroth", "first", "climbing", "second", "relaxing", "mending")


def claims(names: list[str]) -> Loaded:
    lines = "\n".join(f"  {name}: {{says: 'x + 1 == 1 + x'}}" for name in names)
    return load_text(
        f"theorem: faults/stages\nsymbols: {{x: real}}\nassumptions: {{small: x <= 1}}\nclaims:\n{lines}\n"
    )


def judged(loaded: Loaded, settings: Settings = SETTINGS) -> dict[str, Verdict]:
    found = {}
    for item in verify(loaded, settings).verdicts:
        assert isinstance(item, Verdict)
        found[item.id.partition("#")[2]] = item
    return found


def test_every_fault_at_every_stage_costs_what_was_still_to_come() -> None:
    faults = [f"{act}-in-{stage}" for stage in STAGES for act in ACTS]
    names = [name for fault in faults for name in (fault, f"after-{fault}-in-nothing")]
    found = judged(claims(names))
    assert list(found) == names
    for fault in faults:
        verdict, after = found[fault], found[f"after-{fault}-in-nothing"]
        assert (after.verdict, after.evidence) == ("holds", "proved"), (fault, after.reason)
        act, _, stage = fault.rpartition("-in-")
        (assumption,) = verdict.assumptions or (None,)
        match stage:
            case "zeroth" | "first" | "climbing":
                assert verdict.verdict == "inconclusive"
                assert ACTS[act] in verdict.reason, (fault, verdict.reason)
            case "second":
                assert (verdict.verdict, verdict.evidence) == ("holds", "proved")
                last = verdict.steps[0].findings[-1].reason
                # A witness to what is proved has little time: Python code is stopped before it has eaten all.
                assert ACTS[act] in last or (act == "hoards" and "no answer within" in last)
            case "relaxing":
                assert (verdict.verdict, verdict.evidence) == ("holds", "proved")
                assert assumption is not None
                assert assumption.status == "unknown"
                assert ACTS[act] in assumption.reason or act == "hoards"
            case "mending":
                assert (verdict.verdict, verdict.evidence) == ("fails", "proved")
                assert verdict.repair is None


def test_every_fault_between_the_engines_costs_no_verdict_that_is_known() -> None:
    """Vacuity comes before the first finding; all else is for the reader of a verdict, or comes after it."""
    acts = {name: ACTS[name] for name in ("is-killed", "segfaults", "ignores-signals", "hoards")}
    acts["raises"] = "an engine failed with ZeroDivisionError"
    names = [f"{act}-in-{stage}" for stage in between.STAGES for act in acts]
    entries = []
    for entry in claims(names).entries:
        assert isinstance(entry, Ready)
        installed = Poison(between.installed, entry.draft.binding)
        entries.append(replace(entry, draft=replace(entry.draft, binding=installed)))  # type: ignore[arg-type]
    for name, verdict in judged(Loaded(tuple(entries)), replace(SETTINGS, jobs=4)).items():
        act, _, stage = name.rpartition("-in-")
        reasons = [verdict.reason, *(finding.reason for finding in verdict.steps[0].findings)]
        assert any(acts[act] in reason for reason in reasons), (name, reasons)
        if stage == "vacuity":
            assert verdict.verdict == "inconclusive"
        else:
            assert (verdict.verdict, verdict.evidence) == ("holds", "proved"), (name, verdict.reason)


@dataclass(frozen=True)
class Poison:
    """Acts when a worker unpacks it: before the first event."""

    act: Callable[..., Any]
    argument: object

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object]]:
        return self.act, (self.argument,)


def test_a_fault_before_the_first_event_costs_one_claim() -> None:
    names = ["dies", "one", "is-shot", "two", "hangs", "three", "does-not-unpack", "four"]
    poisons = {
        "dies": (Poison(os._exit, 3), "its process died (exit status 3), at starting"),
        "is-shot": (Poison(signal.raise_signal, signal.SIGKILL), "exit status -9"),
        "hangs": (Poison(time.sleep, 600), "stopped after 2 s, at starting"),
        "does-not-unpack": (Poison(int, "seven"), "its process died (exit status 1)"),
    }
    entries = []
    for name, entry in zip(names, claims(names).entries, strict=True):
        assert isinstance(entry, Ready)
        draft = entry.draft
        poisoned = replace(draft, binding=poisons[name][0]) if name in poisons else draft  # type: ignore[arg-type]
        entries.append(replace(entry, draft=poisoned))
    found = judged(Loaded(tuple(entries)))
    for name, verdict in found.items():
        assert verdict.verdict == ("inconclusive" if name in poisons else "holds"), verdict.reason
        assert name not in poisons or poisons[name][1] in verdict.reason
