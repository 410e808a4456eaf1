"""Sentences that say a thing twice, or elide what they said: read where nothing is lost, refused where
something may be."""

import pytest

from tests.read.prose.sentences import is_refused, passage, read
from verifier.read.prose import Declared, declarations_of

R = r"\mathbb{R}"
U = rf"$U \in {R}^{{d \times k}}$"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"Let {U} have orthonormal columns, i.e. $U^\\top U = I_k$.", "U.T @ U == eye(k)"),
        (r"Suppose that the step is small, i.e., $\eta \le 1$.", r"eta <= 1"),
        (r"Assume that training is stable, i.e. $a \le b$ and $b \le 1$.", "a <= b"),
        (r"Let $g \sim \mathcal{N}(0, 1)$ be a standard normal random variable.", "g: normal()"),
        (r"Let $g \sim \mathcal{N}(0, I_n)$ be a standard Gaussian vector.", "g: normal(n)"),
        (r"For any constant $c > 0$, we have $c + 1 > 1$.", "c: positive"),
        (rf"Let $x \in {R}^n$ be a unit vector, $k$ an integer and $t > 0$ the step size.", "k: integer"),
        (rf"For $x \in {R}$, define the score $s(x) = x^2$.", "s := x^2"),
        (r"Let $b \in \{0, 1\}^n$ have independent Bernoulli($p$) entries.", "b: bernoulli(n, p)"),
        (rf"Let $x \in {R}^n$ have positive entries.", "all(x[i] > 0, i, 1, n)"),
        (r"Suppose $x_1, \dots, x_n$ are i.i.d. samples from $\mathcal{N}(0, 1)$.", "x: normal(n)"),
    ],
)
def test_what_is_said_twice_is_said(text: str, says: str) -> None:
    assert says in read(text)


@pytest.mark.parametrize(
    "text",
    [
        # the words say more than the formula behind them
        r"Let $W$ be a random matrix with i.i.d. entries, i.e. $W_{ij} \sim \mathcal{N}(0, 1)$.",
        r"Suppose that the data is not centred, i.e. $\mu \ne 0$.",
        r"Suppose that $x$ is small, i.e. $x \le 1$.",
        r"Suppose that the step is small, i.e. approximately $\eta \le 1$.",
        # two laws that are not one
        r"Let $g \sim \mathcal{N}(0, 2)$ be a standard normal random variable.",
        r"Let $g \sim \mathcal{N}(0, 1)$ be a Rademacher random variable.",
        # one constant that there is
        r"Then $f \le c n$, where $c$ is a constant.",
        r"There is a constant $c$ such that $a \le c$ for any constant $a$.",
        # a definition for some values
        r"For $x > 0$, define the score $s(x) = x^2$.",
        rf"For $y \in {R}$, define the score $s(x) = x^2$.",
        rf"Let $A \in {R}^{{m \times n}}$ have positive entries.",
        r"Let $b \in \{0, 2\}^n$ have independent Bernoulli($p$) entries.",
        r"Let $x_1, \dots, x_n$ be samples from $\mathcal{N}(0, 1)$ or its limit.",
        # notation with another meaning
        r"We write $\|A\|_F$ for the spectral norm of $A$.",
        r"We write $I_n$ for the vector of ones.",
        r"Let $\mathbf{1}_n$ denote the identity matrix.",
    ],
)
def test_what_may_say_more_is_refused(text: str) -> None:
    assert is_refused(text)


@pytest.mark.parametrize(
    "text",
    [
        r"We write $[n] = \{1, \dots, n\}$.",
        r"For a matrix $A$, we write $\|A\|_F$ for its Frobenius norm and $\|A\|_2$ for its spectral norm.",
        r"We use $\mathbf{1}_n$ to denote the all-ones vector in $\mathbb{R}^n$.",
        r"Let $I_n$ denote the identity matrix of size $n$.",
        r"We denote the transpose of $A$ by $A^\top$.",
    ],
)
def test_notation_that_is_read_so_anyway_declares_nothing(text: str) -> None:
    assert read(text) == []


def test_sizes_of_a_theorem_are_its_own() -> None:
    """X is a matrix in one theorem and a number in the next; its proof knows its theorem."""
    said = [
        passage(rf"Let $X \in {R}^{{n \times p}}$ be fixed.", "lemma"),
        passage(r"Let the entries of $X$ be i.i.d. $\mathcal{N}(0, 1)$.", "proof"),
        passage(r"Let $X$ be a standard normal random variable.", "lemma"),
    ]
    found = [[item.says for item in made if isinstance(item, Declared) and item.name == "X"]
             for made in declarations_of(said)]  # fmt: skip
    assert found == [["matrix(n, p)"], ["normal(n, p)"], ["normal()"]]
