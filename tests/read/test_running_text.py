r"""Displays of the running text by which it claims are claims; all others are named and left alone."""

from pathlib import Path

import pytest

from verifier.read.draft import Draft, draft_paper

HEAD = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}\newtheorem{assumption}{Assumption}
\begin{document}
Let $X \in \mathbb{R}^{n \times d}$ and let $W \in \mathbb{R}^{d \times d}$ have i.i.d. $\mathcal{N}(0,
s^2)$ entries.
"""
SHOWN = r"\begin{equation}\label{shown} \mathbb{E}\|XW\|_F^2 = d s^2 \|X\|_F^2 \end{equation}"
READ = "E(norm(X @ W)**2) == d * s**2 * norm(X)**2"


def drafted(tmp_path: Path, text: str) -> Draft:
    path = tmp_path / "paper.tex"
    path.write_text(f"{HEAD}{text}\n\\end{{document}}\n", encoding="utf-8")
    return draft_paper(path)


def claims(draft: Draft) -> list[str]:
    return [claim.text for claim in draft.loaded().claims]


@pytest.mark.parametrize(
    "text",
    [
        f"We have {SHOWN}",
        f"A direct computation shows that {SHOWN}",
        f"By linearity of the expectation, we obtain {SHOWN}",
        f"It follows that {SHOWN} so the signal is preserved.",
        f"Then {SHOWN} which means that nothing vanishes.",
        f"Note that for all $t > 0$ we have {SHOWN}",
    ],
)
def test_a_display_that_the_text_claims_is_a_claim(tmp_path: Path, text: str) -> None:
    draft = drafted(tmp_path, text)
    assert claims(draft) == [READ]
    assert "label: 'shown'" in draft.text


@pytest.mark.parametrize(
    "text",
    [
        SHOWN,  # nobody says that it is so
        f"In the linear case, we have {SHOWN}",
        f"For wide networks, we have {SHOWN}",
        f"We would like to show that {SHOWN}",
        f"It is false that {SHOWN}",
        f"A natural conjecture is that {SHOWN}",
        f"Assume for the moment that we have {SHOWN}",
        f"It remains to show that {SHOWN}",
        f"To leading order, we have {SHOWN}",
        f"By neglecting small terms, we have {SHOWN}",
        f"By our normalization of $X$, we have {SHOWN}",
        f"By assumption, we have {SHOWN}",
        f"By boundedness of the features, we have {SHOWN}",
        f"By symmetry of $W$, we have {SHOWN}",
        f"By optimality, we have {SHOWN}",
        f"From a Taylor expansion, we have {SHOWN}",
        f"Then we have {SHOWN} on an event of measure one.",
        f"We have {SHOWN} so this holds whenever the input is normalized.",
        f"Then the following holds: either $n = 1$ or {SHOWN}",
        r"We have \begin{equation} \|Q\| \le 1 \end{equation}",  # Q is declared nowhere
    ],
)
def test_a_display_of_which_the_text_says_less_is_none(tmp_path: Path, text: str) -> None:
    draft = drafted(tmp_path, text)
    assert claims(draft) == []
    assert draft.notes


def test_what_the_text_supposes_is_no_claim(tmp_path: Path) -> None:
    assert claims(drafted(tmp_path, f"Suppose that {SHOWN}")) == []


def test_what_the_text_defines_is_no_claim_and_is_known_to_those_behind(tmp_path: Path) -> None:
    text = (
        r"The layer computes \begin{equation} Y = X W. \end{equation} Then we have "
        r"\begin{equation}\label{out} \mathbb{E}\|Y\|_F^2 = d s^2 \|X\|_F^2. \end{equation}"
    )
    draft = drafted(tmp_path, text)
    assert claims(draft) == ["E(norm(Y)**2) == d * s**2 * norm(X)**2"]
    assert "Y: 'X @ W'" in draft.text


ASSUMED = r"\begin{assumption}[Unit inputs]\label{unit} We have $\|X\|_F = 1$. \end{assumption}"


@pytest.mark.parametrize(
    ("words", "is_read"),
    [
        ("Under the unit inputs assumption", True),
        ("Under the unit-inputs assumption", True),
        ("Under the bounded inputs assumption", False),
        ("Without the unit inputs assumption", False),
    ],
)
def test_an_assumption_is_cited_by_its_name(tmp_path: Path, words: str, is_read: bool) -> None:
    lemma = rf"\begin{{lemma}} {words}, $\mathbb{{E}}\|XW\|_F^2 = d s^2$. \end{{lemma}}"
    found = drafted(tmp_path, f"{ASSUMED}\n\n{lemma}").loaded().claims
    assert [[item.text for item in claim.assumptions] for claim in found] == [["norm(X) == 1"]] * is_read


def test_displays_that_go_on_in_the_next_are_one_chain(tmp_path: Path) -> None:
    path = tmp_path / "paper.md"
    path.write_text(
        "Let $A \\in \\mathbb{R}^{n \\times n}$ and let $m = \\frac{1}{n} A^\\top \\mathbf{1}_n$ be its "
        "mean.\n\n"
        "We have\n\n<span id=\"page-1\"></span>\n$$\\operatorname{tr}(A^\\top A)$$\n\n"
        "$$= \\|A\\|_F^2$$\n\n$$\\ge 0. \\tag{2}$$\n\nThen\n\n$$n \\|m\\|^2 \\le \\|A\\|_F^2. \\tag{3}$$\n",
        encoding="utf-8",
    )  # fmt: skip
    assert claims(draft_paper(path)) == ["tr(A.T @ A)\n== norm(A)**2\n>= 0", "n * norm(m)**2 <= norm(A)**2"]
    text = path.read_text(encoding="utf-8")
    (tmp_path / "page.txt").write_text(text, encoding="utf-8")
    assert claims(draft_paper(tmp_path / "page.txt")) == claims(draft_paper(path))
