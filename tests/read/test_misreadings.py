r"""Statements beside others that they could be taken for: each is read as itself, or not at all."""

from pathlib import Path

import pytest

from verifier.read.draft import draft_paper

V = r"$x \in \mathbb{R}^n$"
M = r"$A \in \mathbb{R}^{n \times n}$"
X = r"Let $X \in \mathbb{R}^{n \times d}$."
D = r"\begin{definition}\label{d} Let $S \in \mathbb{R}^{n \times n}$ be symmetric. \end{definition}"


def read(tmp_path: Path, lemma: str, text: str = "") -> list[tuple[str, tuple[str, ...]]]:
    """The claims of a lemma, each with what is assumed."""
    path = tmp_path / "paper.tex"
    path.write_text(
        "\\documentclass{article}\n\\newtheorem{lemma}{Lemma}\\newtheorem{definition}{Definition}\n"
        f"\\begin{{document}}\n{text}\n\n\\begin{{lemma}} {lemma} \\end{{lemma}}\n\\end{{document}}\n",
        encoding="utf-8",
    )
    return [
        (claim.text, tuple(item.text for item in claim.assumptions))
        for claim in draft_paper(path).loaded().claims
    ]


@pytest.mark.parametrize(
    ("lemma", "text", "says", "assumed"),
    [
        # both indices of \sum_{i \ne j} run, where neither stands elsewhere
        (rf"Let {M}. Then $\sum_{{i \ne j}} A_{{ij}}^2 \le \|A\|_F^2$.", "",
         "sum(A[i, j]**2, i, 1, n, j, 1, n, i != j) <= norm(A)**2", ()),
        # the power of a sum behind E is inside
        (r"Let $z \sim \mathcal{N}(m, 1)$. Then $\mathbb{E}(z - m)^2 = 1$.", "", "E((z - m)**2) == 1", ()),
        # a number that there is in a hypothesis is any number
        (rf"Let {V} with $\|x\| \le r$ for some $r > 0$. Then $\|x\|^2 \le r^2$.", "",
         "norm(x)**2 <= r**2", ("norm(x) <= r",)),
        # entry by entry, if that is said
        (rf"Let {V}. Then $\|f(x)\| \le \|x\|^2$.", "Let $f(t) = t^2$ be applied entrywise.",
         "norm(x**2) <= norm(x)**2", ()),
        # conditions at every index
        (r"Let $x_1, \dots, x_n \in \mathbb{R}^d$ satisfy $\|x_i\| \le R$ for $i = 1, \dots, n$. Then "
         r"$\sum_{i=1}^n \|x_i\|^2 \le n R^2$.", "",
         "sum(norm(x[i])**2, i, 1, n) <= n * R**2", ("all(norm(x[i]) <= R, i, 1, n)",)),
        (rf"Let {V} with $x_i \ge 0$ for all $i \in [n]$. Then $\sum_{{i=1}}^n x_i \ge 0$.", "",
         "sum(x[i], i, 1, n) >= 0", ("all(x[i] >= 0, i, 1, n)",)),
        # rows
        (r"We have $\sum_{i=1}^n \|v_i\|^2 = \|X\|_F^2$, where $v_i$ is the $i$-th row of $X$.", X,
         "sum(norm(X[i].T)**2, i, 1, n) == norm(X)**2", ()),
        (r"We have $\sum_{i=1}^n v_i v_i^\top = X^\top X$, where $v_i^\top$ is the $i$-th row of $X$.", X,
         "sum(X[i].T @ X[i].T.T, i, 1, n) == X.T @ X", ()),
        # what is as elsewhere
        (r"Let $S$ be as in Definition~\ref{d}. Then $S = S^\top$.", D, "S == S.T", ()),
        # names that formulas explain
        (rf"Let {V} and let $s = \|x\|$ be the length of the signal. Then $s \ge 0$.", "", "s >= 0", ()),
        (r"Let $A \in \mathbb{R}^{n \times d}$ be nonzero. Then $\|A\|_F > 0$.", "", "norm(A) > 0",
         ("norm(A) > 0",)),
        # respectively
        (r"Let $U, V \in \mathbb{R}^{n \times n}$ have i.i.d. $\mathcal{N}(0, a^2)$ and $\mathcal{N}(0, "
        r"b^2)$ "
         r"entries, respectively. Then $\mathbb{E}\|V\|_F^2 = n^2 b^2$.", "", "E(norm(V)**2) == n**2 * b**2",
         ()),
        (r"Let $m = \frac{1}{n} X^\top \mathbf{1}_n$ be the mean. Then $\|m\| \ge 0$.", X, "norm(m) >= 0",
        ()),
    ],
)  # fmt: skip
def test_it_is_read_as_itself(
    tmp_path: Path, lemma: str, text: str, says: str, assumed: tuple[str, ...]
) -> None:
    assert read(tmp_path, lemma, text) == [(says, assumed)]


@pytest.mark.parametrize(
    ("lemma", "text"),
    [
        (rf"Let {M}. Then $\sum_{{i \ne j}} A_{{ij}} \le A_{{jj}}$.", ""),
        (rf"Let {M} and $j \in [n]$. Then $\sum_{{i \ne j}} A_{{ij}}^2 \le \|A\|_F^2$.", ""),
        (rf"Let {M}. Then $\sum_{{i \ne j}} A_{{ij}}^2 \le \|A\|_F^2$ for all $j$.", ""),
        (r"Let $z \sim \mathcal{N}(m, 1)$. Then $\mathbb{E}(2 z)^2 \ge 0$.", ""),
        (r"Let $z \sim \mathcal{N}(m, 1)$. Then $\mathbb{E}[z - m]^2 = 0$.", ""),
        # existence
        (r"For every $x \ge 0$ there is $y \ge 0$ with $y^2 = x$.", ""),
        (r"For every $x \ge 0$ we find $y \ge 0$ with $y^2 = x$.", ""),
        (rf"Let {V}. Then $\|x\| \le r$ for some $r > 0$.", ""),
        (rf"Let {V}, then we have $\|x\| \le r$ for some $r > 0$.", ""),
        # functions of matrices
        (rf"Let {M} be symmetric. Then $\|\exp(A)\|_F \le \exp(\|A\|_F)$.", ""),
        (rf"Let {M} be positive semidefinite. Then $\|\sqrt{{A}}\|_F^2 = \operatorname{{tr}}(A)$.", ""),
        # entries in hypotheses and definitions
        (rf"Let {V} with $x_1 \ge 1$. Then $\|x\| \ge 1$.", ""),
        (rf"Let {V}. If $x_1 \ge 1$, then $\|x\| \ge 1$.", ""),
        (rf"Let {V} and $s = x_1$. Then $s \le \|x\|$.", ""),
        (rf"Let {M} with $A_{{11}} \ge 1$. Then $\|A\|_F \ge 1$.", ""),
        # conditions at some index, at no index that is said, or on nothing that has one
        (rf"Let {V} with $x_i \ge 1$ for some $i \in [n]$. Then $\|x\| \ge 1$.", ""),
        (rf"Let {V} with $x_i \ge 1$. Then $\|x\| \ge 1$.", ""),
        (rf"Let {V} with $\|x\| \le 1$ for $i = 1, \dots, n$. Then $\|x\| \le 1$.", ""),
        (rf"Let {M} with $A_{{ii}} = 1$ for $i = 1, \dots, n$. Then $\operatorname{{tr}}(A) = n$.", ""),
        # rows or columns
        (r"We have $\sum_{i=1}^n v_i^\top v_i = X^\top X$, where $v_i$ is the $i$-th row of $X$.", X),
        (r"We have $\sum_{j=1}^d \|v_j\|^2 = \|X\|_F^2$, where $v_j$ is the $j$-th column of $X$.", X),
        # what is as elsewhere, and is not there
        (r"Let $R$ be as in Definition~\ref{d}. Then $R = R^\top$.", D),
        # where things come from
        (rf"Let {V} be the solution of the system. Then $\|x\| \le 1$.", ""),
        (rf"Let {V} be the final iterate of the algorithm. Then $\|x\| \le 1$.", ""),
        (rf"Let {V} be the gradient of the loss. Then $\|x\| \le 1$.", ""),
        (r"Let $A = B B^\top$ be a nilpotent matrix with $B \in \mathbb{R}^{n \times n}$. Then $A = 0$.", ""),
        (r"Let $s = \|x\|$ be the norm of the unit vector $x \in \mathbb{R}^n$. Then $s = 1$.", ""),
        (r"By neglecting higher order terms, $e^t = 1 + t$ for $t \in \mathbb{R}$.", ""),
        # assumed or claimed
        (rf"Let {M}. The matrix $A$ satisfies $A^2 = A$. Then $\operatorname{{tr}}(A) \ge 0$.", ""),
        # the letter E
        (r"Let $V \in \mathbb{R}^{n \times n}$ have i.i.d. $\mathcal{N}(0, 1)$ entries. Then $E \|V\|_F^2 "
        r"= n^2$ "
         r"and $E = 1$.", ""),
        (r"Let $X \sim \mathcal{N}(0, 1)$ with high probability. Then $\mathbb{E}[X] = 0$.", ""),
    ],
)  # fmt: skip
def test_it_is_left_alone(tmp_path: Path, lemma: str, text: str) -> None:
    assert read(tmp_path, lemma, text) == []


def test_bold_and_spaced_expectations_are_expectations(tmp_path: Path) -> None:
    text = r"Let $V \in \mathbb{R}^{n \times n}$ have i.i.d. $\mathcal{N}(0, 1)$ entries."
    for sign in (r"\mathop{\mathbf{E}}", r"\mathop{{}\mathbb{E}}", r"\operatorname{\mathbb{E}}"):
        lemma = rf"We have $${sign}\|V\|_F^2 = n^2, \qquad {sign}\bigl[\operatorname{{tr}}(V)\bigr] = 0.$$"
        assert [claim for claim, _ in read(tmp_path, lemma, text)] == [
            "E(norm(V)**2) == n**2",
            "E(tr(V)) == 0",
        ]


SEQUENCES = {
    r"Let $m_0 = 0$ and $m_t = b m_{t-1} + (1 - b) g$ for $t \ge 1$, where $b, g \in \mathbb{R}$. "
    r"Then $m_t = (1 - b^t) g$ for all $t \ge 1$.": ["after(m, t) == (1 - b**t) * g"],
    r"Let $V_1, \dots, V_L \in \mathbb{R}^{d \times d}$ have i.i.d. $\mathcal{N}(0, s^2/d)$ entries. Let "
    r"$X_0 = X$ and $X_l = X_{l-1} V_l$ for $l = 1, \dots, L$. Then $\mathbb{E}\|X_L\|_F^2 = s^{2L} "
    r"\|X\|_F^2$.":
        ["E(norm(after(X, L))**2) == s**(2 * L) * norm(X)**2"],
    r"Let $g_1, \dots, g_K$ be i.i.d. $\mathcal{N}(0, 1)$. Let $a_0 = 0$ and $a_k = a_{k-1} + g_k$ for "
    r"$k = 1, \dots, K$. Then $\mathbb{E}[a_K^2] = K$.": ["E(after(a, K)**2) == K"],
    r"Let $W \in \mathbb{R}^{n \times n}$ and $x^0 \in \mathbb{R}^n$. Let $x^{l+1} = W x^l$. Then "
    r"$\|x^l\|^2 \le \|W\|_2^{2l} \|x^0\|^2$ for all $l \ge 1$.":
        ["norm(after(x, l))**2 <= norm(W, 2)**(2 * l) * norm(x)**2"],
    # powers stay powers
    r"Let $x > 0$. Then $x^{k+1} = x^k x$ for all integers $k \ge 1$.": ["x**(k + 1) == x**k * x"],
    # from another step on; with its number; with what others draw; with no law; with another start
    r"Let $m_0 = 0$ and $m_t = m_{t-1} / 2$ for $t \ge 2$. Then $m_t \ge 0$.": [],
    r"Let $m_0 = 0$ and $m_t = b^t m_{t-1}$ for $t \ge 1$, where $b \in \mathbb{R}$. Then $m_t = 0$.": [],
    r"Let $g_1, \dots, g_K$ be i.i.d. $\mathcal{N}(0, 1)$. Let $a_0 = 0$ and $a_k = a_{k-1} + g_{k-1}$ for "
    r"$k = 1, \dots, K$. Then $\mathbb{E}[a_K^2] = K$.": [],
    r"Let $g_1, \dots, g_K$ be i.i.d. $\mathcal{N}(0, 1)$. Let $a_0 = g_1$ and $a_k = a_{k-1} + g_k$ for "
    r"$k = 1, \dots, K$. Then $\mathbb{E}[a_K^2] = K + 3$.": [],
    r"Let $V_1, \dots, V_L \in \mathbb{R}^{d \times d}$. Let $X_0 = X$ and $X_l = X_{l-1} V_l$ for "
    r"$l = 1, \dots, L$. Then $\|X_L\|_F \ge 0$.": [],
    r"Let $a_1 = 1$ and $a_{k+1} = a_k / 2$. Then $a_k = 2^{-k}$ for all $k \ge 1$.": [],
    r"Let $a_0 = 1$ and $a_k = a_{k-1} / 2 + a_{k-2}$ for $k \ge 2$. Then $a_k \ge 0$.": [],
}  # fmt: skip


@pytest.mark.parametrize(("lemma", "says"), SEQUENCES.items())
def test_sequences_are_layers_where_every_step_is_the_same(
    tmp_path: Path, lemma: str, says: list[str]
) -> None:
    assert [claim for claim, _ in read(tmp_path, lemma, X)] == says


def test_what_stands_behind_a_sentence_that_was_not_understood_is_left_alone(tmp_path: Path) -> None:
    lemma = rf"Let {V}. Then $\|x\| \ge 0$. The gain obeys $g = 2$ by design. Then $g \ge 1$."
    assert read(tmp_path, lemma) == [("norm(x) >= 0", ())]
    lemma = rf"Let {V}. The gain obeys $g = 2$ by design. Then $\|x\| \ge 0$."
    assert read(tmp_path, lemma) == []
    lemma = rf"Let {V}. Then $\|x\| \ge 0$. Moreover, the gain obeys $g = 2$. Also, $\|2 x\| \ge 0$."
    assert read(tmp_path, lemma) == [("norm(x) >= 0", ()), ("norm(2 * x) >= 0", ())]
