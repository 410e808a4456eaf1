"""Fluctuations: variances of functions that are bounded or not steep, means of exponentials of draws."""

from collections.abc import Iterator
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.kernel.context import Context
from verifier.kernel.normal.sign import is_nonnegative, is_positive
from verifier.kernel.rules.norms import ONE, TWO, Pairs, is_vector, of_size, root_of, square_of

HALF, QUARTER, ZERO = N.Number(Fraction(1, 2)), N.Number(Fraction(1, 4)), N.Number(Fraction(0))
WIDTHS = {"tanh": 2, "sin": 2, "cos": 2, "erf": 2, "sigmoid": 1, "Phi": 1}  # of the range of values
SLOPES = {"relu": 1, "tanh": 1, "sigmoid": 4, "sin": 1, "cos": 1, "atan": 1, "abs": 1, "softplus": 1}
Line = tuple[list[N.Node], dict[N.Node, N.Node]]  # what is not drawn, and a factor for each draw


def law_of(context: Context, name: str) -> K.RandomKind | None:
    """The law of a symbol that is drawn as it is declared, and whose parameters are not drawn: no assumption
    speaks of it, and none is about an independence that the laws do not have."""
    kind = context.symbols[name].kind if name in context.symbols else None
    if not isinstance(kind, K.RandomKind) or context.tied():
        return None
    if any(name in _names(context, fact) for fact in context.assumptions):
        return None
    parameters = [value for value in vars(kind).values() if isinstance(value, N.Node)]
    return None if any(map(context.drawn, parameters)) else kind


def _names(context: Context, fact: N.Fact) -> frozenset[str]:
    parts = [value for value in vars(fact).values() if isinstance(value, N.Node)]
    inner = [value for value in vars(fact).values() if isinstance(value, N.Fact)]
    pairs = [item for value in vars(fact).values() if isinstance(value, tuple) for item in value]
    parts += [side for item in pairs if isinstance(item, N.Condition) for side in (item.left, item.right)]
    return frozenset[str]().union(*map(context.reach, parts), *(_names(context, each) for each in inner))


def normal_law(context: Context, name: str) -> K.Normal | None:
    """The law of independent normal entries with one standard deviation, which is a number."""
    match law_of(context, name):
        case K.Normal(_, std, None, None) as law if is_nonnegative(context, std):
            return law
    return None


def normal_length(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{x_i \sim \mathcal{N}(0, s^2) \text{ independent}}
    {\Gamma \vdash s\,\sqrt{d - \tfrac12} \le \mathrm{E}\,\|x\| \le s\,\sqrt{d}}

    x has d entries, and s is a number that is never negative. The lower end is Watson's: the quotient of
    gamma functions at y + 1/2 and y is at least sqrt(y - 1/4) for y >= 1/2; it is not below s*d/sqrt(d + 1).
    So the variance of the length is at most s**2/2. No other independence may be assumed, and no assumption
    may speak of x.
    """
    match atom:
        case N.Expectation(N.Norm(N.Symbol(name) as x, "fro"), ()) | N.Variance(
            N.Norm(N.Symbol(name) as x, "fro")
        ):
            law, size = normal_law(context, name), of_size(x.shape.size)
        case _:
            return
    if law is None or size is None or law.mean != ZERO:
        return
    if isinstance(atom, N.Variance):
        yield atom, N.Divide(square_of(law.std), TWO)
        return
    yield N.Multiply(law.std, root_of(N.Subtract(size, HALF))), atom
    yield N.Multiply(law.std, N.Divide(size, root_of(N.Add(size, ONE)))), atom
    yield atom, N.Multiply(law.std, root_of(size))


def variances(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{f \in [l, h]}{\Gamma \vdash \mathrm{Var} f \le \frac{(h - l)^2}{4}} \qquad
    \frac{x_i \sim \mathcal{N}(m, s^2) \text{ independent} \qquad |f(x) - f(y)| \le c\,\|x - y\|}
    {\Gamma \vdash \mathrm{Var} f(x) \le c^2 s^2}

    The first is Popoviciu's, for tanh, sin, cos, erf, sigmoid, Phi and for events; the second Poincare's: f
    is a norm of x, or x is one number and f a function with slopes of at most c. No assumption may speak of
    x.
    """
    match atom:
        case N.Variance(N.Apply(name)) if name in WIDTHS:
            yield atom, N.Number(Fraction(WIDTHS[name] ** 2, 4))
        case N.Variance(N.Indicator()):
            yield atom, QUARTER
    match atom:
        case N.Variance(N.Norm(N.Symbol(drawn), "fro" | "2")):
            slope = 1
        case N.Variance(N.Apply(name, (N.Symbol(drawn) as x,))) if name in SLOPES and x.shape.is_scalar:
            slope = SLOPES[name]
        case _:
            return
    if (law := normal_law(context, drawn)) is not None:
        yield atom, N.Divide(square_of(law.std), N.Number(Fraction(slope**2)))


def exponential_moments(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{e_i \text{ independent, with mean } m, \text{ not drawn with } x}
    {\Gamma \vdash \mathrm{E}\, e^{\langle x, e \rangle} \le
    e^{m \sum_i x_i + \frac{v}{2} \|x\|^2}}

    Hoeffding's lemma: v is 1 for fair signs, 1/4 for entries that are 0 or 1, and the variance
    (h - l)**2/12 of uniform ones. Sums of such products of different symbols, and of what is not drawn. No
    assumption may speak of what is drawn.
    """
    match atom:
        case N.Expectation(N.Apply("exp", (arg,)), ()):
            line = _line(context, arg)
        case _:
            return
    if line is None or not line[1]:
        return
    total: N.Node = ZERO
    for part in line[0]:
        total = N.Add(total, part)
    for draw, factor in line[1].items():
        base = draw.arg if isinstance(draw, N.Entry) else draw
        law = law_of(context, base.name) if isinstance(base, N.Symbol) else None
        mean: N.Node
        spread: N.Node
        match law:
            case K.Rademacher():
                mean, spread = ZERO, HALF
            case K.Bernoulli(chance):
                mean, spread = chance, N.Number(Fraction(1, 8))
            case K.Uniform(low, high):
                mean = N.Divide(N.Add(low, high), TWO)
                spread = N.Divide(square_of(N.Subtract(high, low)), N.Number(Fraction(24)))
            case _:
                return
        vector = not factor.shape.is_scalar
        length = square_of(N.Norm(factor)) if vector else square_of(factor)
        every = N.Inner(N.Ones(factor.shape), factor) if vector else factor
        total = N.Add(total, N.Add(N.Multiply(mean, every), N.Multiply(spread, length)))
    yield atom, N.Apply("exp", (total,))


def _line(context: Context, node: N.Node) -> Line | None:
    """A sum of what is not drawn and of numbers or vectors times draws, each symbol once."""
    found: Line = ([], {})
    seen: set[str] = set()
    for sign, part in _terms(node):
        scaled = N.Negate(part) if sign < 0 else part
        if not context.drawn(part):
            found[0].append(scaled)
            continue
        term = _term(context, part)
        if term is None:
            return None
        draw, factor = term
        names = context.reach(draw)
        if seen & names:
            return None
        seen |= names
        found[1][draw] = N.Negate(factor) if sign < 0 else factor
    return found


def _terms(node: N.Node, sign: int = 1) -> Iterator[tuple[int, N.Node]]:
    match node:
        case N.Add(left, right):
            yield from (*_terms(left, sign), *_terms(right, sign))
        case N.Subtract(left, right):
            yield from (*_terms(left, sign), *_terms(right, -sign))
        case N.Negate(arg):
            yield from _terms(arg, -sign)
        case N.Multiply(c, N.Add(left, right)):
            yield from (*_terms(N.Multiply(c, left), sign), *_terms(N.Multiply(c, right), sign))
        case N.Multiply(c, N.Subtract(left, right)):
            yield from (*_terms(N.Multiply(c, left), sign), *_terms(N.Multiply(c, right), -sign))
        case _:
            yield sign, node


def _term(context: Context, node: N.Node) -> tuple[N.Node, N.Node] | None:
    """The draw and its factor, which is not drawn."""
    pairs: tuple[tuple[N.Node, N.Node], ...]
    match node:
        case N.Inner(left, right) | N.MatMul(N.Transpose(left), right) if node.shape.is_scalar:
            pairs = ((left, right), (right, left))
        case N.Multiply(left, right) if left.shape.is_scalar and right.shape.is_scalar:
            pairs = ((left, right), (right, left))
        case _:
            pairs = ((node, ONE),) if node.shape.is_scalar else ()
    for draw, factor in pairs:
        if context.drawn(factor):
            continue
        if isinstance(draw, N.Symbol) and (draw.shape.is_scalar or is_vector(draw)):
            return draw, factor
        if isinstance(draw, N.Entry) and isinstance(draw.arg, N.Symbol) and not context.drawn(draw.row):
            return draw, factor
        if draw.shape.is_scalar and factor != ONE and (inner := _term(context, draw)) is not None:
            symbol, other = inner
            return symbol, N.Multiply(factor, other)
    return None


def powers(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{\Gamma \vdash 0 \le 1 + x \qquad 0 \le p}{\Gamma \vdash (1 + x)^p \le e^{p x}} \qquad
    \frac{\Gamma \vdash 0 \le 1 + x \qquad n \ge 1 \text{ whole}}{\Gamma \vdash 1 + n x \le (1 + x)^n}

    The signs of 1 + x and of p are computed; the second is Bernoulli's.
    """
    match atom:
        case N.Power(N.Add(one, x) | N.Add(x, one) as base, p) if one == ONE and is_nonnegative(
            context, base
        ):
            pass
        case N.Power(N.Subtract(one, y) as base, p) if one == ONE and is_nonnegative(context, base):
            x = N.Negate(y)
        case _:
            return
    if is_nonnegative(context, p):
        yield atom, N.Apply("exp", (N.Multiply(p, x),))
    match p:
        case N.Symbol(name) if is_positive(context, p) and name in context.symbols:
            if isinstance(context.symbols[name].kind, K.Dimension | K.IndexOf):
                yield N.Add(ONE, N.Multiply(p, x)), atom
