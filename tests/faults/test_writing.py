"""Full disks and folders that cannot be written: a clear word, and nothing else is lost."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.faults.test_kills import ROOT
from verifier.gate.outputs import replace_file, write_all
from verifier.spool import IN_MEMORY

SPEC = "theorem: faults/writing\nsymbols: {x: real}\nclaims:\n  one: {says: 'x + 1 == 1 + x'}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "claims.yaml").write_text(SPEC)
    (tmp_path / "file").write_text("not a folder")
    return tmp_path


def verify(
    folder: Path, *arguments: str, out: int | str = subprocess.PIPE, most: int | None = None
) -> subprocess.CompletedProcess[str]:
    """The command; no file may become longer than `most` bytes, as on a disk that is full."""

    def limit() -> None:
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    with open(out if isinstance(out, str) else os.devnull, "w") as place:
        done = subprocess.run(
            [sys.executable, "-m", "tests.faults.command", "claims.yaml", *arguments],
            stdout=place if isinstance(out, str) else out, stderr=subprocess.PIPE, text=True, timeout=100,
            cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "150"}, preexec_fn=limit,
        )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done


def test_one_output_that_cannot_be_written_keeps_none_from_the_others(folder: Path) -> None:
    """What stands where a folder should, and a folder in which nobody may write, root neither."""
    done = verify(
        folder, "--output", "json=file/sub/out.json", "--output", "junit=out.xml",
        "--output", "sarif=/proc/out", "--report", "file/pages", "--cache", "/proc/cache",
    )  # fmt: skip
    assert done.returncode == 2
    assert "1 holds" in done.stdout
    assert "one" in (folder / "out.xml").read_text()
    for words in ("json cannot be written to file/sub/out.json: Not a directory",
                  "sarif cannot be written to /proc/out: No such file or directory",
                  "the report cannot be written: Not a directory",
                  "nothing is remembered in /proc/cache: No such file or directory"):  # fmt: skip
        assert words in done.stderr


def test_a_cache_that_cannot_be_written_costs_a_word_and_no_verdict(folder: Path) -> None:
    done = verify(folder, "--cache", "file/cache")
    assert done.returncode == 0
    assert done.stderr.count("nothing is remembered in file/cache: Not a directory") == 1


def test_a_full_disk_leaves_what_was_there(folder: Path) -> None:
    assert verify(folder, "--report", "pages", "--output", "json=out.json", "--no-cache").returncode == 0
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    (folder / "claims.yaml").write_text(SPEC + "  two: {says: 'x + 2 == 2 + x'}\n")
    options = ("--report", "pages", "--output", "json=out.json", "--cache", "cache")
    done = verify(folder, *options, most=200)
    assert done.returncode == 2
    assert "2 holds" in done.stdout
    for words in ("json cannot be written to out.json: File too large",
                  "the report cannot be written: File too large",
                  "nothing is remembered in cache: File too large"):  # fmt: skip
        assert words in done.stderr
    for path, content in before.items():
        assert path.name == "claims.yaml" or path.read_bytes() == content
    left = [path.name for path in folder.rglob("*") if path.is_file() and path not in before]
    assert sorted(left) == [".gitignore", "CACHEDIR.TAG"]
    assert verify(folder, *options).returncode == 0
    assert len(json.loads((folder / "out.json").read_text())["claims"]) == 2


def test_what_a_disk_does_not_take_that_fills_up_stays_in_memory(folder: Path) -> None:
    """The first few of what was read, found and said beyond memory go to disk, the others no longer fit."""
    count = IN_MEMORY + 20
    claims = "".join(f"  c{number}: {{says: 'x + {number} == {number} + x'}}\n" for number in range(count))
    (folder / "claims.yaml").write_text(SPEC.partition("  one")[0] + claims)
    done = verify(folder, "--no-cache", most=10_000)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert f"{count} holds" in done.stdout
    assert all(f"faults/writing#c{number} " in done.stdout for number in range(count))


def test_a_full_standard_output_is_told_and_the_files_are_written(folder: Path) -> None:
    done = verify(folder, "--format", "json", "--output", "json=out.json", out="/dev/full")
    assert done.returncode == 2
    assert "standard output cannot be written: No space left on device" in done.stderr
    assert json.loads((folder / "out.json").read_text())["summary"]["holds"] == 1


def test_a_bug_in_one_format_keeps_none_from_the_others(tmp_path: Path) -> None:
    report = {"claims": [{}]}
    trouble = write_all(report, [("junit", tmp_path / "out.xml"), ("json", tmp_path / "out.json")])
    assert len(trouble) == 1
    assert "junit cannot be written" in trouble[0]
    assert "it failed with KeyError" in trouble[0]
    assert json.loads((tmp_path / "out.json").read_text()) == report


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    place = tmp_path / "out.json"
    replace_file(place, lambda file: json.dump([0] * 100_000, file))
    writer = os.fork()
    if writer == 0:
        for number in range(10**9):
            replace_file(place, lambda file, number=number: json.dump([number] * 100_000, file))
    try:
        for _ in range(20):
            assert len(set(json.loads(place.read_text()))) == 1
        time.sleep(random.uniform(0, 0.1))
    finally:
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)
    assert len(set(json.loads(place.read_text()))) == 1
