"""Functions that a paper defines by application: their values are written out, or the formula is refused."""

from pathlib import Path

import pytest

from verifier.read.draft import Draft, draft_paper

HEAD = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\newcommand{\R}{\mathbb{R}}
\begin{document}
"""


def drafted(tmp_path: Path, text: str) -> Draft:
    path = tmp_path / "paper.tex"
    path.write_text(f"{HEAD}{text}\n\\end{{document}}\n", encoding="utf-8")
    return draft_paper(path)


def lemma(tmp_path: Path, words: str, before: str = "") -> list[str]:
    draft = drafted(tmp_path, f"{before}\n\n\\begin{{lemma}} {words} \\end{{lemma}}")
    assert bool(draft.claims) != bool(draft.notes)
    return [claim.text for claim in draft.loaded().claims]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (r"Let $s(t) = \frac{1}{1 + e^{-t}}$. Then $s(-x) = 1 - s(x)$ for all $x \in \R$.",
         ["1 / (1 + exp(-(-x))) == 1 - 1 / (1 + exp(-x))"]),
        (r"Let $x \in \R$ and $h(x) = x^2$. Then $h'(x) = 2 x$ and $h''(x) = 2$.",
         ["D(x**2, x) == 2 * x", "D(D(x**2, x), x) == 2"]),
        (r"If $f(x) = \log x$, then $f'(x) = 1 / x$ for all $x > 0$.", ["D(log(x), x) == 1 / x"]),
        (r"Let $k(x, y) = \exp(-\|x - y\|^2)$. Then $k(u, v) \le 1$ for all $u, v \in \R^d$.",
         ["exp(-norm(u - v)**2) <= 1"]),
        (r"Let $a \in \R$, and let $g(t) = a t$ and $h(t) = g(t) + 1$. Then $h(2 x) = 2 a x + 1$ for all "
         r"$x \in \R$.", ["a * (2 * x) + 1 == 2 * a * x + 1"]),
        (r"Let $Z \sim \mathcal{N}(0, 1)$ and $\phi(z) = \max(z, 0)$. Then $\mathbb{E}[\phi(Z)^2] = 1/2$.",
         ["E(max(Z, 0)**2) == 1 / 2"]),
    ],
)  # fmt: skip
def test_values_are_written_out(tmp_path: Path, words: str, says: list[str]) -> None:
    assert lemma(tmp_path, words) == says


@pytest.mark.parametrize(
    "words",
    [
        r"Let $h(t) = t^2$. Then $h \ge 0$.",  # a function, and no value of it
        r"Let $h(t) = t^2$. Then $h'(2 x) = 4 x$ for all $x \in \R$.",  # for which letter?
        r"Let $h(t) = t^2$. Then $h(x, y) \ge 0$ for all $x, y \in \R$.",
        r"Let $x > 0$ and $h(x) = \sqrt{x}$. Then $h(y) \ge 0$ for all $y \in \R$.",  # not defined there
        r"Let $x \in \R^n$ and $h(t) = \sum_{i=1}^n t x_i$. Then $\sum_{i=1}^n h(x_i) \ge 0$.",
        r"Let $h(t) = t h(t - 1)$. Then $h(x) \ge 0$ for all $x \in \R$.",  # by itself
        r"Let $h(x) = x_1 + x_2$. Then $h(y) \ge 0$ for all $y \in \R^2$.",  # entries by name
        r"Let $u \in \R^d$ be a unit vector and $h(u) = \|u\|$. Then $h(2 v) = 1$ for all $v \in \R^d$.",
        r"Let $z \sim \mathcal{N}(0, 1)$ and $h(a) = \mathbb{E}[(z - a)^2]$. Then $h(z) = 1 + z^2$.",
        r"Let $y, z \sim \mathcal{N}(0, 1)$ be independent and $h(a) = \mathbb{E}[z a]$. Then $h(y) = 0$.",
        r"Let $x \in \R$, $y = 2 x$ and $h(x) = y^2$. Then $h(z) = 4 z^2$ for all $z \in \R$.",  # y is of x
        r"Let $x \in \R$, and let $h(x) = y^2$ with $y = 2 x$. Then $h(z) = 4 z^2$ for all $z \in \R$.",
        r"Let $h(t) = \psi(t)$. Then $h(x) \ge 0$ for all $x \in \R$.",  # of something unknown
        r"Then $h(x) = h(-x)$ for all $x \in \R$.",
    ],
)
def test_what_is_no_value_is_refused(tmp_path: Path, words: str) -> None:
    assert lemma(tmp_path, words) == []


def test_the_paper_wins_over_what_a_letter_usually_means(tmp_path: Path) -> None:
    before = r"Define $\phi(t) = \max(t, 0)$."
    assert lemma(tmp_path, r"Then $\phi(x) \ge x$ for all $x \in \R$.", before) == ["max(x, 0) >= x"]
    before = (
        r"Here $\phi$ and $\Phi$ denote the density and the distribution function of the standard normal law."
    )
    assert lemma(tmp_path, r"Then $\Phi(x) \le 1$ for all $x \in \R$.", before) == ["Phi(x) <= 1"]
    assert lemma(tmp_path, r"Then $\Phi(x) \le 1$ for all $x \in \R$.") == []


def test_a_definition_that_is_not_read_spoils_its_letter_alone(tmp_path: Path) -> None:
    before = r"Let $x \in \R$. Define $q(t) = \int_0^t e^{-s^2} ds$ and $r(t) = t^2$."
    assert lemma(tmp_path, r"Then $r(x) \ge 0$.", before) == ["x**2 >= 0"]
    assert lemma(tmp_path, r"Then $q(x) \ge 0$.", before) == []
    assert lemma(tmp_path, r"Then $q(x) r(x) \ge 0$.", before) == []


def test_the_draft_shows_what_is_written_out(tmp_path: Path) -> None:
    draft = drafted(
        tmp_path, r"\begin{lemma} Let $h(t) = t^2$. Then $h(x) \ge 0$ for $x \in \R$. \end{lemma}"
    )
    assert "written out, line 5: $h(t) = t^2$" in draft.text


def test_letters_of_the_definition_keep_their_shapes(tmp_path: Path) -> None:
    before = r"Let $c \in \R$. We define $q(t) = c t^2$."
    assert lemma(tmp_path, r"Let $c > 0$. Then $q(s) \ge 0$ for all $s \in \R$.", before) == ["c * s**2 >= 0"]
    assert lemma(tmp_path, r"Let $c \in \R^d$. Then $q(s) = s^2 \|c\|$ for all $s \in \R$.", before) == []
    fixed = r"Let $z \sim \mathcal{N}(0, 1)$ and $h(a) = \mathbb{E}[(z - a)^2]$."
    assert lemma(tmp_path, rf"{fixed} Then $h(b) = 1 + b^2$ for all $b \in \R$.") == [
        "E((z - b)**2) == 1 + b**2"
    ]
