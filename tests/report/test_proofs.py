"""Proofs on a claim's page: the statement first, each step with its rule and what it rests on."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.report.examples import example_run
from verifier import load_text, verify
from verifier.claim.model import Claim
from verifier.evidence import Finding, ProofRecord, Sample, Tightness
from verifier.judge.verdict import Verdict
from verifier.kernel.rules import rules
from verifier.plan.settings import Settings
from verifier.report.html import write_report
from verifier.report.proofs import MOST_LINES, all_rules, proved
from verifier.report.sentences import BECAUSE, because, how_sure, tightness_words, tried, unproved, why

STEPS = [
    {"rule": "assumption", "concludes": {"holds": "a < b"}},
    {"rule": "weaken", "concludes": {"holds": "a <= b"}, "premises": [0]},
]
SPEC = """
theorem: toy/pages
symbols: {a: real, b: real, x: real}
assumptions: {below: a < b}
claims:
  weaker: {says: a <= b}
  broken: {says: x**2 >= x, under: []}
  trusted: {says: "sin(2*x) == 2*sin(x)*cos(x)", under: []}
"""


def claim() -> Claim:
    return load_text(SPEC, "pages.yaml").claims[0]


def test_what_is_no_proof_of_this_claim_is_none() -> None:
    for text in ("[]", "{", '[{"rule": "assumption", "concludes": {"holds": "c < b"}}]'):
        assert proved(ProofRecord("true", text, {}), claim()) is None
    assert proved(None, claim()) is None


def test_a_proof_is_read_from_the_statement_down() -> None:
    shown = proved(ProofRecord("true", json.dumps(STEPS), {"assumption": 1, "weaken": 1}), claim())
    assert shown is not None
    assert shown.is_checked
    assert [(line.number, line.rule, line.says, line.premises) for line in shown.lines] == [
        (1, "weaken", "a ≤ b", (2,)),
        (2, "assumption", "a < b", ()),
    ]
    assert "⊢" in shown.lines[0].inference


@pytest.mark.parametrize("name", rules())
def test_every_rule_has_its_sentence_and_its_place(name: str, tmp_path: Path) -> None:
    assert name in BECAUSE
    assert {told[0] for told in all_rules()} == set(rules())


def test_no_sentence_is_about_a_rule_that_is_not_there() -> None:
    assert set(BECAUSE) <= set(rules())


@pytest.mark.parametrize(
    ("rule", "premises", "words"),
    [
        ("chain", (2, 3), "(2) and (3) follow one another."),
        ("assumption", (), "This is assumed."),
        (
            "monotone",
            (),
            "The two sides are one expression, monotone in what differs; that is compared by what is "
            "declared and known.",
        ),
        ("made-up", (4,), "It follows by this rule from (4)."),
        ("made-up", (), "It follows by this rule."),
    ],
)
def test_a_step_says_what_it_rests_on(rule: str, premises: tuple[int, ...], words: str) -> None:
    assert because(rule, premises) == words


def test_how_tight_a_bound_is() -> None:
    item = example_run().verdicts[2]
    assert isinstance(item, Verdict)
    step = item.steps[0]
    words = "The bound can be improved. The right side could be 4 times smaller."
    assert tightness_words(step)[0] == f"{words} With norm(u)*norm(v) on the right it is true as well."
    reached = Tightness(True, where={"u": [[1]]})
    tight = replace(step, tightness="tight", findings=(Finding("search", "true", tightness=reached),))
    assert tightness_words(tight) == [
        "The bound cannot be improved.",
        "The two sides meet, or come as near as one likes, at u = [[1]].",
    ]
    assert tightness_words(replace(step, tightness=None)) == []


def test_a_second_witness_is_told() -> None:
    item = example_run().verdicts[0]
    assert isinstance(item, Verdict)
    (step,) = item.steps
    near, wide = Sample({}, 2.0, 1.9, 2.1, 2.0, 64), Sample({}, 2.0, -9.0, 9.0, 2.0, 64)
    for finding, words in (
        (Finding("numeric", "true", "sampled"), "Sampling, which knows nothing of it, says the same."),
        (Finding("numeric", "unknown"), "Sampling says nothing of it."),
        (Finding("numeric", "unknown", reason="not broken at 9 points; sampling alone does not prove it"),
         "Sampling agrees: not broken at 9 points."),
        (Finding("numeric", "unknown", reason="consistent at 1 points, to within 10%", samples=(near,)),
         "Sampling agrees: consistent at 1 points, to within 10%."),
        (Finding("numeric", "unknown", reason="consistent at 1 points, to within 9e+05", samples=(wide,)),
         "Sampling says nothing of it: its intervals are too wide."),
        (Finding("points", "unknown", reason="true at 3 simple points"),
         "Exact arithmetic finds it true at 3 simple points."),
    ):  # fmt: skip
        witnessed = replace(item, steps=(replace(step, findings=(*step.findings, finding)),))
        assert how_sure(witnessed).endswith(words)
        assert "the word of an engine (symbolic)" in how_sure(witnessed)


def test_what_is_open_says_what_was_tried() -> None:
    step = example_run().verdicts[3].steps[0]  # type: ignore[union-attr]
    ((engine, words),) = tried(step)
    assert engine == "symbolic"
    assert unproved(step) == ["Nothing decides it. What was tried, and what is missing:"]
    assert why(step.verdict) == "Why it is open"
    assert words == "no rule for spectral norms; missing: the expected spectral norm of a Gaussian matrix"


def test_the_rules_have_a_page(tmp_path: Path) -> None:
    write_report(example_run(), tmp_path)
    text = (tmp_path / "rules.html").read_text("utf-8")
    assert all(f'<section id="{name}"' in text for name in rules())


def test_long_proofs_are_cut_and_say_so() -> None:
    steps = [{"rule": "assumption", "concludes": {"holds": f"a < {k}"}} for k in range(MOST_LINES + 7)]
    shown = proved(ProofRecord("true", json.dumps(steps), {"assumption": len(steps)}), claim())
    assert shown is not None
    assert (len(shown.lines), shown.left_out) == (MOST_LINES, 7)


def test_pages_show_what_is_checked_and_who_is_trusted(tmp_path: Path) -> None:
    run = verify(load_text(SPEC, "pages.yaml"), Settings(trust="engines"))
    write_report(run, tmp_path)
    pages = {path.name.split("-")[2]: path.read_text() for path in (tmp_path / "claims").glob("*.html")}
    assert "The kernel checked this proof." in pages["weaker"]
    assert "It is weaker than (2)." in pages["weaker"]
    assert "This is assumed." in pages["weaker"]
    assert '<a href="../rules.html#weaken">weaken</a>' in pages["weaker"]
    assert "Why it is true" in pages["weaker"]
    assert "Why it is false" in pages["broken"]
    assert "is false" in pages["broken"]
    assert "point" in pages["broken"]
    assert "Missing: a proof that the kernel can check." in pages["trusted"]
