"""The interface for programs: verdicts answer, broken claims answer to the same, and both show themselves."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import verifier
from verifier import Broken, Run, Settings, Verdict, judge, load_text, verify

ROOT = Path(__file__).parents[2]
ONE = Settings(jobs=1)
SPEC = """\
theorem: toy/all
symbols: {x: real, y: real}
claims:
  square: {says: "(x + y)**2 == x**2 + y**2"}
  least: {says: "x**2 + y**2 >= 2*x*y"}
  chain: {steps: "(x + y)**2\\n== x**2 + 2*x*y + y**2\\n<= x**2 + y**2"}
  unread: {says: "x + <b> == 2"}
---
theorem: [
"""


@pytest.fixture(scope="module")
def run() -> Run:
    return verify(load_text(SPEC, "toy.yaml"), ONE)


def by_name(run: Run) -> dict[str, Verdict | Broken]:
    return {item.id.partition("#")[2]: item for item in run.verdicts}


def test_a_false_line_has_a_counterexample_a_correction_and_a_checked_proof() -> None:
    verdict = judge("(x + y)**2 == x**2 + y**2", settings=ONE)
    assert verdict.verdict == "fails"
    point = verdict.counterexample
    assert point is not None
    x, y = (point.values[name] for name in "xy")
    assert isinstance(x, int)
    assert isinstance(y, int)
    assert (x + y) ** 2 == point.lhs != point.rhs == x**2 + y**2
    assert verdict.corrected is not None
    again = judge(f"(x + y)**2 == {verdict.corrected}", settings=ONE)
    assert again.verdict == "holds"
    assert again.counterexample is None
    assert again.corrected is None
    assert verdict.proof is not None
    assert verdict.proof.checked
    assert verdict.proof.trusted == 0
    assert '"claim": "line/1#says"' in verdict.proof.text


def test_an_assumption_makes_a_false_line_true() -> None:
    assert judge("x**3 >= 0", settings=ONE).verdict == "fails"
    verdict = judge("x**3 >= 0", "x >= 0", settings=ONE)
    assert verdict.verdict == "holds"
    assert isinstance(verdict, Verdict)
    assert [(part.name, part.status) for part in verdict.assumptions] == [("x >= 0", "needed")]


@pytest.mark.parametrize(
    ("line", "given", "file", "column", "code"),
    [
        ("x + ! >= 0", [], "<line>", 5, "bad-character"),
        ("x + y", [], "<line>", 1, "not-a-relation"),
        ("x + ", [], "<line>", 4, "syntax"),
        ("x >= 0", ["x: reel"], "<given>", 4, "unknown-kind"),
        ("x >= 0", ["x y: real"], "<given>", 1, "name"),
        ("E(W) == 0", [], "<line>", 1, "no-law"),
        ("", [], "<line>", 1, "syntax"),
        ("x >= 0\ny >= 0", [], "<line>", 8, "syntax"),
        ("x" * 30_000, [], "<line>", 1, "too-long"),
    ],
)
def test_a_line_that_cannot_be_read_is_told_by_its_own_columns(
    line: str, given: list[str], file: str, column: int, code: str
) -> None:
    verdict = judge(line, *given, settings=ONE)
    assert isinstance(verdict, Broken)
    problem = verdict.problems[0]
    assert (problem.position.file, problem.position.column, problem.code) == (file, column, code)
    assert (verdict.verdict, verdict.as_expected, verdict.proof) == ("error", False, None)
    assert "--with" not in str(verdict)


def test_broken_claims_are_one_type_wherever_they_are_met(run: Run) -> None:
    (entry,) = (entry for entry in load_text(SPEC).entries if isinstance(entry, Broken))
    broken = by_name(run)["unread"]
    assert isinstance(broken, Broken)
    assert (broken.id, broken.reason) == (entry.id, entry.reason)


def test_a_chain_answers_with_its_worst_line(run: Run) -> None:
    chain = by_name(run)["chain"]
    assert isinstance(chain, Verdict)
    assert chain.verdict == "fails"
    assert chain.main is chain.steps[1]
    assert chain.counterexample == chain.steps[1].counterexample is not None


def test_values_show_themselves_in_one_line_and_in_a_few(run: Run) -> None:
    assert repr(run) == "<Run 1 holds, 2 fails, 1 error, 1 unreadable>"
    for item in run.verdicts:
        assert repr(item).count("\n") == 0
        assert item.verdict in repr(item)
        assert str(item) in str(run)
    assert "left side 4, right side 2" in str(by_name(run)["square"])
    assert "checked by the kernel" in str(by_name(run)["least"])
    assert "counterexample" not in str(by_name(run)["least"])
    assert "^" in str(by_name(run)["unread"])


def test_html_is_well_formed_and_escaped(run: Run) -> None:
    for value in (run, *run.verdicts):
        page = value._repr_html_()
        ElementTree.fromstring(f"<div>{page}</div>")
    assert "x + &lt;b&gt; == 2" in by_name(run)["unread"]._repr_html_()
    square = by_name(run)["square"]._repr_html_()
    assert "<math" in square
    assert "Counterexample" in square
    assert "Counterexample" not in by_name(run)["least"]._repr_html_()


def test_the_function_and_the_room_share_their_name() -> None:
    """Whoever imported an inner module first still has the function."""
    code = "import verifier.judge.verdict; from verifier import judge; print(judge('1 == 1').verdict)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.stdout == "holds\n", done.stderr


def test_the_page_tells_every_public_name() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    names = set(verifier.__all__) - {"__version__", "Claim", "Position"}
    assert [name for name in sorted(names) if not re.search(rf"\b{name}\b", page)] == []
    for line in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE):
        for name in re.findall(r"`(\w+)`", line):
            assert name in Verdict.__dataclass_fields__ or hasattr(Verdict, name), name
