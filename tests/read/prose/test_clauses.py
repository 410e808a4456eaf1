"""Clauses of one sentence: each is read by itself, and one that is not understood takes its own letters
along, unless it may speak of the others."""

import pytest

from tests.read.prose.sentences import is_refused, passage, read
from verifier.read.prose import Refused, declarations
from verifier.read.prose.sentences import sentences
from verifier.read.prose.split import clauses_of

A = r"$A \in \mathbb{R}^{m \times n}$"
X = r"$x \in \mathbb{R}^n$"
SIZES = ["m: dimension", "n: dimension"]
UNIT = ["norm(x) == 1", "x: vector(n)"]


def doubted(text: str) -> list[str]:
    """The formulas that are refused."""
    made = declarations(passage(text))
    return [formula.latex for item in made if isinstance(item, Refused) for formula in item.formulas]


def told(text: str) -> list[str]:
    return [line for line in read(text) if not line.startswith("refused")]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (rf"Throughout, {A} is arbitrary, {X} is a unit vector, and $g \sim \mathcal{{N}}(0, I_n)$.",
         ["A: matrix(m, n)", "g: normal(n)", *SIZES, *UNIT]),
        (rf"Throughout, $A, B \in \mathbb{{R}}^{{m \times n}}$ are arbitrary, and {X} is a unit vector.",
         ["A: matrix(m, n)", "B: matrix(m, n)", *SIZES, *UNIT]),
        (rf"In what follows, {A} is fixed and {X} is a unit vector.", ["A: matrix(m, n)", *SIZES, *UNIT]),
    ],
)  # fmt: skip
def test_every_clause_is_read(text: str, lines: list[str]) -> None:
    assert read(text) == sorted(lines)


@pytest.mark.parametrize(
    ("text", "lines", "doubt"),
    [
        (rf"Throughout, {A} is sparse, {X} is a unit vector, and $g \sim \mathcal{{N}}(0, I_n)$.",
         ["g: normal(n)", "n: dimension", *UNIT], [r"A \in \mathbb{R}^{m \times n}"]),
        (rf"Let {X} be a unit vector and {A} be sparse.", ["n: dimension", *UNIT],
         [r"A \in \mathbb{R}^{m \times n}"]),
        (r"Let $y \in \mathbb{R}^n$ be a unit vector, $a$, $b$ be ugly, and $c$ be a number.",
         ["c: real", "n: dimension", "norm(y) == 1", "y: vector(n)"], ["a", "b"]),
    ],
)  # fmt: skip
def test_an_unknown_clause_takes_its_own_letters(text: str, lines: list[str], doubt: list[str]) -> None:
    assert told(text) == sorted(lines)
    assert doubted(text) == doubt


@pytest.mark.parametrize(
    "text",
    [
        rf"Throughout, {X} is a unit vector, and {A} is not necessarily square.",  # a hedge
        rf"Throughout, {X} is a unit vector, and {A} is sparse, both of them being large.",
        rf"Let {X} be a unit vector and $y \in \mathbb{{R}}^n$ be aligned with it.",
        rf"Let {X} be a unit vector and $y \in \mathbb{{R}}^n$ be sparse if $n$ is large.",
        rf"Let {X} and $y \in \mathbb{{R}}^n$ be sparse vectors.",  # one verb for both
        rf"Let {X}, $y \in \mathbb{{R}}^n$, and $z \in \mathbb{{R}}^n$ be sparse.",
        rf"Let {X} be a unit vector and $y$ be sparse, respectively.",
    ],
)
def test_a_clause_that_may_reach_the_others_leaves_all_unread(text: str) -> None:
    assert is_refused(text)


def test_a_theorem_is_read_whole_or_not_at_all() -> None:
    assert is_refused(rf"Let {X} be a unit vector and {A} be sparse.", "theorem")


def test_a_bare_statement_may_still_be_a_claim() -> None:
    assert is_refused(r"Here $A \in \mathbb{R}^{n \times n}$ is symmetric.", "theorem")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (r"Let $x$ be a number, $y$ be a number.", 2),
        (r"Let $x$ and $y$ be numbers.", 1),
        (r"Let $x$ be a number and $y$ and $z$ be integers.", 2),
        (r"Let $x \in \mathbb{R}$ and $y \in \mathbb{R}$.", 1),
        (r"Let $x$ be a number and consider $y$.", 1),
        (r"$x$ is a number and $y$ is a number.", 0),
    ],
)
def test_where_a_clause_begins(text: str, count: int) -> None:
    (sentence,) = sentences(passage(text))
    assert len(clauses_of(sentence)) == count
