"""The table of all ways: complete, in order, and worked through as it says."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest

import verifier.plan
import verifier.suggest
from tests.plan.test_examine import chain, events, ready
from tests.run import agreeable
from verifier.evidence import Attempt, Finding, Tightness
from verifier.plan import table
from verifier.plan.asking import Case
from verifier.plan.messages import Found, Tried
from verifier.plan.schedule import Limit, Row, Turn, attempt, folded, work_through
from verifier.plan.settings import ENGINES, Engine, Settings
from verifier.plan.whole_chain import OVERALL

SYMBOLIC = Engine("symbolic", agreeable.__name__, 1)


def ways() -> Iterator[Callable[..., Any]]:
    """Every public function of plan and suggest that is asked as a row is."""
    for room in (verifier.plan, verifier.suggest):
        for found in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            module = importlib.import_module(found.name)
            for name, made in inspect.getmembers(module, inspect.isfunction):
                taken = [str(one.annotation) for one in inspect.signature(made).parameters.values()]
                given = inspect.signature(made).return_annotation
                is_way = taken == [str(Case), str(float)] and given is None
                if is_way and made.__module__ == found.name and not name.startswith("_"):
                    yield made


def test_every_way_is_in_the_table_and_says_what_it_does() -> None:
    asked = {row.run for row in table.ROWS}
    found = set(ways())
    assert found <= asked, {way.__name__ for way in found - asked}
    assert len(found) >= 18
    assert all(way.__doc__ for way in found)


def test_turns_come_in_order_and_in_each_the_cheapest_first() -> None:
    turns = [row.turn for row in table.ROWS]
    assert turns == sorted(turns)
    for _, together in groupby(table.ROWS, key=lambda row: row.turn):
        costs = [row.limit.seconds(Settings()) for row in together if row.limit is not None]
        assert costs == sorted(costs)


def test_engines_are_rows_between_what_is_asked_before_and_after_them() -> None:
    names = [row.name for row in table.rows_of(Settings())]
    places = [names.index(engine.name) for engine in ENGINES]
    assert places == sorted(places)
    assert names.index("proof") < places[0]
    assert places[-1] < names.index("kernel")
    assert len(set(names)) == len(names)


def case(says: str = "x == x + 1", **more: Any) -> Case:
    claim = ready(f'theorem: a/b\nsymbols: {{x: real}}\nclaims: {{c: {{says: "{says}"}}}}\n').claim
    return Case(claim, claim.steps[0], Settings(engines=()), **more)


def saying(finding: Finding | None) -> Callable[[Case, float], None]:
    return table.told(lambda case: finding)


PROOF = Finding("a", "true", "proved", "by looking")
BROKEN = Finding("b", "false", "proved", "at a point")


@pytest.mark.parametrize(
    ("before", "found", "outcome", "words"),
    [
        ([], PROOF, "proved", "by looking"),
        ([PROOF], BROKEN, "refuted", "at a point"),
        ([], None, "nothing", ""),
        ([], Finding("a", "unknown", reason="it is too long"), "nothing", "it is too long"),
        ([], Finding("a", "unknown", missing="a rule"), "nothing", "missing: a rule"),
        ([PROOF], replace(PROOF, engine="b"), "proved", "by looking"),
        ([PROOF], replace(PROOF, tightness=Tightness(False, note="2 would do")), "told", "2 would do"),
        ([BROKEN], replace(BROKEN, corrected="x + 2"), "told", "it would be x + 2"),
    ],
)
def test_what_came_of_it_is_recorded(
    before: list[Finding], found: Finding | None, outcome: str, words: str
) -> None:
    asked = case(findings=list(before))
    attempt(Row("way", Turn.OPEN, saying(found), (), Limit(0.1)), asked, 1.0)
    (made,) = asked.attempts
    assert (made.who, made.outcome, made.words) == ("way", outcome, words)


def test_what_is_asked_on_the_way_belongs_to_who_asks() -> None:
    def way(case: Case, seconds: float) -> None:
        there = case.beside(case.claim, case.step)
        work_through([Row("inner", Turn.OPEN, saying(PROOF), (), Limit(0.1))], [there], seconds)

    told: list[Any] = []
    asked = case(emit=told.append)
    attempt(Row("outer", Turn.OPEN, way, (), Limit(0.1)), asked, 1.0)
    (event,) = [event for event in told if isinstance(event, Tried)]
    assert (event.attempt.who, event.attempt.outcome) == ("outer", "nothing")
    assert [(one.who, one.outcome) for one in event.attempt.inside] == [("inner", "proved")]
    assert asked.findings == []


def test_equal_answers_are_counted() -> None:
    one, other = Attempt("rules", "proved", "a", 0.5), Attempt("rules", "nothing", "", 0.25)
    (first, second) = folded([one, other, one])
    assert (first.times, first.work, first.words) == (2, 1.0, "")
    assert second == other


def test_a_row_whose_condition_does_not_hold_is_not_asked_and_says_why() -> None:
    rows = [row for row in table.ROWS if row.turn == Turn.RIGHT]
    asked = case("x == x", findings=[PROOF])
    work_through(rows, [asked], 1.0)
    assert [(one.outcome, one.words) for one in asked.attempts] == [("not asked", "nobody refuted it")]
    assert asked.findings == [PROOF]


def test_what_decides_no_verdict_is_not_asked_when_the_time_is_over() -> None:
    rows = [Row("late", Turn.TIGHT, saying(BROKEN), (), Limit(0.3, beside=True), of="all")]
    asked = case("x == x", findings=[PROOF])
    work_through(rows, [asked], 0.0)
    assert [(one.outcome, one.words) for one in asked.attempts] == [("not asked", "no time was left")]


def test_steps_are_asked_before_what_they_show_together() -> None:
    heard = events(chain("x", "<= x", "== x"), SYMBOLIC)
    tried = [(event.step, event.attempt.who) for event in heard if isinstance(event, Tried)]
    assert tried.index((0, "symbolic")) < tried.index((OVERALL, "the steps together"))
    assert (OVERALL, "symbolic") not in tried
    assert any(isinstance(event, Found) and event.step == OVERALL for event in heard)
