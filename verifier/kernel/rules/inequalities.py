"""Inequalities of the textbooks. The check of a rule is a match with one of its instances."""

from collections.abc import Iterator
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.normal.chains import product
from verifier.kernel.normal.sign import Signs, is_nonnegative
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.convexity import jensen, tangent
from verifier.kernel.rules.defined import only_numbers, unfolded
from verifier.kernel.rules.derivatives import chain_rule, slopes
from verifier.kernel.rules.fluctuations import SLOPES, exponential_moments, normal_length, powers, variances
from verifier.kernel.rules.lengths import commutator, rmsnorm_slopes, rows_of_length
from verifier.kernel.rules.norms import (
    ONE,
    TWO,
    Instances,
    Pairs,
    cauchy_schwarz,
    entries,
    homogeneous,
    is_vector,
    magnitude,
    norms,
    of_size,
    root_of,
    size_of,
    square_of,
    submultiplicative,
    traces,
    triangle,
)
from verifier.kernel.rules.softmax import near_uniform, softmax_slopes
from verifier.kernel.rules.tails import tails
from verifier.kernel.rules.totals import partial_sums, products
from verifier.kernel.rules.weighted import weighted

MINUS_ONE = N.Number(Fraction(-1))


def means(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{\Gamma \vdash 0 \le x_1, \ldots, x_k}
    {\Gamma \vdash x_1 \cdots x_k \le \left(\frac{x_1 + \cdots + x_k}{k}\right)^k}

    The signs of the factors are computed. For two factors also x*y <= (x**2 + y**2)/2, whatever their signs,
    and the root of both sides.
    """
    match atom:
        case N.Apply("sqrt", (N.Multiply(x, y),)) if _all_nonnegative(context, [x, y]):
            yield atom, N.Divide(N.Add(x, y), TWO)
        case N.Multiply(x, y) if x.shape == y.shape:
            yield atom, N.Divide(N.Add(square_of(x), square_of(y)), TWO)
            factors = _factors(atom)
            if len({part.shape for part in factors}) == 1 and _all_nonnegative(context, factors):
                total = factors[0]
                for part in factors[1:]:
                    total = N.Add(total, part)
                count = N.Number(Fraction(len(factors)))
                yield atom, N.Power(N.Divide(total, count), count)


def _factors(node: N.Node) -> list[N.Node]:
    return [*_factors(node.left), node.right] if isinstance(node, N.Multiply) else [node]


def _all_nonnegative(context: Context, nodes: list[N.Node]) -> bool:
    return all(is_nonnegative(context, node) for node in nodes)


def products_in_mean(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash (\mathrm{E} f g)^2 \le \mathrm{E} f^2\, \mathrm{E} g^2}

    Also with roots, and for inner products with norms in the place of absolute values. No other independence
    may be assumed than what is declared.
    """
    if context.tied():
        raise Rejected("condition", "a mean under an independence that the laws do not have")
    match atom:
        case N.Expectation(N.Multiply(f, g), given) if f.shape == g.shape:
            first, second = f, g
        case N.Expectation(N.Inner(f, g), given):
            first, second = N.Norm(f), N.Norm(g)
        case _:
            return
    a, b = N.Expectation(square_of(first), given), N.Expectation(square_of(second), given)
    yield square_of(atom), N.Multiply(a, b)
    yield atom, N.Multiply(root_of(a), root_of(b))
    yield atom, root_of(N.Multiply(a, b))


def bounded(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash |\tanh x|, |\sin x|, |\cos x|, |\mathrm{erf}\, x| \le 1} \qquad
    \frac{}{\Gamma \vdash \sigma(x), \Phi(x) \le 1}

    The first four also without the absolute value, with either sign, and squared; the squares of the last
    two are at most themselves, and 1 - Phi(x)
    is at most exp(-x**2/2)/2 for x >= 0. So is (-1)**k for whole k between -1 and 1. An entry of
    softmax or of a point of the simplex is at most 1, the square of the latter at most itself, the norm of
    such a point too at most 1, and that of a matrix with n such rows of m entries at most sqrt(n), and at
    least sqrt(n/m).
    """
    match atom:
        case N.Apply("tanh" | "erf" | "sin" | "cos"):
            yield from ((small, ONE) for small in (atom, size_of(atom), N.Negate(atom), square_of(atom)))
            yield MINUS_ONE, atom
        case N.Power(N.Number(value), N.Symbol(name)) if value == -1 and _is_whole(context, name):
            yield from ((atom, ONE), (MINUS_ONE, atom))
        case N.Subtract(one, N.Apply("Phi", (x,))) if one == ONE and is_nonnegative(context, x):
            yield atom, N.Divide(N.Apply("exp", (N.Divide(N.Negate(square_of(x)), TWO),)), TWO)
        case N.Apply("sigmoid" | "Phi") | N.RowWise("softmax"):
            yield atom, ONE
            yield square_of(atom), atom
        case N.Entry(N.RowWise("softmax")):
            yield atom, ONE
        case N.Entry(N.Symbol(name)) if _family(context, name) in ("simplex", "stochastic"):
            yield atom, ONE
            yield square_of(atom), atom
        case N.Norm(arg, "fro" | "2" as kind) if _has_probability_rows(context, arg):
            size, length = of_size(arg.shape.rows), of_size(arg.shape.cols)
            if size is not None:
                yield atom, root_of(size)
            if size is not None and length is not None and kind == "fro":
                yield N.Divide(size, length), square_of(atom)
                yield root_of(N.Divide(size, length)), atom
        case N.Norm(N.Symbol(name)) if _family(context, name) == "simplex":
            yield atom, ONE


def _is_whole(context: Context, name: str) -> bool:
    declared = context.symbols.get(name)
    return declared is not None and isinstance(declared.kind, K.Dimension | K.Integer | K.IndexOf)


def _has_probability_rows(context: Context, node: N.Node) -> bool:
    match node:
        case N.RowWise("softmax"):
            return True
        case N.Symbol(name):
            return _family(context, name) == "stochastic"
    return False


def _family(context: Context, name: str) -> str | None:
    kind = context.symbols[name].kind if name in context.symbols else None
    return kind.family if isinstance(kind, K.FixedMatrix) else None


AT_MOST = {"relu", "tanh", "sin", "atan", "abs", "gelu", "silu"}  # in size at most what they are taken of


def lipschitz(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{|f'| \le c}{\Gamma \vdash \|f(A) - f(B)\| \le c\,\|A - B\|}

    For functions entry by entry: c = 1 for relu, tanh, sin, cos, atan, abs and softplus, 1/4 for sigmoid.
    Also norm(f(A)) <= norm(A) for relu, tanh, sin, atan, abs, gelu and silu, and for absolute values. Not for
    the spectral norm of a matrix.
    """
    match atom:
        case N.Norm(arg, kind) if kind == "2" and not is_vector(arg):
            return
        case N.Norm(arg) | N.Apply("abs", (arg,)):
            pass
        case _:
            return

    def size(node: N.Node) -> N.Node:
        return N.Norm(node, atom.kind) if isinstance(atom, N.Norm) else size_of(node)

    match arg:
        case N.Subtract(N.Apply(f, (a,)), N.Apply(g, (b,))) if f == g and f in SLOPES and a.shape == b.shape:
            apart = size(N.Subtract(a, b))
            yield atom, apart if SLOPES[f] == 1 else N.Divide(apart, N.Number(Fraction(SLOPES[f])))
        case N.Apply(f, (a,)) if f in AT_MOST:
            yield atom, size(a)


def semidefinite(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash \|P\|_2 \le \|P\| \le \mathrm{tr}\, P} \qquad
    \frac{}{\Gamma \vdash \mathrm{tr}(P A) \le \mathrm{tr}\, P\, \|A\|_2} \qquad
    \frac{}{\Gamma \vdash \mathrm{tr}(P Q) \le \mathrm{tr}\, P\, \mathrm{tr}\, Q} \qquad
    \frac{}{\Gamma \vdash \langle x, P y \rangle^2 \le \langle x, P x \rangle \langle y, P y \rangle}

    Also norm(P @ A)**2 <= norm(P, 2)*tr(A.T @ P @ A). P and Q are seen to be positive semidefinite: declared
    so, A A^T, B P B^T, the covariance diag(p) - p p^T of a choice, or sums of such. A is any matrix; the
    trace of P A also with either sign. It may be written as an inner product or as a number, and its factors
    may go round.
    """
    chains = Signs(context).chains
    match atom:
        case N.Norm(p, "fro" | "2") if not is_vector(p) and chains.is_semidefinite(p):
            yield atom, N.Trace(p)
        case N.Norm(N.MatMul(p, a), "fro") if chains.is_semidefinite(p):
            yield (
                square_of(atom),
                N.Multiply(N.Norm(p, "2"), N.Trace(N.MatMul(N.MatMul(N.Transpose(a), p), a))),
            )
    for first, rest in chains.halves(atom):
        trace, other = chains.trace_of(first), product(rest)
        for small in (atom, size_of(atom), N.Negate(atom)):
            yield small, N.Multiply(trace, N.Norm(other, "2"))
        if chains.are_semidefinite(rest):
            yield atom, N.Multiply(trace, chains.trace_of(rest))
        if len(first) == 1 and len(rest) == 2:
            y, x = rest[0], chains.turned(rest[1:])[0]
            yield square_of(atom), N.Multiply(_form(atom, x, first[0]), _form(atom, y, first[0]))


def _form(like: N.Node, x: N.Node, p: N.Node) -> N.Node:
    """x.T @ p @ x, written as another number is."""
    if isinstance(like, N.Inner):
        return N.Inner(x, N.MatMul(p, x))
    whole = N.MatMul(N.MatMul(N.Transpose(x), p), x)
    return whole if whole.shape.is_scalar else N.Trace(whole)


def elementary(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash 1 + x \le e^x} \qquad
    \frac{}{\Gamma \vdash 1 - \frac{1}{x} \le \log x \le x - 1} \qquad
    \frac{}{\Gamma \vdash \pm x \le |x|} \qquad \frac{}{\Gamma \vdash \min(x, y) \le x \le \max(x, y)}

    Also x <= relu(x) <= softplus(x) <= relu(x) + log(2), relu(x) <= abs(x), x*y <= abs(x)*abs(y),
    x + y <= relu(x + y) <= relu(x) + relu(y), and the sizes of tanh(x), sin(x), atan(x), gelu(x) and silu(x)
    are at most abs(x), their squares, and that of relu(x), at most x**2.
    """
    match atom:
        case N.Apply("exp", (x,)):
            yield N.Add(ONE, x), atom
        case N.Apply("log", (x,)):
            yield atom, N.Subtract(x, ONE)
            yield N.Subtract(ONE, N.Divide(ONE, x)), atom
        case N.Apply("abs", (x,)):
            yield from ((x, atom), (N.Negate(x), atom))
        case N.Apply("relu", (N.Add(x, y),)) if x.shape == y.shape:
            yield atom, N.Add(N.Apply("relu", (x,)), N.Apply("relu", (y,)))
            yield N.Add(x, y), atom
        case N.Apply("relu", (x,)):
            yield from ((x, atom), (atom, size_of(x)), (atom, N.Apply("softplus", (x,))))
            yield square_of(atom), square_of(x)
        case N.Apply("softplus", (x,)):
            yield atom, N.Add(N.Apply("relu", (x,)), N.Apply("log", (TWO,)))
        case N.Apply("min", args):
            yield from ((atom, arg) for arg in args)
        case N.Apply("max", args):
            yield from ((arg, atom) for arg in args)
        case N.Apply("tanh" | "sin" | "atan" | "gelu" | "silu", (x,)):
            yield size_of(atom), size_of(x)
            yield square_of(atom), square_of(x)
        case N.Multiply(x, y) if x.shape == y.shape:
            yield atom, N.Multiply(magnitude(context, x), magnitude(context, y))


INSTANCES: dict[str, Instances] = {
    made.__name__: made
    for made in (
        cauchy_schwarz, triangle, submultiplicative, norms, entries, traces, means, jensen, tangent,
        products_in_mean, bounded, lipschitz, semidefinite, elementary, softmax_slopes, near_uniform,
        homogeneous, tails, chain_rule, slopes, rows_of_length, normal_length, commutator, rmsnorm_slopes,
        variances, exponential_moments, powers, partial_sums, products,
        weighted,
    )
}  # fmt: skip


def _rule(name: str, instances: Instances) -> Rule:
    def check(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
        if premises:
            raise Rejected("premises", "a textbook's inequality needs no premise")
        match goal:
            case Holds(N.Relation("<=", small, large) as fact) | Holds(
                N.Relation(">=", large, small) as fact
            ):
                only_numbers(fact)
                pair = unfolded(context, small), unfolded(context, large)
            case _:
                raise Rejected("statement", "an inequality that is not strict")
        if not is_instance(context, instances, pair):
            raise Rejected("differs", "these sides are no instance of it")

    check.__doc__ = instances.__doc__
    return Rule(name, "order", check)


def is_instance(context: Context, instances: Instances, pair: tuple[N.Node, N.Node]) -> bool:
    """Whether the two sides, the smaller one first, are an instance of an inequality."""
    return any(pair == found for atom in _atoms(pair) for found in instances(context, atom))


def _atoms(pair: tuple[N.Node, N.Node]) -> Iterator[N.Node]:
    """What an instance may be about: a side, or what stands under a square, a sign or an absolute value."""
    for side in pair:
        yield side
        match side:
            case N.Power(arg) | N.Negate(arg) | N.Apply("abs", (arg,)):
                yield arg
            case N.Subtract(N.Norm() as first, _):
                yield first
            case N.Multiply(_, N.Power(arg)) | N.Multiply(_, N.Norm() as arg):
                yield arg


RULES = tuple(_rule(name, instances) for name, instances in INSTANCES.items())
