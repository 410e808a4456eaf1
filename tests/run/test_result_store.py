"""Remembered results: found again, never half there, never believed when damaged."""

import multiprocessing
import os
from pathlib import Path

import pytest

from verifier.run.result_store import Store
from verifier.run.seal import KEY_VARIABLE, key

KEY = "ab" + "0" * 62


def entries(store: Store) -> list[Path]:
    return [path for path in store.folder.glob("v1/*/*") if path.is_file()]


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "cache")
    assert store.get(KEY) is None
    value = {"a": [1, 2.5, None, "é\ud800"], "b": {"c": 1e300, "d": 0.1 + 0.2}}
    assert store.put(KEY, value)
    assert store.get(KEY) == value
    assert (tmp_path / "cache" / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize("damage", [b"", b"{}", b"x" * 70, None])
def test_a_damaged_entry_is_not_there(tmp_path: Path, damage: bytes | None) -> None:
    store = Store(tmp_path)
    store.put(KEY, {"verdict": "holds"})
    (path,) = entries(store)
    content = path.read_bytes()
    path.write_bytes(content[:-3] if damage is None else damage)
    assert store.get(KEY) is None
    path.write_bytes(content.replace(b"holds", b"fails"))
    assert store.get(KEY) is None
    assert store.put(KEY, {"verdict": "holds"})
    assert store.get(KEY) == {"verdict": "holds"}


def test_what_others_put_there_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    monkeypatch.setenv(KEY_VARIABLE, "of a stranger")
    store.put(KEY, {"verdict": "holds"})
    assert store.get(KEY) == {"verdict": "holds"}
    monkeypatch.setenv(KEY_VARIABLE, "of the user")
    assert store.get(KEY) is None


def test_what_is_known_of_one_claim_is_not_known_of_another(tmp_path: Path) -> None:
    store, other = Store(tmp_path), "cd" + "0" * 62
    store.put(KEY, {"verdict": "holds"})
    store.put(other, {"verdict": "fails"})
    first, second = (path for name in (KEY, other) for path in entries(store) if path.stem == name)
    second.write_bytes(first.read_bytes())
    assert store.get(other) is None
    assert store.get(KEY) == {"verdict": "holds"}


def test_the_key_is_kept_with_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Store(tmp_path / "cache").put(KEY, 1)
    (place,) = (path for path in (tmp_path / "state").rglob("*") if path.is_file())
    assert place.stat().st_mode & 0o077 == 0
    assert len(place.read_bytes()) >= 32
    assert place.read_bytes() == key()
    assert Store(tmp_path / "cache").get(KEY) == 1
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    homeless = Store(tmp_path / "cache")
    assert homeless.get(KEY) is None
    assert not homeless.put(KEY, 1)
    assert homeless.trouble == {"Not a directory"}


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "cache")
    assert not store.put(KEY, 1)
    assert store.get(KEY) is None
    assert not Store(tmp_path).put(KEY, object())


def test_the_folder_stays_bounded_and_the_newest_stay(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for number in range(20):
        key = f"{number:02x}" * 32
        store.put(key, number)
        path = next(path for path in entries(store) if path.stem == key)
        os.utime(path, (number, number))
    store.prune(most=16)
    kept = {store.get(f"{number:02x}" * 32) for number in range(20)} - {None}
    assert kept == set(range(8, 20))


def _write(folder: str, seed: int) -> None:
    store = Store(Path(folder))
    for _ in range(100):
        store.put(KEY, {"from": seed, "filler": [seed] * 1000})


def test_concurrent_writers_leave_one_whole_entry(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_write, args=(str(tmp_path), seed)) for seed in (1, 2, 3)]
    for process in processes:
        process.start()
    store = Store(tmp_path)
    seen = [value for _ in range(200) if (value := store.get(KEY)) is not None]
    for process in processes:
        process.join()
    assert store.get(KEY)["from"] in (1, 2, 3)
    assert all(value["filler"] == [value["from"]] * 1000 for value in seen)
    assert len(entries(store)) == 1
