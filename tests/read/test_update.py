"""A draft written anew keeps what its author changed, and follows the paper in the rest."""

from pathlib import Path

import pytest

from verifier.cli import main
from verifier.read.draft import draft_paper
from verifier.read.update import sealed, updated

PAPER = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\begin{document}
Let $x \in \mathbb{R}^d$ be fixed.
\begin{lemma}\label{a} Let $t > 0$. Then $t \|x\| \ge 0$. \end{lemma}
\begin{lemma}\label{b} Let $a, b \in \mathbb{R}$. Then $2 a b \le a^2 + b^2$. \end{lemma}
\begin{lemma}\label{c} There exists $c$ such that $c = c$. \end{lemma}
\end{document}
"""


def drafted(tmp_path: Path, text: str) -> str:
    path = tmp_path / "paper.tex"
    path.write_text(text, encoding="utf-8")
    return sealed(draft_paper(path).text)


def test_nothing_changed(tmp_path: Path) -> None:
    first = drafted(tmp_path, PAPER)
    again = updated(first, first)
    assert again.text == first
    assert again.summary == "nothing changed"


def test_lines_that_move_are_no_change_by_hand(tmp_path: Path) -> None:
    first = drafted(tmp_path, PAPER)
    moved = drafted(tmp_path, PAPER.replace("Let $x", "\n\n% later\nLet $x"))
    assert updated(first, moved).text == moved != first


def test_an_untouched_theorem_follows_the_paper(tmp_path: Path) -> None:
    first = drafted(tmp_path, PAPER)
    merged = updated(first, drafted(tmp_path, PAPER.replace("2 a b", "a b")))
    assert "'a * b <= a**2 + b**2'" in merged.text
    assert "2 * a * b" not in merged.text
    assert merged.renewed == ("paper/b",)
    assert merged.kept == ()


def test_what_was_changed_by_hand_stays(tmp_path: Path) -> None:
    first = drafted(tmp_path, PAPER)
    by_hand = first.replace("t: positive", "t: interval(0, oo)")
    assert by_hand != first
    merged = updated(by_hand, drafted(tmp_path, PAPER.replace("2 a b", "a b")))
    assert "t: interval(0, oo)" in merged.text
    assert (merged.kept, merged.renewed, merged.differing) == (("paper/a",), ("paper/b",), ())
    assert "refused, line 7" in merged.text  # what is nobody's is told anew


def test_a_comment_by_hand_is_a_change(tmp_path: Path) -> None:
    first = drafted(tmp_path, PAPER)
    by_hand = first.replace("claims:\n", "claims:\n  # asked the authors about this\n", 1)
    merged = updated(by_hand, drafted(tmp_path, PAPER))
    assert merged.text.count("asked the authors") == 1
    assert merged.kept == ("paper/a",)


def test_where_both_changed_the_author_wins_and_is_told(tmp_path: Path) -> None:
    by_hand = drafted(tmp_path, PAPER).replace("t: positive", "t: interval(0, oo)")
    merged = updated(by_hand, drafted(tmp_path, PAPER.replace(r"t \|x\| \ge 0", r"t^2 \|x\| \ge 0")))
    assert "t: interval(0, oo)" in merged.text
    assert "# |     says: 't**2 * norm(x) >= 0'" in merged.text
    assert merged.differing == ("paper/a",)
    twice = updated(merged.text, drafted(tmp_path, PAPER.replace(r"t \|x\| \ge 0", r"t^2 \|x\| \ge 0")))
    assert twice.text == merged.text


def test_theorems_come_and_go(tmp_path: Path) -> None:
    lines = PAPER.splitlines(keepends=True)
    without = "".join(line for line in lines if r"\label{a}" not in line)
    merged = updated(drafted(tmp_path, PAPER), drafted(tmp_path, without))
    assert merged.gone == ("paper/a",)
    assert "theorem: paper/a" not in merged.text
    back = updated(merged.text, drafted(tmp_path, PAPER))
    assert back.added == ("paper/a",)
    by_hand = drafted(tmp_path, PAPER).replace("t: positive", "t: interval(0, oo)")
    assert updated(by_hand, drafted(tmp_path, without)).kept == ("paper/a",)


def test_a_theorem_of_the_author_stays(tmp_path: Path) -> None:
    first = drafted(tmp_path, PAPER)
    mine = first + "---\ntheorem: mine/one\nsymbols: {r: real}\nclaims:\n  square: {says: r**2 >= 0}\n"
    assert "theorem: mine/one" in updated(mine, first).text


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drafted(tmp_path, PAPER)
    paper, out = str(tmp_path / "paper.tex"), tmp_path / "claims.yaml"
    assert main(["draft", paper, "-o", str(out)]) == 0
    out.write_text(
        out.read_text(encoding="utf-8").replace("t: positive", "t: interval(0, oo)"), encoding="utf-8"
    )
    assert main(["draft", paper, "-o", str(out)]) == 2
    drafted(tmp_path, PAPER.replace("2 a b", "a b"))
    assert main(["draft", paper, "-o", str(out), "--update"]) == 0
    assert "1 renewed, 1 kept as you changed it" in capsys.readouterr().err
    assert "t: interval(0, oo)" in out.read_text(encoding="utf-8")
    assert main(["draft", paper, "--update"]) == 2
