"""Statements as papers make them: what each is read as, or that it is refused; none is misread."""

import pytest

from verifier.read.draft import Draft, draft_paper

HEAD = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\newtheorem{assumption}{Assumption}
\newcommand{\R}{\mathbb{R}}
\newcommand{\E}{\mathbb{E}}
\begin{document}
\begin{assumption}\label{as:unit} The vector $z \in \R^n$ satisfies $\|z\| = 1$. \end{assumption}
Our choice of $K = X^\top X$ pays off.

"""
# Each lemma stands on a line of its own; None: it must be refused.
LEMMAS: list[tuple[str, list[str] | None]] = [
    (r"We have $\|z\|^2 = 1$.", None),
    (r"Under Assumption~\ref{as:unit}, we have $\|z\|^2 = 1$.", ["norm(z)**2 == 1"]),
    (r"Under Assumption~\ref{as:other}, we have $\|z\|^2 = 1$.", None),
    (r"Let $a, b \in \R$. Then $ab \le \frac{a^2 + b^2}{2}$.", ["a * b <= (a**2 + b**2) / 2"]),
    (r"Let $a, b \in \R$. If $a \ge b$, then $a - b \ge 0$.", ["a - b >= 0"]),
    (r"Let $a \in \R$. Then $a^2 \ge 0$ if and only if $a \ge 0$.", None),
    (r"Let $a \in \R$. There exists $b$ such that $a + b = 0$.", None),
    (r"Let $a \in \R$. Then either $a \ge 0$ or $a \le 0$.", None),
    (r"Let $a \in \R$. It is not true that $a^2 \ge a$.", None),
    (r"Let $a > 0$. Suppose for contradiction that $a \le 0$. Then $1 = 2$.", None),
    (r"Let $X \in \R^{n \times d}$. Then $\|X\| \le \|X\|_F$.", None),
    (r"Let $X \in \R^{n \times d}$. Then $\|X\|_2 \le \|X\|_F$.", ["norm(X, 2) <= norm(X)"]),
    (
        r"Let $W \in \R^{n \times n}$ have i.i.d.\ $\mathcal N(0, 1/n)$ entries. Then $\E[W^\top W] = I_n$.",
        ["E(W.T @ W) == eye(n)"],
    ),
    (
        r"Let $W \in \R^{n \times n}$ have i.i.d.\ $\mathcal N(0, 1/n)$ entries. Then $\E[W^\top W] = I$.",
        ["E(W.T @ W) == eye(n)"],
    ),
    (r"Let $W \in \R^{n \times n}$. Then $\E[W^\top W] = I_n$.", None),
    (r"Let $f : \R^d \to \R$ be convex. Then $f(x) \ge 0$.", None),
    (r"Let $a \in \R$. Then $\phi(2a) = 4 \phi(a)$.", None),
    (
        r"Let $A \in \R^{n \times n}$ be positive semidefinite. Then $\operatorname{tr}(A) \ge 0$.",
        ["tr(A) >= 0"],
    ),
    (r"Let $A$ be a positive semidefinite matrix. Then $\operatorname{tr}(A) \ge 0$.", None),
    (r"Let $g \sim \mathcal N(0, I_d)$. Then $\E \|g\|^2 = d$.", ["E(norm(g)**2) == d"]),
    (r"Let $k \ge 1$. Then $\sum_{j=1}^k j = k(k+1)/2$.", ["sum(j, j, 1, k) == k * (k + 1) / 2"]),
    (r"Let $p \in \R^n$ be a probability vector. Then $\|p\|_1 = 1$.", ["norm(p, 1) == 1"]),
    (r"As $k \to \infty$, $\frac{k^2}{k+1} = O(k)$.", ["k**2 / (k + 1) <= O(k)"]),
    (r"With probability at least $1 - \delta$, $\|z\| \le 1$.", None),
    (r"We have $\operatorname{tr}(K) \ge 0$.", None),
    (r"Let $u \in \R^k$. Then $|u_1| \le \|u\|$.", None),
    (r"Let $u \in \R^k$ and let $T > 0$. Then $u^T u \ge 0$.", None),
    (r"For $r > 1$, $\frac{1}{r} < 1$. For $r < 1$, $r^2 < 1$.", ["1 / r < 1", "r**2 < 1"]),
    (r"For $a, b > 0$ one has $0 \le \frac{a}{a + b} \le 1$.", ["a / (a + b) in [0, 1]"]),
]


@pytest.fixture(scope="module")
def draft(tmp_path_factory: pytest.TempPathFactory) -> Draft:
    path = tmp_path_factory.mktemp("papers") / "paper.tex"
    lemmas = "".join(f"\\begin{{lemma}} {text} \\end{{lemma}}\n" for text, _ in LEMMAS)
    path.write_text(f"{HEAD}{lemmas}\\end{{document}}\n", encoding="utf-8")
    return draft_paper(path)


@pytest.mark.parametrize("number", range(len(LEMMAS)), ids=[text[:60] for text, _ in LEMMAS])
def test_a_statement_is_read_right_or_not_at_all(draft: Draft, number: int) -> None:
    line = HEAD.count("\n") + 1 + number
    found = [claim.text for claim in draft.loaded().claims if claim.position.line == line]
    assert found == (LEMMAS[number][1] or [])


def test_every_refusal_has_a_reason(draft: Draft) -> None:
    assert draft.notes
    assert all(note.reason for note in draft.notes)


def test_the_law_is_the_one_that_is_said(draft: Draft) -> None:
    kinds = {
        claim.origins["W"].says
        for claim in draft.loaded().claims
        if "W" in claim.origins and "W" in claim.text
    }
    assert kinds == {"normal(n, n, std=1/sqrt(n))"}


def test_each_sentence_has_its_own_condition(draft: Draft) -> None:
    assumed = {claim.text: [item.text for item in claim.assumptions] for claim in draft.loaded().claims}
    assert assumed["1 / r < 1"] == ["r > 1"]
    assert assumed["r**2 < 1"] == ["r < 1"]
    assert assumed["a - b >= 0"] == ["a >= b"]
