r"""\mathbf{1} without its size has as many ones as its place needs, and I is the identity that it needs.
A bold 1 before an event is no vector, and I of numbers is a letter.
"""

from pathlib import Path

import pytest

from tests.read.test_quantifiers import claims, drafted

HEAD = r"""\documentclass{article}
\usepackage{bm}
\newtheorem{lemma}{Lemma}
\begin{document}
Throughout, $A \in \mathbb{R}^{m \times n}$ is arbitrary, and $z \in \mathbb{R}^n$ is arbitrary.
"""


@pytest.mark.parametrize(
    ("lemma", "says"),
    [
        (r"We have $(\mathbf{1}^\top z)^2 \le n \|z\|^2$.", "(ones(n).T @ z)**2 <= n * norm(z)**2"),
        (r"We have $(\bm{1}^\top z)^2 \le n \|z\|^2$.", "(ones(n).T @ z)**2 <= n * norm(z)**2"),
        (r"We have $(\bm 1^\top z)^2 \le n \|z\|^2$.", "(ones(n).T @ z)**2 <= n * norm(z)**2"),
        (r"We have $(\mathbf{1}_n^\top z)^2 \le n \|z\|^2$.", "(ones(n).T @ z)**2 <= n * norm(z)**2"),
        (r"We have $\|A \mathbf{1}\| \le \sqrt{n} \|A\|_2$.", "norm(A @ ones(n)) <= sqrt(n) * norm(A, 2)"),
        (r"We have $|\mathbf{1}^\top A \mathbf{1}| \le \sqrt{mn} \|A\|_F$.",
         "abs(ones(m).T @ A @ ones(n)) <= sqrt(m * n) * norm(A)"),
        (r"We have $\frac{1}{n} \mathbf{1}^\top z \le \|z\|$.", "1 / n * ones(n).T @ z <= norm(z)"),
        (r"If $A \mathbf{1} = \mathbf{1}$, then $\mathbf{1}^\top A \mathbf{1} = m$.",
         "ones(m).T @ A @ ones(n) == m"),
    ],
)  # fmt: skip
def test_its_size_follows(tmp_path: Path, lemma: str, says: str) -> None:
    draft = drafted(tmp_path, lemma, HEAD)
    assert claims(draft) == [says], draft.text


@pytest.mark.parametrize(
    "lemma",
    [
        r"We have $\mathbf{1}[z > 0] \le 1$.",
        r"We have $\mathbf{1}\{z > 0\} \le 1$.",
        r"We have $\mathbf{1}(z) \le 1$.",
        r"We have $\mathbb{1}^\top z \le 1$.",
        r"We have $\mathbf{2}^\top z \le 1$.",
        r"We have $\mathbf{1}^\top \mathbf{1} = k$.",  # is k the size?
    ],
)
def test_other_ones_are_refused(tmp_path: Path, lemma: str) -> None:
    draft = drafted(tmp_path, lemma, HEAD)
    assert claims(draft) == [], draft.text
    assert draft.notes


@pytest.mark.parametrize(
    ("lemma", "says"),
    [
        (r"We have $\operatorname{tr}(A^\top A + I) \ge n$.", "tr(A.T @ A + eye(n)) >= n"),
        (r"We have $\operatorname{tr}(A A^\top + \mathbf{I}) \ge m$.", "tr(A @ A.T + eye(m)) >= m"),
        (r"We have $\|(I - A^\top A) z\| \ge 0$.", "norm((eye(n) - A.T @ A) @ z) >= 0"),
        (r"Let $t > 0$. Then $z^\top (A^\top A + t I) z \ge t \|z\|^2$.",
         "z.T @ (A.T @ A + t * eye(n)) @ z >= t * norm(z)**2"),
        (r"Let $I = 2$. Then $I \|z\| \ge 0$.", "I * norm(z) >= 0"),  # the paper's own
    ],
)  # fmt: skip
def test_an_identity_has_the_size_of_its_place(tmp_path: Path, lemma: str, says: str) -> None:
    draft = drafted(tmp_path, lemma, HEAD)
    assert claims(draft) == [says], draft.text


@pytest.mark.parametrize(
    "lemma",
    [
        r"Let $t > 0$. Then $t I \ge 0$.",  # a number?
        r"Let $t > 0$. Then $t + I \ge 0$.",
        r"We have $I(z) \ge 0$.",
        r"We have $\mathbb{I}[z > 0] \ge 0$.",
        r"We have $I_1^\top z \ge 0$.",
        r"We have $\|A + I\|_F \ge 0$.",  # m-by-n
    ],
)
def test_other_letters_i_are_refused(tmp_path: Path, lemma: str) -> None:
    draft = drafted(tmp_path, lemma, HEAD)
    assert claims(draft) == [], draft.text
    assert draft.notes
