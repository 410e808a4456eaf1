r"""Formulas before their letters are declared: what is read, what is left open, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.tex.plain import Kind, applied, plain, to_source
from verifier.expr.tex.untyped import APPLIED, EXTENT, GRADIENT, Untyped, read_untyped

MATRICES = frozenset("ABWXY")
VECTORS = frozenset("xyuvw")


PRODUCTS: dict[tuple[Kind, Kind], Kind] = {
    ("row", "vector"): "scalar",
    ("matrix", "vector"): "vector",
    ("row", "matrix"): "row",
}


def kind(tree: S.Syntax) -> Kind:
    """Capital letters are matrices, u to y vectors; products of them by their ends."""
    match tree:
        case S.Name(_, name):
            base = name.split("_")[0]
            return "matrix" if base in MATRICES else "vector" if base in VECTORS else "scalar"
        case S.Transposed(_, arg):
            return {"vector": "row", "row": "vector"}.get(kind(arg), kind(arg))  # type: ignore[return-value]
        case S.Binary(_, "·", left, right):
            ends = kind(left), kind(right)
            if "scalar" in ends:
                return ends[0] if ends[1] == "scalar" else ends[1]
            return PRODUCTS.get(ends, "matrix")
        case S.Unary(_, _, arg):
            return kind(arg)
        case S.Subscript(_, S.Name(_, "x"), _):
            return "vector"  # iterates of a descent
        case S.Binary(_, "+" | "-" | "^", left, _):
            return kind(left)
    return "scalar"


def settled(latex: str, functions: frozenset[str] = frozenset()) -> list[str]:
    found = read_untyped(latex).statements
    return [to_source(plain(applied(tree, functions), kind)) for tree in found]


def marks(found: Untyped) -> set[str]:
    todo, calls = list(found.statements), set()
    while todo:
        part = todo.pop()
        todo += S.parts(part)
        if isinstance(part, S.Call):
            calls.add(part.function)
    return calls


READ = {
    r"\|A B\|_F \le \|A\|_2 \|B\|_{\mathrm{F}}": "norm(A @ B) <= norm(A, 2) * norm(B)",
    r"\mathbb{E}\|W x\|^2 = m\sigma_w^2\|x\|^2": "E(norm(W @ x)**2) == m * sigma_w**2 * norm(x)**2",
    r"x^\top A^2 x \ge 0": "x.T @ matpow(A, 2) @ x >= 0",
    r"W_Q^{\mathsf T} = W^\top_Q": "W_Q.T == W_Q.T",
    r"\bar{t} = \hat\theta + \tilde s' - t^\star": "tbar == thetahat + stilde_prime - t_star",
    r"t = \frac{1}{n}\sum_{i=1}^n a_i b_{ij}": "t == 1 / n * sum(a[i] * b[i, j], i, 1, n)",
    r"\Pr(|t| \ge s) \le 2 e^{-s^2/2}": "P(abs(t) >= s) <= 2 * exp(-(s**2 / 2))",
    r"\mathbb{E}(s - t)^2 = 1": "E((s - t)**2) == 1",
    r"\mathbb{E}[s \mid t] = 0": "E(s, given=[t]) == 0",
    r"\mathrm{Var}(t) = \mathcal{O}(1/n)": "Var(t) <= O(1 / n)",
    r"t = \Omega(n)": "t >= Omega(n)",
    r"\left\|\nabla_W \ell\right\|_F = 1": "norm(D(ell, W)) == 1",
    r"\nabla_x s = 0": "D(s, x).T == 0",
    r"\frac{\partial}{\partial t} (t^2) = 2t": "D(t**2, t) == 2 * t",
    r"\frac{\mathrm{d} s}{\mathrm{d} t} = \frac{ds}{dt}": "D(s, t) == D(s, t)",
    r"s_{\mathrm{max}} + \sigma_{1,2} \le 3": "s_max + sigma_1_2 <= 3",
    r"\langle x, y \rangle^2 \le \|x\|^2 \|y\|^2": "inner(x, y)**2 <= norm(x)**2 * norm(y)**2",
    r"D \ge \Phi": "D_ >= Phi_",
    r"s \in [0, 1]": "s in [0, 1]",
    r"t_{k+1} = a t_k": "t[k + 1] == a * t[k]",
    r"h^{(l)} = s h^{(l-1)}": "h[l] == s * h[l - 1]",
    r"\frac{d_k}{d_v} = \sigma^2 (1 + t)": "d_k / d_v == sigma**2 * (1 + t)",
    r"\|x\|^2_2 \ge s^2_1 + \mathrm{SNR}": "norm(x, 2)**2 >= s_1**2 + SNR",
    r"\lim_{n \to \infty} a_n = 0": "limit(a[n], n, oo) == 0",
    r"\mathbb{E}[\mathrm{ReLU}(t)^2] = \max(0, s)^2": "E(relu(t)**2) == max(0, s)**2",
    r"t e^{-t} = \pi_1 + 2 \pi": "t * exp(-t) == pi_1 + 2 * pi",
    r"a - (b - c) = a / (b c)": "a - (b - c) == a / (b * c)",
    r"(-a)^2 = \|-x\|^2": "(-a)**2 == norm(-x)**2",
}  # fmt: skip


@pytest.mark.parametrize("latex", READ)
def test_what_is_read_is_what_is_printed(latex: str) -> None:
    assert settled(latex) == [READ[latex]]


def test_our_own_text_is_read_back_by_the_claim_language() -> None:
    for text in READ.values():
        again = to_source(S.parse(text))
        assert to_source(S.parse(again)) == again == text


def test_a_chain_and_a_two_sided_bound_are_steps() -> None:
    assert settled(r"a = b \le c < d") == ["a == b", "b <= c", "c < d"]
    assert read_untyped(r"0 \le a \le 1").is_chain
    assert settled(r"0 \le a \le 1") == ["0 <= a", "a <= 1"]


def test_a_line_that_begins_with_a_relation_continues_another() -> None:
    found = read_untyped(r"\le 2 a = b")
    assert found.continues == "<="
    assert [to_source(plain(tree, kind)) for tree in found.statements] == ["2 * a == b"]


def test_two_formulas_on_a_line_are_no_chain() -> None:
    found = read_untyped(r"a = b, \quad c = d \text{ and } s \le t")
    assert (len(found.statements), found.is_chain) == (3, False)


def test_a_letter_before_a_bracket_is_left_open() -> None:
    found = read_untyped(r"f(t)^2 = \rho(n - 1)^2")
    assert found.applied == {"f", "rho"}
    assert APPLIED in marks(found)
    assert settled(r"f(t)^2 = \rho(n - 1)^2", frozenset("f")) == ["f(t)**2 == rho * (n - 1)**2"]
    assert settled(r"g(s, t) = 1") == ["g(s, t) == 1"]
    assert settled(r"A (x + y)") == ["A @ (x + y)"]


def test_letters_are_those_that_are_free() -> None:
    found = read_untyped(r"\sum_{i=1}^n \sigma_w x_i = \bar{t}")
    assert dict(found.letters) == {"n": "n", "sigma_w": r"\sigma_w", "x": "x", "tbar": r"\bar t"}
    assert dict(found.scripts) == {"sigma_w": ("sigma", "w")}


def test_a_sum_without_its_range_says_so() -> None:
    assert EXTENT in marks(read_untyped(r"\sum_i x_i = 1"))
    assert EXTENT not in marks(read_untyped(r"\sum_{i \in [n]} x_i = 1"))
    assert GRADIENT in marks(read_untyped(r"\nabla f(x) = 0"))


TAILS = {
    r"a = b \quad \forall s, t \in \mathbb{R}^d": ("for all", ("s", "t"), None, None),
    r"a = b, \qquad \text{for all } n \ge 2.": ("for all", ("n",), "n >= 2", None),
    r"p_i \ge 0, \quad i = 1, \dots, n": ("for all", ("i",), None, "1..n"),
    r"p_i \ge 0 \quad (i = 1, 2, \ldots, n)": ("for all", ("i",), None, "1..n"),
    r"a \ge 0 \text{ for } 0 \le k \le n": ("for all", ("k",), None, "0..n"),
    r"a = b \text{ if } t > 0": ("if", ("t",), "t > 0", None),
    r"a = b \text{ whenever } \|x\| = 1": ("if", (), "norm(x) == 1", None),
    r"a = b s, \quad \text{where } s = 2": ("where", ("s",), "s == 2", None),
}


@pytest.mark.parametrize("latex", TAILS)
def test_what_is_said_of_a_formula_after_it(latex: str) -> None:
    word, names, relation, ends = TAILS[latex]
    found = read_untyped(latex)
    (tail,) = found.over
    assert (tail.word, tail.names) == (word, names)
    assert (tail.relation and to_source(plain(tail.relation, kind))) == relation
    shown = (
        None if tail.low is None or tail.high is None else f"{to_source(tail.low)}..{to_source(tail.high)}"
    )
    assert shown == ends
    assert len(found.statements) == 1


def test_growth_names_what_grows() -> None:
    found = read_untyped(r"t = O(n^2) \text{ as } n \to \infty")
    assert found.growing == "n"
    with pytest.raises(ExprError, match="this limit is not read"):
        read_untyped(r"t = O(s) \text{ as } s \to 0")


def test_an_index_that_a_tail_binds_picks_entries() -> None:
    assert settled(r"p_i \ge 0, \quad i = 1, \dots, n") == ["p[i] >= 0"]
    assert settled(r"p_i \ge 0") == ["p_i >= 0"]


def test_a_free_index_picks_entries_of_what_has_some() -> None:
    """An entry that passes for a letter of its own would make true statements false."""
    assert settled(r"s_i \le \|s\|_\infty") == ["s[i] <= norm(s, oo)"]
    assert settled(r"A_{ij}^2 \le \|A\|_F^2") == ["A[i, j]**2 <= norm(A)**2"]
    assert settled(r"\sigma_w \le \sigma") == ["sigma_w <= sigma"]
    known = read_untyped(r"s_i \ge 0", entries={"s"})
    assert [to_source(tree) for tree in known.statements] == ["s[i] >= 0"]
    for latex in (r"s_1 \ge 0", r"s_n \ge 0"):
        with pytest.raises(ExprError, match="an entry of s, or a letter of its own"):
            read_untyped(latex, entries={"s"})
        assert read_untyped(latex, {latex[:3]: "other"}, entries={"s"}).letters == {"other": latex[:3]}


def test_a_declared_letter_with_a_mark_more_is_another_one() -> None:
    names = {r"\mathbf{t}": "t", r"\sigma": "sigma"}
    found = read_untyped(r"\mathbf{t}' + \mathbf{t}^\star + \mathbf{t}_0 = \sigma_w \mathbf{t}", names)
    assert [to_source(plain(tree, kind)) for tree in found.statements] == [
        "t_prime + t_star + t_0 == sigma_w * t"
    ]
    assert found.letters["t_0"] == r"\mathbf t_0"
    with pytest.raises(ExprError, match="an entry of t, or a letter of its own"):
        read_untyped(r"\mathbf{t}_1 = 0", names, entries={"t"})


def test_a_definition_is_marked() -> None:
    assert read_untyped("a := b").is_definition
    assert read_untyped(r"a \triangleq b").is_definition
    assert not read_untyped("a = b").is_definition


REFUSED = {
    r"\mathbf{W} x = W x": "would both be called W",
    r"x_1 = x^{(1)}": "would both be called x_1",
    r"x^T y = T": "a power or a transpose",
    r"f'(t) = 0": "a derivative or a name",
    r"\mathbb{E}(s t)^2 = 1": "a power after E",
    r"\mathbb{E}[s - t]^2 = 1": "a power after E",
    r"\sum_{i \ne j} A_{ij} = A_{jj}": "whether both indices run",
    r"a \overset{d}{=} b": "may change what",
    r"a \stackrel{\text{a.s.}}{=} b": "may change what",
    r"\mathbb{E}_{x \sim p}[x] = 0": "a law below an expectation",
    r"a = b \text{ with probability at least } 1 - \delta": "with some probability",
    r"a = b \text{ or } c = d": "joined by `or`",
    r"a = b \implies c = d": "an implication",
    r"a \approx b": "not a relation",
    r"a \lesssim b": "not a relation",
    r"A \preceq B": "no order of matrices",
    r"\lambda_{\max}(A) = 1": "no eigenvalues",
    r"\det(A) = 1": "no determinants",
    r"\int_0^1 t = 1": "no integrals",
    r"t = \begin{cases} 1 & s > 0 \\ 0 & s \le 0 \end{cases}": "no cases",
    r"t^\dagger = 1": "part of a name",
    r"\overline{a + b} = 1": "over more than one letter",
    r"t \in \mathbb{R}": "closed interval",
    r"\log n d": "where log ends",
    r"1/2n": "below the slash",
    r"\nabla s = 0": "with respect to what",
    r"\nabla^2 f(x) = 0": "higher order",
    r"\frac{\partial^2 f}{\partial t^2} = 0": "higher order",
    r"\sup_{t \in S} t = 1": "under an extreme",
    r"\|s\|_{2,\infty} = 1": "is not known",
    r"\alpha \in O(n) \cap S": "",
    r"\underbrace{a + b}_{c} d = 1": "how far",
    r"a = b \text{ for large } n": "values that are not named",
    r"\dot t = a": "a derivative in time",
    r"1 \le s, t \le n": "was not expected",
    r"s, t > 0": "was not expected",
    r"s_1, s_2 = 1": "a list where a formula",
    r"1,000 = a": "a list where a formula",
    r"\operatorname*{arg\,min}_x f(x) = y": "what argmin takes",
    r"\mathrm{argmin}_x f(x) = y": "what argmin takes",
    r"\mathrm{dist} x = 1": "what dist takes",
    r"t = \tilde{O}(1)": "growth of this kind",
    r"t = o(1)": "growth of this kind",
    r"A = [a_{ij}]": "a matrix by its entries",
    r"a_n = O(1) \text{ as } n \to \infty": "depends on n",
    r"\frac{ds}{dt} = d": "d is a letter here",
    r"f^{-1}(t) = s": "of a function, or a product",
    r"s + \Delta t = a": "a product or a difference",
    r"2 \pi(a + b) = 1": "the number or a function",
    r"e^2 = t": "the number or a letter",
    r"e^{-t} = \|e\|": "e is a letter here",
    r"\operatorname{vec} A = 1": "what vec takes",
}


@pytest.mark.parametrize("latex", REFUSED)
def test_what_could_be_meant_otherwise_is_refused(latex: str) -> None:
    with pytest.raises(ExprError) as refusal:
        read_untyped(latex)
    assert REFUSED[latex] in refusal.value.message
    assert 0 <= refusal.value.span.start <= len(latex)


NOT_SETTLED = {
    r"\|A\| \le 1": "Frobenius or spectral",
    r"|A| \le 1": "of a matrix is ambiguous",
    r"A \times B = B": "between matrices",
    r"A^{-1} = B": "not in the claim language",
    r"x^2 = y": "a power of a vector",
    r"\nabla_W s = A": "in the shape of a matrix",
    r"\mathbb{E}_W[s] = 0": "settled before this",
}


@pytest.mark.parametrize("latex", NOT_SETTLED)
def test_what_shapes_do_not_settle_is_refused(latex: str) -> None:
    with pytest.raises(ExprError) as refusal:
        settled(latex)
    assert NOT_SETTLED[latex] in refusal.value.message


WORDS = r"""
\| \left \right \frac \sqrt \sum_{k=1}^n \sigma \mathbb{E} \log \top \cdot \partial \nabla \langle \rangle \to
\infty \mathbf \bar{x} \le \in \sup \{ \} \overset \underbrace \text{for\ all} \forall \dots \Pr \mid \quad
"""
PIECES = [*"abnxtTeEIXA123+-*/=<>()[]{}^_|!,.'&", *WORDS.split()]


@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
def test_any_text_is_read_or_refused(latex: str) -> None:
    try:
        found = read_untyped(latex)
    except ExprError as refusal:
        assert refusal.message
        return
    assert found.statements


HOSTILE = [
    *("(" * 900, "{" * 900, r"\|" * 300, r"\bar" * 900 + "x", "x" + "'" * 900, "x_" * 900, "f(" * 900),
    *(r"\overset{(a)}" * 300 + "=", r"\underbrace{" * 300 + "a" + "}" * 300, "a" * 3_000, "a=" * 900),
    *(r"\forall " * 400, r"\text{for all}" * 200, "," * 2_000, "a=b," * 900, r"\nabla" * 500),
]


@pytest.mark.parametrize("latex", HOSTILE, ids=lambda latex: latex[:12])
def test_hostile_formulas_are_read_or_refused_in_bounded_time(latex: str) -> None:
    try:
        read_untyped(latex)
    except ExprError as refusal:
        assert len(refusal.message) < 500
