"""A claim of a paper that fails where something was guessed fails as read, and the author is asked."""

import json
from pathlib import Path

from verifier.cli import main

PAPER = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\begin{document}
\begin{lemma}\label{sign} For all $x \in \mathbb{R}^d$, $c \|x\| \ge 0$. \end{lemma}
\begin{lemma}\label{said} Let $c \in \mathbb{R}$ and $x \in \mathbb{R}^d$. Then $c \|x\| \ge 0$. \end{lemma}
\begin{lemma}\label{never} $a^2 + b^2 \ge 3 a b$. \end{lemma}
\begin{lemma}\label{true} $a^2 + b^2 \ge 2 a b$. \end{lemma}
\end{document}
"""


def test_the_author_is_asked_where_another_guess_would_do(tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(PAPER, encoding="utf-8")
    out = tmp_path / "out.json"
    main([str(tmp_path / "paper.tex"), "--no-cache", "--output", f"json={out}"])
    claims = json.loads(out.read_text(encoding="utf-8"))["claims"]
    asked = {
        claim["id"].split("/")[1].split("#")[0]: (claim["verdict"], claim["question"]) for claim in claims
    }
    assert asked["sign"][0] == asked["said"][0] == asked["never"][0] == "fails"
    assert "c taken for real" in asked["sign"][1]
    assert "true if c >= 0. Is that meant?" in asked["sign"][1]
    assert asked["said"][1] is None  # nothing was guessed
    assert "a, b taken for real" in asked["never"][1]
    assert "meant?" not in asked["never"][1]
    assert asked["true"] == ("holds", None)
