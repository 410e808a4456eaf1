"""What is still to be examined: drafts from disk, entries in memory while they are under way."""

import pytest

from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Ready
from verifier.run.todo import Todo

SPEC = """\
theorem: run/todo
symbols: {x: real}
claims:
  one: {says: x == 1}
  bad: {says: y == 1}
  two: {says: x == 2}
  three: {says: x == 3}
"""


def test_numbers_lead_to_the_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    short = load_text(SPEC).entries
    monkeypatch.setattr("verifier.spool.IN_MEMORY", 1)
    entries = load_text(SPEC).entries
    todo = Todo(entries)
    assert not todo
    for number in (0, 2, 3):
        entry = entries[number]
        assert isinstance(entry, Ready)
        todo.add(number, entry)
    assert len(todo) == 3
    assert [draft.id for draft in todo] == ["run/todo#one", "run/todo#two", "run/todo#three"]
    assert todo[1:] == (todo[1], todo[2])
    assert todo.entry(1) is todo.entry(1)
    assert todo.closed(1) == (2, short[2])
    assert todo.entry(1) == short[2]
    assert todo.entry(1) is not todo.entry(1)


@pytest.mark.parametrize(("symbol", "sampled"), [("real", False), ("vector(3)", True), ("normal(2)", True)])
def test_what_has_matrices_is_sampled(symbol: str, sampled: bool) -> None:
    entries = load_text(
        f"theorem: a/b\nsymbols: {{x: {symbol!r}}}\nclaims: {{c: {{says: x == x}}}}\n"
    ).entries
    todo = Todo(entries)
    assert isinstance(entries[0], Ready)
    todo.add(0, entries[0])
    assert todo.is_sampled is sampled
