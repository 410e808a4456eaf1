r"""Two small papers in ordinary style: which statements are read, which are refused, and why."""

from pathlib import Path

import pytest

from tests.expr.tex.test_untyped import kind
from verifier.expr.errors import ExprError
from verifier.expr.tex.plain import applied, plain, to_source
from verifier.expr.tex.untyped import Untyped, read_untyped
from verifier.read.paper import Formula, Paper, read_paper

PAPERS = Path(__file__).parent / "papers"
GRADIENTS = read_paper(PAPERS / "gradients" / "main.tex")
DESCENT = read_paper(PAPERS / "descent.md")


def statements(paper: Paper) -> list[tuple[str, Formula]]:
    """The formulas that state something, with the label of their passage."""
    signs = ("=", r"\le", r"\preceq", r"\ge")
    return [
        (passage.label or passage.kind, part)
        for passage in paper.passages
        for part in passage.formulas
        if any(sign in part.latex.replace(r"\left", "") for sign in signs)
    ]


def source(found: Untyped) -> list[str]:
    return [to_source(plain(applied(tree, frozenset("f")), kind)) for tree in found.statements]


SAYS = {
    "gradients": [
        ("text", "y == W @ x"),
        ("lem:layer", "E(norm(W @ x)**2) == m * sigma_w**2 * norm(x)**2"),
        ("proof", "E(norm(W @ x)**2) == sum(E((W @ x)[i]**2), i, 1, m)"),
        ("proof", "sum(E((W @ x)[i]**2), i, 1, m) == m * sigma_w**2 * norm(x)**2"),
        ("lem:mean", "E(W @ x) == zeros(m)"),
        ("lem:mean", "Var(u.T @ W @ x) == sigma_w**2 * norm(u)**2 * norm(x)**2"),
        ("thm:bounds", "norm(A @ B) <= norm(A, 2) * norm(B)"),
        ("thm:bounds", "abs(tr(A.T @ B)) <= norm(A) * norm(B)"),
        ("thm:bounds", "norm(A, 2) <= norm(A)"),
        ("thm:bounds", "norm(A) <= sqrt(r) * norm(A, 2)"),
        ("cor:growth", "sigma_w == 1"),
        ("cor:growth", "E(norm(W @ x)**2) <= O(m)"),
        ("prop:gradient", "ell == 1 / 2 * norm(y - t)**2"),
        ("prop:gradient", "norm(D(ell, W)) == norm(y - t) * norm(x)"),
    ],
    "descent": [
        ("text", "f(x) == 1 / 2 * x.T @ A @ x - w.T @ x"),
        ("text", "x[k + 1] == x[k] - eta * (A @ x[k] - w)"),
        ("lem-expansion", "norm(u - v)**2 == norm(u)**2 - 2 * inner(u, v) + norm(v)**2"),
        ("proof", "norm(u - v)**2 == (u - v).T @ (u - v)"),
        ("proof", "(u - v).T @ (u - v) == norm(u)**2 - 2 * u.T @ v + norm(v)**2"),
        ("thm-parallelogram", "norm(u + v)**2 + norm(u - v)**2 == 2 * norm(u)**2 + 2 * norm(v)**2"),
        ("thm-young", "2 * inner(u, v) <= t * norm(u)**2 + 1 / t * norm(v)**2"),
        ("corollary", "sqrt(a * b) <= (a + b) / 2"),
        ("corollary", "0 <= a / (a + b)"),
        ("corollary", "a / (a + b) <= 1"),
    ],
}
REFUSED = {
    "gradients": [("prop:gradient", "no order of matrices")],
    "descent": [("thm-young", "with some probability")],
}


@pytest.mark.parametrize(("name", "paper"), [("gradients", GRADIENTS), ("descent", DESCENT)])
def test_every_statement_is_read_or_refused_with_its_reason(name: str, paper: Paper) -> None:
    assert not paper.problems
    said: list[tuple[str, str]] = []
    refused: list[tuple[str, str]] = []
    for label, part in statements(paper):
        try:
            said += [(label, text) for text in source(read_untyped(part.latex))]
        except ExprError as error:
            refused.append((label, error.message))
    assert said == SAYS[name]
    assert [label for label, _ in refused] == [label for label, _ in REFUSED[name]]
    assert all(why in message for (_, message), (_, why) in zip(refused, REFUSED[name], strict=True))


def test_titles_kinds_and_labels() -> None:
    assert (GRADIENTS.title, DESCENT.title) == ("Signals in wide linear layers", "Steps of gradient descent")
    kinds = [passage.kind for passage in GRADIENTS.passages]
    assert kinds == ["text", "lemma", "proof", "lemma", "theorem", "corollary", "proposition"]
    assert [passage.title for passage in DESCENT.passages if passage.title] == [
        "Expansion",
        "Parallelogram",
        "Means",
    ]
    labels = [part.label for part in GRADIENTS.formulas if part.label]
    assert labels == ["eq:layer", "eq:layer-proof", "eq:submult", "eq:cauchy", "eq:smooth"]
    assert [part.label for part in DESCENT.formulas if part.label] == [
        "eq-step",
        "eq-expansion",
        "eq-expansion-proof",
        "eq-young",
    ]


def test_what_stands_in_comments_or_after_the_end_is_not_there() -> None:
    assert not [part for part in GRADIENTS.formulas if part.latex in ("1 = 2", "0 = 1")]


@pytest.mark.parametrize("paper", [GRADIENTS, DESCENT], ids=["gradients", "descent"])
def test_each_formula_stands_where_it_says(paper: Paper) -> None:
    for part in paper.formulas:
        line = Path(part.file).read_text(encoding="utf-8").splitlines()[part.line - 1]
        first = line[part.column - 1 :].lstrip("& ")[:2]
        assert first[:1] == part.latex[:1] or first[0] == "\\", (part, line)


def test_prose_keeps_its_words() -> None:
    words = "".join(part if isinstance(part, str) else "#" for part in GRADIENTS.passages[0].parts)
    assert "Let # have i.i.d. # entries, and fix #." in words
    assert "is the Euclidean norm of a vector, as in [nobody]" in words
