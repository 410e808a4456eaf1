"""Sentences that differ by one word or sign, and are read differently: in shape, in law, or not at all."""

import pytest

from tests.read.prose.sentences import declared, is_refused, line, read

W = r"$W \in \mathbb{R}^{m \times n}$"
X = r"$x \in \mathbb{R}^n$"
SQUARE = r"$A \in \mathbb{R}^{n \times n}$"


@pytest.mark.parametrize(
    ("first", "says", "second", "other"),
    [
        # laws
        (f"Let {W} have i.i.d. Gaussian entries with mean zero and variance $v$.",
         "W: normal(m, n, std=sqrt(v))",
         f"Let {W} have i.i.d. entries with mean zero and variance $v$.", "W: iid(m, n, mean=0, var=v)"),
        (f"Let {W} have i.i.d. Gaussian entries with mean zero and variance $s^2$.", "W: normal(m, n, std=s)",
         f"Let {W} have i.i.d. Gaussian entries with mean zero and standard deviation $s^2$.",
         "W: normal(m, n, std=s**2)"),
        (f"Let {W} have i.i.d. standard normal entries.", "W: normal(m, n)",
         f"Let {W} have i.i.d. Rademacher entries.", "W: rademacher(m, n)"),
        (r"Let $t$ be uniformly distributed on $[0, 1]$.", "t: uniform(0, 1)",
         r"Let $t$ be a number in $[0, 1]$.", "t: interval(0, 1)"),
        (f"Let {X} be a random vector with mean zero.", "x: random(n, mean=0)",
         f"Let {X} be a random vector.", "x: random(n)"),
        (f"Let {X} be a random vector.", "x: random(n)", f"Let {X} be a fixed vector.", "x: vector(n)"),
        (r"Let $g \sim \mathcal{N}(0, I_n)$.", "g: normal(n)",
         r"Let $g \sim \mathcal{N}(0, 1)$.", "g: normal()"),
        (r"Let $g \sim \mathcal{N}(\mu, I_n)$.", "g: normal(n, mean=mu)",
         r"Let $g \sim \mathcal{N}(0, I_n)$.", "g: normal(n)"),
        (r"Let $x_1, \dots, x_n$ be i.i.d. $\mathcal{N}(0, 1)$.", "x: normal(n)",
         r"Let $x_1, \dots, x_n$ be i.i.d. $\mathcal{N}(0, I_d)$.", "x: normal(d, copies=n)"),
        # shapes
        (r"Let $x \in \mathbb{R}^{n}$.", "x: vector(n)",
         r"Let $x \in \mathbb{R}^{n \times n}$.", "x: matrix(n, n)"),
        (r"Let $x$ be an $n$-dimensional vector.", "x: vector(n)",
         r"Let $x$ be an $n \times m$ matrix.", "x: matrix(n, m)"),
        (f"Let {SQUARE} be symmetric.", "A: symmetric(n)",
         f"Let {SQUARE} be orthogonal.", "A: orthogonal(n)"),
        (f"Let {SQUARE} be symmetric.", "A: symmetric(n)",
         f"Let {SQUARE} be symmetric and positive semidefinite.", "A: psd(n)"),
        (r"Let $p \in \Delta^{n-1}$.", "p: simplex(n)", r"Let $p \in \mathbb{S}^{n-1}$.", "p: vector(n)"),
        # numbers
        (r"Let $k$ be a positive integer.", "k: dimension", r"Let $k$ be an integer.", "k: integer"),
        (r"Let $a$ be a positive number.", "a: positive",
         r"Let $a$ be a nonnegative number.", "a: interval(0, oo)"),
        (r"Let $a > 0$.", "a: positive", r"Let $a \ge 0$.", "a: interval(0, oo)"),
        (r"Let $n \in \mathbb{N}$.", "n: dimension", r"Let $n \in \mathbb{Z}$.", "n: integer"),
        (r"Let $t \in [0, 1]$.", "t: interval(0, 1)", r"Let $t \in [0, \infty)$.", "t: interval(0, oo)"),
        # conditions, definitions, growth, quantifiers
        (rf"Let {X} with $\|x\| = 1$.", "norm(x) == 1", rf"Let {X} with $\|x\| \le 1$.", "norm(x) <= 1"),
        (rf"Let {X} with $\|x\|_1 = 1$.", "norm(x, 1) == 1",
         rf"Let {X} with $\|x\|_2 = 1$.", "norm(x, 2) == 1"),
        (r"Let $a, b$ be numbers and $s = a + b$.", "s := a + b",
         r"Let $a, b$ be numbers and $s = a - b$.", "s := a - b"),
        (r"Assume that $s = a + b$.", "s == a + b", r"Let $s = a + b$.", "s := a + b"),
        (r"Then $f = O(n)$ as $n \to \infty$.", "n -> oo", r"Then $f = O(n)$ as $m \to \infty$.", "m -> oo"),
        (r"Assume that $y$ and $z$ are independent.", "independent: y, z",
         r"Assume that $y$ and $w$ are independent.", "independent: y, w"),
    ],
)  # fmt: skip
def test_one_word_changes_the_reading(first: str, says: str, second: str, other: str) -> None:
    assert says in read(first)
    assert other in read(second)
    assert says not in read(second)
    assert other not in read(first)


@pytest.mark.parametrize(
    ("accepted", "refused"),
    [
        (rf"Let {W} have i.i.d. entries with variance $v$.",
         rf"Let {W} have independent entries with variance $v$."),
        (rf"Let {W} have i.i.d. standard normal entries.",
         rf"Let {W} have correlated standard normal entries."),
        (rf"Let {W} have i.i.d. standard normal entries.",
         rf"Let {W} have few i.i.d. standard normal entries."),
        (rf"Let {W} have i.i.d. standard normal entries.", rf"Let {W} have i.i.d. subgaussian entries."),
        (rf"Let {W} have i.i.d. standard normal entries.", rf"Let {W} have standard normal entries."),
        (rf"The entries of {W} are i.i.d. standard normal.", rf"The entries of {W} are standard normal."),
        (rf"For all {X} with $\|x\| = 1$, we have $\|x\| \le 2$.",
         rf"For all {X} $\|x\| = 1$, we have $\|x\| \le 2$."),
        (rf"Let {W} have i.i.d. Gaussian entries with mean zero and variance $v$.",
         rf"Let {W} have i.i.d. Gaussian entries with variance $v$."),
        (rf"Let {X} be a random vector with mean zero.", rf"Let {X} be a fixed vector with mean zero."),
        (r"Let $X$ and $Y$ be independent random variables.", r"Let $X$ and $Y$ be random variables."),
        (r"Let $X$ and $Y$ be independent random variables.",
         r"Let $X$ and $Y$ be uncorrelated random variables."),
        (r"Let $x \sim \mathcal{N}(0, I_n)$.", r"Let $x \sim \mathcal{N}(0, I)$."),
        (r"Let $x \sim \mathcal{N}(0, 1)$.", r"Let $x \sim \mathcal{D}$."),
        (r"Let $x \sim \mathcal{N}(0, 1)$.", r"Let $x \approx \mathcal{N}(0, 1)$."),
        (rf"Let {X} be uniform on $[0, 1]^n$.", rf"Let {X} be uniform on $[0, 1]$."),
        (rf"Let {SQUARE} be positive semidefinite.", rf"Let {SQUARE} be positive definite."),
        (rf"Let {SQUARE} be symmetric.", rf"Let {SQUARE} be asymmetric."),
        (rf"Let {SQUARE} be symmetric.", rf"Let {W} be symmetric."),
        (rf"Let {SQUARE} be row-stochastic.", rf"Let {SQUARE} be column-stochastic."),
        (rf"Let {X} be a unit vector.", rf"Let {W} be a unit vector."),
        (r"Let $x$ be a vector in $\mathbb{R}^n$.", r"Let $x$ be a vector."),
        (r"Let $x \in \mathbb{R}^n$.", r"Let $x \in \mathbb{C}^n$."),
        (r"Let $x \in \mathbb{R}^n$.", r"Let $x \in \mathcal{X}$."),
        (r"Let $p \in \Delta^{n-1}$.", r"Let $p \in \Delta^{n}$."),
        (r"Let $x \in \mathbb{S}^{n-1}$.", r"Let $x \in \mathbb{S}^{n}$."),
        (r"Let $A \succeq 0$ be an $n \times n$ matrix.", r"Let $A \succ 0$ be an $n \times n$ matrix."),
        (r"Let $f : \mathbb{R}^d \to \mathbb{R}$ be differentiable.",
         r"Let $f : \mathbb{R}^d \to \mathbb{R}$ be convex."),
        (r"Let $f : \mathbb{R}^d \to \mathbb{R}$ be differentiable.",
         r"Let $f : \mathbb{R}^d \to \mathbb{R}$."),
        (r"Let $f : \mathbb{R}^d \to \mathbb{R}$ be differentiable.",
         r"Let $f : \mathbb{R}^d \to \mathbb{R}^m$ be differentiable."),
        (r"Assume that $n \ge d$.", r"Assume that $n \gg d$."),
        (r"Then $f = O(n)$ for large $n$.", r"Then $f \le n$ for large $n$."),
        (r"Let $a$ be a positive number.", r"Let $a$ be a negative number."),
        (rf"Let the rows of {W} be i.i.d. $\mathcal{{N}}(0, I_n)$.",
         rf"Let the rows of {W} be i.i.d. $\mathcal{{N}}(0, I_m)$."),
        (rf"Let the rows of {W} be i.i.d. $\mathcal{{N}}(0, I_n)$.",
         rf"Let the rows of {W} be i.i.d. $\mathcal{{N}}(0, \Sigma)$."),
        (r"Let $x_i \in \mathbb{R}^d$ for $i = 1, \dots, n$.",
         r"Let $x_i \in \mathbb{R}^d$ for $i = 0, \dots, n$."),
        (r"Let $x_i \in \mathbb{R}^d$ for $i = 1, \dots, n$.", r"Let $x_i \in \mathbb{R}^d$."),
        (r"Let $s = a + b$.", r"Let $s \approx a + b$."),
        (rf"Let {X} satisfying $\|x\| \le c$.",
         rf"Let {X} satisfying $\|A x\| \le c$ for all $A \in \mathbb{{R}}^{{m \times n}}$."),
        (r"Here $\|\cdot\|$ denotes the Frobenius norm.", r"Here $\|\cdot\|$ denotes the nuclear norm."),
        (r"Then $n > 1$ if $n \ge 2$.", r"Then $n > 1$ only if $n \ge 2$."),
        (r"Let $a$ be a real number.", r"Let $a$ be a complex number."),
    ],
)  # fmt: skip
def test_one_word_makes_it_refused(accepted: str, refused: str) -> None:
    assert declared(accepted)
    assert not is_refused(accepted)
    assert is_refused(refused)


def test_a_list_has_what_is_said_of_it_each() -> None:
    both = read(r"Let $A \in \mathbb{R}^{n \times n}$ and $B \in \mathbb{R}^{n \times n}$ be symmetric.")
    assert {"A: symmetric(n)", "B: symmetric(n)"} <= set(both)
    last = read(r"Let $0 \le t \le 1$ and $k$ be an integer.")
    assert {"t: interval(0, 1)", "k: integer"} <= set(last)


def test_entries_of_a_list_of_unlike_things_are_refused() -> None:
    """`Let x in R^n and W in R^(m x n) have such entries` may be said of W alone."""
    assert is_refused(rf"Let {X} and {W} have i.i.d. standard normal entries.")


@pytest.mark.parametrize("kind", ["theorem", "lemma", "text"])
def test_what_a_theorem_says_of_a_matrix_may_be_its_claim(kind: str) -> None:
    assert is_refused(r"$A$ is symmetric.", kind)
    assert declared(r"Let $A \in \mathbb{R}^{n \times n}$ be symmetric.", kind)


def test_what_an_assumption_says_is_assumed() -> None:
    assert read(r"$n \ge d$.", "assumption") == ["n >= d"]
    assert read(r"$n \ge d$.", "theorem") == []
    assert is_refused(r"$\|x_i\| \le 1$ for all $i \in \{1, \dots, n\}$.", "assumption")


def test_words_around_a_claim_must_be_known_in_a_theorem() -> None:
    text = r"Then typical draws satisfy $\|x\| \le 1$."
    assert is_refused(text, "theorem")
    assert read(text, "text") == []
    assert read(r"Then we have $\|x\| \le 1$.", "theorem") == []


def test_sizes_and_scales_that_follow_say_so() -> None:
    found = declared(rf"Let {W} have i.i.d. $\mathcal{{N}}(0, \sigma_w^2 / n)$ entries.")
    notes = {line(item): item.note for item in found}
    assert notes == {
        "W: normal(m, n, std=sigma_w/sqrt(n))": "",
        "m: dimension": "a size of W",
        "n: dimension": "a size of W",
        "sigma_w: positive": "its square is in the variance of W",
    }
    assert {item.latex for item in found} == {"W", "m", "n", r"\sigma_w"}


def test_what_a_sentence_binds_is_its_own() -> None:
    found = declared(r"Then $\|x\| \ge 0$ for all $x \in \mathbb{R}^n$. Let $y \in \mathbb{R}^n$.")
    assert {item.name: item.scope for item in found if item.what == "symbol"} == {
        "x": "sentence", "y": "passage", "n": "passage",
    }  # fmt: skip


def test_a_later_sentence_says_the_law() -> None:
    text = r"Let $W \in \mathbb{R}^{m \times n}$. The entries of $W$ are i.i.d. standard normal."
    assert read(text) == ["W: normal(m, n)", "m: dimension", "n: dimension"]
    twice = rf"{text} The entries of $W$ are i.i.d. Rademacher."
    assert not [item for item in read(twice) if item.startswith("W:")]
