r"""Theorems and displayed formulas of write-ups, at their lines."""

import textwrap
import time

import pytest

from verifier.read.specs.writeup_statements import Statement, statements_of


def found(text: str, suffix: str) -> list[Statement]:
    return statements_of(textwrap.dedent(text).lstrip("\n"), "page", suffix)


def brief(items: list[Statement]) -> list[tuple[str, int, int, str | None, str | None]]:
    return [
        (item.kind, item.first, item.last, item.label, item.latex.value if item.latex else None)
        for item in items
    ]


def test_latex() -> None:
    items = found(
        r"""
        \newtheorem{satz}{Satz}
        \newtheorem{dfn}{Definition}
        \begin{satz}\label{thm:one}
          Text
          \begin{equation}
            a = b \label{eq:one}
          \end{equation}
        \end{satz}
        \begin{dfn} not a claim \end{dfn}
        \begin{proof} \begin{lemma} nested \end{lemma} \end{proof}
        \begin{align}
          c &= d \\
          e &= f \nonumber \\
          g &= h \label{eq:two}
        \end{align}
        \begin{equation*} u = v \end{equation*}
        % \begin{equation} hidden \end{equation}
        \[ x = y \]
        """,
        ".tex",
    )
    assert brief(items) == [
        ("theorem", 3, 8, "thm:one", None),
        ("equation", 5, 7, "eq:one", "a = b"),
        ("theorem", 10, 10, None, None),
        ("equation", 12, 12, None, "c &= d"),
        ("equation", 13, 13, None, r"e &= f \nonumber"),
        ("equation", 14, 14, "eq:two", "g &= h"),
        ("equation", 16, 16, None, "u = v"),
        ("equation", 18, 18, None, "x = y"),
    ]
    assert [item.is_numbered for item in items if item.latex] == [True, True, False, True, False, False]


def test_markdown_and_its_dialects() -> None:
    items = found(
        r"""
        **Theorem 1 (main).** It is so.

        $$
        a = b
        $$ {#eq-one}

        $$ c = d $$ (eq:two)

        ```{math}
        :label: eq-three
        e = f
        ```

        ::: {#thm-deep}
        Text.
        :::

        ```{prf:lemma}
        :label: lem-one
        Text.
        ```

        ```claim
        theorem: a/b
        claims: {c: {says: 1 == 1, note: "$$ hidden $$"}}
        ```

        $$ x = y $$
        """,
        ".md",
    )
    assert brief(items) == [
        ("theorem", 1, 1, None, None),
        ("equation", 3, 5, "eq-one", "a = b"),
        ("equation", 7, 7, "eq:two", "c = d"),
        ("equation", 9, 12, "eq-three", "e = f"),
        ("theorem", 14, 16, "thm-deep", None),
        ("theorem", 18, 21, "lem-one", None),
        ("equation", 28, 28, None, "x = y"),
    ]


def test_a_formula_knows_the_place_of_each_character() -> None:
    (item,) = found("\n\\begin{equation}\\label{e}\n   a\n = bc\n\\end{equation}\n", ".tex")
    assert item.latex is not None
    place = item.latex.position(item.latex.value.index("c"))
    assert (place.line, place.column) == (3, 5)


HOSTILE = [
    ("\\begin{a}" * 20_000, ".tex"),
    ("\\begin{theorem}" * 9_000 + "\\end{theorem}" * 9_000, ".tex"),
    ("\\begin{align}a" + "\\\\ b" * 20_000 + "\\end{align}", ".tex"),
    ("::: {#thm-x}\n" * 20_000, ".md"),
    ("```{math}\n" * 20_000, ".md"),
    ("**Theorem 1**\n" * 9_000, ".md"),
    ("$$" * 50_001, ".md"),
]


@pytest.mark.parametrize(("text", "suffix"), HOSTILE, ids=[text[:16] for text, _ in HOSTILE])
def test_a_hostile_page_takes_linear_time(text: str, suffix: str) -> None:
    started = time.process_time()
    statements_of(text, "page", suffix)
    assert time.process_time() - started < 5
