r"""Subtle differences between print and claim are errors, harmless ones are none: under a bare `latex:`, and
where the author asks for the comparison."""

import pytest

from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Ready

SYMBOLS = """
  n: dimension
  m: dimension
  L: dimension
  sigma: positive
  eta: positive
  t: positive
  a: real
  b: real
  x: vector(n)
  y: vector(n)
  G: matrix(n, n)
  A: matrix(m, n)
  B: matrix(m, n)
  S: symmetric(n)
  W: normal(m, n, std=sigma)
  z: random(n, mean=0)
  w: random(n, mean=0)
"""

# The claim, and what the write-up prints instead.
DIFFERENT = [
    # signs
    ("(a - b)**2 >= 0", r"(a + b)^2 \ge 0"),
    ("a**2 - b**2 == (a - b)*(a + b)", r"a^2 + b^2 = (a - b)(a + b)"),
    ("a <= b", r"-a \le b"),
    ("exp(-t) <= 1", r"\exp(t) \le 1"),
    ("norm(x - y)**2 == norm(x)**2 - 2*inner(x, y) + norm(y)**2",
     r"\|x - y\|^2 = \|x\|^2 + 2 x^\top y + \|y\|^2"),
    ("E(norm(z - w)) <= 2*E(norm(z))", r"\mathbb{E}\|z + w\| \le 2\mathbb{E}\|z\|"),
    ("norm((eye(n) - eta*S) @ x)**2 >= 0", r"\|x + \eta S x\|^2 \ge 0"),
    # relations
    ("a <= b", r"a < b"),
    ("a <= b", r"a \ge b"),
    ("a**2 >= 0", r"a^2 > 0"),
    ("a**2 >= 0", r"a^2 = 0"),
    ("norm(A @ x) <= norm(A)*norm(x)", r"\|A x\| = \|A\|_F \|x\|"),
    ("norm(A @ x) <= norm(A)*norm(x)", r"\|A x\| \ge \|A\|_F \|x\|"),
    ("E(norm(z)**2) == n", r"\mathbb{E}\|z\|^2 \le n"),
    # transposes and orders of factors
    ("tr(G @ G.T) >= 0", r"\mathrm{tr}(G G) \ge 0"),
    ("tr(G.T @ G) == norm(G)**2", r"\mathrm{tr}(G^2) = \|G\|_F^2"),
    ("x.T @ G @ y <= a", r"y^\top G x \le a"),
    ("norm(G @ S) <= 1", r"\|S G\|_F \le 1"),
    ("norm(G @ x) <= 1", r"\|G^\top x\| \le 1"),
    ("A @ A.T == zeros(m, m)", r"B A^\top = A A^\top"),
    ("norm(G @ G @ x) <= 1", r"\|G G^\top x\| \le 1"),
    # indices
    ("sum(x[i], i, 1, n) <= a", r"\sum_{i=2}^{n} x_i \le a"),
    ("sum(x[i]*y[i], i, 1, n) <= a", r"\sum_{i=1}^{n} x_i y_{n+1-i} \le a"),
    ("sum(i, i, 1, n) == n*(n + 1)/2", r"\sum_{i=1}^{n} i = \frac{n(n-1)}{2}"),
    ("sum(x[i]*x[j], i, 1, n, j, 1, n, i != j) <= a",
     r"\sum_{i=1}^{n}\sum_{j=1}^{n} x_i x_j \le a"),
    ("sum(G[i, j], i, 1, n, j, 1, i) <= a", r"\sum_{i=1}^{n}\sum_{j=1}^{i} G_{ji} \le a"),
    ("sum(t**i, i, 0, L) <= a", r"\sum_{i=1}^{L} t^i \le a"),
    ("sum(t**i, i, 0, L - 1) <= a", r"\sum_{i=0}^{L} t^i \le a"),
    ("prod(1 + t*i, i, 1, L) >= 1", r"\prod_{i=1}^{L} (1 + t) i \ge 1"),
    # factors
    ("n*(n + 1)/2 == sum(i, i, 1, n)", r"n(n+1) = \sum_{i=1}^{n} i"),
    ("2*a*b <= a**2 + b**2", r"a b \le a^2 + b^2"),
    ("E(norm(W @ x)**2) == m*sigma**2*norm(x)**2", r"\mathbb{E}\|Wx\|^2 = \sigma^2 \|x\|^2"),
    ("E(norm(W @ x)**2) == m*sigma**2*norm(x)**2", r"\mathbb{E}\|Wx\|^2 = n\sigma^2 \|x\|^2"),
    ("E(norm(W)**2) == m*n*sigma**2", r"\mathbb{E}\|W\|_F^2 = (m + n)\sigma^2"),
    ("norm(x - eta*y)**2 <= a", r"\|x - y\|^2 \le a"),
    ("norm(x)**2/(2*eta) <= a", r"\frac{\|x\|^2}{\eta} \le a"),
    ("a <= norm(x)/2 + norm(y)/2", r"a \le \frac{\|x\|}{2} + \|y\|"),
    # squares and roots
    ("norm(A @ x)**2 <= norm(A)**2*norm(x)**2", r"\|Ax\|^2 \le \|A\|_F \|x\|^2"),
    ("norm(A @ x)**2 <= norm(A)**2*norm(x)**2", r"\|Ax\| \le \|A\|_F^2 \|x\|^2"),
    ("E(norm(W)**2) == m*n*sigma**2", r"\mathbb{E}\|W\|_F^2 = m n \sigma"),
    ("norm(x) <= 1/sqrt(n)", r"\|x\| \le \frac{1}{n}"),
    ("norm(x) <= a/L", r"\|x\| \le \frac{a}{\sqrt{L}}"),
    ("norm(x)**2 <= sqrt(n)", r"\|x\|^2 \le n"),
    ("exp(-t**2/2) <= 1", r"\exp(-t/2) \le 1"),
    ("exp(-t**2/2) <= 1", r"\exp(-t^2) \le 1"),
    # powers and lengths
    ("(1 - t)**L <= exp(-t*L)", r"(1 - t)^{L-1} \le \exp(-tL)"),
    ("(1 - t)**L <= exp(-t*L)", r"(1 - t)^{2L} \le \exp(-tL)"),
    ("t**n <= 1", r"t^m \le 1"),
    ("1/(1 + t) <= 1 - t + t**2", r"\frac{1}{1 + t} \le 1 - t + t^3"),
    # means
    ("E(norm(z))**2 <= a", r"\mathbb{E}[\|z\|^2] \le a"),
    ("E(norm(z)**2) <= a", r"(\mathbb{E}[\|z\|])^2 \le a"),
    ("norm(E(W @ x))**2 <= a", r"\mathbb{E}[\|W x\|^2] \le a"),
    ("Var(inner(z, x)) <= a", r"\mathbb{E}[x^\top z] \le a"),
    ("E(log(1 + norm(z))) <= a", r"\log(\mathbb{E}[1 + \|z\|]) \le a"),
    ("E(norm(W @ x)**2) == m*sigma**2*norm(x)**2", r"\|Wx\|^2 = m\sigma^2\|x\|^2"),
    ("E(norm(z)**2)*E(norm(w)**2) <= a", r"\mathbb{E}[\|z\|^2]\,\mathbb{E}[\|z\|^2] \le a"),
    ("E(inner(z, x)**4) <= a", r"\mathbb{E}[(z^\top x)^2] \le a"),
    ("P(norm(z) >= t) <= a", r"\Pr(\|z\| \le t) \le a"),
    ("P(norm(z) >= t) <= a", r"\Pr(\|z\| \ge 2t) \le a"),
    # norms
    ("norm(A, 2) <= a", r"\|A\|_F \le a"),
    ("norm(A) <= a", r"\|A\|_2 \le a"),
    ("norm(x, 1) <= a", r"\|x\|_2 \le a"),
    ("norm(x, 1) <= a", r"\|x\|_\infty \le a"),
    ("norm(x, oo) <= sqrt(n)*a", r"\|x\|_1 \le \sqrt{n}\,a"),
    ("norm(A @ x, 2) <= a", r"\|A\|_2\|x\|_2 \le a"),
    # functions
    ("max(a, b) <= t", r"\min(a, b) \le t"),
    ("log(1 + t) <= t", r"\log(t) \le t"),
    ("tanh(a)**2 <= 1", r"\tanh(a^2) \le 1"),
    ("cos(a)**2 + sin(a)**2 == 1", r"\cos^2(a) - \sin^2(a) = 1"),
    ("norm(relu(x)) <= norm(x)", r"\|\mathrm{relu}(-x)\| \le \|x\|"),
    # derivatives
    ("D(exp(a*b), a) == b*exp(a*b)", r"\frac{\partial \exp(ab)}{\partial b} = b\exp(ab)"),
    ("norm(D(A @ x, x))**2 == norm(A)**2", r"\|\frac{\partial Ax}{\partial A}\|_F^2 = \|A\|_F^2"),
    # numbers that floats hardly see
    ("a <= 1e-9", r"a \le 0.00000001"),
    ("tanh(a)**30 <= b + 1", r"\tanh(a)^{32} \le b + 1"),
]  # fmt: skip

# The claim, and the same statement in other words.
HARMLESS = [
    ("tr(G @ G) <= a", r"\mathrm{tr}(G^2) \le a"),
    ("norm(G @ G @ x) <= a", r"\|G^2 x\| \le a"),
    ("norm(matpow(G, 3) @ x) <= a", r"\|G^3 x\| \le a"),
    ("matpow(S, 2) @ x == y", r"S S x = y"),
    ("norm(x)**2 <= a", r"x^\top x \le a"),
    ("inner(x, y) <= a", r"x^\top y \le a"),
    ("inner(x, y) <= a", r"y^\top x \le a"),
    ("inner(x, y) <= a", r"\langle x, y \rangle \le a"),
    ("norm(x)**2 <= a", r"\sum_{i=1}^{n} x_i^2 \le a"),
    ("norm(A)**2 <= a", r"\mathrm{tr}(A^\top A) \le a"),
    ("norm(A)**2 <= a", r"\sum_{i=1}^{m}\sum_{j=1}^{n} A_{ij}^2 \le a"),
    ("norm(A) <= a", r"\|A^\top\|_F \le a"),
    ("norm(A, 2) <= a", r"\|A^\top\|_2 \le a"),
    ("tr(A @ B.T) <= a", r"\mathrm{tr}(B^\top A) \le a"),
    ("tr(A @ B.T) <= a", r"\langle A, B \rangle \le a"),
    ("norm(S @ x) <= a", r"\|S^\top x\| \le a"),
    ("x.T @ G @ y <= a", r"y^\top G^\top x \le a"),
    ("norm((A @ G).T) <= a", r"\|G^\top A^\top\|_F \le a"),
    ("a <= b", r"b \ge a"),
    ("a < b", r"b > a"),
    ("a == b", r"b = a"),
    ("(a + b)**2 >= 0", r"a^2 + 2ab + b^2 \ge 0"),
    ("a**2 - b**2 >= 0", r"(a - b)(a + b) \ge 0"),
    ("(a - b)**2 >= 0", r"(b - a)^2 \ge 0"),
    ("1/sqrt(t) <= a", r"t^{-1/2} \le a"),
    ("sqrt(t*sigma) <= a", r"\sqrt{t}\sqrt{\sigma} \le a"),
    ("sqrt(t**2) <= a", r"t \le a"),
    ("exp(a)*exp(b) <= t", r"\exp(a + b) \le t"),
    ("log(t**2) <= a", r"2\log(t) \le a"),
    ("a/(2*t) <= b", r"\frac{1}{2t} a \le b"),
    ("n*(n + 1)/2 <= a", r"\sum_{i=1}^{n} i \le a"),
    ("sum(x[i], i, 1, n) <= a", r"\sum_{k=1}^{n} x_k \le a"),
    ("sum(x[i] + y[i], i, 1, n) <= a", r"\sum_{i=1}^{n} x_i + \sum_{i=1}^{n} y_i \le a"),
    ("sum(a*x[i], i, 1, n) <= b", r"a\sum_{i=1}^{n} x_i \le b"),
    ("sum(x[i]*x[j], i, 1, n, j, 1, n, i != j) <= a",
     r"(\sum_{i=1}^{n} x_i)^2 - \|x\|^2 \le a"),
    ("E(norm(W @ x)**2) == a", r"\mathbb{E}[x^\top W^\top W x] = a"),
    ("E(2*norm(z)) <= a", r"2\,\mathbb{E}[\|z\|] \le a"),
    ("E(norm(z) + norm(w)) <= a", r"\mathbb{E}[\|z\|] + \mathbb{E}[\|w\|] \le a"),
    ("E(norm(z)**2*norm(w)**2) <= a", r"\mathbb{E}[\|z\|^2]\,\mathbb{E}[\|w\|^2] \le a"),
    ("E(norm(z + x)**2) <= a", r"\mathbb{E}[\|z\|^2] + \|x\|^2 \le a"),
    ("Var(inner(z, x)) <= a", r"\mathbb{E}[(z^\top x)^2] \le a"),
    ("P(norm(z) >= t) <= a", r"\Pr(t \le \|z\|) \le a"),
    ("E(E(norm(z))) <= a", r"\mathbb{E}[\|z\|] \le a"),
    ("norm(relu(x) - relu(y)) <= a", r"\|\mathrm{relu}(y) - \mathrm{relu}(x)\| \le a"),
    ("max(a, b) <= t", r"\max(b, a) \le t"),
    ("D(a**2*b, a) == t", r"\frac{\partial (a^2 b)}{\partial a} = t"),
    ("norm(D(A @ x, x)) <= t", r"\|\frac{\partial A x}{\partial x}\|_F \le t"),
    ("norm((eye(n) - eta*S) @ x) <= a", r"\|x - \eta S x\| \le a"),
]  # fmt: skip


def status(says: str, latex: str, more: str = "") -> str:
    """How the print was compared; the code of the problem where it is an error."""
    text = f"theorem: a/b\nsymbols:{SYMBOLS}claims:\n  c:\n    says: '{says}'\n    latex: '{latex}'\n{more}"
    loaded = load_text(text, "claims.yaml")
    assert not loaded.problems
    (entry,) = loaded.entries
    if not isinstance(entry, Ready):
        return entry.problems[0].code
    assert entry.claim.printed is not None
    return entry.claim.printed.status


STRICT = "    names: {}\n"


@pytest.mark.parametrize(("says", "latex"), DIFFERENT)
def test_a_subtle_difference_is_an_error(says: str, latex: str) -> None:
    assert status(says, latex, STRICT) == "drift"
    assert status(says, latex) == "drift"


@pytest.mark.parametrize(("says", "latex"), HARMLESS)
def test_other_words_are_no_drift(says: str, latex: str) -> None:
    assert status(says, latex, STRICT) == "same"
    assert status(says, latex) == "same"


@pytest.mark.parametrize(
    ("says", "latex"),
    [
        ("a + 1000000000000 <= b", r"a + 1000000000001 \le b"),
        ("relu(a - 100) <= b", r"\mathrm{relu}(a - 101) \le b"),
        ("sqrt(a**2) <= b", r"a \le b"),
        ("E(z[1]**3) <= b", r"0 \le b"),
        ("E(norm(W @ x)**2) == m*sigma**2*norm(x)**2", r"m\sigma^2\|x\|^2 = m\sigma^2\|x\|^2"),
        ("a <= b", r"a - b \le 0"),
        ("a <= t*b", r"\frac{a}{t} \le b"),
    ],
)
def test_what_points_do_not_show_is_never_called_the_same(says: str, latex: str) -> None:
    assert status(says, latex, STRICT) == "drift"
    assert status(says, latex) in ("drift", "different")
