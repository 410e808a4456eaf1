r"""The write-up and the claim say the same, or an error shows both."""

from pathlib import Path

import pytest

from tests.read.specs.marks import accepted, one_problem, problems_of
from verifier.read.specs.load import load_paths
from verifier.read.specs.loaded import Ready

CLAIM = """
    theorem: a/b
    symbols: {n: dimension, m: dimension, sigma: positive, x: vector(n), W: "normal(m, n, std=sigma)"}
    claims:
      c:
        says: E(norm(W @ x)**2) == m * sigma**2 * norm(x)**2
"""


def printed(more: str) -> tuple[str, str]:
    (claim,) = accepted(CLAIM.rstrip() + f"\n        {more}\n").claims
    assert claim.printed is not None
    return claim.printed.status, claim.printed.words


def test_a_right_side_and_a_whole_relation() -> None:
    assert printed(r"latex: m \sigma^2 \|x\|^2") == ("same", "m*sigma**2*norm(x)**2")
    assert printed(r"latex: \mathbb{E}\|Wx\|^2 = m \sigma^2 \|x\|^2")[0] == "same"


def test_a_bare_latex_with_another_value_is_an_error_that_shows_both() -> None:
    problem = one_problem(CLAIM.rstrip() + "\n        latex: ¤n \\sigma^2 \\|x\\|^2\n")
    assert problem.code == "drift"
    assert "n*sigma**2*norm(x)**2" in problem.message
    assert "m*sigma**2*norm(x)**2" in problem.message


def test_a_bare_latex_in_a_notation_of_its_own_is_noted() -> None:
    status, words = printed(r"latex: m \sigma_w^2 \|\mathbf{x}\|^2")
    assert (status, "not a declared name" in words) == ("unread", True)
    # Written otherwise, with the same value: the sum of squares is the squared norm.
    assert printed(r"latex: m \sigma^2 \sum_{i=1}^{n} x_i^2")[0] == "same"
    # Terms moved, or both sides divided by the same: the statement is known again by nobody.
    assert printed(r"latex: \frac{\mathbb{E}\|Wx\|^2}{\sigma^2} = m \|x\|^2")[0] == "different"


def test_what_an_assumption_equates_may_be_printed_either_way() -> None:
    spec = CLAIM.replace("    claims:", "    assumptions: {square: m == n}\n    claims:").rstrip()
    (claim,) = accepted(spec + "\n        latex: n \\sigma^2 \\|x\\|^2\n").claims
    assert claim.printed is not None
    assert claim.printed.status == "different"


def test_an_average_of_what_is_fixed_is_that_itself() -> None:
    assert printed(r"latex: m \sigma^2 \mathbb{E}\|x\|^2")[0] == "same"
    assert printed(r"latex: \mathbb{E}\|Wx\|^2 = m \sigma^2 \mathbb{E}\|x\|^2")[0] == "same"
    bare = CLAIM.rstrip() + "\n        latex: ¤\\|Wx\\|^2 = m \\sigma^2 \\|x\\|^2\n"
    assert one_problem(bare).code == "drift"


@pytest.mark.parametrize("names", ["{}", r"{'\mathbf{x}': x}"])
def test_a_map_of_names_asks_for_the_comparison(names: str) -> None:
    spec = CLAIM.rstrip() + f"\n        names: {names}\n        latex: ¤n \\sigma^2 \\|x\\|^2\n"
    problem = one_problem(spec)
    assert problem.code == "drift"
    assert "n*sigma**2*norm(x)**2" in problem.message
    assert "m*sigma**2*norm(x)**2" in problem.message
    accepted(spec.replace("¤n", "m"))


def test_what_cannot_be_read_is_an_error_where_it_was_asked_for() -> None:
    problem = one_problem(CLAIM.rstrip() + "\n        names: {}\n        latex: m ¤\\mathbf{x}^2\n")
    assert problem.code == "latex"
    assert "not a declared name" in problem.message


def test_names_are_of_the_claim_or_of_the_theorem() -> None:
    theorem = CLAIM.replace("    claims:", "    names: {'\\mathbf{x}': x, 's': sigma}\n    claims:")
    accepted(theorem.rstrip() + "\n        latex: m s^2 \\|\\mathbf{x}\\|^2\n")
    wrong = theorem.replace("'s': sigma", "'s': ¤sigme")
    assert one_problem(wrong.rstrip() + "\n        latex: m s^2\n").code == "names"


def test_intervals_chains_and_growth() -> None:
    accepted("""
        theorem: a/b
        names: {}
        symbols: {x: real, n: dimension}
        claims:
          range: {says: "tanh(x) in [-1, 1]", latex: "[-1, 1]"}
          order: {says: n + 1 <= O(n), as: n -> oo, latex: "\\\\mathcal{O}(n)"}
          chain:
            latex: x^2 + 2x + 1
            steps: |
              (x + 1)**2
              == (x + 1) * (x + 1)
              == x**2 + 2*x + 1
        """)


LATEX = r"""
    \begin{theorem}
    \begin{align}
      a &= b \label{eq:first} \\
      \mathbb{E}\|Wx\|^2
        &= ¤m \sigma^3 \|x\|^2 % \label{eq:gone}
        \label{eq:second}
    \end{align}
    \end{theorem}
    %%claim
    % theorem: a/b
    % symbols: {n: dimension, m: dimension, sigma: positive, x: vector(n), W: "normal(m, n, std=sigma)"}
    % claims:
    %   c:
    %     says: E(norm(W @ x)**2) == m * sigma**2 * norm(x)**2
    %     label: eq:second
    %%end
    """


def test_a_label_of_the_same_file_at_the_line_of_the_formula() -> None:
    accepted(LATEX.replace("^3", "^2").replace("¤", ""), ".tex")
    moved = LATEX.replace("¤", "").replace(r"\mathbb{E}\|Wx", r"¤\mathbb{E}\|Wx")
    problem = one_problem(moved, ".tex")
    assert (problem.code, problem.position.line) == ("drift", 5)
    unread = LATEX.replace("¤m", "m").replace(r"\sigma^3", r"¤\sigma_2^3")
    assert one_problem(unread, ".tex").code == "latex"


def test_a_line_below_its_left_side_and_the_label_of_a_theorem() -> None:
    text = LATEX.replace("¤", "").replace("^3", "^2")
    below = text.replace("Wx\\|^2\n", "Wx\\|^2 \\\\\n")
    assert below != text
    accepted(below, ".tex")
    named = text.replace(r"\begin{theorem}", r"\begin{theorem}\label{thm}")
    assert one_problem(named.replace("label: eq:second", "label: ¤thm"), ".tex").code == "label"
    alone = named.replace(r"a &= b \label{eq:first} \\", "").replace("label: eq:second", "label: thm")
    accepted(alone, ".tex")


MACROS = r"""
    \newcommand{\E}{\mathbb{E}}
    \newcommand{\sq}[1]{\left\|#1\right\|^2}
    \newcommand{\s}{\sigma}"""


def test_the_macros_of_the_write_up_are_expanded() -> None:
    text = LATEX.replace("¤", "").replace("^3", "^2")
    short = text.replace(r"\mathbb{E}\|Wx\|^2", r"\E\sq{Wx}").replace(r"\sigma^2 \|x\|^2", r"\s^2 \sq{x}")
    assert short != text
    accepted(MACROS + short, ".tex")
    other = MACROS.replace("^2", "^4") + short.replace(r"\E\sq", r"¤\E\sq")
    assert one_problem(other, ".tex").code == "drift"
    bad = MACROS + short.replace(r"m \s", r"m ¤\s_2")
    assert one_problem(bad, ".tex").code == "latex"


def test_a_macro_with_two_meanings_is_not_guessed() -> None:
    text = LATEX.replace("¤", "").replace("^3", "^2").replace(r"\mathbb{E}", r"¤\E")
    twice = (
        MACROS
        + text
        + r"""
    \renewcommand{\E}{\operatorname{tr}}
    """
    )
    assert one_problem(twice, ".tex").code == "latex"


@pytest.mark.parametrize("label", ["eq:third", "eq:gone"])
def test_a_label_that_is_not_there(label: str) -> None:
    text = LATEX.replace("¤", "").replace("label: eq:second\n", f"label: ¤{label}\n")
    assert one_problem(text, ".tex").code == "label"


def test_a_write_up_beside_the_claims(tmp_path: Path) -> None:
    paper, claims = tmp_path / "paper.md", tmp_path / "claims"
    claims.mkdir()
    paper.write_text("# Title\n\n$$\nm \\sigma^2 \\|x\\|^2\n$$ {#eq-main}\n")
    spec = "source: {document: ours, file: ../paper.md}\n" + "\n".join(
        line[4:] for line in CLAIM.strip("\n").split("\n")
    )
    (claims / "a.yaml").write_text(spec + "\n    label: eq-main\n")
    loaded = load_paths([claims])
    assert not problems_of(loaded)
    assert all(isinstance(entry, Ready) for entry in loaded.entries)
    assert loaded.needs == {str(claims / "a.yaml"): (str(paper),)}
    paper.write_text(paper.read_text().replace("^2 \\|x", "^4 \\|x"))
    (problem,) = problems_of(load_paths([claims]))
    assert (problem.code, problem.position.file, problem.position.line) == ("drift", str(paper), 4)
    assert problem.line_text == "m \\sigma^4 \\|x\\|^2"
    assert str(claims / "a.yaml") in (problem.hint or "")
    paper.unlink()
    (problem,) = problems_of(load_paths([claims]))
    assert problem.code == "label"
