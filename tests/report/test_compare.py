"""Two runs against each other: what changed, in words and in order."""

import json
from pathlib import Path

import pytest

from verifier.cli import main
from verifier.report.compare import NotAReport, changes_of, compare, read_report, with_changes, words


def report(**verdicts: tuple[str, str | None] | tuple[str, str | None, str]) -> dict:  # type: ignore[type-arg]
    keys = ("verdict", "evidence", "corrected")
    claims = [
        {"id": id, "corrected": None, **dict(zip(keys, said, strict=False))} for id, said in verdicts.items()
    ]
    return {"schema": 1, "claims": claims}


OLD = report(
    a=("holds", "proved"), b=("holds", "sampled"), c=("fails", "proved", "2*d"), e=("loose", "proved")
)
NEW = report(a=("fails", "proved"), b=("holds", "proved"), c=("fails", "proved", "3*d"), d=("error", None))


def test_changes_in_order() -> None:
    found = compare(OLD, NEW, "old.json")
    assert [(change.id, change.kind, str(change)) for change in found.items] == [
        ("a", "verdict", "holds → fails"),
        ("b", "evidence", "holds, sampled → holds, proved"),
        ("c", "correction", "2*d → 3*d"),
        ("d", "new", "new: error"),
        ("e", "gone", "gone: was loose"),
    ]
    assert next(words(found)) == "against old.json: 1 of 3 verdicts changed"
    assert compare(OLD, OLD, "old.json").items == ()


def test_a_report_carries_its_changes() -> None:
    changed = with_changes(NEW, OLD, "old.json")
    assert changes_of(json.loads(json.dumps(changed))) == compare(OLD, NEW, "old.json")
    assert changes_of(NEW) is None


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"claims": 3}', '{"claims": [{"id": 1, "verdict": "holds"}]}', "\udcff", "[" * 99_999],
)
def test_what_is_no_report_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "old.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(NotAReport, match=r"old\.json"):
        read_report(path)
    with pytest.raises(NotAReport):
        read_report(tmp_path / "missing.json")


def test_the_command_refuses_it_before_anything_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["claims.yaml", "--against", str(tmp_path / "missing.json")]) == 2
    assert "missing.json cannot be read as a report" in capsys.readouterr().err
