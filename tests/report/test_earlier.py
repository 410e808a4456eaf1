"""An earlier report is read claim by claim, as the standard library reads it, and nothing else is."""

import json
import tracemalloc
from pathlib import Path

import pytest

from tests.report.examples import example_run
from verifier.report.earlier import claims_of
from verifier.report.json import to_json

CLAIM = {"id": "a/b#c", "verdict": "holds", "text": 'a "claims": [1], \\ é\n', "deep": [[{}], [], 12.5e3, -7]}
TEXTS = [
    '{"claims": []}',
    '{"claims": [3]}',
    ' {\n"claims"\t: [ 12 , -3.5e10,null ] \r\n} \n',
    '{"a": {"claims": [1]}, "b": "claims", "claims": [{"claims": [2]}], "c": 123}',
    json.dumps({"run": {}, "claims": [CLAIM] * 3}),
    json.dumps({"claims": [CLAIM, "é", 17], "errors": []}, indent=2, ensure_ascii=False),
]


def read(path: Path, text: str) -> list[object]:
    path.write_text(text, "utf-8")
    return list(claims_of(path))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("window", [1, 2, 7, 10_000])
def test_it_reads_what_the_library_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, window: int
) -> None:
    monkeypatch.setattr("verifier.report.earlier.WINDOW", window)
    assert read(tmp_path / "old.json", text) == json.loads(text)["claims"]


def test_a_report_of_this_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.report.earlier.WINDOW", 100)
    report = to_json(example_run())
    assert read(tmp_path / "old.json", json.dumps(report, indent=1)) == report["claims"]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_cut_short_or_goes_on_is_refused(tmp_path: Path, text: str) -> None:
    whole = text.strip()
    for end in range(len(whole)):
        with pytest.raises(ValueError, match=r"."):
            read(tmp_path / "old.json", whole[:end])
    with pytest.raises(ValueError, match="no list of claims"):
        read(tmp_path / "old.json", whole + "{")


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", "3", '{"claims": 3}', '{"claims": [1,]}', '{"claims": [1 2]}', '{"claims": [1], }',
        '{"claims" [1]}', '{"claims": [1]}}', '{"claims": []], "a": 1}', '{"claims": [], "claims": []}',
        '{"a": {"claims": []}}', '["claims"]',
    ],
)  # fmt: skip
def test_what_is_no_report_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(tmp_path / "old.json", text)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no regular file"):
        list(claims_of(Path("/dev/zero")))
    with pytest.raises(FileNotFoundError):
        list(claims_of(tmp_path / "missing.json"))


def test_a_long_text_without_a_claim_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.report.earlier.LONGEST", 2**18)
    with pytest.raises(ValueError, match="goes on without a claim"):
        read(tmp_path / "old.json", '{"claims": ["' + 2**20 * "a" + '"]}')


def test_one_claim_at_a_time_is_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"claims": [{"id": at, "text": 50_000 * "a"} for at in range(200)]}))
    tracemalloc.start()
    try:
        assert [claim["id"] for claim in claims_of(path)] == list(range(200))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < path.stat().st_size / 10
