"""Numbers made of matrices as letters: what is proved of letters is true, and nothing else is said."""

import pytest

from verifier import Settings, load_text, verify
from verifier.expr.text import to_text
from verifier.reformulate.numbers_of_matrices import with_letters

SPEC = """
theorem: letters/{name}
symbols:
  n: dimension
  p: simplex(n)
  q: simplex(n)
  x: vector(n)
  y: vector(n)
  W: normal(n, n)
  r: positive
  s: positive
let: {{a: "sum(p[t]**2, t, 1, n)", b: "sum(q[t]**2, t, 1, n)"}}
assumptions: {{more: "{more}"}}
claims: {{c: {{says: "{says}"}}}}
"""


def _claim(says: str, more: str = "a >= b", name: str = "one"):
    loaded = load_text(SPEC.format(says=says, more=more, name=name))
    assert loaded.claims, loaded
    return loaded.claims[0]


def _form(says: str, more: str = "a >= b") -> str | None:
    claim = _claim(says, more)
    found = with_letters(claim, claim.steps[0])
    return None if found is None else to_text(found.step.fact)


def test_each_number_has_one_letter():
    assert _form("r*a + norm(x)**2 >= r*b") == "r*letter_1 + letter_2**2 >= r*letter_3"


def test_numbers_without_a_negative_value_are_known_to_be_so():
    claim = _claim("a + inner(x, y) >= b")
    found = with_letters(claim, claim.steps[0])
    kinds = {name: type(found.claim.symbols[name].kind).__name__ for name in found.claim.symbols}
    assert kinds == {"letter_1": "Interval", "letter_2": "Real", "letter_3": "Interval"}


@pytest.mark.parametrize(
    ("says", "more"),
    [
        ("a == b", "a >= b"),  # an equality is for others
        ("E(norm(W))*a >= b", "a >= b"),
        ("norm(W)*a >= b", "a >= b"),
        ("a >= b", "r >= s"),  # nothing is known of what the letters stand for
        ("x >= a", "a >= b"),
    ],
)
def test_other_claims_are_left_alone(says, more):
    assert _form(says, more) is None


@pytest.mark.parametrize(
    ("says", "more", "verdicts"),
    [
        ("r*a + s*norm(x)**2 >= r*b + s*norm(x)**2", "a >= b", {"holds", "loose", "inconclusive"}),
        ("a**2*r >= b**2*r", "a >= b", {"holds", "loose", "inconclusive"}),
        ("norm(x)**2*r <= norm(y)**2*r", "norm(x) <= norm(y)", {"holds", "inconclusive"}),
        ("r*b >= r*a", "a >= b", {"fails", "inconclusive"}),
        ("norm(x)**2*r <= norm(y)*r", "norm(x) <= norm(y)", {"fails", "inconclusive"}),
        ("inner(x, y)**2*r <= norm(y)**2*r", "inner(x, y) <= norm(y)", {"fails", "inconclusive"}),
    ],
)
def test_no_verdict_is_wrong(says, more, verdicts):
    run = verify(load_text(SPEC.format(says=says, more=more, name="run")), Settings(trust="engines"))
    (found,) = run.verdicts
    assert found.verdict in verdicts, found.reason


def test_what_letters_show_is_proved():
    claim = "r*(a - b)*norm(x)**2 + s*(a**2 - b**2) >= 0"
    run = verify(load_text(SPEC.format(says=claim, more="a >= b", name="proved")), Settings(trust="engines"))
    (found,) = run.verdicts
    assert (found.verdict, found.evidence) == ("holds", "proved"), found.reason
