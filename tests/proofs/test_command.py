"""`verify --proofs DIR`, then `verify check DIR PATH`: in two processes, the second without any engine."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proofs.examples import SPEC
from verifier.proofs.store import name_of

ROOT = Path(__file__).parents[2]
ENGINES = ("sympy", "torch", "numpy", "mpmath", "verifier.prove", "verifier.sample", "verifier.exact",
           "verifier.refute", "verifier.judge", "verifier.plan.asking")  # fmt: skip


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-c", "import sys; from verifier.cli import main; sys.exit(main())", *words]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "COLUMNS": "80"}
    return subprocess.run(call, capture_output=True, text=True, cwd=folder, env=environment, timeout=120)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A judged file and its proofs; a second run takes the verdicts from the cache, and writes them again."""
    made = tmp_path_factory.mktemp("paper")
    (made / "toy.yaml").write_text(SPEC, encoding="utf-8")
    (made / "check").mkdir()
    (made / "check" / "one.yaml").write_text(SPEC.replace("toy/proofs", "toy/check"), encoding="utf-8")
    first = command(made, "toy.yaml", "--proofs", "first", "--seconds", "2", "--trust", "engines")
    words = ("--proofs", "proofs", "--seconds", "2", "--format", "json", "--trust", "engines")
    again = command(made, "toy.yaml", *words)
    assert first.stderr == again.stderr == ""
    assert json.loads(again.stdout)["run"]["remembered"] >= 2
    return made


def test_proofs_are_written_one_file_per_claim(folder: Path) -> None:
    names = {name_of(f"toy/proofs#{name}") for name in ("strict", "weak", "named", "chain")}
    assert {path.name for path in (folder / "proofs").iterdir()} == names
    for name in names:
        kept = [
            json.loads((folder / place / name).read_text(encoding="utf-8")) for place in ("first", "proofs")
        ]
        assert kept[0] == kept[1]
        assert kept[0]["schema"] == 1


def test_proofs_are_checked_in_lines_that_fit(folder: Path) -> None:
    done = command(folder, "check", "proofs", "toy.yaml")
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["accepted", "holds", "toy/proofs#strict", "assumption", "1"]
    assert lines[1].split()[:3] == ["accepted", "holds", "toy/proofs#weak"]
    assert lines[-1] == "3 accepted, 1 rejected, 0 no proof, 0 unreadable"
    rejected = next(at for at, line in enumerate(lines) if line.startswith("rejected"))
    assert lines[rejected].split()[:3] == ["rejected", "trusted", "toy/proofs#chain"]


def test_all_accepted(folder: Path) -> None:
    spec = SPEC.partition("  chain:")[0]
    (folder / "fine.yaml").write_text(spec, encoding="utf-8")
    done = command(folder, "check", "proofs", "fine.yaml")
    assert (done.returncode, done.stderr) == (0, "")


def test_json(folder: Path) -> None:
    done = command(folder, "check", "proofs", "toy.yaml", "--format", "json")
    found = json.loads(done.stdout)
    assert found["summary"] == {"accepted": 3, "rejected": 1, "no proof": 0, "unreadable": 0}
    claim = found["claims"][1]
    assert claim["rules"] == {"assumption": 1, "weaken": 1}
    assert (claim["file"], claim["outcome"], claim["verdict"], claim["reason"]) == (
        "toy.yaml",
        "accepted",
        "holds",
        None,
    )
    assert found["claims"][3]["reason"] == "trusted"
    assert found["claims"][3]["sites"]


def test_a_changed_statement_is_told_in_words(folder: Path) -> None:
    (folder / "changed.yaml").write_text(SPEC.replace("a**2 <= b,", "a**2 <= b - 1,"), encoding="utf-8")
    done = command(folder, "check", "proofs", "changed.yaml")
    assert done.returncode == 1
    assert "the proof is of `a**2 <= b`, the file says `a**2 <= b - 1`" in " ".join(done.stdout.split())


def test_what_cannot_be_read(folder: Path) -> None:
    assert command(folder, "check", "nowhere", "toy.yaml").returncode == 2
    assert command(folder, "check", "proofs", "nowhere.yaml").returncode == 2
    assert command(folder, "check", "proofs").returncode == 2
    (folder / "wrong.yaml").write_text(SPEC.replace("{says: q >= 1", "{says: r >= 1"), encoding="utf-8")
    done = command(folder, "check", "proofs", "wrong.yaml")
    assert done.returncode == 2
    assert "unknown name 'r'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_hostile_file_is_told(folder: Path) -> None:
    place = folder / "hostile"
    place.mkdir()
    (place / name_of("toy/proofs#strict")).write_text("[" * 50_000, encoding="utf-8")
    done = command(folder, "check", "hostile", "toy.yaml")
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.startswith("unreadable")
    assert done.stdout.splitlines()[-1] == "0 accepted, 0 rejected, 3 no proof, 1 unreadable"


def test_no_engine_is_loaded(folder: Path) -> None:
    code = (
        "import sys; from verifier.cli import main; main(sys.argv[1:]); "
        f"print([name for name in {ENGINES!r} if name in sys.modules], file=sys.stderr)"
    )
    call = [sys.executable, "-c", code, "check", "proofs", "toy.yaml"]
    done = subprocess.run(
        call, capture_output=True, text=True, cwd=folder, env={"PYTHONPATH": str(ROOT)}, timeout=60
    )
    assert done.stderr.strip() == "[]"
    assert "3 accepted" in done.stdout


def test_a_path_that_is_called_check_is_judged(folder: Path) -> None:
    done = command(folder, "./check", "--list")
    assert done.returncode == 0
    assert "toy/check#strict" in done.stdout
