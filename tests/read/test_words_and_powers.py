"""Readings that hang on one letter or one word more, each with a sibling that must be refused."""

from pathlib import Path

import pytest

from verifier.read.draft import Draft, draft_paper

HEAD = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\newcommand{\R}{\mathbb{R}}
\newcommand{\E}{\mathbb{E}}
\begin{document}
"""
MATRICES = r"Let $\mathbf{A} \in \R^{m \times n}$, $\mathbf{B} \in \R^{n \times p}$. Then "
SQUARE = r"Let $B \in \R^{n \times n}$. Then "
# A lemma in one line, and its claims; an empty list: it must be refused.
LEMMAS: list[tuple[str, list[str]]] = [
    # Capitals in bold are a product of letters, if these are letters.
    (
        MATRICES + r"$\|\mathbf{AB}\|_F \le \|\mathbf{A}\|_F \|\mathbf{B}\|_F$.",
        ["norm(A @ B) <= norm(A) * norm(B)"],
    ),
    (MATRICES + r"$\|\mathbf{AC}\|_F \le \|\mathbf{A}\|_F$.", []),
    (r"Let $\mathbf{AB} \in \R^{m \times n}$. Then $\|\mathbf{AB}\|_F \ge 0$.", []),
    # A function's name in italics.
    (SQUARE + "$tr(B)^2 = tr(B) tr(B)$.", ["tr(B)**2 == tr(B) * tr(B)"]),
    (r"Let $B \in \R^{n \times n}$ and $t, r \in \R$. Then $tr(B) = tr(B^\top)$.", []),
    (SQUARE + r"$\operatorname{tr}(B^\top B)^2 \ge 0$.", []),  # the square of the trace, or of the matrix?
    # A power by T, or a transpose.
    (
        r"For $0 \le \beta < 1$ and $T \ge 1$, $\sum_{t=0}^{T-1} \beta^t = \frac{1 - \beta^T}{1 - \beta}$.",
        ["sum(beta**t, t, 0, T - 1) == (1 - beta**T) / (1 - beta)"],
    ),
    (r"Let $u \in \R^n$, $T \ge 1$. Then $\sum_{t=1}^{T} u^T u = T \|u\|^2$.", []),
    # What is said of the mean and the variance of a variable is its law; of another letter it is a condition.
    (
        r"Let $X$ be a random variable with $\E[X] = \mu$ and $\mathrm{Var}(X) = v$. Then "
        r"$\E[X^2] = v + \mu^2$.",
        ["E(X**2) == v + mu**2"],
    ),
    (r"Let $\mathrm{Var}(x) = x^2$ for $x \in \R$. Then $\mathrm{Var}(2) = 4$.", ["2**2 == 4"]),
    # Corners of a cube: uniform, or any.
    (r"Let $s \in \{-1, 1\}^n$ be uniformly distributed. Then $\E[s^\top s] = n$.", ["E(s.T @ s) == n"]),
    (r"Let $s \in \{-1, 1\}^n$. Then $\E[s^\top s] = n$.", []),
    (r"Let $s \in \{-1, 0, 1\}^n$ be uniformly distributed. Then $\E[s^\top s] = 2n/3$.", []),
    # A bound and when it is met; two statements that are not one.
    (
        r"Let $a, b \in \R$. Then $2 a b \le a^2 + b^2$, with equality if and only if $a = b$.",
        ["2 * a * b <= a**2 + b**2"],
    ),
    (r"Let $a, b \in \R$. Then $2 a b \le a^2 + b^2$ if and only if $a = b$.", []),
    (r"Let $a, b \in \R$. Then $2 a b \le a^2 + b^2$, with equality if $a = b$, and $a \le b$.", []),
    # A definition with its domain.
    (r"Let $f(x) = x \log x$ for $x > 0$. Then $f'(x) = 1 + \log x$.", ["D(x * log(x), x) == 1 + log(x)"]),
    (r"Let $f(x) = x \log x$ for $y > 0$. Then $f(x) \ge x - 1$.", []),
    (r"Let $f(x) = x \log x$ for $x > 0$. Then $f(2) \ge 1$.", []),  # known at x alone
    # A condition by membership.
    (r"If $t \in (0, 1)$ and $x \in \R^n$, then $\|t x\| \le \|x\|$.", ["norm(t * x) <= norm(x)"]),
    (r"If $t \in (0, 1)$ or $x \in \R^n$, then $\|t x\| \le \|x\|$.", []),
    # A condition is no claim, also where it is a chain.
    (r"If $0 < a < b$, then $\sqrt{ab} \le b$.", ["sqrt(a * b) <= b"]),
    (r"Let $a > 0$. If $a < b$, then $a < b < 2b$.", ["a\n< b\n< 2 * b"]),
    # Of several claims, a condition behind the last may be said of the last alone.
    (r"Let $x \in \R$. Then $|\sin x| \le 1$ and $e^x \ge 1$ if $x \ge 0$.", ["exp(x) >= 1"]),
    (r"Let $x \in \R$. Then $|\sin x| \le 1$ and $e^x \ge 1$ for $x \ge 0$.", ["exp(x) >= 1"]),
    (r"Then $|\sin x| \le 1$ and $e^x \ge 1$ for all $x \ge 0$.", ["abs(sin(x)) <= 1", "exp(x) >= 1"]),
    (r"If $x \ge 0$, then $|\sin x| \le 1$ and $e^x \ge 1$.", ["abs(sin(x)) <= 1", "exp(x) >= 1"]),
    # A name of the language means what the paper says, or nothing.
    (r"Let $O(t) = 2 t$. Then $O(t) \le 3 t$ for all $t > 0$.", ["2 * t <= 3 * t"]),
    (r"Let $\log(x) = x^2$. Then $\log(x) \ge 0$ for all $x \in \R$.", []),
    (r"Let $x > 0$ and assume that $\log(x) = 2$. Then $x \ge 2$.", ["x >= 2"]),
    # Bounds on several letters.
    (r"For all $2 \le a, b \le c$ we have $a + b \le 2 c$.", ["a + b <= 2 * c"]),
    (r"For all $a \le b, c \le d$ we have $a + c \le b + d$.", []),
    # A bare sentence in a lemma claims.
    (r"Let $x \in \R^n$. The norm is $s = \|x\|$. Then $s \ge 0$.", []),
]


@pytest.fixture(scope="module")
def draft(tmp_path_factory: pytest.TempPathFactory) -> Draft:
    path = tmp_path_factory.mktemp("papers") / "paper.tex"
    lemmas = "".join(f"\\begin{{lemma}} {text} \\end{{lemma}}\n" for text, _ in LEMMAS)
    path.write_text(f"{HEAD}{lemmas}\\end{{document}}\n", encoding="utf-8")
    return draft_paper(path)


@pytest.mark.parametrize("number", range(len(LEMMAS)), ids=[text[-50:] for text, _ in LEMMAS])
def test_it_is_read_as_it_is_meant_or_not_at_all(draft: Draft, number: int) -> None:
    line = HEAD.count("\n") + 1 + number
    assert [claim.text for claim in draft.loaded().claims if claim.position.line == line] == LEMMAS[number][1]


def drafted(path: Path, text: str) -> dict[str, dict[str, str]]:
    (path / "paper.tex").write_text(f"{HEAD}{text}\\end{{document}}\n", encoding="utf-8")
    claims = draft_paper(path / "paper.tex").loaded().claims
    return {claim.text: {name: item.says for name, item in claim.origins.items()} for claim in claims}


def test_the_condition_for_equality_is_told_apart(tmp_path: Path) -> None:
    text = (
        r"\begin{lemma} Let $a \in \R$. Then $a^2 \ge 0$, with equality if and only if $a = 0$. \end{lemma}"
    )
    (tmp_path / "paper.tex").write_text(f"{HEAD}{text}\\end{{document}}\n", encoding="utf-8")
    (note,) = draft_paper(tmp_path / "paper.tex").notes
    assert "when both sides are equal" in note.reason


SCENE = (
    r"Consider a sequence of $n$ tokens of dimension $d$, collected in the rows of $X \in \R^{n \times d}$"
)
LEMMA = r"\begin{lemma} We have $\|X W\|_F \le \|X\|_F \|W\|_F$. \end{lemma}"


def test_a_scene_declares_what_its_formulas_say(tmp_path: Path) -> None:
    found = drafted(tmp_path, SCENE + r", and weights $W \in \R^{d \times d}$." + "\n\n" + LEMMA)
    assert found["norm(X @ W) <= norm(X) * norm(W)"]["W"] == "matrix(d, d)"


@pytest.mark.parametrize(
    "more",
    [
        r", and orthogonal weights $W \in \R^{d \times d}$.",
        r", and the rows $W \in \R^{d \times d}$.",
        r", and random weights $W \in \R^{d \times d}$.",
        r" for each weight $W \in \R^{d \times d}$.",
    ],
)
def test_a_scene_with_a_word_that_may_restrict_is_not_read(tmp_path: Path, more: str) -> None:
    assert not drafted(tmp_path, SCENE + more + "\n\n" + LEMMA)


ASSUMED = r"""\newtheorem{assumption}{Assumption}
Let $z \in \R^n$ and $t > 0$.
\begin{assumption}\label{unit} $\|z\| = 1$. \end{assumption}
\begin{assumption}\label{small} $t \le 1$. \end{assumption}
"""


def test_who_cites_one_assumption_does_not_make_the_other(tmp_path: Path) -> None:
    lemma = r"\begin{lemma} Under Assumption~\ref{small}, $t \|z\| \le \|z\|$. \end{lemma}"
    assert list(drafted(tmp_path, ASSUMED + lemma)) == ["t * norm(z) <= norm(z)"]
    named = "\nThroughout, Assumption~\\ref{unit} is in force.\n\n"
    assert not drafted(tmp_path, ASSUMED + named + lemma)
    assert not drafted(tmp_path, ASSUMED + lemma.replace(r"Under Assumption~\ref{small}, ", ""))


def test_reasons_behind_rows_say_nothing_and_conditions_do(tmp_path: Path) -> None:
    rows = r"""\begin{lemma}\label{b} Let $a, b \in \R$. Then $a b \le a^2 + b^2$. \end{lemma}
\begin{proof} \begin{align*}
a b &\le \tfrac{1}{2} (a^2 + b^2) && \text{(by Young)} \\ &\le a^2 + b^2.
\end{align*} \end{proof}
"""
    steps = "1 / 2 * (a**2 + b**2) in [a * b, a**2 + b**2]"
    assert steps in drafted(tmp_path, rows)
    assert steps not in drafted(tmp_path, rows.replace("(by Young)", "(if $a > 0$)"))
    assert steps not in drafted(tmp_path, rows.replace("(by Young)", "(with high probability)"))


def test_bounds_on_several_letters_are_of_each(tmp_path: Path) -> None:
    found = drafted(
        tmp_path, r"\begin{lemma} For all $2 \le a, b \le c$ we have $a + b \le 2 c$. \end{lemma}"
    )
    kinds = found["a + b <= 2 * c"]
    assert kinds["a"] == kinds["b"] == "interval(2, c)"


DEFINED = r"""
\begin{lemma}\label{first} Let $x, v \in \R^n$ and $y = x + v$. Then $\|y\| \le \|x\| + \|v\|$. \end{lemma}
\begin{lemma}\label{second} We have $\|y\| \ge 0$. \end{lemma}
\begin{lemma} Under the assumptions of Lemma~\ref{first}, $\|y\| \ge \|x\| - \|v\|$. \end{lemma}
\begin{lemma}\label{third} Let $y \in \R^n$. If $\|y\| = 1$, then $\|y\|^4 = 1$. \end{lemma}
\begin{lemma} Under the assumptions of Lemma~\ref{third}, $\|y\|^2 = 1$. \end{lemma}
\begin{lemma} Under the assumptions of Lemma~\ref{nowhere}, $\|x\|^2 \ge 0$. \end{lemma}
"""


def test_what_another_theorem_defines_is_meant_where_it_is_cited(tmp_path: Path) -> None:
    assert list(drafted(tmp_path, DEFINED)) == [
        "norm(y) <= norm(x) + norm(v)",
        "norm(y) >= norm(x) - norm(v)",
        "norm(y)**4 == 1",
    ]


@pytest.mark.parametrize(
    ("lemma", "assumed"),
    [
        (
            r"We have $\ln(1 + x) \le x$ for any $x > -1$ and $e^x \ge 1 + x$ for any $x \in \R$.",
            {"log(1 + x) <= x": ["x > -1"], "exp(x) >= 1 + x": []},
        ),
        (r"For $y > 0$ we have $\ln(1 + x) \le x y$ for any $x > 1$ and $e^x \ge y$ for any $x > 2$.", {}),
        (
            r"Then $x \le y$ and $y \le z$ for $z > 1$, and $\ln(1 + x) \le x$ for any $x > 1$.",
            {"y <= z": ["z > 1"], "log(1 + x) <= x": ["x > 1"]},
        ),
    ],
)
def test_two_claims_on_conditions_of_their_own(
    tmp_path: Path, lemma: str, assumed: dict[str, list[str]]
) -> None:
    text = f"{HEAD}\\begin{{lemma}} {lemma} \\end{{lemma}}\n\\end{{document}}\n"
    (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
    claims = draft_paper(tmp_path / "paper.tex").loaded().claims
    assert {claim.text: [item.text for item in claim.assumptions] for claim in claims} == assumed


BOLD = r"""Let $\mathbf{z} \in \R^n$ be a unit vector.
\begin{lemma} Let $\mathbf{x} \in \R^n$ and $x = \|\mathbf{x}\|$. Then $x \ge 0$. \end{lemma}
\begin{lemma} We have $\|\mathbf{z}\|^2 = \sum_{i=1}^n z_i^2$. \end{lemma}
\begin{lemma} Then $z^2 \ge 0$. \end{lemma}
\begin{lemma} Let $z > 0$. Then $z + 1/z \ge 2$. \end{lemma}
\begin{lemma} Let $z > 0$. Then $z \|\mathbf{z}\| \ge 0$. \end{lemma}
"""


def test_a_letter_in_bold_is_another_letter_and_its_entries_are_not(tmp_path: Path) -> None:
    assert list(drafted(tmp_path, BOLD)) == ["norm(z)**2 == sum(z[i]**2, i, 1, n)", "z + 1 / z >= 2"]


@pytest.mark.parametrize(
    ("lemma", "assumed"),
    [
        (
            r"Let $a > 0$. Then $a + 1 \ge 1$. If in addition $a \ge 2$, then $a + 1 \ge 3$.",
            {"a + 1 >= 1": [], "a + 1 >= 3": ["a >= 2"]},
        ),
        (r"Let $a > 0$. Then (i) $a + 1 \ge 1$, and (ii) $a^2 \ge 0$.", {"a + 1 >= 1": [], "a**2 >= 0": []}),
        (
            r"Let $a > 0$. Assume that $a \ge 2$ in the second claim. Then $a + 1 \ge 1$ and $a \ge 2$.",
            {},
        ),
        (
            r"For $i = 1, \dots, n$ let $x_i \in \R$. Then $\sum_{i=1}^n x_i^2 \ge 0$.",
            {"sum(x[i]**2, i, 1, n) >= 0": []},
        ),
    ],
)
def test_items_and_conditions_in_addition(tmp_path: Path, lemma: str, assumed: dict[str, list[str]]) -> None:
    text = f"{HEAD}\\begin{{lemma}} {lemma} \\end{{lemma}}\n\\end{{document}}\n"
    (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
    claims = draft_paper(tmp_path / "paper.tex").loaded().claims
    assert {claim.text: [item.text for item in claim.assumptions] for claim in claims} == assumed


def test_what_is_said_of_a_letter_is_said_of_what_is_made_of_it(tmp_path: Path) -> None:
    begin = r"Let $M = X^\top X$, where $X \in \R^{n \times d}$." + "\n\n"
    lemma = r"\begin{lemma} $\operatorname{tr}(M) \le 1$. \end{lemma}"
    assert list(drafted(tmp_path, begin + lemma)) == ["tr(M) <= 1"]
    for said in (r"We now assume that $\|X\|_F \le 1$.", r"Let $X$ be whitened."):
        assert not drafted(tmp_path, f"{begin}{said}\n\n{lemma}")


@pytest.mark.parametrize(
    ("said", "lemma", "claim"),
    [
        (
            r"We write $\langle x, y\rangle = x^\top Q y$ for the inner product induced by $Q$.",
            r"For all $x \in \R^d$, $\langle x, x \rangle = \|x\|_2^2$.",
            "inner(x, x) == norm(x, 2)**2",
        ),
        (
            r"Here $\|\cdot\|$ is the norm $\|x\|^2 = x^\top Q x$.",
            r"For all $x \in \R^d$, $\|x\| \le \|x\|_1$.",
            "norm(x) <= norm(x, 1)",
        ),
        (r"All logarithms have base $2$, and $\log$ is one.", r"$\log 4 \le 2$.", "log(4) <= 2"),
        (r"All vectors are row vectors, as in $x$.", r"For $x \in \R^d$, $x^\top x \ge 0$.", "x.T @ x >= 0"),
    ],
)
def test_notation_with_a_meaning_of_its_own_is_not_read(
    tmp_path: Path, said: str, lemma: str, claim: str
) -> None:
    text = f"\\begin{{lemma}} {lemma} \\end{{lemma}}"
    assert list(drafted(tmp_path, text)) == [claim]
    assert not drafted(tmp_path, f"{said}\n\n{text}")
    usual = r"Here $\|\cdot\|$ is the Euclidean norm." + "\n\n"
    assert list(drafted(tmp_path, usual + text)) == [claim]
