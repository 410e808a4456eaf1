"""Claims whose formulas drifted are written anew: what is printed now, in the file's own names."""

from pathlib import Path

import pytest

from verifier.cli import main
from verifier.read.fix import Fixed, fixed
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Entry, Ready

PAPER = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\newcommand{\sq}[1]{#1^2}
\begin{document}
\begin{lemma}\label{a} Let $t > 0$. Then
\begin{equation}\label{eq:a} t \|x\|^2 \ge 0. \end{equation} \end{lemma}
\begin{lemma}\label{c} Let $a, b \in \mathbb{R}$. Then
\begin{align}\label{eq:c} (a+b)^2 &= \sq{a} + 2ab + b^2 \nonumber \\ &\le 2 a^2 + 2b^2 \end{align} \end{lemma}
\end{document}
"""
CLAIMS = """theorem: notes/own-names
source: {file: paper.tex}
symbols: {s: positive, v: vector(n), n: dimension}
names: {t: s, x: v}
claims:
  one: {says: "s * norm(v)**2 >= 0", label: "eq:a"}   # flow style stays
---
theorem: notes/chain
source: {file: paper.tex}
symbols: {a: real, b: real}
claims:
  two:
    steps: |
      (a + b)**2
      == a*a + 2*a*b + b*b
      <= 2*a**2 + 2*b**2
    label: "eq:c"
"""


def at(tmp_path: Path, paper: str, claims: str = CLAIMS) -> Fixed:
    (tmp_path / "paper.tex").write_text(paper, encoding="utf-8")
    file = str(tmp_path / "claims.yaml")

    def load(text: str) -> tuple[Entry, ...]:
        return tuple(load_text(text, file).entries)

    made = fixed(claims, load)
    done = {entry.id for entry in load(made.text) if isinstance(entry, Ready)}
    assert set(made.fixed) <= done
    return made


def test_what_did_not_drift_is_not_touched(tmp_path: Path) -> None:
    made = at(tmp_path, PAPER)
    assert (made.text, made.fixed, made.left) == (CLAIMS, (), ())


def test_a_relation_in_the_names_of_the_file(tmp_path: Path) -> None:
    made = at(tmp_path, PAPER.replace(r"\ge 0", r"\ge -3t"))
    assert made.fixed == ("notes/own-names#one",)
    assert made.text == CLAIMS.replace("s * norm(v)**2 >= 0", "s*norm(v)**2 >= -(3*s)")
    assert '+  one: {says: "s*norm(v)**2 >= -(3*s)", label: "eq:a"}' in made.diff("claims.yaml")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ((r"2 a^2 + 2b^2", r"2 a^2 + 3b^2"), "      <= 2*a**2 + 3*b**2"),
        ((r"\sq{a} + 2ab", r"\sq{a} - 2ab"), "      == a**2 - 2*a*b + b**2"),
        ((r"{#1^2}", r"{#1^4}"), "      == a**4 + 2*a*b + b**2"),
        ((r"&\le", r"&="), "      == 2*a**2 + 2*b**2"),
    ],
)
def test_a_chain_over_several_rows_and_through_macros(
    tmp_path: Path, change: tuple[str, str], line: str
) -> None:
    made = at(tmp_path, PAPER.replace(*change))
    assert made.fixed == ("notes/chain#two",)
    assert line in made.text.splitlines()


def test_steps_that_part_a_printed_one_are_no_drift(tmp_path: Path) -> None:
    finer = CLAIMS.replace("      <= 2*a**2", "      <= a**2 + b**2 + a**2 + b**2\n      == 2*a**2")
    assert at(tmp_path, PAPER, finer).fixed == ()
    coarser = CLAIMS.replace("      == a*a + 2*a*b + b*b\n", "")
    assert at(tmp_path, PAPER, coarser).fixed == ()  # what is said of the two ends is true of the chain
    wrong = coarser.replace("<= 2*a**2", "== 2*a**2")
    assert at(tmp_path, PAPER, wrong).fixed == ("notes/chain#two",)


def test_what_cannot_be_changed_is_left_with_the_reason(tmp_path: Path) -> None:
    one_step = PAPER.replace(r"(a+b)^2 &= \sq{a} + 2ab + b^2 \nonumber \\ &\le 2", r"(a+b)^2 &= 2")
    made = at(tmp_path, one_step)
    assert made.text == CLAIMS
    assert [name for name, _ in made.left] == ["notes/chain#two"]


def test_the_command_shows_a_diff_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paper, claims = tmp_path / "paper.tex", tmp_path / "claims.yaml"
    paper.write_text(PAPER.replace(r"\ge 0", r"\ge -t"), encoding="utf-8")
    claims.write_text(CLAIMS, encoding="utf-8")
    words = ["draft", str(paper), "-o", str(claims), "--fix"]
    assert main(words) == 1
    shown = capsys.readouterr()
    assert "+  one: {says:" in shown.out
    assert "nothing was written" in shown.err
    assert claims.read_text(encoding="utf-8") == CLAIMS
    assert main([*words, "--yes"]) == 0
    assert "s*norm(v)**2 >= -s" in claims.read_text(encoding="utf-8")
    assert main([*words, "--yes"]) == 0
    assert main([*words, "--update"]) == 2
