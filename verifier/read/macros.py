r"""Macros: what a paper defines, and those that ordinary packages bring along.

A package's macro is written here as the paper's own would be: its number of arguments and its body.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from verifier.read.lexer import Lexeme, Source, lex


@dataclass(frozen=True)
class Macro:
    """A command with arguments that its body names #1, #2, ...

    `optional` is the value of the first argument where the author leaves it out; `star` says that the
    command may be followed by a star, which changes the size of a fence and nothing else."""

    body: tuple[Lexeme, ...]
    arguments: int = 0
    optional: tuple[Lexeme, ...] | None = None
    star: bool = False


@dataclass(frozen=True)
class Environment:
    """An environment that a paper defines: what its beginning and its end stand for."""

    begin: Macro
    end: tuple[Lexeme, ...]


def macro(body: str, arguments: int = 0, star: bool = False) -> Macro:
    """A macro from its text."""
    return Macro(tuple(lex(Source("", body))), arguments, None, star)


def _table(rows: str, star: bool = False) -> dict[str, Macro]:
    """One macro per line: its name, its number of arguments, its body."""
    made = {}
    for row in rows.strip().splitlines():
        name, arguments, body = (*row.split(maxsplit=2), "")[:3]
        made[name] = macro(body, int(arguments), star)
    return made


# Without a package, or with those that every paper loads: amsmath, mathtools, bm, xspace.
ALWAYS: Mapping[str, Macro] = _table(
    r"""
\xspace 0
\protect 0
\relax 0
\allowbreak 0
\coloneqq 0 :=
\eqqcolon 0 =:
\vcentcolon 0 :
\defeq 0 :=
\mathclap 1 #1
\mathllap 1 #1
\mathrlap 1 #1
\smash 1 #1
\mathbin 1 #1
\mathrel 1 #1
\mathord 1 {#1}
\mathinner 1 {#1}
\hphantom 1
\vphantom 1
\phantom 1
\hspace 1
\vspace 1
\mspace 1
\boxed 1 {#1}
\color 1
\textcolor 2 {#2}
\nicefrac 2 \frac{#1}{#2}
\sfrac 2 \frac{#1}{#2}
\cfrac 2 \frac{#1}{#2}
\lparen 0 (
\rparen 0 )
\substack 1 {#1}
"""
)

# The package physics; its commands clash with those of papers, so they hold only where it is loaded.
PHYSICS: Mapping[str, Macro] = {
    **_table(
        r"""
\norm 1 \left\|#1\right\|
\abs 1 \left|#1\right|
\absolutevalue 1 \left|#1\right|
\order 1 O\left(#1\right)
\expval 1 \left\langle #1 \right\rangle
\ev 1 \left\langle #1 \right\rangle
""",
        star=True,
    ),
    **_table(
        r"""
\qty 0
\quantity 0
\dd 0 \mathrm{d}
\pdv 2 \frac{\partial #1}{\partial #2}
\partialderivative 2 \frac{\partial #1}{\partial #2}
\dv 2 \frac{d #1}{d #2}
\derivative 2 \frac{d #1}{d #2}
\grad 0 \nabla
\tr 0 \operatorname{tr}
\Tr 0 \operatorname{tr}
\trace 0 \operatorname{tr}
\rank 0 \operatorname{rank}
\vb 1 \mathbf{#1}
\vectorbold 1 \mathbf{#1}
\va 1 \vec{#1}
\vu 1 \hat{#1}
\inner 2 \left\langle #1, #2 \right\rangle
\qq 1 \quad\text{#1}\quad
\qcomma 0 ,\quad
\qand 0 \quad\text{and}\quad
\qif 0 \quad\text{if}\quad
\qfor 0 \quad\text{for}\quad
"""
    ),
}
PACKAGES: Mapping[str, Mapping[str, Macro]] = {"physics": PHYSICS}
