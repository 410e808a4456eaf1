"""Watching: a run at once, and one more after a change."""

import threading
import time
from pathlib import Path

import pytest

from verifier.cli import main
from verifier.gate import watch as watching
from verifier.gate.watch import snapshot, watch


def test_a_change_is_noticed_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "LOOK_SECONDS", 0.02)
    (tmp_path / "a.yaml").write_text("theorem: a/b\n")
    runs: list[int] = []

    def edit() -> None:
        time.sleep(0.1)
        (tmp_path / "notes.txt").write_text("not a claim")
        (tmp_path / "b.md").write_text("new")

    editor = threading.Thread(target=edit)
    editor.start()
    status = watch([tmp_path], lambda: runs.append(1) or len(runs), looks=25)  # type: ignore[func-returns-value]
    editor.join()
    assert (status, runs) == (2, [1, 1])
    assert [path.name for path in snapshot([tmp_path])] == ["a.yaml", "b.md"]


def test_every_code_is_explained_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--explain", "[drift]"]) == 0
    assert "drift: The write-up and the claim say different things." in capsys.readouterr().out
    assert main(["--explain", "drfit"]) == 2
    assert "did you mean 'drift'" in capsys.readouterr().err


def test_files_without_claims_can_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "compose.yaml").write_text("services: {}\n")
    assert main(["--if-claims", str(tmp_path)]) == 0
    assert main([str(tmp_path), "--no-cache"]) == 2
