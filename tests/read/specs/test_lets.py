"""`let` names: in order, of the right shape, and of bounded size once they are written out."""

import pytest

from tests.read.specs.heads import HEAD, claim
from tests.read.specs.marks import one_problem
from verifier.expr import nodes as N
from verifier.expr.sizes import MAX_TREE_DEPTH
from verifier.expr.text import to_text
from verifier.read.specs.theorem_scope import MAX_EXPANDED


@pytest.mark.parametrize(
    ("lets", "code"),
    [
        ("{f: ¤g, g: x}", "unknown-name"),
        ("{f: ¤f + 1}", "unknown-name"),
        ("{x: ¤1}", "name-taken"),
        ("{f: ¤A @ A}", "shape"),
    ],
)
def test_slips_in_lets(lets: str, code: str) -> None:
    assert one_problem(f"{HEAD}    let: {lets}\n    claims: {{c: {{says: x == x}}}}\n").code == code


def test_lets_that_double_are_refused() -> None:
    lines = ["f0: x + x"] + [f"f{at}: f{at - 1} + f{at - 1}" for at in range(1, 40)]
    # Each is a sum of two names for the one before; the first beyond the bound is told.
    size, at = 3, 0
    while size <= MAX_EXPANDED:
        size, at = 1 + 2 * (1 + size), at + 1
    lines[at] = lines[at].replace(": ", ": ¤")
    body = "\n".join(f"      {line}" for line in lines)
    problem = one_problem(f"{HEAD}    let:\n{body}\n    claims: {{c: {{says: f39 == x}}}}\n")
    assert problem.code == "too-large"


def test_lets_that_nest_are_refused() -> None:
    lines = ["f0: x"] + [f"f{at}: f{at - 1} + 1" for at in range(1, MAX_TREE_DEPTH)]
    lines[MAX_TREE_DEPTH // 2] = lines[MAX_TREE_DEPTH // 2].replace(": ", ": ¤")
    body = "\n".join(f"      {line}" for line in lines)
    problem = one_problem(f"{HEAD}    let:\n{body}\n    claims: {{c: {{says: x == x}}}}\n")
    assert problem.code == "too-deep"


def test_the_deepest_tree_that_is_accepted_can_be_worked_with() -> None:
    terms = " + ".join(["x"] * (MAX_TREE_DEPTH - 20))
    fact = claim(f"    claims:\n      c: {{says: {terms} == x}}\n").steps[0].fact
    assert isinstance(fact, N.Relation)
    assert to_text(fact.left).count("x") == MAX_TREE_DEPTH - 20
    assert hash(fact) == hash(fact)
