"""Which statements of a write-up have a claim: a theorem with its equations is one, a definition is none."""

import json
from pathlib import Path

import pytest

from verifier.cli import main

PAPER = r"""\documentclass{article}
\newtheorem{theorem}{Theorem}
\newtheorem{definition}{Definition}
\begin{document}
\begin{theorem}\label{one} For real $x$,
\begin{equation}\label{eq:one} x^2 \ge 0. \end{equation}
\end{theorem}
\begin{theorem}\label{two} For real $x$,
\begin{align} (x + 1)^2 &= x^2 + 2 x + 1, \label{eq:two} \\ x^4 &\ge 0. \label{eq:three} \end{align}
\end{theorem}
\begin{definition}
\begin{equation}\label{eq:def} f(x) = x^2 \end{equation}
\end{definition}
We define the score by
\begin{equation}\label{eq:score} s = x + 1. \end{equation}
\begin{equation}\label{eq:colon} t := x + 2. \end{equation}
Note that
\begin{equation}\label{eq:note} x^6 \ge 0. \end{equation}
\end{document}
"""
CLAIMS = """theorem: notes/a
source: {{file: paper.tex}}
symbols: {{x: real}}
claims:
"""
SAYS = {
    "one": "x**2 >= 0", "two": "(x + 1)**2 == x**2 + 2*x + 1", "three": "x**4 >= 0", "note": "x**6 >= 0",
}  # fmt: skip


def covered(tmp_path: Path, labels: str, *words: str) -> tuple[int, int, list[str]]:
    (tmp_path / "paper.tex").write_text(PAPER, encoding="utf-8")
    lines = [f'  {name}: {{says: "{SAYS[name]}", label: "eq:{name}"}}' for name in labels.split()]
    (tmp_path / "claims.yaml").write_text(CLAIMS.format() + "\n".join(lines) + "\n", encoding="utf-8")
    out = tmp_path / "out.json"
    words = (*words, "--cache", str(tmp_path / "cache")) if "--no-cache" not in words else words
    main([str(tmp_path / "claims.yaml"), "--output", f"json={out}", *words])
    found = json.loads(out.read_text(encoding="utf-8"))["coverage"]
    return found["covered"], found["total"], [item["name"] for item in found["missing"]]


def test_a_theorem_and_its_equation_are_one(tmp_path: Path) -> None:
    assert covered(tmp_path, "one") == (1, 3, ["theorem two", "equation eq:note"])


def test_a_theorem_is_covered_by_all_of_its_equations(tmp_path: Path) -> None:
    assert covered(tmp_path, "one two") == (1, 3, ["theorem two", "equation eq:note"])
    assert covered(tmp_path, "one two three")[0] == 2


@pytest.mark.parametrize("cache", [True, False])
def test_a_choice_of_claims_changes_nothing(tmp_path: Path, cache: bool) -> None:
    words = [] if cache else ["--no-cache"]
    assert covered(tmp_path, "one two three note", "-k", "one", *words) == (3, 3, [])
