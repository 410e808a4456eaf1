r"""Lines of LaTeX, `verify -e '$...$'`, and chains."""

import pytest

from verifier.expr.text import to_text
from verifier.read.line import load_lines
from verifier.read.specs.loaded import Broken, Ready

GAUSSIAN = ("W: normal(m, n, std=sigma)", "x: vector(n)")
READ = [
    (r"$\|AB\|_F \le \|A\|_F\|B\|_F$", (), "norm(A @ B) <= norm(A) * norm(B)"),
    (r"\(\operatorname{tr}(AB) = \operatorname{tr}(BA)\)", (), "tr(A @ B) == tr(B @ A)"),
    (r"$\|\alpha x\|_2 = |\alpha| \|x\|_2$", (), "norm(alpha * x, 2) == abs(alpha) * norm(x, 2)"),
    (
        r"$$\mathbb{E}\|Wx\|^2 = m\sigma^2\|x\|^2$$",
        GAUSSIAN,
        "E(norm(W @ x)**2) == m * sigma**2 * norm(x)**2",
    ),
    (r"$\mathbb{E}_W\|Wx\|^2 \ge 0$", GAUSSIAN, "E(norm(W @ x)**2) >= 0"),
    (r"$A^2 = A A$", ("A: matrix(n, n)",), "matpow(A, 2) == A @ A"),
    (r"$a^2 = a a$", (), "a**2 == a * a"),
    (r"$\sum_{i=1}^n x_i \le \sqrt{n} \|x\|_2$", (), "sum(x[i], i, 1, n) <= sqrt(n) * norm(x, 2)"),
    (r"$x^\top A y \le \|A\|_2 \|x\|_2 \|y\|_2$", (), "x.T @ A @ y <= norm(A, 2) * norm(x, 2) * norm(y, 2)"),
    (r"$p_i \le 1, \quad i = 1, \dots, k$", (), "p[i] <= 1"),
    (r"$\|x\|^2 \ge 0 \quad \forall x \in \mathbb{R}^d$", (), "norm(x)**2 >= 0"),
]
REFUSED = [
    (r"$\|AB\| \le \|A\|\|B\|$", (), "Frobenius or spectral"),
    (r"$f(x) \ge 0$", (), "function or a product"),
    (r"$\sum_i x_i \le \sqrt{n} \|x\|_2$", (), "how far the sum runs"),
    (r"$\mathbb{E}_x\|Wx\|^2 \ge 0$", GAUSSIAN, "over something else"),
    (r"$\mathbb{E}\|Wx\|^2 \ge 0$", ("W: matrix(m, n)", "x: vector(n)"), "nothing that is random"),
    (r"$a \approx b$", (), "approx"),
    (r"$\|A x\|_2 \le \|A\|_2$", (), "scale or be one of matrices"),
    (r"$a = b, \quad c = d$", (), "several statements"),
    ("$$", (), "formula"),
]


@pytest.mark.parametrize(("line", "given", "says"), READ)
def test_a_formula_is_read(line: str, given: tuple[str, ...], says: str) -> None:
    (entry,) = load_lines([line], given).entries
    assert isinstance(entry, Ready), entry
    assert entry.claim.text == says


@pytest.mark.parametrize(("line", "given", "reason"), REFUSED)
def test_what_could_mean_two_things_is_refused(line: str, given: tuple[str, ...], reason: str) -> None:
    (entry,) = load_lines([line], given).entries
    assert isinstance(entry, Broken)
    assert reason in entry.problems[0].message
    assert entry.problems[0].line_text == line


def test_a_chain_is_steps() -> None:
    (entry,) = load_lines([r"$(x+y)^2 = x^2 + 2xy + y^2 \ge 4xy$"]).entries
    assert isinstance(entry, Ready)
    assert [step.text for step in entry.claim.steps] == ["== x**2 + 2 * x * y + y**2", ">= 4 * x * y"]


def test_a_tail_is_a_condition() -> None:
    (entry,) = load_lines([r"$1/n \le 1 \quad \text{for all } n \ge 1$"]).entries
    assert isinstance(entry, Ready)
    assert [item.text for item in entry.claim.assumptions] == ["n >= 1"]


def test_what_a_declaration_says_decides_which_norm_and_which_product() -> None:
    line = r"$\|c x\| \le |c| \|x\|$"
    vector, matrix = (load_lines([line], [f"x: {kind}"]).entries[0] for kind in ("vector(n)", "matrix(n, m)"))
    assert isinstance(vector, Ready)
    assert vector.claim.text == "norm(c * x) <= abs(c) * norm(x)"
    assert isinstance(matrix, Broken)


@pytest.mark.parametrize("line", [r"\|AB\|_F \le \|A\|_F\|B\|_F", r"$\|AB\|_F \le \|A\|_F\|B\|_F$"])
def test_latex_needs_no_delimiters(line: str) -> None:
    (entry,) = load_lines([line]).entries
    assert isinstance(entry, Ready)
    assert entry.claim.text == "norm(A @ B) <= norm(A) * norm(B)"


@pytest.mark.parametrize("line", ["norm(A) <= \\", r"\foo{A} \le 1", "a \\ b"])
def test_a_backslash_alone_is_no_latex_and_unknown_commands_are_refused(line: str) -> None:
    (entry,) = load_lines([line]).entries
    assert isinstance(entry, Broken)


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("(a + b)**2 == c <= d", ["(a + b)**2 == c", "c <= d"]),
        ("a==b<=c<d", ["a == b", "b <= c", "c < d"]),
        ("0 <= relu(x) <= max(1, x**2)", ["0 <= relu(x)", "relu(x) <= max(1, x**2)"]),
    ],
)
def test_a_line_of_several_relations_is_a_chain(line: str, steps: list[str]) -> None:
    (entry,) = load_lines([line]).entries
    assert isinstance(entry, Ready)
    assert [to_text(step.fact) for step in entry.claim.steps] == steps


@pytest.mark.parametrize("line", ["a == sum(i, i, 1, n, i != 2)", "x in [0, 1]", "max(a, b) >= a"])
def test_relations_in_brackets_make_no_chain(line: str) -> None:
    (entry,) = load_lines([line]).entries
    assert isinstance(entry, Ready)
    assert len(entry.claim.steps) == 1


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("a == b ==", "syntax", 10),
        ("a <= <= b", "syntax", 5),
        ("== a == b", "syntax", 1),
        ("a == b <= c + ", "syntax", 14),
        ("a==b<=f(c)", "unknown-name", 7),
        ("a == E(b) <= c", "no-law", 6),
        ("x in [0, 1] == y", "syntax", 13),
    ],
)
def test_what_is_wrong_with_a_chain_has_its_place(line: str, code: str, column: int) -> None:
    (entry,) = load_lines([line]).entries
    assert isinstance(entry, Broken)
    problem = entry.problems[0]
    assert (problem.code, problem.position.line, problem.position.column) == (code, 1, column)
