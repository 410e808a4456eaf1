"""A run of many claims with much evidence: memory does not grow with what is found."""

import json
import tracemalloc
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from verifier.evidence import Counterexample, Finding
from verifier.gate.baseline import read_baseline
from verifier.gate.outputs import FORMATS, write_all
from verifier.gate.policy import Policy, judge_run
from verifier.gate.session import Request, report_of, run_of
from verifier.plan.messages import Found
from verifier.plan.settings import Settings
from verifier.read.specs.make_claim import Draft
from verifier.report.compare import read_report, with_changes
from verifier.report.html import write_report
from verifier.run.pool import Ended
from verifier.run.result_store import Store

CLAIMS, LINES, LETTERS = 40, 20, 10_000
WHOLE = CLAIMS * LINES * LETTERS  # bytes of evidence


class Verbose:
    """Workers that say much: every other claim is refuted."""

    def __init__(self, settings: Settings, drafts: Sequence[Draft], sampled: bool) -> None:
        self.count = len(drafts)

    def run(self, *told: object) -> Iterator[Ended]:
        for number in reversed(range(self.count)):
            lines = tuple(f"{number} {line} ".ljust(LETTERS, ".") for line in range(LINES))
            point = Counterexample({"x": number}, 1.0, 2.0) if number % 2 else None
            truth = "false" if number % 2 else "true"
            finding = Finding("symbolic", truth, "proved", "said so", counterexample=point, derivation=lines)
            yield Ended(number, (Found(0, finding),), None, 0.1, cpu_seconds=0.1)


@pytest.fixture
def request_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Request:
    monkeypatch.setattr("verifier.run.verify.Pool", Verbose)
    monkeypatch.setattr("verifier.spool.IN_MEMORY", 3)
    monkeypatch.setattr("verifier.gate.session.FILES_IN_MEMORY", 2)
    monkeypatch.setattr(
        "verifier.read.specs.spec_files.MAX_BYTES", 100_000
    )  # which is asked for whenever a file is read
    folder = tmp_path / "claims"
    folder.mkdir()
    for name in range(CLAIMS // 2):
        claims = "".join(f"  c{number}: {{says: x == {number}}}\n" for number in range(2))
        (folder / f"{name:03}.yaml").write_text(
            f"theorem: a/t{name}\nsymbols: {{x: real}}\nclaims:\n{claims}"
        )
    return Request((folder,), Settings(jobs=1, trust="engines"), Store(tmp_path / "cache"))


def test_no_output_needs_more_memory_than_a_few_claims(request_for: Request, tmp_path: Path) -> None:
    outputs = [(form, tmp_path / form) for form in FORMATS]

    def written(request: Request) -> int:
        report = judge_run(report_of(request), Policy())
        assert write_all(report, outputs) == []
        return int(report["run"]["remembered"])

    written(replace(request_for, paths=(request_for.paths[0] / "000.yaml",), store=None))  # imports all
    for remembered in (0, CLAIMS):
        tracemalloc.start()
        try:
            assert written(request_for) == remembered
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert (tmp_path / "json").stat().st_size > WHOLE
        assert peak < WHOLE / 2, f"{peak / 2**20:.1f} MiB"
    claims = json.loads((tmp_path / "json").read_text())["claims"]
    assert [claim["id"] for claim in claims] == [f"a/t{at // 2}#c{at % 2}" for at in range(CLAIMS)]
    assert [claim["verdict"] for claim in claims] == ["holds", "fails"] * (CLAIMS // 2)
    assert all(claim["derivation"][0].startswith(f"{at} 0 ") for at, claim in enumerate(claims))


def test_the_pages_come_from_disk_one_by_one(request_for: Request, tmp_path: Path) -> None:
    _, run = run_of(request_for)
    write_report(replace(run, verdicts=run.verdicts[:1]), tmp_path / "one")  # imports all
    tracemalloc.start()
    try:
        write_report(run, tmp_path / "pages")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(list((tmp_path / "pages" / "claims").iterdir())) == CLAIMS
    assert peak < WHOLE / 3, f"{peak / 2**20:.1f} MiB"


def test_an_earlier_report_is_read_one_claim_at_a_time(request_for: Request, tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    report = judge_run(report_of(request_for), Policy())
    assert write_all(report, [("json", path)]) == []
    tracemalloc.start()
    try:
        baseline, old = read_baseline(path), read_report(path)
        changed = with_changes(judge_run(report, Policy(baseline=baseline)), old, "old.json")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [claim["gate"] for claim in changed["claims"]] == ["passes", "known"] * (CLAIMS // 2)
    assert changed["changes"] == {"against": "old.json", "items": (), "compared": CLAIMS}
    assert peak < WHOLE / 4, f"{peak / 2**20:.1f} MiB"
