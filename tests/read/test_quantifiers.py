"""`for all A, B` of letters that are declared changes nothing, in the text or behind a formula; of what is
not declared, or is random, it is refused."""

from pathlib import Path

import pytest

from verifier.read.draft import Draft, draft_paper

HEAD = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\newcommand{\R}{\mathbb{R}}
\begin{document}
Throughout, $A, B \in \R^{n \times d}$ are arbitrary, $x, y \in \R^d$ are arbitrary,
and $g \sim \mathcal{N}(0, I_d)$.
"""


def drafted(tmp_path: Path, lemma: str, head: str = HEAD) -> Draft:
    path = tmp_path / "paper.tex"
    path.write_text(f"{head}\\begin{{lemma}} {lemma} \\end{{lemma}}\n\\end{{document}}\n", encoding="utf-8")
    return draft_paper(path)


def claims(draft: Draft) -> list[str]:
    return [claim.text for claim in draft.loaded().claims]


@pytest.mark.parametrize(
    ("lemma", "says"),
    [
        (r"For all $A$, \[ \|A\|_2 \le \|A\|_F . \]", "norm(A, 2) <= norm(A)"),
        (r"For all $x$ and $y$, $\|x + y\| \le \|x\| + \|y\|$.", "norm(x + y) <= norm(x) + norm(y)"),
        (r"For all $x$, $y$, we have $\|x + y\| \le \|x\| + \|y\|$.", "norm(x + y) <= norm(x) + norm(y)"),
        (r"For all $x, y$, $\|x + y\| \le \|x\| + \|y\|$.", "norm(x + y) <= norm(x) + norm(y)"),
        (r"It holds that \[ |\operatorname{tr}(A^\top B)| \le \|A\|_F \|B\|_F \quad \text{for all } A, B. \]",
         "abs(tr(A.T @ B)) <= norm(A) * norm(B)"),
        (r"It holds that \[ \|A\|_2 \le \|A\|_F, \quad \forall A. \]", "norm(A, 2) <= norm(A)"),
        (r"For every $x$, $\mathbb{E}[(g^\top x)^2] = \|x\|^2$.", "E((g.T @ x)**2) == norm(x)**2"),
    ],
)  # fmt: skip
def test_of_declared_letters_it_changes_nothing(tmp_path: Path, lemma: str, says: str) -> None:
    assert claims(drafted(tmp_path, lemma)) == [says]


@pytest.mark.parametrize(
    "lemma",
    [
        r"It holds that \[ \|A\|_2 \le \|A\|_F \quad \text{for all } A, C. \]",  # what is C?
        r"It holds that \[ \|A\|_2 \le \|A\|_F \quad \text{for some } A. \]",
        r"It holds that \[ \|A\|_2 \le \|A\|_F \quad \text{for almost all } A. \]",
        r"It holds that \[ \mathbb{E}[(g^\top x)^2] = \|x\|^2 \quad \text{for all } g. \]",
        r"For every $g$, $\mathbb{E}[(g^\top x)^2] = \|x\|^2$.",
        r"For every $x$ and $g$, $\mathbb{E}[(g^\top x)^2] = \|x\|^2$.",
        r"For some $A$, $\|A\|_2 \le \|A\|_F$.",
        r"For all large $A$, $\|A\|_2 \le \|A\|_F$.",
    ],
)
def test_otherwise_it_is_refused(tmp_path: Path, lemma: str) -> None:
    draft = drafted(tmp_path, lemma)
    assert claims(draft) == []
    assert draft.notes
