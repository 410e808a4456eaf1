"""What rests on what: edges that an author states or a chain shows, and what falls with a false statement."""

import re
from dataclasses import replace
from pathlib import Path

from verifier.expr.nodes import Relation
from verifier.judge.verdict import AssumptionVerdict, Run, StepVerdict, Verdict
from verifier.read.specs.load import load_text
from verifier.report.drawn import MOST_BOXES, draw_graph
from verifier.report.front import front_page
from verifier.report.graph import Edge, Graph, graph_of
from verifier.report.html import write_report

SPEC = """
theorem: paper/lemma
source: {document: P, locator: "Lemma <1>"}
symbols: {x: real, y: real}
assumptions: {small: x < 1}
claims:
  eq-1: {says: x == y}
  proof: {steps: "x\\n== x + 0\\n== y\\n"}
---
theorem: paper/theorem
source: {document: P, locator: Theorem 2}
symbols: {x: real}
claims:
  eq-2: {says: x == x, uses: [lemma#eq-1, "#eq-3", unknown]}
  eq-3: {says: x == x}
  eq-4: {says: x == x, uses: "#eq-2"}
"""
FALSE = "paper/lemma#eq-1"


def run() -> Run:
    found = []
    for claim in load_text(SPEC, "paper.yaml").claims:
        verdict = "fails" if claim.id == FALSE else "holds"
        steps = tuple(
            StepVerdict(s.fact, s.text, s.position, verdict, "proved", "so it is")
            for s in claim.steps  # type: ignore[arg-type]
        )
        item = Verdict(claim, verdict, "proved", "so it is", steps)  # type: ignore[arg-type]
        if claim.is_chain:
            first, last = claim.steps[0].fact, claim.steps[-1].fact
            assert isinstance(first, Relation)
            assert isinstance(last, Relation)
            item = replace(item, overall=replace(steps[0], fact=Relation("==", first.left, last.right)))
        if claim.id.startswith("paper/lemma"):
            item = replace(
                item, assumptions=(AssumptionVerdict("small", "needed" if claim.id == FALSE else "unknown"),)
            )
        found.append(item)
    return Run(tuple(found))


def graph() -> Graph:
    made = run()
    return graph_of(made, front_page(made).documents[0].rows)


def test_edges_are_what_is_stated_or_shown() -> None:
    assert set(graph().edges) == {
        Edge(FALSE, "paper/theorem#eq-2", "uses"),
        Edge("paper/theorem#eq-3", "paper/theorem#eq-2", "uses"),
        Edge("paper/theorem#eq-2", "paper/theorem#eq-4", "uses"),
        Edge("paper/lemma#proof", FALSE, "proof"),
        Edge("small", FALSE, "needed"),
        Edge("small", "paper/lemma#proof", "assumption"),
    }


def test_what_rests_on_a_false_statement_falls_with_it() -> None:
    assert graph().falls_with(FALSE) == ["paper/theorem#eq-2", "paper/theorem#eq-4"]
    assert graph().falls_with("paper/theorem#eq-4") == []
    told = {(item.name, item.words): [row.name for row in item.rows] for item in graph().told()}
    assert told[FALSE, "is false; with it falls the argument for"] == ["Eq. 2", "Eq. 4"]
    assert told["paper/theorem#eq-3", "carries"] == ["Eq. 2"]
    assert told["small", "is needed for"] == ["Eq. 1"]
    (assumed,) = (item for item in graph().told() if item.name == "small")
    assert assumed.others == 1


def test_a_circle_is_drawn_and_ends() -> None:
    made = graph()
    edges = (*made.edges, Edge("paper/theorem#eq-2", FALSE, "uses"))
    circle = Graph(made.rows, edges)
    assert FALSE not in circle.falls_with(FALSE)
    assert draw_graph(circle, {}, "g", "words") is not None


def test_a_drawing_has_boxes_words_and_no_markup_of_others() -> None:
    svg = draw_graph(graph(), {"paper/lemma": "Lemma <1>", "paper/theorem": "Theorem 2"}, "g", "A & B")
    assert svg is not None
    assert svg.count("<rect") == 3
    assert "✗ Lemma &lt;1&gt;" in svg
    assert '<title id="g">A &amp; B</title>' in svg
    assert not re.search(r"style=|<script|#[0-9a-f]{6}", svg)
    edges = tuple(Edge(f"a{k}", FALSE, "assumption") for k in range(MOST_BOXES))
    assert draw_graph(Graph(graph().rows, edges), {}, "g", "") is None
    assert draw_graph(Graph(graph().rows), {}, "g", "") is None


def test_of_too_many_assumptions_only_the_statements_are_drawn() -> None:
    edges = tuple(Edge(f"a{k}", FALSE, "needed") for k in range(MOST_BOXES))
    crowded = draw_graph(Graph(graph().rows, (*graph().edges, *edges)), {}, "g", "")
    assert crowded is not None
    assert "stroke-dasharray" not in crowded
    assert crowded.count("<rect") == 2


def test_it_stands_on_the_front_page_as_a_picture_and_as_a_list(tmp_path: Path) -> None:
    text = write_report(run(), tmp_path).read_text("utf-8")
    assert 'class="graph"' in text
    assert "is false; with it falls the argument for" in text
    assert "Lemma &lt;1&gt;" in text
