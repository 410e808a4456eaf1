"""Servers as their clients start them: the real command, in a folder, over standard input and output."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# -P as an installed command: modules that lie in the folder are not ours.
COMMAND = [sys.executable, "-P", "-m", "verifier"]


def environment() -> dict[str, str]:
    """The tests' own, with this tree first and few processes."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


CLAIMS = """\
theorem: toy/all
symbols: {x: real, y: real}
assumptions: {up: x >= 0}
claims:
  cube:
    says: x**3 >= 0
  square:
    says: (x + y)**2 == x**2 + y**2
    under: []
  unread:
    says: x + q == 0
"""
PAPER = r"""\documentclass{article}
\begin{document}
\begin{theorem}
Let $x$ and $y$ be real numbers. Then
\begin{equation}\label{eq:square}
(x + y)^2 = x^2 + y^2 .
\end{equation}
\end{theorem}
\end{document}
"""
