r"""Ordinary layouts, each a file: what must be read out of it, and that every formula then is readable."""

from pathlib import Path

import pytest

from verifier.expr import syntax as S
from verifier.expr.tex.untyped import read_untyped
from verifier.read.paper import Formula, Paper, Passage, read_paper

LAYOUTS = Path(__file__).parent / "layouts"
Line = tuple[str, str | None, str]

# For each file: the kind of the passage, the label of the formula, and the formula.
EXPECTED: dict[str, list[Line]] = {
    "equation.tex": [
        ("theorem", None, "W"),
        (
            "theorem",
            "eq:moment",
            r"\mathbb{E} \left\lVert W x \right\rVert^2 = m \left\lVert x \right\rVert^2",
        ),
    ],
    "align_chain.tex": [
        (
            "proof",
            "eq:triangle",
            r"\|A + B\|_F^2 = \|A\|_F^2 + 2 \langle A, B \rangle + \|B\|_F^2"
            r" \le \|A\|_F^2 + 2 \|A\|_F \|B\|_F + \|B\|_F^2 = (\|A\|_F + \|B\|_F)^2",
        )
    ],
    "align_rows.tex": [
        ("text", "eq:sum", r"\operatorname{tr}(A + B) = \operatorname{tr}(A) + \operatorname{tr}(B)"),
        ("text", "eq:cycle", r"\operatorname{tr}(A B) = \operatorname{tr}(B A)"),
    ],
    "align_columns.tex": [
        ("text", None, "a = b + 1"),
        ("text", None, "c = 2 a"),
        ("text", None, r"t^2 \ge 0 \quad \text{for all } t"),
    ],
    "aside.tex": [
        ("theorem", None, "s = 1"),
        (
            "theorem",
            "eq:aside",
            r"\mathbb{E}\!\left[t\right] = \mathbb{E}_{w}\!\left[t\right] \le 1",
        ),
        ("text", None, "s = 2"),
    ],
    "ampersands.tex": [
        ("text", "eq:u", "u = a + b"),
        ("text", "eq:v", "v = a - b"),
        ("text", None, "s = a - b + c"),
    ],
    "breaks.md": [("text", None, "u = a + b"), ("text", None, r"v = a - b \le 2 a")],
    "gather.tex": [("text", "eq:square", r"x^\top x \ge 0"), ("text", None, r"y^\top y \ge 0")],
    "multline.tex": [("text", "eq:long", "(a + b)^3 = a^3 + 3 a^2 b + 3 a b^2 + b^3")],
    "split.tex": [("text", "eq:split", r"(a + b)^2 = a^2 + 2 a b + b^2 \le 2 a^2 + 2 b^2")],
    "aligned.tex": [("text", None, "u = a + b"), ("text", None, "v = a - b")],
    "dollars.tex": [("text", None, r"\log(a b) = \log(a) + \log(b)")],
    "brackets.tex": [("text", "eq:means", r"\sqrt{a b} \leq \frac{a + b}{2}")],
    "inline.tex": [
        ("lemma", None, r"x, y \in \mathbb{R}^d"),
        ("lemma", None, r"|x^\top y| \le \|x\|_2 \|y\|_2"),
    ],
    "system.tex": [("text", None, "a + b = 3"), ("text", None, "a - b = 1")],
    "eqnarray.tex": [
        ("text", "eq:circle", r"\sin^2(t) + \cos^2(t) = 1"),
        ("text", None, r"\exp(s + t) = \exp(s) \exp(t)"),
    ],
    "def.tex": [
        ("text", None, r"\frac{1}{3} a"),
        ("text", None, r"\frac{1}{2} \langle x, y \rangle \le \varepsilon"),
    ],
    "operators.tex": [
        (
            "text",
            "eq:pairs",
            r"\left\lVert x + y\right\rVert^2 - \left\lVert x - y\right\rVert^2"
            r" = 4 \left\langle x, y\right\rangle",
        ),
        ("text", "eq:trace", r"\operatorname{tr}(A^{\mathsf{T}}) = \operatorname{tr}(A)"),
    ],
    "physics.tex": [
        (
            "text",
            None,
            r"\left\|x\right\| \ge \left|\operatorname{tr}(A)\right| + \frac{\partial f}{\partial t}",
        )
    ],
    "included/main.tex": [
        ("proposition", None, "a > 0"),
        ("proposition", None, r"\|a \boldsymbol{x}\|_2 = a \|\boldsymbol{x}\|_2"),
    ],
    "shorthand.tex": [("text", "eq:short", "a^2 - b^2 = (a - b)(a + b)"), ("text", "eq:own", "c = d")],
    "restated.tex": [("theorem", None, r"\|A x\|_2 \le \|A\|_{\mathrm{op}} \|x\|_2")],
    "subequations.tex": [("text", "eq:first", "a = 1"), ("text", "eq:second", "b = 2")],
    "notes.tex": [
        ("proof", None, r"a \overset{(i)}{\le} b + \underbrace{c}_{\ge 0}"),
        ("proof", None, r"c \stackrel{(ii)}{=} 2 b"),
    ],
    "comments.tex": [("text", None, "a + b = c")],
    "primes.tex": [
        ("definition", None, r"\bar x = \frac{1}{n} \sum_{i=1}^n x_i"),
        ("definition", None, r"x' = x^\star + \hat\theta_1"),
    ],
    "plain.md": [
        ("text", None, r"x \in \mathbb{R}^n"),
        ("text", "eq-norms", r"\|x\|_1 \le \sqrt{n} \|x\|_2"),
    ],
    "myst.md": [
        ("theorem", None, r"x \in \mathbb{R}^n"),
        ("theorem", "eq-myst", r"\lVert x \rVert_\infty \le \lVert x \rVert_2"),
        ("theorem", None, r"\lVert x \rVert_2 \le \lVert x \rVert_1"),
        ("text", "eq-anchor", "a = b"),
    ],
    "quarto.qmd": [("lemma", "eq-young", r"a b \le \frac{a^2}{2} + \frac{b^2}{2}")],
    "bold.md": [
        ("theorem", None, "a"),
        ("theorem", None, "b"),
        ("theorem", None, r"2 a b \le a^2 + b^2"),
        ("proof", None, r"(a - b)^2 \ge 0"),
    ],
    "notebook.ipynb": [("text", "eq-cell", r"x^2 \ge 0"), ("lemma", None, "y = 1")],
}


def paper(name: str) -> Paper:
    return read_paper(LAYOUTS / name)


def passage(name: str, kind: str) -> Passage:
    return next(item for item in paper(name).passages if item.kind == kind)


def formula(name: str, latex: str) -> Formula:
    return next(item for item in paper(name).formulas if item.latex == latex)


def test_every_layout_is_expected() -> None:
    files = {
        str(path.relative_to(LAYOUTS))
        for path in LAYOUTS.rglob("*.*")
        if path.suffix in (".tex", ".md", ".qmd", ".ipynb") and path.parent.name != "sections"
    }
    assert files == set(EXPECTED)
    assert len(files) >= 25


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_read_out_of_it(name: str) -> None:
    found = paper(name)
    assert not found.problems
    lines = [(item.kind, part.label, part.latex) for item in found.passages for part in item.formulas]
    assert lines == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_every_statement_in_it_is_readable(name: str) -> None:
    for part in paper(name).formulas:
        if r"\mathbb{R}" not in part.latex:
            assert read_untyped(part.latex).statements


def test_rows_of_a_chain_are_the_steps_of_a_proof() -> None:
    (chain,) = paper("align_chain.tex").formulas
    assert [row[:4] for row in chain.rows] == [r"\|A ", r"\le ", "= (\\"]
    steps = read_untyped(chain.latex)
    assert steps.is_chain
    assert [step.op for step in steps.statements if isinstance(step, S.Compare)] == ["==", "<=", "=="]


def test_places_are_those_of_the_author_through_macros_and_includes() -> None:
    moment = formula("equation.tex", EXPECTED["equation.tex"][1][2])
    assert (moment.line, moment.column) == (9, 3)
    inner = formula("included/main.tex", EXPECTED["included/main.tex"][1][2])
    assert Path(inner.file).name == "norms.tex"
    assert (inner.line, inner.column) == (4, 6)
    assert formula("aside.tex", EXPECTED["aside.tex"][1][2]).line == 7
    row = formula("align_rows.tex", EXPECTED["align_rows.tex"][1][2])
    text = (LAYOUTS / "align_rows.tex").read_text().splitlines()[row.line - 1]
    assert text[row.column - 1 :].startswith(r"\operatorname{tr}(A B)")


def test_titles_labels_numbers_and_tags() -> None:
    theorem = passage("equation.tex", "theorem")
    assert (theorem.title, theorem.label) == ("Second moment", "thm:moment")
    assert passage("restated.tex", "theorem").title == "Main result"
    assert passage("notes.tex", "proof").title == "Proof of the bound"
    assert passage("quarto.qmd", "lemma").title == "Young"
    assert passage("aside.tex", "proof").title == "Proof of (eq:aside)"
    bold = passage("bold.md", "theorem")
    assert (bold.number, bold.title) == ("2.1", "Means")
    assert formula("notebook.ipynb", r"x^2 \ge 0").tag == "3"
    assert paper("included/main.tex").title == "Two files"
    assert paper("myst.md").title == "MyST"


def test_prose_is_plain_words() -> None:
    parts = passage("equation.tex", "theorem").parts
    assert [part.strip() for part in parts if isinstance(part, str) and part.strip()] == [
        "Let",
        "have independent standard normal entries. Then",
    ]
    assert "Here (i) is obvious." in str(passage("notes.tex", "proof").parts[-1])
    assert "50% of another" in str(passage("comments.tex", "text").parts[-1])
    assert "between $5 and $10" in str(passage("plain.md", "text").parts[0])
