"""`steps`: which line opens a step, and where each stands."""

import pytest

from tests.read.specs.marks import accepted, one_problem
from verifier.read.specs.chain import MAX_STEPS, links
from verifier.read.specs.yaml_document import Table, Text, read_documents


def chain(*lines: str) -> list[tuple[str | None, str, int, int]]:
    (table,) = read_documents("k: |\n" + "".join(f"  {line}\n" for line in lines), "spec")
    assert isinstance(table, Table)
    text = table.entries["k"][1]
    assert isinstance(text, Text)
    found = links(text)
    places = [link.expression.position() for link in found]
    return [
        (link.op, link.expression.value, place.line, place.column)
        for link, place in zip(found, places, strict=True)
    ]


def test_each_relation_opens_a_step() -> None:
    assert chain("a", "== b", "<= c", ">= d", "< e", ">f") == [
        (None, "a", 2, 3),
        ("==", "b", 3, 6),
        ("<=", "c", 4, 6),
        (">=", "d", 5, 6),
        ("<", "e", 6, 5),
        (">", "f", 7, 4),
    ]


def test_other_lines_continue() -> None:
    assert chain("a", "+ b", "== c", "  + d", "", "  - e", "== f") == [
        (None, "a\n+ b", 2, 3),
        ("==", "c\n  + d\n\n  - e", 4, 6),
        ("==", "f", 8, 6),
    ]


def test_blank_lines_around() -> None:
    assert chain("", "a", "", "== b", "") == [(None, "a", 3, 3), ("==", "b", 5, 6)]


def test_steps_stand_where_they_were_written() -> None:
    loaded = accepted("""
        theorem: a/b
        symbols: {x: real}
        claims:
          c:
            steps: |
              (x + 1)**2
              == x**2
                + 2*x + 1
              >= 2*x + 1
        """)
    (claim,) = loaded.claims
    assert claim.is_chain
    assert [(step.text, step.position.line, step.position.column) for step in claim.steps] == [
        ("== x**2\n  + 2*x + 1", 8, 7),
        (">= 2*x + 1", 10, 7),
    ]
    assert claim.steps[0].fact.right == claim.steps[1].fact.left  # type: ignore[union-attr]


SPEC = """
    theorem: a/b
    symbols: {{x: real, n: dimension, v: vector(n)}}
    claims:
      c:
        steps: |
{lines}
    """


def spec(*lines: str) -> str:
    return SPEC.format(lines="\n".join(f"          {line}" for line in lines))


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["x + 1", "== x + ¤y"], "unknown-name"),
        (["x", "== x +", "  x + ¤w", "== x"], "unknown-name"),
        (["¤v + v.T", "== v"], "shape"),
        (["v", "¤== v.T"], "shape"),
        (["x", "== ¤x == x", "<= x"], "syntax"),
        (["¤x"], "steps"),
        (["¤== x", "== x"], "steps"),
        (["x", "==¤"], "syntax"),
        (["x", "¤<= O(x) + 1"], "growth"),
    ],
)
def test_places_of_problems(lines: list[str], code: str) -> None:
    assert one_problem(spec(*lines)).code == code


def test_long_chains_are_refused() -> None:
    assert one_problem(spec("¤x", *["== x"] * (MAX_STEPS + 1))).code == "too-long"
