"""Assumptions: which are in force, of what sort they are, and what a claim is without one."""

import pytest

from tests.read.specs.heads import HEAD
from tests.read.specs.marks import accepted, one_problem
from verifier.read.specs.loaded import Ready
from verifier.read.specs.make_claim import build

ASSUMED = """
    assumptions:
      value: B == zeros(n, m)
      substitution: x == 2
      small: norm(v) <= 1
      apart: independent(x, n)
      entries: all(abs(v[i]) <= 1, i, 1, n)
      range: x in [0, 2]
      not-zero: x != 0
    let: {B: 2 * A}
    claims:
      all: {says: x == 2}
      two: {says: x == 2, under: [small, value]}
      none: {says: x == 2, under: []}
"""


def test_assumptions_in_force() -> None:
    every, two, none = accepted(HEAD + ASSUMED).claims
    assert [a.name for a in every.assumptions] == [
        "value", "substitution", "small", "apart", "entries", "range", "not-zero",
    ]  # fmt: skip
    assert [a.name for a in two.assumptions] == ["small", "value"]
    assert none.assumptions == ()


def test_what_sort_of_assumption_it_is() -> None:
    every = accepted(HEAD + ASSUMED).claims[0]
    sorts = {
        a.name: [
            sort
            for sort in ("assumed_value", "substitution", "independence", "constraint")
            if getattr(a, sort) is not None
        ]
        for a in every.assumptions
    }
    assert sorts == {
        "value": ["assumed_value"],
        "substitution": ["substitution"],
        "small": ["constraint"],
        "apart": ["independence"],
        "entries": ["constraint"],
        "range": ["constraint"],
        "not-zero": ["constraint"],
    }


@pytest.mark.parametrize(
    ("assumptions", "under", "code", "words"),
    [
        ("{bounded: x <= 1}", "[¤bonded]", "unknown-assumption", "'bounded'"),
        ("{bounded: x <= ¤y}", "[bounded]", "unknown-name", "'y'"),
        ("{bounded: ¤x + 1}", "[bounded]", "not-a-relation", "=="),
        ("{bounded: ¤x <= O(n)}", "[bounded]", "growth", "claims"),
        ("{bounded: '¤independent(x)'}", "[bounded]", "arity", "usage"),
        ("{bounded: 'all(x <= ¤j, i, 1, n)'}", "[bounded]", "unknown-name", "'j'"),
    ],
)
def test_slips_in_assumptions(assumptions: str, under: str, code: str, words: str) -> None:
    text = f"    assumptions: {assumptions}\n    claims: {{c: {{says: x == x, under: {under}}}}}\n"
    problem = one_problem(HEAD + text)
    assert problem.code == code
    assert words in f"{problem.message} {problem.hint}"


def test_a_draft_without_one_assumption() -> None:
    (entry, *_) = accepted(HEAD + ASSUMED).entries
    assert isinstance(entry, Ready)
    relaxed = build(entry.draft.without("small"))
    assert "small" not in [a.name for a in relaxed.assumptions]
    assert len(relaxed.assumptions) == len(entry.claim.assumptions) - 1
