"""How heavy the tails of a quantity can be: what a rigorous confidence interval rests on.

A polynomial f of degree k in Gaussians or signs has E f^4 <= 9^k (E f^2)^2 (Bonami, Nelson).
Independent blocks may be treated one after the other (Minkowski's inequality), so the constant is a
product over the random symbols, and for a symbol of low degree it is smaller:

    degree 1   3      E (a + b.g)^4 = a^4 + 6 a^2 |b|^2 + 3 |b|^4 <= 3 (a^2 + |b|^2)^2; for signs, <=
    degree 2   16.25  (Gaussian) diagonalise: the cumulants of b.g + sum_i l_i (g_i^2 - 1), of variance V,
                      obey |k3| <= 2 sqrt(2) V^1.5 and k4 <= 12 V^2; so with a constant c added,
                      E f^4 <= c^4 + 6 c^2 V + 8 sqrt(2) c V^1.5 + 15 V^2 <= 16.25 (c^2 + V)^2

A uniform variable is a sum of independent signs, so a polynomial in it is one in signs.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, prod

from verifier.expr import nodes as N
from verifier.facts.values import Values
from verifier.sample.draws.law_samplers import Base
from verifier.sample.draws.static_integers import try_integer
from verifier.sample.tails.random_degree import Degrees, NotPolynomialError, Reader, most, times
from verifier.sample.unsupported import RefusedError, UndefinedError

QUADRATIC = 16.25
MAX_CONSTANT = 1e30
PROBE = "probe"

Probed = Mapping[int, N.Derivative]


@dataclass(frozen=True)
class Tails:
    """kurtosis: E (f - E f)^4 <= kurtosis * Var(f)^2.

    relative: f has one sign and E f^2 <= relative * (E f)^2.
    bounds: low <= f <= high.
    variance: Var(f) <= variance.
    squares: f >= 0 and Var(f) <= squares * E f. Each is None where nothing is proven.
    """

    kurtosis: float | None = None
    relative: float | None = None
    bounds: tuple[float, float] | None = None
    variance: float | None = None
    squares: float | None = None


def hypercontractive(degrees: Degrees, bases: Mapping[str, Base]) -> float | None:
    """The constant C in E f^4 <= C (E f^2)^2; None where it is too large to be of use."""

    def constant(block: str, degree: int) -> float:
        base: Base = bases.get(block.split("@")[0], "sign")
        if base == "mask" and degree:  # 1 with a small chance: no constant serves all chances
            return inf
        if base == "skewed":  # a quadratic in a Gaussian
            base, degree = "gaussian", 2 * degree
        if degree <= 1:
            return 3.0 if degree else 1.0
        return QUADRATIC if degree == 2 and base in ("gaussian", "shared") else 9.0 ** min(degree, 60)

    product = prod(constant(block, degree) for block, degree in degrees.items())
    return product if product < MAX_CONSTANT else None


def expectation_tails(node: N.Node, reader: Reader, bases: Mapping[str, Base], probed: Probed) -> Tails:
    """What is proven of f, whose mean is wanted."""
    kurtosis = relative = None
    try:
        extra = Counter({f"{PROBE}@{position}": 2 for position, _ in enumerate(probed)})
        kurtosis = hypercontractive(reader.value(node) + extra, bases)
    except (NotPolynomialError, RefusedError, UndefinedError):
        pass
    try:
        root = _root(node, reader, probed)
        relative = None if root is None else hypercontractive(root, bases)
    except (NotPolynomialError, RefusedError, UndefinedError):
        pass
    return Tails(kurtosis, relative)


def covariance_tails(
    left: N.Node, right: N.Node, reader: Reader, bases: Mapping[str, Base], squares: bool
) -> Tails:
    """(f - f') (g - g') / 2 for two independent draws: of degree deg f + deg g.

    squares: every entry is one, as in a variance. Cov(v, v) has others beside its diagonal.
    """
    try:
        first, second = reader.value(left), reader.value(right)
    except (NotPolynomialError, RefusedError, UndefinedError):
        return Tails()
    square = hypercontractive(first, bases) if squares else None
    return Tails(hypercontractive(first + second, bases), square)


def _root(node: N.Node, reader: Reader, probed: Probed) -> Degrees | None:
    """The degrees of G where f is a fixed multiple of |G|^2 or of |G|.

    For f = |G|^2, E f^2 <= C (E f)^2 with G's constant C; for f = |G| by Hoelder's inequality too:
    E|G|^2 <= (E|G|)^(2/3) (E|G|^4)^(1/3).
    """
    square = _square_root(node, reader, probed)
    if square is not None:
        return square
    match node:
        case N.Let(name, body) if name not in reader.held:
            return _root(reader.world.assumed.get(name, body), reader, probed)
        case N.Power(N.Norm(arg, "fro"), exponent):
            whole = try_integer(exponent, reader.scope)
            return times(reader.value(arg), whole) if whole is not None and whole > 0 else None
        case N.Norm(arg, "fro"):
            return reader.value(arg)
        case N.Apply("abs", (arg,)):
            return reader.value(arg)
        case N.Negate(arg):
            return _root(arg, reader, probed)
        case N.Divide(left, right) if reader.is_fixed(right):
            return _root(left, reader, probed)
        case N.Multiply(left, right) if reader.is_fixed(left):
            return _root(right, reader, probed)
        case N.Multiply(left, right) if reader.is_fixed(right):
            return _root(left, reader, probed)
    return None


def _is_positive(node: N.Node, reader: Reader) -> bool:
    """A positive constant: it is a square, and what it divides keeps its sign."""
    return reader.is_fixed(node) and Values(reader.world.symbols, reader.world.assumed)(node).is_positive


def _square_root(node: N.Node, reader: Reader, probed: Probed) -> Degrees | None:
    """The degrees of G where f is |G|^2 itself: such squares may be added and multiplied."""
    if id(node) in probed:
        return reader.value(probed[id(node)]) + Counter({PROBE: 1})
    if _is_positive(node, reader):
        return Counter()
    match node:
        case N.Let(name, body) if name not in reader.held:
            return _square_root(reader.world.assumed.get(name, body), reader, probed)
        case N.Power(base, exponent):
            whole = try_integer(exponent, reader.scope)
            if whole is None or whole <= 0 or whole % 2:
                return None
            inner = base.arg if isinstance(base, N.Norm) and base.kind == "fro" else base
            return times(reader.value(inner), whole // 2)
        case N.Inner(left, right) if left == right:
            return reader.value(left)
        case N.Trace(N.MatMul(left, right)) if right == N.Transpose(left) or left == N.Transpose(right):
            return reader.value(left)
        case N.Add(left, right):
            first, second = _square_root(left, reader, probed), _square_root(right, reader, probed)
            return None if first is None or second is None else most(first, second)
        case N.Multiply(left, right):
            first, second = _square_root(left, reader, probed), _square_root(right, reader, probed)
            return None if first is None or second is None else first + second
        case N.Divide(left, right) if _is_positive(right, reader):
            return _square_root(left, reader, probed)
        case N.Sum(body):
            inner_readers = list(reader.each_term(node))
            roots = [_square_root(body, inner, probed) for inner in inner_readers]
            total: Degrees = Counter()
            for root in roots:
                if root is None:
                    return None
                total = most(total, root)
            return total
    return None
