"""The usual variants of declaring sentences, read through; each line of the reading is asserted."""

from dataclasses import replace

import pytest

from tests.read.prose.sentences import is_refused, passage, read
from verifier.expr import syntax as S
from verifier.expr.declare import KINDS
from verifier.expr.declare import read as read_declaration
from verifier.read.prose import Declared, declarations, declarations_of
from verifier.read.prose.table import PRODUCTIONS

R = r"\mathbb{R}"
N = r"\mathcal{N}"

VARIANTS = {
    # laws of entries
    rf"Let $W_Q, W_K \in {R}^{{d \times d_k}}$ have i.i.d. entries with variance $\sigma_w^2$.":
        "W_K: iid(d, d_k, var=sigma_w**2); W_Q: iid(d, d_k, var=sigma_w**2); d: dimension; d_k: dimension",
    rf"Let $W \in {R}^{{m \times n}}$ with $W_{{ij}} \sim {N}(0, 1/n)$.":
        "W: normal(m, n, std=1/sqrt(n)); m: dimension; n: dimension",
    rf"Let $W \in {R}^{{m \times n}}$ with $W_{{ij}} \overset{{\text{{i.i.d.}}}}{{\sim}} {N}(0, "
    rf"\sigma_w^2/n)$.":
        "W: normal(m, n, std=sigma_w/sqrt(n)); m: dimension; n: dimension; sigma_w: positive",
    rf"Consider a matrix $W \in {R}^{{m \times n}}$ whose entries are drawn independently from "
    rf"${N}(0, 2/n)$.":
        "W: normal(m, n, std=sqrt(2)/sqrt(n)); m: dimension; n: dimension",
    rf"Let $\mathbf{{W}} \in {R}^{{m\times n}}$ be a random matrix with i.i.d. ${N}(0,\sigma^2)$ entries, "
    r"independent of $\mathbf{x}$.":
        "W: normal(m, n, std=sigma); independent: W, x; m: dimension; n: dimension; sigma: positive",
    # laws of vectors, families and numbers
    rf"Let $x \sim {N}(0, \Sigma)$ with $x \in {R}^d$.":
        "Sigma: psd(d); d: dimension; x: normal(d, cov=Sigma)",
    rf"Let $x_1, \dots, x_n \in {R}^d$ be i.i.d. ${N}(0, I_d)$.":
        "d: dimension; n: dimension; x: normal(d, copies=n)",
    rf"Let $g \sim {N}(0, \frac{{1}}{{d}} I_d)$ be independent of $x$.":
        "d: dimension; g: normal(d, std=1/sqrt(d)); independent: g, x",
    rf"Let $g \sim {N}(\mu, \sigma^2)$.": "g: normal(mean=mu, std=sigma); sigma: positive",
    r"Let $z_1, \ldots, z_n$ be independent standard Gaussian random variables.":
        "n: dimension; z: normal(n)",
    r"Let $\epsilon_1, \dots, \epsilon_n$ be independent Rademacher random variables.":
        "epsilon: rademacher(n); n: dimension",
    r"Let $b_i \sim \mathrm{Bernoulli}(p)$ for $i = 1, \dots, n$.":
        "b: bernoulli(n, p); n: dimension; p: interval(0, 1)",
    r"Let $X_1, \dots, X_n$ be i.i.d. random variables with mean $\mu$ and variance $\sigma^2$.":
        "X: iid(n, mean=mu, var=sigma**2); n: dimension",
    rf"Let $X \sim {N}(0, 1)$ and $Y \sim {N}(0, 1)$ be independent.":
        "X: normal(); Y: normal(); independent: X, Y",
    # sets
    rf"Let $x \in {R}^n \setminus \{{0\}}$.": "n: dimension; norm(x) > 0; x: vector(n)",
    r"Let $x \in [0, 1]^n$.":
        "all(x[i] <= 1, i, 1, n); all(x[i] >= 0, i, 1, n); n: dimension; x: vector(n)",
    rf"Let $x \in {R}^n_{{\ge 0}}$.": "all(x[i] >= 0, i, 1, n); n: dimension; x: vector(n)",
    r"Let $s \in \{-1, 1\}^n$.": "all(s[i]**2 == 1, i, 1, n); n: dimension; s: vector(n)",
    r"Let $n \in \mathbb{N}$ and $i \in \{1, \dots, n\}$.": "i: index(n); n: dimension",
    r"Let $U \in \mathrm{O}(n)$.": "U: orthogonal(n); n: dimension",
    r"Let $\alpha \in [0, 1)$, $\beta \in (0, 1]$ and $\gamma > 0$.":
        "alpha < 1; alpha: interval(0, 1); beta > 0; beta: interval(0, 1); gamma: positive",
    r"Let $L \ge \mu > 0$.": "mu > 0; mu: interval(0, L)",
    rf"Let $x_1, \dots, x_n \in {R}^d$ be unit vectors.":
        "all(norm(x[i]) == 1, i, 1, n); d: dimension; n: dimension; x: vector(d, copies=n)",
    # conditions, definitions, independence, growth
    rf"Let $x \in {R}^n$ with $x \neq 0$.": "n: dimension; norm(x) > 0; x: vector(n)",
    rf"Let $y = W x$ with $W \in {R}^{{m \times n}}$ and $x \in {R}^n$.":
        "W: matrix(m, n); m: dimension; n: dimension; x: vector(n); y := W @ x",
    rf"Let $x_1, \dots, x_n \in {R}^d$ and let $\bar{{x}} = \frac{{1}}{{n}} \sum_{{i=1}}^n x_i$.":
        "d: dimension; n: dimension; x: vector(d, copies=n); xbar := 1/n*sum(x[i], i, 1, n)",
    rf"Assume $d_k = d_v$ and $W \in {R}^{{d_k \times d_v}}$.":
        "W: matrix(d_k, d_v); d_k == d_v; d_k: dimension; d_v: dimension",
    r"Let $f(x) = \frac{1}{2} x$ where $x > 0$.": r"f := \frac12x; x: positive",
    r"Then $f = O(n m)$ as $n, m \to \infty$.": "m -> oo; n -> oo",
    rf"For all $x, y \in {R}^d$ and all $t \in [0, 1]$ we have $a \le b$.":
        "d: dimension; t: interval(0, 1); x: vector(d); y: vector(d)",
}  # fmt: skip


@pytest.mark.parametrize(("text", "lines"), VARIANTS.items())
def test_usual_variants(text: str, lines: str) -> None:
    assert "; ".join(read(text)) == lines


@pytest.mark.parametrize(
    "text",
    [
        r"Let $W$ be as in the lemma above, with $n \ge 2$.",
        rf"Let $W \in {R}^{{m \times n}}$ with $m \ge n$ have orthonormal columns.",
        rf"Let $V$ be an independent copy of $W \in {R}^{{m \times n}}$.",
        r"Let $X_1, X_2, \dots$ be i.i.d. standard normal.",
        r"Let $\lambda_1 \ge \dots \ge \lambda_n$ be the eigenvalues of $A$.",
        rf"Let $\mathbf{{x}} \in {R}^n$ and let $x \in {R}^n$.",
        r"Then $f \le c n$, where $c$ is a constant.",
        rf"Let $x \in {R}^n$ and $y \in {R}^n$ with $x \neq y$.",
        rf"Let $W \in {R}^{{m \times n}}$ have i.i.d. entries with $\mathbb{{E}} W_{{ij}} = 0$.",
        rf"Let $x$ and $y$ be orthogonal vectors in ${R}^n$.",
        rf"Then $\|x\| \le 1$ for all $x \in {R}^n$ and $\|A x\| \le \|B x\|$ "
        r"whenever $\|A\|_F \le 1$ and $\|B\|_F \le c$.",
        r"Then $x^a \le x$ for $x \ge 1$ and $x^a \ge x$ for $x \le 1$.",
        r"Assume that $n$ is even.",
        r"As $n \to \infty$ with $m / n \to \gamma$, we have $f = O(n)$.",
        rf"Let $A, B \in {R}^{{n \times n}}$ be symmetric with $A \preceq B$.",
    ],
)
def test_what_is_like_them_and_is_refused(text: str) -> None:
    assert is_refused(text)


def test_every_symbol_is_one_that_the_language_declares() -> None:
    """Whatever the table says of a symbol is accepted by the reader of declarations."""
    for text in [*VARIANTS, *(item.example for item in PRODUCTIONS)]:
        for item in declarations(passage(text)):
            if isinstance(item, Declared) and item.what == "symbol":
                assert read_declaration(S.parse(item.says)).kind in KINDS
            elif isinstance(item, Declared) and item.what in ("assumption", "definition") and item.says:
                assert S.parse(item.says) is not None


def test_sizes_are_carried_to_later_passages() -> None:
    first = passage(rf"Let $W \in {R}^{{m \times n}}$.")
    second = passage(r"Let the entries of $W$ be i.i.d. Rademacher.", "theorem")
    alone = declarations(second)
    assert not [item for item in alone if isinstance(item, Declared)]
    _, made = declarations_of([first, second])
    assert [item.says for item in made if isinstance(item, Declared)] == ["rademacher(m, n)"]


def test_a_family_is_not_the_letter_of_an_earlier_passage() -> None:
    first = passage(rf"Let $x \in {R}^m$.")
    second = passage(r"Let $x_1, \dots, x_n$ be i.i.d. with mean $\mu$.", "theorem")
    _, made = declarations_of([first, second])
    assert "iid(n, mean=mu)" in [item.says for item in made if isinstance(item, Declared)]


def test_what_is_of_one_sentence_names_its_formulas() -> None:
    """Two sentences on one line, each with its own condition."""
    text = passage(r"If $a \ge 0$, then $a b \ge b$. If $a < 0$, then $a b \le b$.", "theorem")
    found = {item.says: item for item in declarations(text) if isinstance(item, Declared)}
    assert {says: [part.latex for part in item.formulas] for says, item in found.items()} == {
        "a >= 0": [r"a \ge 0", r"a b \ge b"],
        "a < 0": ["a < 0", r"a b \le b"],
    }
    assert {item.scope for item in found.values()} == {"sentence"}


def test_two_passages_do_not_share_what_a_sentence_binds() -> None:
    first = passage(rf"Then $\|x\| \ge 0$ for all $x \in {R}^n$.", "lemma")
    second = passage(r"Let the entries of $x$ be i.i.d. Rademacher.", "theorem")
    _, made = declarations_of([first, second])
    assert not [item for item in made if isinstance(item, Declared)]


def test_places_are_those_of_the_paper() -> None:
    whole = passage("Nothing here.\nWe go on.\nLet $k$ be an integer.", "theorem")
    text = replace(whole, file="sub/paper.tex", line=40)
    (found,) = declarations(text)
    assert (found.file, found.line) == ("sub/paper.tex", 42)
    assert found.sentence == "Let $k$ be an integer."
