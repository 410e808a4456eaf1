"""Proofs of what is offered beside a verdict stand where it is offered, in pages and explanations."""

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from verifier import load_text, verify
from verifier.judge.verdict import Run, Verdict
from verifier.report.beside import WORDS, beside_assumption, beside_step
from verifier.report.explain import explain
from verifier.report.html import write_report

SPEC = """
theorem: toy/beside
symbols: {a: real, b: real, x: real, t: positive}
assumptions: {small: x <= 1, idle: t > 1}
claims:
  tight: {says: a**2 + b**2 >= 2*a*b, under: []}
  loose: {says: abs(sin(x)) <= 2, under: []}
  needed: {says: x <= 1 + t}
"""


@pytest.fixture(scope="module")
def run() -> Run:
    return verify(load_text(SPEC, "beside.yaml"))


def named(run: Run, name: str) -> Verdict:
    (item,) = (item for item in run.verdicts if item.id.endswith(f"#{name}"))
    assert isinstance(item, Verdict)
    return item


def test_every_kind_has_its_words() -> None:
    from typing import get_args

    from verifier.evidence import SideKind

    assert set(WORDS) == set(get_args(SideKind))


def test_how_tight_a_bound_is_has_its_proof(run: Run) -> None:
    (tight,) = beside_step(named(run, "tight"), 0)
    assert tight.words == WORDS["attained"]
    assert [proof.lines[0].fails for proof in tight.proofs] == [True]
    assert {part.words for part in beside_step(named(run, "loose"), 0)} <= {WORDS["loose"], WORDS["better"]}
    assert beside_step(named(run, "loose"), 0)
    assert beside_step(named(run, "tight"), 1) == ()


def test_what_an_assumption_buys_has_its_proof(run: Run) -> None:
    item = named(run, "needed")
    small, idle = item.assumptions
    (shown,) = beside_assumption(item, small.name, small.counterexample)
    assert shown.words == WORDS["needed"]
    (line,) = shown.proofs[0].lines
    assert line.fails
    assert line.work[0].words.startswith("There the relation reads")
    assert beside_assumption(item, small.name, None)[0].proofs[0].lines[0].work == ()
    (other,) = beside_assumption(item, idle.name, None)
    assert other.words == WORDS["unneeded"]
    assert not any(line.fails for line in other.proofs[0].lines)
    assert beside_assumption(item, "nobody's", None) == ()


def test_they_stand_where_it_is_offered(run: Run, tmp_path: Path) -> None:
    write_report(run, tmp_path)
    (path,) = (tmp_path / "claims").glob("*-needed-????????.html")
    page = path.read_text("utf-8")
    (section,) = re.findall(r'<section aria-labelledby="assumptions">.*?</section>', page, re.DOTALL)
    assert f"{WORDS['needed']}, which the kernel checked" in section
    assert f"{WORDS['unneeded']}, which the kernel checked" in section
    stream = io.StringIO()
    explain(named(run, "needed"), Console(file=stream, width=200, highlight=False))
    told = stream.getvalue()
    assert told.index("small: needed") < told.index(WORDS["needed"]) < told.index("idle: unneeded")
