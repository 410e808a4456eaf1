"""Second moments multiplied out, and nothing else."""

import pytest

from verifier.exact.numbers.constants import enclose
from verifier.exact.values.evaluate import evaluate
from verifier.expr.nodes import Expectation, Relation
from verifier.expr.walk import walk
from verifier.prove.rules.mean_rules import in_closed_form
from verifier.read.specs.load import load_text

SYMBOLS = """
  n: dimension
  m: dimension
  s: positive
  A: matrix(n, m)
  W: normal(m, n, std=s)
  V: normal(n, n, std=1)
"""


POINT = {"n": 2, "m": 3, "s": 3, "A": [[1, 0, 2], [0, 1, 0]]}


def closed(says: str) -> Relation:
    text = f"schema: 1\ntheorem: t/one\nsymbols:{SYMBOLS}claims: {{c: {{says: '{says}'}}}}\n"
    (claim,) = load_text(text, "t").claims
    fact = in_closed_form(claim, claim.steps[0].fact)
    assert isinstance(fact, Relation)
    return fact


def is_random(fact: Relation) -> bool:
    return any(isinstance(node, Expectation) for node in walk(fact))


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        ("E(norm(A @ W)**2)", 9 * 2 * 6),  # s**2 n norm(A)**2
        ("E(norm(A @ W @ V)**2)", 9 * 2 * 2 * 6),
        ("E(3*norm(A @ W)**2)", 3 * 9 * 2 * 6),
        ("sqrt(E(norm(W)**2))", (9 * 6) ** 0.5),
    ],
)
def test_known(left: str, expected: float) -> None:
    fact = closed(f"{left} <= 1")
    assert not is_random(fact)
    ((value,),) = evaluate(fact.left, POINT)
    assert float(enclose(value).mid()) == pytest.approx(expected)


@pytest.mark.parametrize("left", ["E(norm(A @ W))", "E(norm(W @ A @ W)**2)", "E(norm(A + A @ W @ A)**2)"])
def test_left_as_it_is(left: str) -> None:
    assert is_random(closed(f"{left} <= 1"))
