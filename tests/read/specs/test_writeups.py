"""Claims inside Markdown and LaTeX, at the lines and columns of the write-up."""

import textwrap

from tests.read.specs.marks import accepted, one_problem, refused
from verifier.read.specs.load import load_text

MARKDOWN = """
    # A page

    ```python title="not a claim"
    theorem: "a/z"
    ```

    Some `code` and a list:

    ```claim
    theorem: a/b
    symbols: {x: real}
    claims:
      c: {says: x == x}
    ```

    - nested

      ~~~~ {claim}
      theorem: a/c
      claims:
        d: {says: 1 == 1}
      ~~~
      ~~~~

    ````md
    ```claim
    theorem: a/hidden
    claims: {e: {says: 1 == 1}}
    ```
    ````

    ```claim numbered
    theorem: a/d
    claims: {f: {says: 1 == 1}}
    ```
    """


def test_markdown_blocks() -> None:
    loaded = accepted(MARKDOWN.replace("      ~~~\n", ""), ".md")
    assert [(claim.id, claim.position.line, claim.position.column) for claim in loaded.claims] == [
        ("a/b#c", 14, 3),
        ("a/c#d", 22, 5),
        ("a/d#f", 34, 10),
    ]


def test_a_shorter_fence_does_not_close() -> None:
    loaded = load_text(textwrap.dedent(MARKDOWN), "spec", ".md")
    assert [problem.code for problem in loaded.problems] == ["yaml"]
    assert [claim.id for claim in loaded.claims] == ["a/b#c", "a/d#f"]


def test_markdown_problems_stand_in_the_page() -> None:
    problem = one_problem(
        """
        Text before.

        ```claim
        theorem: a/b
        symbols: {x: real}
        claims:
          c:
            says: >
              x +
              ¤y == 1
        ```
        """,
        ".md",
    )
    assert problem.code == "unknown-name"


def test_one_block_that_is_not_yaml_does_not_hide_the_next() -> None:
    text = """
        ```claim
        theorem: a/b
        claims: {c: {says: 1 == 1}
        ```

        ¤```claim
        theorem: a/c
        claims: {d: {says: 2 == ¤x}, e: {says: 1 == 1}}
        ```
        """
    codes = {problem.code for problem in refused(text, ".md")}
    assert codes == {"yaml", "unknown-name"}


def test_an_unclosed_block_runs_to_the_end() -> None:
    loaded = accepted("```claim\ntheorem: a/b\nclaims: {c: {says: 1 == 1}}\n", ".md")
    assert [claim.id for claim in loaded.claims] == ["a/b#c"]


def test_a_page_without_claims_has_none() -> None:
    assert accepted("# Title\n\n```yaml\ntheorem: a/b\n```\n", ".md").entries == ()


LATEX = r"""
    \documentclass{article}
    % theorem: not/this
    %%claim
    % theorem: a/b
    % symbols: {x: real}
    % claims:
    %   c: {says: x == x}
    %%end
    \begin{theorem}...\end{theorem}
      %%claim
      %theorem: a/c
      %claims:
      %  d: {says: 1 == 1}
      %%end
    """


def test_latex_blocks() -> None:
    loaded = accepted(LATEX, ".tex")
    assert [(claim.id, claim.position.line, claim.position.column) for claim in loaded.claims] == [
        ("a/b#c", 8, 5),
        ("a/c#d", 14, 6),
    ]


def test_latex_problems_stand_in_the_page() -> None:
    problem = one_problem(
        r"""
        \section{One}
        %%claim
        % theorem: a/b
        % symbols: {n: dimension, A: "matrix(n, 2)"}
        % claims:
        %   c:
        %     says: |
        %       1 + ¤tr(A)
        %       == 0
        %%end
        """,
        ".tex",
    )
    assert problem.code == "shape"
    assert "n-by-2" in problem.message


def test_form_feeds_do_not_move_lines() -> None:
    loaded = accepted("\\newpage\f\n%%claim\n% theorem: a/b\n% claims: {c: {says: 1 == 1}}\n%%end\n", ".tex")
    assert loaded.claims[0].position.line == 4


def test_a_latex_block_without_an_end() -> None:
    head = "%%claim\n% theorem: a/b\n% claims: {c: {says: 1 == 1}}\n"
    loaded = load_text(f"Text.\n{head}And more text: $x$.\n", "paper.tex", ".tex")
    assert [claim.id for claim in loaded.claims] == ["a/b#c"]
    assert [(problem.code, problem.position.line) for problem in loaded.problems] == [("unclosed", 2)]
    assert not load_text(f"{head}%%end\nMore.\n", "paper.tex", ".tex").problems
