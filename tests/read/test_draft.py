"""Drafts: what a paper says becomes claims or comments, nothing is guessed, and the file always parses."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifier.cli import main
from verifier.read.draft import Draft, draft_paper
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Ready

HEAD = r"""\documentclass{article}
\newtheorem{theorem}{Theorem}
\newtheorem{lemma}{Lemma}
\newcommand{\R}{\mathbb{R}}
\newcommand{\E}{\mathbb{E}}
\begin{document}
"""
SETUP = (
    r"Let $x \in \R^n$. Let $W \in \R^{m \times n}$ have i.i.d. $\mathcal{N}(0, \sigma^2)$ entries." + "\n\n"
)
LEMMA = r"""\begin{lemma}\label{lem:one}
Then
\begin{equation}\label{eq:one}
\E \|W x\|^2 = m \sigma^2 \|x\|^2 .
\end{equation}
\end{lemma}
"""


def drafted(folder: Path, body: str, suffix: str = ".tex") -> Draft:
    path = folder / f"paper{suffix}"
    path.write_text(f"{HEAD}{body}\\end{{document}}\n" if suffix == ".tex" else body, encoding="utf-8")
    return draft_paper(path)


def says(draft: Draft) -> list[str]:
    found = load_text(draft.text, draft.paper.path + ".yaml")
    assert found.problems == ()
    assert all(isinstance(entry, Ready) for entry in found.entries), found.entries
    return [entry.claim.text for entry in found.ready]


def test_a_lemma_with_what_the_text_declares(tmp_path: Path) -> None:
    draft = drafted(tmp_path, SETUP + LEMMA)
    assert says(draft) == ["E(norm(W @ x)**2) == m * sigma**2 * norm(x)**2"]
    (entry,) = draft.loaded().ready
    assert entry.claim.random == {"W"}
    assert entry.id == "paper/lem-one#eq-one"
    assert (entry.position.file, entry.position.line) == (draft.paper.path, 12)
    assert "label: 'eq:one'" in draft.text
    assert "preamble:" in draft.text


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (r"x \in \R^n", r"x \in \R^{n \times k}", None),
        (r"have i.i.d. $\mathcal{N}(0, \sigma^2)$ entries", "be fixed", None),
        (r"\mathcal{N}(0, \sigma^2)", r"\mathcal{N}(0, 1/n)", "normal(m, n, std=1/sqrt(n))"),
        (
            r"have i.i.d. $\mathcal{N}(0, \sigma^2)$ entries",
            "have i.i.d. Rademacher entries",
            "rademacher(m, n)",
        ),
        (r"W \in \R^{m \times n}", r"W \in \R^{n \times n}", "normal(n, n, std=sigma)"),
    ],
)
def test_one_word_changes_the_shape_or_the_law(
    tmp_path: Path, before: str, after: str, kind: str | None
) -> None:
    draft = drafted(tmp_path, SETUP.replace(before, after) + LEMMA)
    claims = list(draft.loaded().ready)
    if kind is None:
        # Plain bars of a matrix, a mean over nothing: no reading, and a reason.
        assert claims == []
        assert draft.notes
    else:
        assert claims[0].claim.origins["W"].says == kind


@pytest.mark.parametrize(
    "words",
    [
        "Suppose that $f$ is quasi-monotone.",
        "Assume that $x$ is not necessarily bounded.",
        "Let $x$ be drawn from an unknown law.",
    ],
)
def test_a_hypothesis_that_is_not_understood_leaves_no_claim(tmp_path: Path, words: str) -> None:
    lemma = LEMMA.replace("Then\n", f"{words} Then\n")
    draft = drafted(tmp_path, SETUP + lemma)
    assert says(draft) == []
    assert any("hypothesis" in note.reason for note in draft.notes)
    assert "# refused" in draft.text


def test_a_sentence_of_the_text_that_is_not_understood_spares_other_letters(tmp_path: Path) -> None:
    text = "Assume that $x$ is quasi-monotone.\n\n"
    other = r"\begin{lemma} Let $u, v \in \R^d$. Then $|u^\top v| \le \|u\| \|v\|$. \end{lemma}" + "\n"
    assert says(drafted(tmp_path, SETUP + text + LEMMA + other)) == ["abs(u.T @ v) <= norm(u) * norm(v)"]


def test_definitions_are_let_and_no_claims(tmp_path: Path) -> None:
    text = r"Let $A \in \R^{n \times n}$ and let $x \in \R^n$. Define $y = A x$." + "\n\n"
    lemma = r"\begin{lemma} We have $\|y\| \le \|A\|_2 \|x\|$. \end{lemma}"
    draft = drafted(tmp_path, text + lemma)
    assert says(draft) == ["norm(y) <= norm(A, 2) * norm(x)"]
    assert "y: 'A @ x'" in draft.text


def test_chains_of_proofs_are_steps(tmp_path: Path) -> None:
    lemma = r"""\begin{lemma} Let $u, v \in \R^d$. Then $\|u + v\| \le \|u\| + \|v\|$. \end{lemma}
\begin{proof}
\begin{align}
\|u + v\|^2 &= \|u\|^2 + 2 u^\top v + \|v\|^2 \\
&\le (\|u\| + \|v\|)^2 .
\end{align}
\end{proof}
"""
    statement, steps = says(drafted(tmp_path, lemma))
    assert statement == "norm(u + v) <= norm(u) + norm(v)"
    assert steps.splitlines() == [
        "norm(u + v)**2",
        "== norm(u)**2 + 2 * u.T @ v + norm(v)**2",
        "<= (norm(u) + norm(v))**2",
    ]


def test_a_condition_belongs_to_its_sentence(tmp_path: Path) -> None:
    lemma = r"""\begin{lemma} Let $x \in \R^n$. If $\|x\| = 1$, then $\|x\|^2 = 1$.
We have $\|x\|^2 \ge 0$. \end{lemma}"""
    draft = drafted(tmp_path, lemma)
    claims = draft.loaded().claims
    assumed = {claim.text: [item.text for item in claim.assumptions] for claim in claims}
    assert assumed.get("norm(x)**2 == 1", ["norm(x) == 1"]) == ["norm(x) == 1"]
    assert assumed["norm(x)**2 >= 0"] == []


def test_what_is_inferred_is_marked_and_stays_marked(tmp_path: Path) -> None:
    lemma = r"\begin{lemma} We have $\|A B\|_F \le \|A\|_F \|B\|_F$. \end{lemma}"
    draft = drafted(tmp_path, lemma)
    (entry,) = draft.loaded().ready
    assert "# inferred:" in draft.text
    assert entry.claim.origins["A"].inferred
    assert entry.claim.printed is not None
    assert entry.claim.printed.latex == r"\|A B\|_F \le \|A\|_F \|B\|_F"


@pytest.mark.parametrize(
    "formula", [r"f(x) \ge 0", r"\|A x\| \le \|A\| \|x\|", r"a \approx b", r"\sum_i x_i \le \sqrt{n} \|x\|_2"]
)
def test_what_could_mean_two_things_is_refused_with_a_reason(tmp_path: Path, formula: str) -> None:
    draft = drafted(tmp_path, rf"\begin{{lemma}} We have ${formula}$. \end{{lemma}}")
    assert says(draft) == []
    assert all(note.reason for note in draft.notes)
    assert draft.text.count("# refused") >= 1


MARKDOWN = """# Notes

Let $x \\in \\mathbb{R}^n$.
Let $W \\in \\mathbb{R}^{m \\times n}$ have i.i.d. $\\mathcal{N}(0, \\sigma^2)$ entries.

**Lemma 1.** Then

$$
\\mathbb{E} \\|W x\\|^2 = m \\sigma^2 \\|x\\|^2 .
$$
"""
MYST = MARKDOWN.replace("**Lemma 1.** Then\n", ":::{prf:lemma} Variance\n:label: lem-one\nThen\n") + ":::\n"


def test_myst_and_notebooks_alike(tmp_path: Path) -> None:
    first = says(drafted(tmp_path, MYST, ".md"))
    cells = [{"cell_type": "markdown", "metadata": {}, "source": MYST.splitlines(keepends=True)}]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    second = says(drafted(tmp_path, json.dumps(notebook, indent=1), ".ipynb"))
    assert first == second == ["E(norm(W @ x)**2) == m * sigma**2 * norm(x)**2"]


# --- any paper ---------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        "Let $x \\in \\R^n$. ", "Suppose ", "not ", "$W \\sim \\mathcal{N}(0, 1)$ ", "Then ", "$x = y: z$ ",
        "# ", "'", '"', "\\begin{lemma}", "\\end{lemma}", "\\begin{proof}", "\\end{proof}",
        "\\begin{equation}\\label{eq:%}", "\\end{equation}", "$\\|x\\|_2 \\le 1$. ", "\\label{a b}", "\u202e",
        "\t", "---\n", "{", "}", "$", "$$", "\\[", "\\]", "\n\n", "as $n \\to \\infty$ ", "$f(x) = x^2$ ",
        "where $y = x$. ", "$a \\le b \\le c$ ", "\\item ", "%%claim\n", "- [x]: {y}\n", "&", "\\\\", "\x00",
        "$\\forall x \\in \\R^d$ ", "\x07", "$E[W] = 0$. ",
    ]
)  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=25), st.sampled_from([".tex", ".md"]))
def test_any_paper_gives_a_draft_that_parses(tmp_path: Path, pieces: list[str], suffix: str) -> None:
    draft = drafted(tmp_path, "".join(pieces), suffix)
    found = load_text(draft.text, "draft.yaml")
    assert found.problems == ()
    assert all(isinstance(entry, Ready) for entry in found.entries), draft.text


# --- the command -------------------------------------------------------------------------------------


def test_the_command_writes_a_file_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, target = Path(drafted(tmp_path, SETUP + LEMMA).paper.path), tmp_path / "claims.yaml"
    assert main(["draft", str(path), "-o", str(target)]) == 0
    assert "1 claim read" in capsys.readouterr().err
    assert len(load_text(target.read_text(encoding="utf-8"), str(target)).entries) == 1
    assert main(["draft", str(path), "-o", str(target)]) == 2
    assert main(["draft", str(path), "-o", str(target), "--force"]) == 0


@pytest.mark.parametrize("name", ["missing.tex", "claims.yaml"])
def test_what_is_no_paper_is_told(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draft", str(tmp_path / name)]) == 2
    told = capsys.readouterr()
    assert name in told.err
    assert told.out == ""


@pytest.mark.parametrize(("change", "status"), [("", 0), ("2 ", 1)])
def test_a_paper_without_claims_is_judged(
    tmp_path: Path, change: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    body = rf"\begin{{lemma}} Let $u \in \R^d$. Then $\|u\|^2 = {change}u^\top u$. \end{{lemma}}"
    path = drafted(tmp_path, body).paper.path
    assert main([path, "--no-cache", "--jobs", "1", "--format", "json"]) == status
    out = capsys.readouterr()
    (claim,) = json.loads(out.out)["claims"]
    assert (claim["file"], claim["line"]) == (path, 7)
    assert "has no claims of its own" in out.err


def test_pages_of_a_folder_are_nobodys_papers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drafted(tmp_path, MYST, ".md")
    assert main([str(tmp_path), "--list"]) == 2
    assert "no claims were found" in capsys.readouterr().err
