"""What is remembered: settled verdicts, and what an undisturbed worker could not settle."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.plan.specs import theorem
from tests.report.examples import example_run
from verifier.judge.verdict import AssumptionVerdict, Verdict
from verifier.plan.settings import Engine, Settings
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Ready
from verifier.report.json import to_json
from verifier.run.keys import claim_key
from verifier.run.memory import Memory, is_final
from verifier.run.pool import Ended
from verifier.run.result_store import Store
from verifier.run.verify import verify

AGREEABLE = (Engine("symbolic", "tests.run.agreeable", 1),)
SETTINGS = Settings(jobs=1, seconds=20, engines=AGREEABLE, trust="engines")
BUSY = Ended(0, (), None, 8.0, cpu_seconds=2.0)
IDLE = Ended(0, (), None, 8.0, cpu_seconds=7.9)


def verdicts() -> dict[str, Verdict]:
    return {item.id.partition("#")[2]: item for item in example_run().verdicts if isinstance(item, Verdict)}


def test_what_is_settled_is_kept_however_busy_the_machine_was() -> None:
    known = verdicts()
    assert is_final(BUSY, known["second-moment"])
    assert not is_final(BUSY, known["growth"])
    assert is_final(IDLE, known["growth"])


def test_an_assumption_that_was_not_weighed_is_not_settled() -> None:
    item = replace(verdicts()["second-moment"], assumptions=(AssumptionVerdict("a", "unknown"),))
    assert not is_final(BUSY, item)
    assert is_final(IDLE, item)


def test_stops_crashes_and_disagreements() -> None:
    item = verdicts()["second-moment"]
    assert not is_final(replace(BUSY, stopped="stopped after 10 s", timed_out=True), item)
    assert is_final(replace(IDLE, stopped="stopped after 10 s", timed_out=True), item)
    assert not is_final(replace(IDLE, stopped="its process died"), item)
    assert not is_final(IDLE, replace(item, disagreement="they differ"))
    assert not is_final(replace(IDLE, cpu_seconds=None), verdicts()["growth"])


def test_a_second_run_is_the_same_and_asks_nobody(tmp_path: Path) -> None:
    loaded = theorem(["one", "two"], assumptions='{a: "x > 0"}')
    store = Store(tmp_path)
    first = verify(loaded, SETTINGS, memory=Memory(store, SETTINGS))
    # The engine is gone: whoever asked it would fail.
    again = verify(loaded, SETTINGS, memory=Memory(store, SETTINGS))
    assert (first.remembered, again.remembered) == (0, 2)
    assert to_json(again)["claims"] == to_json(first)["claims"]
    assert again.verdicts == first.verdicts


def test_damaged_entries_are_judged_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    loaded = theorem(["one"])
    verify(loaded, SETTINGS, memory=Memory(store, SETTINGS))
    for path in tmp_path.glob("v1/*/*.json"):
        path.write_bytes(b"\x00" + path.read_bytes()[1:])
    again = verify(loaded, SETTINGS, memory=Memory(store, SETTINGS))
    assert (again.remembered, again.verdicts[0].verdict) == (0, "holds")


SPEC = """
theorem: a/b
title: T
symbols: {x: real, n: dimension}
let: {y: x + 1}
assumptions: {p: "x > 0", q: "x < 5"}
claims:
  c: {says: y**2 >= 0, under: [p], where: {n: 2}}
"""


def key(text: str = SPEC, settings: Settings = SETTINGS) -> str:
    (entry,) = load_text(text).entries
    assert isinstance(entry, Ready)
    return claim_key(entry.draft, settings)


@pytest.mark.parametrize(
    ("old", "new"),
    [("y**2", "y**4"), ("x + 1", "x + 2"), ("x: real", "x: positive"), ("x > 0", "x > 1"), ("n: 2", "n: 3"),
     ("under: [p]", "under: [q]"), ("a/b", "a/c"), (">= 0", ">= 0, sweep: {n: [2]}")],
)  # fmt: skip
def test_a_change_of_the_statement_is_a_new_question(old: str, new: str) -> None:
    assert key(SPEC.replace(old, new)) != key()


@pytest.mark.parametrize(
    ("old", "new"),
    [("title: T", "title: U"), ("theorem", "\n\ntheorem"), ("x < 5", "x < 6"),
     ("{n: 2}", "{n: 2}, expect: holds, latex: '0', note: z")],
)  # fmt: skip
def test_what_does_not_bear_on_the_truth_is_not(old: str, new: str) -> None:
    assert key(SPEC.replace(old, new)) == key()


def test_settings_are_part_of_the_question() -> None:
    others = ({"seed": 1}, {"seconds": 21.0}, {"device": "cuda"}, {"memory_bytes": 1}, {"engines": ()})
    for changed in (*others, {"questions": 2**20}, {"alpha": 1e-9}):
        assert key(settings=replace(SETTINGS, **changed)) != key()  # type: ignore[arg-type]
    assert key(settings=replace(SETTINGS, jobs=7)) == key()


def test_what_a_run_with_pictures_found_serves_one_without_but_not_the_other_way(tmp_path: Path) -> None:
    loaded, store = theorem(["one", "two"]), Store(tmp_path)
    plain, drawn = SETTINGS, replace(SETTINGS, pictures=True)
    verify(loaded, plain, memory=Memory(store, plain))
    assert verify(loaded, drawn, memory=Memory(store, drawn)).remembered == 0
    other = Store(tmp_path / "other")
    verify(loaded, drawn, memory=Memory(other, drawn))
    assert verify(loaded, plain, memory=Memory(other, plain)).remembered == 2
