r"""Productions for what things are: kinds of numbers, vectors and matrices.

`a unit vector in $\mathbb{R}^d$`, `positive integers`, `a symmetric $n \times n$ matrix`.
"""

from verifier.expr import syntax as S
from verifier.read.prose.build import is_, joined, refusing
from verifier.read.prose.grammar import Production
from verifier.read.prose.scalars import text
from verifier.read.prose.sets import NONZERO, POSITIVE_DEFINITE
from verifier.read.prose.values import (
    Always,
    Family,
    Form,
    Noun,
    Number,
    Random,
    Space,
)

P = Production


def _sized(*sizes: S.Syntax | tuple[str, ...]) -> Noun:
    flat: list[str] = []
    for size in sizes:
        flat += size if isinstance(size, tuple) else [text(size)]
    return Noun((Space(tuple(flat)),))


_NOT_A_MATRIX_CLASS = "the claim language has no kind for {} matrices"

MATRICES = (
    P("MOD", "symmetric", is_(Family("symmetric")), r"Let $A \in \mathbb{R}^{n \times n}$ be symmetric.",
      ("A: symmetric(n)", "n: dimension")),
    P("MOD", "PSD [kernel|gram|covariance]", is_(Family("psd")),
      r"Let $A \in \mathbb{R}^{n \times n}$ be a positive semidefinite kernel matrix.",
      ("A: psd(n)", "n: dimension")),
    P("PSD", "positive semidefinite", is_(),
      r"Let $A \in \mathbb{R}^{n \times n}$ be positive semidefinite.", ("A: psd(n)", "n: dimension")),
    P("PSD", "positive semi definite", is_(),
      r"Let $A \in \mathbb{R}^{n \times n}$ be positive semi-definite.", ("A: psd(n)", "n: dimension")),
    P("PSD", "psd", is_(), r"Let $A$ be a PSD matrix in $\mathbb{R}^{n \times n}$.",
      ("A: psd(n)", "n: dimension")),
    P("MOD", "orthogonal", is_(Family("orthogonal")), r"Let $U$ be an $n \times n$ orthogonal matrix.",
      ("U: orthogonal(n)", "n: dimension")),
    P("MOD", "row|right stochastic", is_(Family("stochastic")),
      r"Let $A \in \mathbb{R}^{n \times m}$ be row-stochastic.",
      ("A: stochastic(n, m)", "m: dimension", "n: dimension")),
    P("MOD", "positive definite", refusing(*POSITIVE_DEFINITE),
      r"Let $A \in \mathbb{R}^{n \times n}$ be positive definite.", refuses="no kind for positive definite"),
    P("MOD", "doubly|column stochastic", refusing(_NOT_A_MATRIX_CLASS.format("doubly or column-stochastic")),
      r"Let $A \in \mathbb{R}^{n \times n}$ be doubly stochastic.", refuses="no kind for doubly"),
    P("MOD", "diagonal|triangular|invertible|nonsingular|unitary|hermitian|idempotent",
      refusing(_NOT_A_MATRIX_CLASS.format("such"), "write the matrix out of symbols that there are: diag(v)"),
      r"Let $A \in \mathbb{R}^{n \times n}$ be diagonal.", refuses="no kind for such matrices"),
    P("MOD", "square|real|fixed|arbitrary|given|deterministic|nonrandom", is_(),
      r"Let $A \in \mathbb{R}^{n \times n}$ be an arbitrary fixed matrix.", ("A: matrix(n, n)",
      "n: dimension")),
    P("MOD", "real valued", is_(), r"Let $z$ be a real-valued random variable.", ("z: random()",)),
    P("MOD",
      "data|input|weight|feature|output|target|design|noise|hidden|bias|label|query|key|value|embedding|step|"
      "response|coefficient|parameter|observation|token|pretrained|frozen|trainable|learnable|latent|context|"
      "regularization|regularisation|ridge|temperature|smoothing|tuning|initial|state|adapter|readout|teacher|"
      "student|measurement|sensing|scaling|network|layer|model|training|test", is_(),
      r"Let $X \in \mathbb{R}^{n \times d}$ be the data matrix.", ("X: matrix(n, d)", "d: dimension",
      "n: dimension")),
    P("MOD", "random", is_(Random()), r"Let $x \in \mathbb{R}^n$ be a random vector.",
      ("n: dimension", "x: random(n)")),
    P("MOD", "nonzero", is_(NONZERO), r"Let $u \in \mathbb{R}^n$ be a nonzero vector.",
      ("n: dimension", "norm(u) > 0", "u: vector(n)")),
    P("MOD", "unit", is_(Always("norm({x}) == 1")), r"Let $u \in \mathbb{R}^n$ be a unit vector.",
      ("n: dimension", "u: vector(n)", "norm(u) == 1")),
    P("MOD", "unit norm", is_(Always("norm({x}) == 1")), r"Let $u \in \mathbb{R}^n$ be a unit-norm vector.",
      ("n: dimension", "u: vector(n)", "norm(u) == 1")),
    P("MOD", "$sizes", _sized, r"Let $A$ be an $m \times n$ matrix.",
      ("A: matrix(m, n)", "m: dimension", "n: dimension")),
    P("MOD", "$number by|times $number", _sized, r"Let $A$ be an $m$ by $n$ matrix.",
      ("A: matrix(m, n)", "m: dimension", "n: dimension")),
    P("MOD", "$number dimensional", _sized, r"Let $x$ be a $d$-dimensional vector.",
      ("d: dimension", "x: vector(d)")),
    P("NOUN", "matrix|matrices", is_(Form(2)), r"Let $A$ be a matrix in $\mathbb{R}^{m \times n}$.",
      ("A: matrix(m, n)", "m: dimension", "n: dimension")),
    P("NOUN", "vector|vectors", is_(Form(1)), r"Let $x$, $y$ be vectors in $\mathbb{R}^n$.",
      ("n: dimension", "x: vector(n)", "y: vector(n)")),
    P("NOUN",
      "point|points|input|inputs|token|tokens|sequence|target|targets|weights|query|queries|key|keys|value|values|"
      "feature|features|embedding|embeddings|factors|label|labels|signal|signals|design|bias|biases|observation|"
      "observations|coefficients", is_(),
      r"Let $x$ be a point in $\mathbb{R}^n$.", ("n: dimension", "x: vector(n)")),
    P("NOUN",
      "vector of targets|labels|responses|outputs|observations|weights|parameters|coefficients|scores",
      is_(Form(1)), r"Let $y \in \mathbb{R}^n$ be the vector of targets.", ("n: dimension", "y: vector(n)")),
    P("NOUN", "probability vector|vectors|distribution|distributions", is_(Family("simplex")),
      r"Let $p \in \mathbb{R}^n$ be a probability vector.", ("n: dimension", "p: simplex(n)")),
)  # fmt: skip

NUMBERS = (
    P("NOUN", "positive integer|integers", is_(Number("dimension")), r"Let $m, n$ be positive integers.",
      ("m: dimension", "n: dimension")),
    P("NOUN", "natural number|numbers", is_(Number("dimension",
      "the natural numbers are read as 1, 2, 3, ...")),
      r"Let $n$ be a natural number.", ("n: dimension",)),
    P("NOUN", "nonnegative integer|integers", is_(Number("integer"), Always("{x} >= 0")),
      r"Let $k$ be a nonnegative integer.", ("k: integer", "k >= 0")),
    P("NOUN", "non negative integer|integers", is_(Number("integer"), Always("{x} >= 0")),
      r"Let $k$ be a non-negative integer.", ("k: integer", "k >= 0")),
    P("NOUN", "integer|integers", is_(Number("integer")), r"Let $k$ be an integer.", ("k: integer",)),
    P("NOUN", "SCALAR", is_(Number("real")), r"Let $a, b$ be real numbers.", ("a: real", "b: real")),
    P("NOUN", "positive SCALAR", is_(Number("positive")), r"Let $\alpha$ be a positive constant.",
      ("alpha: positive",)),
    P("NOUN", "strictly positive SCALAR", is_(Number("positive")),
      r"Let $\alpha$ be a strictly positive real number.", ("alpha: positive",)),
    P("NOUN", "nonnegative SCALAR", is_(Number("interval(0, oo)")),
      r"Let $t$ be a nonnegative number.", ("t: interval(0, oo)",)),
    P("NOUN", "non negative SCALAR", is_(Number("interval(0, oo)")),
      r"Let $t$ be a non-negative real.", ("t: interval(0, oo)",)),
    P("SCALAR",
      "number|numbers|scalar|scalars|real|reals|constant|constants|parameter|parameters|scale|scales|level|"
      "temperature|stepsize|stepsizes|multiplier|exponent|threshold|slope|gain", is_(),
      r"Let $a$ be a scalar.", ("a: real",)),
    P("SCALAR", "real number|numbers|constant|constants|parameter|parameters", is_(),
      r"Let $a$ be a positive real constant.", ("a: positive",)),
    P("NOUN", "scaling|residual|noise|regularization|discount|damping|momentum factor|scale|level|strength",
      is_(Number("real")),
      r"Let $\alpha \in \mathbb{R}$ be the residual scale.", ("alpha: real",)),
    P("NOUN", "probability of @name ANYNAME*", is_(Number("real")),
      r"Let $p \in [0, 1]$ be the probability of success.", ("p: interval(0, 1)",)),
    P("NOUN", "number of @name ANYNAME*", is_(Number("dimension")),
      r"Let $n$ be the number of samples.", ("n: dimension",)),
    P("NOUN", "batch|sample|sequence|context|hidden|embedding|input|output|head|ambient "
      "size|length|dimension|width",
      is_(Number("dimension")), r"Let $n$ be the sample size.", ("n: dimension",)),
    P("NOUN", "step size|sizes", is_(Number("real")),
      r"Let $\eta > 0$ be the step size.", ("eta: positive",)),
    P("NOUN", "learning rate|rates", is_(Number("real")),
      r"Let $\eta > 0$ be the learning rate.", ("eta: positive",)),
    P("NOUN", "width|depth|dimension", is_(Number("dimension")), r"Let $n$ be the width.", ("n: dimension",)),
    P("ADJ", "positive", is_(Number("positive", condition="{x} > 0")), r"Assume that $\alpha$ is positive.",
      ("alpha: positive",)),
    P("ADJ", "nonnegative", is_(Number("interval(0, oo)", condition="{x} >= 0")),
      r"Assume that $t$ is nonnegative.", ("t: interval(0, oo)",)),
    P("ADJ", "non negative", is_(Number("interval(0, oo)", condition="{x} >= 0")),
      r"Assume that $t$ is non-negative.", ("t: interval(0, oo)",)),
    P("ADJ", "MOD", joined, r"Assume that $A \in \mathbb{R}^{n \times n}$ is symmetric.",
      ("A: symmetric(n)", "n: dimension")),
)  # fmt: skip
