r"""\mathbf{1} without its size has as many ones as its place needs; a bold 1 before an event is no vector."""

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
