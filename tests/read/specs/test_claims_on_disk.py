"""A load that is longer than memory says what a short one says."""

import tracemalloc
from pathlib import Path

import pytest

from verifier.read.specs.load import load_paths, load_text
from verifier.read.specs.loaded import Broken, Loaded, Ready
from verifier.spool import Spool

ROOT = Path(__file__).parents[3]

HEAD = 'symbols: {x: real, n: dimension, A: "matrix(n, 3)"}\nassumptions: {a: x > 0}\n'
FILES = {
    "one.yaml": f"theorem: a/one\n{HEAD}claims:\n"
    + "".join(f"  c{at}: {{says: norm(A) * x >= -{at}}}\n" for at in range(5))
    + "  bad: {says: y == 1}\n  worse: {sys: x == 1}\n",
    "three.yaml": "theorem: a/three\nclaims: {c: {says: 1 == 1}}\n---\ntheorem: [\n---\n"
    "theorem: a/one\nsymbols: {x: real}\n"
    "claims: {c0: {says: x == x}, each: {says: p == p, each: {p: [2, 3]}}}\n",
    "two.md": "prose\n\n```claim\ntheorem: a/two\nclaims: {c: {says: 1 == 2, expect: fails}}\n```\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def both(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Loaded, Loaded]:
    short = load_paths([folder])
    monkeypatch.setattr("verifier.spool.IN_MEMORY", 2)
    return short, load_paths([folder])


def test_entries_come_back_as_they_were(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short, long = both(folder, monkeypatch)
    assert isinstance(short.entries, tuple)
    assert isinstance(long.entries, Spool)
    assert tuple(long.entries) == short.entries
    assert long.entries[-1] == short.entries[-1]
    assert (long.problems, long.needs, long.tally) == (short.problems, short.needs, short.tally)
    assert long.claims == tuple(entry.claim for entry in short.entries if isinstance(entry, Ready))
    names = [entry.id.partition("/")[2] for entry in long.entries]
    assert names[:7] == [f"one#c{at}" for at in range(5)] + ["one#bad", "one#worse"]
    assert names[7:] == ["three#c", "one#c0", "one#each[p=2]", "one#each[p=3]", "two#c"]


def test_every_sort_of_claim_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layers, steps, values, growth, write-ups: in order, and from the last to the first."""
    paths = sorted((ROOT / "claims").rglob("*.yaml"))[::4]
    monkeypatch.setattr("verifier.spool.IN_MEMORY", 10_000)
    short = load_paths(paths).entries
    monkeypatch.setattr("verifier.spool.IN_MEMORY", 0)
    long = load_paths(paths).entries
    assert isinstance(long, Spool)
    ready = [entry for entry in short if isinstance(entry, Ready)]
    assert any(entry.claim.printed for entry in ready)
    assert any(entry.claim.layers for entry in ready)
    assert any(entry.draft.binding for entry in ready)
    assert all(found == entry for found, entry in zip(long, short, strict=True))
    assert all(long[at] == short[at] for at in range(len(short) - 1, -1, -50))


def test_what_is_wrong_far_back_names_what_came_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, long = both(folder, monkeypatch)
    broken = {entry.id: entry for entry in long.entries if isinstance(entry, Broken)}
    assert sorted(broken) == ["a/one#bad", "a/one#c0", "a/one#worse"]
    assert f"already used at {folder}/one.yaml:5:3" in broken["a/one#c0"].problems[0].message
    assert broken["a/one#bad"].problems[0].line_text == "  bad: {says: y == 1}"
    assert [problem.code for problem in long.problems] == ["yaml"]


def test_the_questions_of_each_file_are_counted(folder: Path) -> None:
    tally = load_paths([folder]).tally
    assert tally.ready == 9
    asked = {Path(name).name: count for name, count in tally.questions.items()}
    assert asked == {"one.yaml": 5 * 2 * 2 * 2, "three.yaml": 3 * 2 * 2, "two.md": 2 * 2}


def test_what_was_read_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of theorems with a long formula each only the first few stay."""
    says = " + ".join(f"x**{power}" for power in range(30))
    text = "---\n".join(
        f"theorem: a/t{at}\nsymbols: {{x: real}}\nclaims: {{c: {{says: {says} >= {at}}}}}\n"
        for at in range(40)
    )

    def peak() -> int:
        tracemalloc.start()
        try:
            assert [entry.id for entry in load_text(text).ready] == [f"a/t{at}#c" for at in range(40)]
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    in_memory = peak()
    monkeypatch.setattr("verifier.spool.IN_MEMORY", 2)
    assert peak() < in_memory / 2
