"""Long sequences on disk: the same values, from a file that nobody else sees; what the disk refuses stays."""

import os
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from verifier.codec import Codec
from verifier.spool import Disk, Picked, Spool, coded, spooled

VALUES: list[Any] = [
    None, True, -3, 0.1, 1e300, float("inf"), "a\u202eb\ud800\n", [1, [2]], {"b": {"a": None}, "a": []}, "",
]  # fmt: skip


@pytest.fixture(autouse=True)
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.spool.IN_MEMORY", 2)


def test_values_come_back_as_they_were() -> None:
    found = spooled(iter(VALUES))
    assert isinstance(found, Spool)
    assert list(found) == VALUES == list(found)
    assert [found[at] for at in range(-len(VALUES), len(VALUES))] == VALUES * 2
    assert (len(found), found[1:7:2], found[-2:]) == (len(VALUES), VALUES[1:7:2], VALUES[-2:])
    with pytest.raises(IndexError):
        found[len(VALUES)]


def test_what_is_short_is_a_list() -> None:
    assert spooled(VALUES[:2]) == VALUES[:2]
    assert spooled(()) == []


def test_no_more_is_in_memory_than_is_read() -> None:
    """Of ten megabytes one value at a time, while they come and while they go."""

    def long() -> Iterator[str]:
        return (f"{number}" * 20_000 for number in range(100, 270))

    tracemalloc.start()
    try:
        found = spooled(long())
        assert sum(map(len, found)) == 170 * 60_000
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_the_file_has_no_name_and_is_closed_with_its_last_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def open_files() -> set[str]:
        links = Path("/proc/self/fd").iterdir()
        return {os.readlink(link) for link in links if link.is_symlink()}

    found = spooled(VALUES)
    assert list(tmp_path.iterdir()) == []
    assert any(str(tmp_path) in name for name in open_files())
    del found
    assert not any(str(tmp_path) in name for name in open_files())


def test_what_a_full_disk_does_not_take_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "tempfile.TemporaryFile", lambda buffering: Path.open(Path("/dev/full"), "r+b", buffering=0)
    )
    assert Disk().keep(1) is None
    assert list(spooled(VALUES)) == VALUES


def test_what_no_folder_takes_stays_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    assert list(spooled(VALUES)) == VALUES


def test_what_is_no_json_stays_in_memory() -> None:
    values = [*VALUES, object(), {1, 2}]
    assert list(spooled(values)) == values


@dataclass(frozen=True)
class Pair:
    left: object
    right: object


def test_values_of_classes_come_back_as_they_were() -> None:
    values = [Pair(1, 2), Pair(Fraction(1, 3), (1, "a")), Pair({"a": Pair(None, 0.5)}, [True])] * 2
    found = spooled(values, form=coded(Codec([Pair])))
    assert list(found) == values
    assert found[1] is values[1]
    assert found[2] is not values[2]


def test_what_has_no_form_stays_in_memory() -> None:
    values = [1, 2, 3, Pair(1, {2}), deep(100_000), Pair(1, 2)]
    found = spooled(values, form=coded(Codec([Pair])))
    assert [found[at] is values[at] for at in (3, 4, 5)] == [True, True, False]


def deep(levels: int) -> list[Any]:
    made: list[Any] = []
    for _ in range(levels):
        made = [made]
    return made


def test_values_in_another_order_stay_where_they_are() -> None:
    found = Picked(spooled(VALUES), [4, 0, 6])
    assert list(found) == [VALUES[4], VALUES[0], VALUES[6]]
    assert (len(found), found[-1], found[1:]) == (3, VALUES[6], [VALUES[0], VALUES[6]])
    assert not Picked(VALUES, [])
