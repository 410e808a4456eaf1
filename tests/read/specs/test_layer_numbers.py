"""An index over the depth inside of a layer is refused; other indices are not."""

import textwrap

import pytest

from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken

SPEC = """
theorem: test/numbers
symbols:
  n: dimension
  m: dimension
  l: index(L)
  i: index(n)
  x: vector(n)
  a: positive
let:
  c: 1/l
assumptions:
  fading: a == 1/l
  fixed: a == 1/m
  held: H == x/l
layers:
  state: x
  depth: L
  symbols:
    W: normal(n, n, std={std})
  let:
    H: {let}
  next: {next}
claims:
  c: {{says: "{says}", under: [{under}]{more}}}
"""


def load(
    std: str = "1", let: str = "x", next: str = "W @ x", says: str = "1 == 1", under: str = "", more: str = ""
) -> object:
    text = textwrap.dedent(SPEC.format(std=std, let=let, next=next, says=says, under=under, more=more))
    (entry,) = load_text(text).entries
    return entry


@pytest.mark.parametrize(
    ("parts", "line", "column"),
    [
        ({"next": "W @ x / l"}, 23, 17),
        ({"let": "x / l", "next": "H"}, 22, 12),
        ({"std": "1/l"}, 20, 27),
        ({"next": "c * x"}, 23, 9),
        ({"next": "a * x", "under": "fading"}, 13, 18),
        ({"next": "a * H", "under": "held"}, 15, 16),
        ({"next": "x / l", "more": ", where: {L: 3}"}, 23, 13),
    ],
)
def test_an_index_over_the_depth_is_no_number_of_the_layer(
    parts: dict[str, str], line: int, column: int
) -> None:
    broken = load(**parts)
    assert isinstance(broken, Broken)
    (problem,) = broken.problems
    assert (problem.code, problem.position.line, problem.position.column) == ("layers", line, column)
    assert problem.hint is not None
    assert "declare l as a dimension and assume l <= L" in problem.hint


@pytest.mark.parametrize(
    "parts",
    [
        {"next": "x[i] * x"},
        {"next": "x / m"},
        {"next": "a * x", "under": "fixed"},
        {"next": "x", "under": "fading"},
        {"next": "x * sum(a, l, 1, n)"},
        {"says": "E(norm(D(after(x, L), W[l]))**2) >= c"},
        {"says": "E(norm(after(x, l))**2) == n**l * norm(x)**2"},
    ],
)
def test_what_has_one_meaning_stays(parts: dict[str, str]) -> None:
    assert not isinstance(load(**parts), Broken)
