r"""Papers of strangers: bombs, loops, files elsewhere, depth and length. All is bounded, nothing crashes."""

import os
from pathlib import Path

import pytest

from verifier.read.define import COMMANDS
from verifier.read.expand import MAX_BRACES, MAX_TOKENS, Expander
from verifier.read.folder import MAX_CHARACTERS, MAX_FILES, Folder
from verifier.read.latex import MAX_FORMULAS
from verifier.read.lexer import Source, lex
from verifier.read.paper import Paper, read_paper


def written(folder: Path, text: str, name: str = "paper.tex") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, text: str, name: str = "paper.tex") -> Paper:
    return read_paper(written(folder, text, name))


def latex(paper: Paper) -> list[str]:
    return [part.latex for part in paper.formulas]


BOMBS = {
    "itself": r"\newcommand{\a}{\a}",
    "each other": r"\newcommand{\a}{\b\b}\newcommand{\b}{\a\a}",
    "doubling": r"\newcommand{\z}[1]{#1#1}\newcommand{\a}{" + r"\z{" * 15 + "x" + "}" * 15 + "}",
    "laughs": "".join(
        rf"\newcommand{{\{'abcdefghijk'[at]}}}{{{(chr(92) + 'abcdefghijkl'[at + 1] + ' ') * 10}}}"
        for at in range(11)
    )
    + r"\newcommand{\l}{ha}",
    "arguments": r"\def\a{\b{y}}\def\b#1{\b{#1#1}}",
    "itself by let": r"\let\b\a\def\a{\b\a}",
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_named_and_the_other_formulas_are_read(tmp_path: Path, bomb: str) -> None:
    paper = read(tmp_path, BOMBS[bomb] + "\n\nBefore $p = q$ it, $\\a = 1$, and after it $r = s$.\n")
    (problem,) = paper.problems
    assert problem.message == r"\a calls itself, or grows without end: it is not expanded"
    assert problem.position.line == 3
    assert problem.hint
    assert latex(paper) == ["p = q", r"\a = 1", "r = s"]


def test_all_macros_together_are_bounded(tmp_path: Path) -> None:
    grown = r"\newcommand{\a}{" + "x y " * 4_000 + "}"
    paper = read(tmp_path, grown + "\n\n" + r"\a" * 1_000 + " $p = q$")
    assert any(f"{MAX_TOKENS:,} tokens" in item.message for item in paper.problems)
    assert len(paper.problems) <= 3


def test_a_macro_of_reasonable_size_is_no_bomb(tmp_path: Path) -> None:
    paper = read(tmp_path, r"\newcommand{\z}[1]{#1#1}\newcommand{\a}{\z{\z{\z{x}}}}" + "\n\n$\\a = 1$")
    assert not paper.problems
    assert latex(paper) == ["xxxxxxxx = 1"]


def test_an_include_that_leads_back_to_itself_ends(tmp_path: Path) -> None:
    written(tmp_path, r"$c = d$ \input{paper}", "other.tex")
    paper = read(tmp_path, r"$a = b$ \input{other} $e = f$")
    assert latex(paper) == ["a = b", "c = d", "e = f"]
    assert ["includes itself" in item.message for item in paper.problems] == [True]
    assert Path(paper.problems[0].position.file).name == "other.tex"


@pytest.mark.parametrize("target", ["../secret", "/etc/passwd", "../../etc/passwd", "link", "linked/secret"])
def test_no_file_outside_the_folder_is_read(tmp_path: Path, target: str) -> None:
    written(tmp_path, "$s = 1$", "secret.tex")
    inside = tmp_path / "paper"
    inside.mkdir()
    os.symlink(tmp_path / "secret.tex", inside / "link.tex")
    os.symlink(tmp_path, inside / "linked")
    paper = read(inside, rf"$a = b$ \input{{{target}}} \include{{{target}}}")
    assert latex(paper) == ["a = b"]
    assert all("outside the paper's folder" in item.message for item in paper.problems)
    assert len(paper.problems) == 2


def test_what_is_not_there_is_said_and_a_file_inside_is_read(tmp_path: Path) -> None:
    written(tmp_path, "$c = d$", "part.tex")
    paper = read(tmp_path, r"\input{part} \input part.tex" "\n" r"\input{nowhere}")
    assert latex(paper) == ["c = d", "c = d"]
    assert [item.message for item in paper.problems] == ["the file nowhere is not there"]
    assert paper.problems[0].position.line == 2


def test_the_number_of_files_is_bounded(tmp_path: Path) -> None:
    written(tmp_path, "$c = d$ ", "part.tex")
    paper = read(tmp_path, r"\input{part} " * (MAX_FILES + 50))
    assert len(latex(paper)) == MAX_FILES
    assert f"more than {MAX_FILES} files" in paper.problems[0].message


def test_a_hundred_thousand_formulas_are_bounded(tmp_path: Path) -> None:
    paper = read(tmp_path, "$x$ " * 100_000)
    assert len(paper.formulas) == MAX_FORMULAS
    assert f"{MAX_FORMULAS:,} formulas" in paper.problems[-1].message


def test_a_hundred_thousand_formulas_of_markdown_are_bounded(tmp_path: Path) -> None:
    paper = read(tmp_path, "$x$ and\n\n" * 100_000, "paper.md")
    assert len(paper.formulas) == MAX_FORMULAS
    assert any(f"{MAX_FORMULAS:,} formulas" in item.message for item in paper.problems)


@pytest.mark.parametrize("name", ["paper.tex", "paper.md", "paper.ipynb"])
def test_a_paper_that_is_too_long_is_refused(tmp_path: Path, name: str) -> None:
    paper = read(tmp_path, "a " * (5 * MAX_CHARACTERS), name)
    assert not paper.passages
    assert len(paper.problems) <= 1


DEEP = {
    "braces": "{" * 5_000 + "x" + "}" * 5_000,
    "in a formula": "$" + "{" * 5_000 + "x" + "}" * 5_000 + "$",
    "environments": r"\begin{center}" * 3_000 + "x" + r"\end{center}" * 3_000,
    "roots": "$" + r"\sqrt{" * 3_000 + "x" + "}" * 3_000 + "$",
}


@pytest.mark.parametrize("deep", DEEP)
def test_depth_is_bounded_and_named(tmp_path: Path, deep: str) -> None:
    paper = read(tmp_path, f"First $a = b$.\n\n{DEEP[deep]}\n")
    assert latex(paper)[:1] == ["a = b"]
    assert any(f"more than {MAX_BRACES} deep" in item.message for item in paper.problems)


BROKEN = {
    r"\begin{theorem} $a = b$": r"\begin{theorem} is not closed",
    r"$a = b$ \end{theorem}": r"\end{theorem} closes nothing",
    r"{ $a = b$": "{ is not closed",
    r"$a = b$ } more": "} closes nothing",
    "A stray $ sign.\n\nThen $a = b$.": "$ has no partner",
    r"\[ x = 1" + "\n\nThen $a = b$.": r"\[ is not closed",
    r"\newcommand{\f}[2]{#1 #2} $a = b$ \f{x": r"\f: ",
    r"$a = b$ \edef\f{g}": "a definition of this kind is not read",
    r"\def\f#1.{#1} $a = b$": "a definition of this kind is not read",
    r"\ifx\a\b $c = d$ \fi $a = b$": "is not read",
}


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_broken_is_named_with_a_remedy_and_the_rest_is_read(tmp_path: Path, text: str) -> None:
    paper = read(tmp_path, text)
    assert latex(paper) == ["a = b"]
    assert any(BROKEN[text] in item.message for item in paper.problems)
    assert all(
        item.position.line >= 1 and item.position.file.endswith("paper.tex") for item in paper.problems
    )


ODD = [
    *("", "\\", "%", "$", "$$", "\\begin", "\\begin{", "\\newcommand", "\\def", "\\input", "\\let\\a", "#1"),
    *("\\\\[", "\x00", "é" * 50, "\\verb", "\\begin{verbatim}", "\\end{document}", "\\title{", "---\n"),
    *("---\nmath: [\n---\n", "```", ":::{prf:theorem}", "$$\n", "{math}`", "\\usepackage{", "\\fi", "$ $"),
    *("\\newtheorem{a}", "$\\text{$$}$", "\\begin{alignat}", "\\begin{alignat}{", "$\\begin{a}$\\end{a}"),
]


@pytest.mark.parametrize("suffix", [".tex", ".md", ".ipynb"])
@pytest.mark.parametrize("text", ODD)
def test_no_text_is_a_crash(tmp_path: Path, text: str, suffix: str) -> None:
    paper = read(tmp_path, text, f"paper{suffix}")
    assert len(paper.passages) <= 2


@pytest.mark.parametrize(
    "unit", ["`", "$$", "\\begin{align}", "**Theorem 1.**\n\n", ":::{note}\n", "<!--", "{math}`", "\\\\("]
)
def test_openings_without_an_end_are_cheap(tmp_path: Path, unit: str) -> None:
    assert not read(tmp_path, unit * 20_000, "paper.md").formulas


def test_a_stray_sign_of_markdown_spoils_its_own_paragraph_alone(tmp_path: Path) -> None:
    paper = read(tmp_path, "First\n\n$$\na = 1\n\nThen\n\n$$\nb = 2\n$$\n\nand $c = 3$.\n", "paper.md")
    assert latex(paper) == ["b = 2", "c = 3"]
    (problem,) = paper.problems
    assert (problem.position.line, problem.hint) == (3, "close it with $$")


def test_a_definition_in_a_group_ends_with_it(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "paper.tex")
    tex = Expander(folder, COMMANDS)
    source = Source("paper.tex", r"\def\a{1}{\def\a{2}\a}\a{\gdef\a{3}}\a")
    assert "".join(token.text for token in tex.expand(lex(source))) == "{2}1{}3"
