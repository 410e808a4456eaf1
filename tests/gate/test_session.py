"""A second run: only what changed is judged again, and the answer is the same."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from verifier.evidence import Finding, Tightness
from verifier.gate.session import Request, report_of, run_of
from verifier.judge.verdict import AssumptionVerdict
from verifier.plan.messages import Bought, Found
from verifier.plan.settings import Engine, Settings
from verifier.plan.whole_chain import OVERALL
from verifier.read.specs.make_claim import Draft, build
from verifier.report.view import Json
from verifier.run.pool import Ended
from verifier.run.result_store import Store

ROOT = Path(__file__).parents[2]
SETTINGS = Settings(
    jobs=2, seconds=20, engines=(Engine("symbolic", "tests.run.agreeable", 1),), trust="engines"
)
SPEC = """\
theorem: {0}/t
symbols: {{x: real}}
claims:
  one: {{says: x == x}}
  two: {{says: x + 1 == 1 + x}}
"""


def asked(*paths: Path, store: Store | None, only: str | None = None) -> Request:
    return Request(paths, SETTINGS, store, only)


def content(report: Json) -> Json:
    return {key: report[key] for key in ("summary", "claims", "errors", "coverage")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "claims"
    made.mkdir()
    for name in ("a", "b", "c"):
        (made / f"{name}.yaml").write_text(SPEC.format(name))
    (made / "broken.yaml").write_text("theorem: d/t\nclaims:\n  bad: {says: 1 == y}\n---\ntheorem: [\n")
    return made


def test_only_what_changed_is_judged_again(folder: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "cache")
    without = report_of(asked(folder, store=None))
    first = report_of(asked(folder, store=store))
    second = report_of(asked(folder, store=store))
    assert [claim["id"] for claim in without["claims"]] == [claim["id"] for claim in second["claims"]]
    assert content(second) == content(first)
    assert (first["run"]["remembered"], second["run"]["remembered"]) == (0, 7)
    text = (folder / "b.yaml").read_text()
    (folder / "b.yaml").write_text("# moved\n\n" + text.replace("x + 1 == 1 + x", "x + 2 == 2 + x"))
    third = report_of(asked(folder, store=store))
    # Of the changed file, the claim that only moved is remembered too.
    assert third["run"]["remembered"] == 6
    assert [claim["line"] for claim in third["claims"] if claim["id"].startswith("b/")] == [6, 7]
    (folder / "b.yaml").write_text(text)
    assert content(report_of(asked(folder, store=store))) == content(first)


def test_the_same_with_trees_in_hand(folder: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "cache")
    first = report_of(asked(folder, store=store))
    again, run = run_of(asked(folder, store=store))
    assert content(again) == content(first)
    assert run.remembered == 6


def test_a_selection_is_remembered_as_no_whole(folder: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "cache")
    chosen = report_of(asked(folder, store=store, only="#one"))
    assert [claim["id"] for claim in chosen["claims"]] == ["a/t#one", "b/t#one", "c/t#one"]
    whole = report_of(asked(folder, store=store))
    assert len(whole["claims"]) == 7
    assert whole["run"]["remembered"] == 3
    assert content(report_of(asked(folder, store=store, only="#one")))["claims"] == chosen["claims"]


def test_an_id_used_twice_is_found_whatever_is_remembered(folder: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "cache")
    report_of(asked(folder, store=store))
    (folder / "e.yaml").write_text(SPEC.format("a"))
    found = report_of(asked(folder, store=store))
    wrong = [
        claim for claim in found["claims"] if claim["errors"] and claim["errors"][0]["code"] == "duplicate-id"
    ]
    assert len(wrong) == 2
    assert content(report_of(asked(folder, store=store))) == content(found)


def test_a_write_up_that_changed_is_looked_at_again(folder: Path, tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text("$$ x + 1 $$ {#eq-one}\n")
    (folder / "b.yaml").write_text(
        "theorem: b/t\nsource: {file: ../paper.md}\nsymbols: {x: real}\n"
        "claims:\n  one: {says: 1 + x == x + 1, label: eq-one}\n"
    )
    store = Store(tmp_path / "cache")
    assert report_of(asked(folder, store=store))["summary"]["error"] == 1
    assert report_of(asked(folder, store=store))["run"]["remembered"] == 6
    paper.write_text("$$ x + 2 $$ {#eq-one}\n")
    assert report_of(asked(folder, store=store))["summary"]["error"] == 2


def test_so_many_questions_that_each_is_allowed_less_error(folder: Path, tmp_path: Path) -> None:
    """Two claims ask 8 questions, six ask 24: with 16 provided for, they are judged as one run of 32."""
    store = Store(tmp_path / "cache")
    few = replace(SETTINGS, questions=16)
    for name in ("a", "b", "c"):
        assert report_of(Request((folder / f"{name}.yaml",), few, store))["run"]["remembered"] == 0
    together = Request(tuple(folder / f"{name}.yaml" for name in ("a", "b", "c")), few, store)
    assert report_of(together)["run"]["remembered"] == 0
    assert report_of(together)["run"]["remembered"] == 6
    changed = folder / "a.yaml"
    changed.write_text(changed.read_text().replace("x == x", "x + 0 == x"))
    assert report_of(together)["run"]["remembered"] == 5
    assert report_of(replace(together, paths=together.paths[1:2]))["run"]["remembered"] == 2


def test_damage_everywhere_costs_time_and_nothing_else(folder: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "cache")
    first = report_of(asked(folder, store=store))
    for path in (tmp_path / "cache").glob("v1/*/*.json"):
        path.write_bytes(path.read_bytes()[: len(path.read_bytes()) // 2])
    again = report_of(asked(folder, store=store))
    assert again["run"]["remembered"] == 0
    assert again["summary"] == first["summary"]


SECOND_RUN = """
import io, sys, time
from pathlib import Path
from verifier.gate.outputs import write
from verifier.gate.policy import Policy, judge_run
from verifier.gate.session import Request, report_of
from verifier.plan.settings import Engine, Settings
from verifier.run.result_store import Store
AGREEABLE = Engine("symbolic", "tests.run.agreeable", 1)
SETTINGS = Settings(jobs=2, seconds=20, engines=(AGREEABLE,), trust="engines")
report = judge_run(report_of(Request((Path("claims"),), SETTINGS, Store(Path(sys.argv[1])))), Policy())
write("text", report, io.StringIO())
print(time.process_time(), report["run"]["remembered"], len(report["claims"]))
print(*sorted({"torch", "sympy", "flint", "mpmath", "numpy"} & set(sys.modules)))
"""


class Instant:
    """Workers that know the answer: every step of every claim is proved."""

    def __init__(self, settings: Settings, drafts: Sequence[Draft], sampled: bool) -> None:
        self.claims = [build(draft) for draft in drafts]

    def run(self, *told: object) -> Iterator[Ended]:
        finding = Finding(
            "symbolic", "true", "proved", "said so", tightness=Tightness(True), derivation=("a",) * 20
        )
        for number, claim in enumerate(self.claims):
            steps = [*range(len(claim.steps)), OVERALL]
            weighed = [Bought(AssumptionVerdict(item.name, "needed")) for item in claim.assumptions]
            yield Ended(number, (*(Found(at, finding) for at in steps), *weighed), None, 0.1, cpu_seconds=0.1)


def test_the_corpus_again_in_under_two_seconds_and_without_an_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "claims", tmp_path / "claims")
    store = tmp_path / "cache"
    monkeypatch.setattr("verifier.run.verify.Pool", Instant)
    monkeypatch.chdir(tmp_path)
    first = report_of(Request((Path("claims"),), SETTINGS, Store(store)))
    assert first["summary"]["holds"] == len(first["claims"]) > 500
    command = [
        sys.executable,
        "-c",
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n" + SECOND_RUN,
        str(store),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.returncode == 0, done.stderr
    figures, modules = done.stdout.split("\n")[:2]
    cpu, remembered, claims = map(float, figures.split())
    assert remembered == claims == len(first["claims"])
    assert modules == ""
    # Time on the processor, so that a busy machine does not decide.
    print("seconds on the processor:", cpu)
    assert cpu < 2
