"""Proofs on a claim's page: the statement first, each step with its rule and what it rests on."""

import json
from pathlib import Path

from verifier import load_text, verify
from verifier.evidence import ProofRecord
from verifier.report.html import write_report
from verifier.report.proofs import MOST_LINES, proved

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
  trusted: {says: "sin(x)**2 + cos(x)**2 == 1", under: []}
"""


def test_a_proof_is_read_from_the_statement_down() -> None:
    shown = proved(ProofRecord("true", json.dumps(STEPS), {"assumption": 1, "weaken": 1}))
    assert shown is not None
    assert shown.is_checked
    assert [(line.number, line.rule, line.says, line.premises) for line in shown.lines] == [
        (1, "weaken", "a <= b", (2,)),
        (2, "assumption", "a < b", ()),
    ]
    assert "⊢" in shown.lines[0].inference


def test_long_proofs_are_cut_and_say_so() -> None:
    steps = [{"rule": "assumption", "concludes": {"holds": f"a < {k}"}} for k in range(MOST_LINES + 7)]
    shown = proved(ProofRecord("true", json.dumps(steps), {"assumption": len(steps)}))
    assert shown is not None
    assert (len(shown.lines), shown.left_out) == (MOST_LINES, 7)


def test_pages_show_what_is_checked_and_who_is_trusted(tmp_path: Path) -> None:
    run = verify(load_text(SPEC, "pages.yaml"))
    write_report(run, tmp_path)
    pages = {path.name.split("-")[2]: path.read_text() for path in (tmp_path / "claims").glob("*.html")}
    assert "Checked by the kernel." in pages["weaker"]
    assert "<code>a &lt; b</code>" in pages["weaker"]
    assert "is false" in pages["broken"]
    assert "point" in pages["broken"]
    assert "Not checked." in pages["trusted"]
