r"""Theorems of a LaTeX paper have the numbers that LaTeX prints, or none."""

from pathlib import Path

from verifier.read.draft import draft_paper
from verifier.read.paper import read_paper

PAPER = r"""\documentclass{article}
\usepackage{amsmath,amsthm}
\newtheorem{theorem}{Theorem}[section]
\newtheorem{lemma}[theorem]{Lemma}
\newtheorem{assumption}{Assumption}
\newtheorem*{claim}{Claim}
\begin{document}
\section*{Preface}
\section{One}
\begin{theorem} $a = a$. \end{theorem}
\begin{lemma} $b = b$. \end{lemma}
\begin{assumption} $x > 0$ and $x^2 \ge 2$. \end{assumption}
\subsection{More}
\begin{lemma} $c = c$. \end{lemma}
\begin{claim} $d = d$. \end{claim}
\section{Two}
\begin{theorem} $e = e$. \end{theorem}
\begin{assumption} $y > 0$. \end{assumption}
\begin{fact} $g = g$. \end{fact}
\appendix
\section{Proofs}
\begin{lemma} $h = h$. \end{lemma}
\end{document}
"""


def numbers(tmp_path: Path, text: str) -> dict[str, str | None]:
    path = tmp_path / "paper.tex"
    path.write_text(text, encoding="utf-8")
    return {item.formulas[0].latex[0]: item.number for item in read_paper(path).passages if item.formulas}


def test_sections_and_shared_counters(tmp_path: Path) -> None:
    assert numbers(tmp_path, PAPER) == {
        "a": "1.1", "b": "1.2", "x": "1", "c": "1.3", "d": None, "e": "2.1", "y": "2", "g": None, "h": "A.1",
    }  # fmt: skip


def test_a_counter_that_is_set_is_not_known(tmp_path: Path) -> None:
    found = numbers(tmp_path, PAPER.replace(r"\section{Two}", r"\section{Two}\setcounter{theorem}{7}"))
    assert {found[letter] for letter in "abceh"} == {None}
    assert found["y"] == "2"


def test_numbers_within_sections_said_later(tmp_path: Path) -> None:
    found = numbers(
        tmp_path, PAPER.replace(r"\begin{document}", r"\numberwithin{assumption}{section}\begin{document}")
    )
    assert (found["x"], found["y"]) == ("1.1", "2.1")


def test_a_theorem_cites_an_assumption_by_its_number(tmp_path: Path) -> None:
    cited = r"\begin{lemma} Under Assumption 1, $x + 1 > 1$. \end{lemma}"
    path = tmp_path / "paper.tex"
    path.write_text(PAPER.replace(r"\appendix", rf"{cited}\appendix"), encoding="utf-8")
    (claim,) = [item for item in draft_paper(path).loaded().claims if item.text == "x + 1 > 1"]
    assert [item.text for item in claim.assumptions] == ["x**2 >= 2"]
    assert claim.id.startswith("paper/lemma-2.2")
    path.write_text(PAPER.replace(r"\appendix", cited.replace("1,", "3,") + r"\appendix"), encoding="utf-8")
    assert all(item.text != "x + 1 > 1" for item in draft_paper(path).loaded().claims)
    other = cited.replace("Under", r"Let $x \in \mathbb{R}$. Under")  # of which x is that assumed?
    path.write_text(PAPER.replace(r"\appendix", other + r"\appendix"), encoding="utf-8")
    assert all(item.text != "x + 1 > 1" for item in draft_paper(path).loaded().claims)
