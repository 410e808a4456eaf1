r"""The reader of LaTeX: what it reads it reads right, and what could be meant otherwise it refuses."""

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.claim.model import Claim
from verifier.expr.elaborate import elaborate, elaborate_fact
from verifier.expr.errors import ExprError
from verifier.expr.latex import to_latex
from verifier.expr.nodes import Fact, Node, Symbol
from verifier.expr.syntax import Compare, parse
from verifier.expr.tex.read import Chain, Continued, Formula, read_formula
from verifier.expr.tex.same import form, same
from verifier.read.specs.load import load_text

SPEC = r"""
theorem: test/tex
symbols:
  n: dimension
  d: dimension
  d_v: dimension
  L: dimension
  p: dimension
  H: dimension
  i: index(n)
  j: index(n)
  x: vector(n)
  y: vector(n)
  X: matrix(n, d)
  A: matrix(n, n)
  W_Q: normal(d, d)
  F: matrix(n, d, copies=H)
  sigma: positive
  sigma_x: positive
  alpha_1: positive
  rho: interval(0, 1)
  a: positive
  b: positive
  t: real
let:
  xbar: X.T @ ones(n) / n
  C: norm(xbar)**2
claims:
  c: {says: a == a}
"""
NAMES = {r"\bar{x}": "xbar", r"\mathbf{X}": "X", "W^Q": "W_Q", r"C(\mathbf{X})": "C", r"\varphi": "phi"}


def claim() -> Claim:
    (found,) = load_text(SPEC).claims
    return found


CLAIM = claim()


def read(latex: str, names: dict[str, str] = NAMES) -> Formula:
    return read_formula(latex, CLAIM.scope, names)


@cache
def meant(text: str) -> Node | Fact:
    tree = parse(text)
    return elaborate_fact(tree, CLAIM.scope) if isinstance(tree, Compare) else elaborate(tree, CLAIM.scope)


READ = [
    (r"2ab", "2*a*b"),
    (r"a \cdot b \, a", "a**2 * b"),
    (r"\sigma_x^2 d^2 (1 + \rho(n-1))", "d**2 * sigma_x**2 * (1 + rho*(n - 1))"),
    (r"\frac{\sigma_x^2}{n}(1-\rho)^2", "sigma_x**2 / n * (1 - rho)**2"),
    (r"\tfrac12 a", "a / 2"),
    (r"a/b", "a / b"),
    (r"-a^{2p} + 0.5", "1/2 - a**(2*p)"),
    (r"10^{-2}", "1/100"),
    (r"\sqrt{d_v}\,\sqrt a", "sqrt(a) * sqrt(d_v)"),
    (r"e^{-t^2/2}", "exp(-t**2 / 2)"),
    (r"\exp(t) \log a + \ln(b)", "exp(t)*log(a) + log(b)"),
    (r"\sin^2 t + \cos^{2}(t)", "sin(t)**2 + cos(t)**2"),
    (r"\Phi(t)+t\phi(t)", "Phi(t) + t*phi(t)"),
    (r"\varphi(t)", "phi(t)"),
    (r"(2p-1)!!\, n!", "factorial2(2*p - 1) * factorial(n)"),
    (r"\binom{n}{p}", "binomial(n, p)"),
    (r"\max\{a, b\} - \min(a,b)", "max(a, b) - min(a, b)"),
    (r"x^\top A y", "x.T @ A @ y"),
    (r"x^T x", "x.T @ x"),
    (r"A^2", "matpow(A, 2)"),
    (r"X^{\odot 2}", "X**2"),
    (r"A \odot A", "A * A"),
    (r"XW^{Q\top}", "X @ W_Q.T"),
    (r"I_n \otimes X", "kron(eye(n), X)"),
    (r"\frac1n \mathbf{1}_{n\times n} + \mathbf{0}_{n \times n}", "ones(n, n)/n + zeros(n, n)"),
    (r"\mathbf{1}_n^\top x", "ones(n).T @ x"),
    (r"\operatorname{tr}(A) + \mathrm{tr}\left(A^\top\right)", "tr(A) + tr(A.T)"),
    (r"\|x\|", "norm(x)"),
    (r"\|x\|\|y\|", "norm(x) * norm(y)"),
    (r"\lVert X \rVert_F^2 \lVert A \rVert_2", "norm(X)**2 * norm(A, 2)"),
    (r"\|X\|_{\mathrm{F}}^2 \|A\|_F^2", "norm(A)**2 * norm(X)**2"),
    (r"\|x\|_1 \le n \|x\|_\infty", "norm(x, 1) <= n * norm(x, oo)"),
    (r"\|\|x\| + a\|", "norm(norm(x) + a)"),
    (r"|t|", "abs(t)"),
    (r"||x||_2 ||y||", "norm(x) * norm(y)"),
    (r"||a| - |t||", "abs(abs(a) - abs(t))"),
    (r"\sum_{k,l=1}^{n} A_{kl}^2", "sum(A[k, l]**2, k, 1, n, l, 1, n)"),
    (r"\sum_{k=1, k \ne i}^{n} A_{ik}^2", "sum(A[i, k]**2, k, 1, n, k != i)"),
    (r"\sum_{k,k'} A_{kk'}^3", "sum(A[k, l]**3, k, 1, n, l, 1, n)"),
    (r"X_{i:}", "X[i]"),
    (r"\|x\|^2_2", "norm(x)**2"),
    (r"\frac{d_v}{d} a", "d_v / d * a"),
    (r"\mathbb{E}\|W^Q\|_F^2 \mathbb{E}\|XW^Q\|_F^2", "E(norm(W_Q)**2) * E(norm(X @ W_Q)**2)"),
    (r"a \stackrel{\text{Lemma 2}}{=} b^2", "a == b**2"),
    (r"a^3 =: b", "a**3 == b"),
    (r"XW^{Q^\top} X^\top", "X @ W_Q.T @ X.T"),
    (r"\left| x^\top y \right| \leq \|x\| \|y\|", "abs(x.T @ y) <= norm(x) * norm(y)"),
    (r"\langle x, y\rangle", "inner(x, y)"),
    (r"x_i + A_{ij} + A_{i,j}^2", "x[i] + A[i, j] + A[i, j]**2"),
    (r"X_{i,:}", "X[i]"),
    (r"(AX)_{i1}", "(A @ X)[i, 1]"),
    (r"F_1", "F[1]"),
    (r"\sum_{k=1}^{n} x_k^2 + a", "sum(x[k]**2, k, 1, n) + a"),
    (r"\sum_{k=1}^n \sum_{l=1}^n A_{kl}", "sum(A[k, l], k, 1, n, l, 1, n)"),
    (r"\prod_{k=0}^{L-1} (a + k)", "prod(a + k, k, 0, L - 1)"),
    (r"\lim_{L \to \infty} \frac{a}{L}", "limit(a/L, L, oo)"),
    (r"\frac{\partial A}{\partial X}", "D(A, X)"),
    (r"\mathbb{E}\left[\|XW^Q\|_F^2\right]", "E(norm(X @ W_Q)**2)"),
    (r"d_v n \mathbb{E}\|\bar{x}\|^2", "d_v * n * E(norm(xbar)**2)"),
    (r"\mathbb{E}_{W^Q}[\|XW^Q\|_F]", "E(norm(X @ W_Q))"),
    (r"\mathbb{E}[\|W^Q\|_F \mid W^Q]", "E(norm(W_Q), given=W_Q)"),
    (r"\|x\|_2", "norm(x)"),
    (r"e^{\alpha_1} C(\mathbf{X})", "exp(alpha_1) * C"),
    (r"\mathcal{O}(\sqrt{n})", "O(sqrt(n))"),
    (r"\Theta(1)", "Theta(1)"),
    (r"a \geq b.", "b <= a"),
    (r"t \in [0.8, 3.6]", "t in [0.8, 3.6]"),
    ("a &= b % the end\n  + 1, \\label{eq:one}", "a == b + 1"),
    (r"\sum_k x_k^2", "sum(x[k]**2, k, 1, n)"),
    (r"\sum_{k,l} X_{kl}", "sum(X[k, l], k, 1, n, l, 1, d)"),
    (r"\sum_{k \in [n]} k", "sum(k, k, 1, n)"),
    (r"\sum_{k \in \{1, \dots, n\}} k^3", "sum(k**3, k, 1, n)"),
    (r"\sum_{1 \le k < l \le n} A_{kl}", "sum(A[k, l], k, 1, n, l, 1, n, k < l)"),
    (r"\sum_{k \ne i} A_{ik}", "sum(A[i, k], k, 1, n, k != i)"),
    (r"y^{\mathsf{T}} x", "y.T @ x"),
    (r"a \overset{(a)}{\le} b + \underbrace{t^2}_{\ge 0}", "a <= b + t**2"),
    (r"\underbrace{a + b}_{\text{sum}} = t", "a + b == t"),
    (r"a := b", "a == b"),
    (r"a \le t \le b", "t in [a, b]"),
    (r"b \ge t + 1 \ge a", "t + 1 in [a, b]"),
    (r"x^\top x = a \quad \forall x \in \mathbb{R}^{n}", "x.T @ x == a"),
    (r"t^2 \ge a \qquad \text{for all } t", "t**2 >= a"),
    (r"\Pr(\|W^Q\|_F \ge t) \le \mathbb{P}[\|XW^Q\|_F > a]", "P(norm(W_Q) >= t) <= P(norm(X @ W_Q) > a)"),
    (r"\mathbb{E}\left[\|W^Q\|_F^2 \,\middle|\, W^Q\right]", "E(norm(W_Q)**2, given=W_Q)"),
    (r"\mathbb{E}[\|W^Q\|_F^4 | W^Q]", "E(norm(W_Q)**4, given=W_Q)"),
    (r"n = O(d^2)", "n <= O(d**2)"),
    (r"\partial A/\partial X", "D(A, X)"),
    (r"\nabla_x (x^\top A x)", "D(x.T @ A @ x, x).T"),
    (r"\left\|\nabla_X \|X\|_F^2\right\|_F", "norm(D(norm(X)**2, X))"),
]


@pytest.mark.parametrize(("latex", "text"), READ, ids=[latex for latex, _ in READ])
def test_what_is_read_is_what_is_printed(latex: str, text: str) -> None:
    assert same(read(latex), meant(text))


@pytest.mark.parametrize(("latex", "text"), READ, ids=[latex for latex, _ in READ])
def test_no_other_formula_passes_for_it(latex: str, text: str) -> None:
    found, own = form(read(latex)), form(meant(text))
    assert found not in [form(meant(other)) for _, other in READ if form(meant(other)) != own]


def test_the_ends_of_an_interval() -> None:
    found = read("[a, 2b]")
    assert isinstance(found, tuple)
    assert same(found, (meant("a"), meant("2*b")))


REFUSED = {
    r"\mathbb{E}_{x}[\|XW^Q\|_F]": "over something else",
    r"\mathbb{E}_{W^Q}[\|x\|]": "over something else",
    r"1/2n": "below the slash",
    r"\log n d": "where log ends",
    r"\log n^2": "what log takes",
    r"\mathbb{E} t d": "where E ends",
    r"\mathbb{E}[t]^2": "a power after E(...)",
    r"\sin^{-1}(t)": "the power of sin",
    r"\log_2 n": "a subscript on log",
    r"x^10": "only 1 of 10",
    r"a^{'}": "part of a name",
    r"t'": "not a declared name",
    r"||A||": "Frobenius or spectral",
    r"A^{-1}": "not in the claim language",
    r"\|A\|": "Frobenius or spectral",
    r"|A|": "|...| of a",
    r"\|a\|b\|a\|": "paired in two ways",
    r"A_i": "one index of a matrix",
    r"C(x)": "a product or a value of a function",
    r"\mathbf{W}": "not a declared name",
    r"E": "not a declared name",
    r"\bar{y}": "not a declared name",
    r"W_K": "not a declared name",
    r"\sigma^Q_z": "",
    r"a \approx b": "not a relation",
    r"\sum_i a": "without its range",
    r"\sum_{k,l} x_k A_{lk} X_{lk}": "without its range",
    r"\sum_{k \in S} x_k": "a sum over a set",
    r"a \overset{d}{=} b": "may change what",
    r"a = b \text{ with probability } 1": "with some probability",
    r"a = b \text{ for some } t": "something that exists",
    r"a = b \text{ if } t > 0": "what follows `if`",
    r"a = b \quad \forall W^Q": "not a fixed symbol",
    r"x^\top x = a \quad \forall x \in \mathbb{R}^{d}": "not the one of the declaration",
    r"a = b, t = 1": "more than one formula",
    r"a = b \implies t = 1": "an implication",
    r"\nabla_X A": "a gradient of what is not a scalar",
    r"\nabla_X \|X\|_F^2": "in the shape of a matrix",
    r"A \preceq A": "no order of matrices",
    r"\mathbb{E}_{W^Q \sim p}[\|XW^Q\|_F]": "a law below an expectation",
    r"\det(A)": "no determinants",
    r"\int_0^1 a": "no integrals",
    r"\underbrace{a + b}_{t} b": "how far",
    r"t \lesssim a": "not a relation",
    r"\tilde{O}(n)": "not a declared name",
    r"A \odot A A": "ambiguous",
    r"\mathbb{E}(W^Q x)_{1}^2": "a power after E(...) is ambiguous",
    r"A \times A": "ambiguous",
    r"1 000": "two numbers",
    r"{a+b}a": "braces are not printed",
    r"\foo{a}": "not notation",
    r"(a, b)": "a comma",
    r"\left. a \right|": "one side missing",
    r"\nabla a": "with respect to what",
    r"a +": "",
    r"\frac{a}": "",
    r"(a": "",
    r"": "no formula",
    r"\|x": "",
    r"e": "not a declared name",
    r"\sqrt[3]{a}": "another degree",
}


@pytest.mark.parametrize(("latex", "why"), REFUSED.items(), ids=REFUSED)
def test_what_is_ambiguous_or_unknown_is_refused(latex: str, why: str) -> None:
    with pytest.raises(ExprError) as refusal:
        read(latex)
    assert refusal.value.code in ("latex", "shape", "unknown-name")
    assert why in refusal.value.message


def test_a_declared_name_makes_a_transpose_ambiguous() -> None:
    (other,) = load_text(SPEC.replace("L: dimension", "T: dimension")).claims
    with pytest.raises(ExprError, match="a power or a transpose"):
        read_formula("x^T x", other.scope, {})


def test_a_name_that_could_be_an_entry_is_refused() -> None:
    (other,) = load_text(SPEC.replace("L: dimension", "x_i: real")).claims
    with pytest.raises(ExprError, match="a name or an entry"):
        read_formula("x_i", other.scope, {})
    assert read_formula("x_i", other.scope, {"x_i": "x_i"}) == Symbol("x_i")


def test_plain_bars_of_matrices_can_be_declared() -> None:
    assert same(read(r"\|X\|^2", {r"\|\cdot\|": "norm"}), meant("norm(X)**2"))


def test_our_own_print_is_read_back() -> None:
    names = {to_latex(Symbol(name)): name for name in [*CLAIM.symbols, "xbar", "C"]}
    refused = []
    for _, text in READ:
        try:
            found = read(to_latex(meant(text)), names)
        except ExprError:
            refused.append(text)
            continue
        assert same(found, meant(text)), text
    assert len(refused) <= 8, refused


@pytest.mark.parametrize(("latex", "text"), READ[:30], ids=[latex for latex, _ in READ[:30]])
def test_one_character_changed_is_noticed(latex: str, text: str) -> None:
    """A sign, a digit or a letter swapped: read as something else, or refused, never the same."""
    draw = random.Random(latex)
    swaps = {
        "+": "-",
        "-": "+",
        "a": "b",
        "b": "a",
        "n": "d",
        "1": "3",
        "2": "3",
        "x": "y",
        "t": "a",
        "d": "n",
    }
    places = [at for at, sign in enumerate(latex) if sign in swaps and not _in_command(latex, at)]
    for at in draw.sample(places, min(len(places), 5)):
        changed = latex[:at] + swaps[latex[at]] + latex[at + 1 :]
        try:
            found = read(changed)
        except ExprError:
            continue
        assert not same(found, meant(text)), changed


def _in_command(latex: str, at: int) -> bool:
    while at > 0 and latex[at].isalpha():
        at -= 1
    return latex[at] == "\\"


WORDS = r"""
\| \left \right \frac \sqrt \sum_{k=1}^n \sigma \mathbb{E} \log \top \cdot \otimes \odot \partial \langle
\rangle \lim \to \infty \mathbf \bar{x} \operatorname \le \in \sup \binom \{ \}
"""
PIECES = [*"abnxtTeEIXA123+-*/=<>()[]{}^_|!,.'& é\x00\\", *WORDS.split()]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_any_text_is_read_or_refused(latex: str) -> None:
    try:
        found = read(latex)
    except ExprError as refusal:
        assert refusal.message
        return
    assert same(found, found)


@pytest.mark.parametrize(
    "latex",
    ["(" * 900, "{" * 900, r"\|" * 300, r"\|x" * 9, r"\sqrt{" * 500 + "a" + "}" * 500, "-" * 900 + "a",
     "a^" * 900, "a" * 3_000, "1" * 3_000, r"\frac{1}{" * 400 + "a" + "}" * 400, "a" * 5_000,
     r"\sum_{k=1}^n" * 200 + "a"],
    ids=lambda latex: latex[:12],
)  # fmt: skip
def test_hostile_formulas_are_read_or_refused_in_bounded_time(latex: str) -> None:
    try:
        read(latex)
    except ExprError as refusal:
        assert len(refusal.message) < 500


def test_a_line_of_an_aligned_display_begins_with_its_relation() -> None:
    found = read(r"&\le 2a \\")
    assert isinstance(found, Continued)
    assert (found.op, same(found.right, meant("2*a"))) == ("<=", True)


def test_a_chain_is_its_relations_in_order() -> None:
    found = read(r"a = b \le t")
    assert isinstance(found, Chain)
    assert same(found.facts, (meant("a == b"), meant("b <= t")))
