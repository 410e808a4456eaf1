"""The same relation in words that more is known about: each side keeps its value at every point.

    norm(kron(A, B), 2) = norm(A, 2) norm(B, 2)
    E g(norm(v, 1))     = E g(ones.T @ abs(v))
    E g(e)              = (E g(1) + E g(-1))/2           for a fair sign e
    E g(b)              = p E g(1) + (1 - p) E g(0)      for b = 1 with chance p, else 0
    E prod_i f(i)       = prod_i E f(i)                  for factors that see different independent entries

    P(f g < 0)          = P(f > 0, g < 0) + P(f < 0, g > 0)
    E cos(a + u)        = (sin(a + 1) - sin(a - 1))/2    for u uniform on [-1, 1], and products
    E exp(c u)          = (exp(c) - exp(-c))/(2 c)       for u uniform on [-1, 1]
    E exp(-norm(w)**2)  = 3**(-n/2)                      for n standard normal entries, and shifted ones
    E max(u, v)         = 2/3                            for u, v uniform on [0, 1], and other kinks
    limit F(f)          = F(limit f)                     for continuous functions of matrices
    E(f, given=h(W))    = E(f, given=W)                  where f sees W through h alone
    E log(a b)          = E(log(a) + log(b))             for a and b that are positive by their form

The third and the fourth where g is no polynomial, and sees only a few entries of the sign or mask.
"""

import operator
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.dims import Shape
from verifier.expr.symbols import Bernoulli, Kind, Rademacher
from verifier.expr.walk import children, expand_lets, rebuild, substitute, walk
from verifier.reformulate.conditional_means import given_whole_symbols
from verifier.reformulate.gaussian_kernels import mean_of_kernel
from verifier.reformulate.independent_factors import alike, factored, is_weight
from verifier.reformulate.limits_of_continuous import at_limit
from verifier.reformulate.logarithms import with_logarithms_written_out
from verifier.reformulate.primitives import mean_by_primitive
from verifier.reformulate.uniform_exponentials import keeps_limits, mean_of_exponential
from verifier.reformulate.uniform_polynomials import mean_over_box
from verifier.reformulate.uniform_waves import mean_of_waves

MOST_ENTRIES = 3
_ZERO, _TWO = N.Number(Fraction(0)), N.Number(Fraction(2))
_COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "==": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_STILL, _MEAN = "__index", "__mean"  # no declared name begins with two underscores
_AVERAGES = N.Expectation | N.Variance | N.Covariance
Value = tuple[N.Node, N.Node]  # a value and its chance


def plainly(claim: Claim, fact: N.Relation | N.Within) -> N.Relation | N.Within:
    """The fact, rewritten where a rule applies; the fact itself where none does."""
    assumed = {found[0].name for item in claim.assumptions if (found := item.assumed_value) is not None}
    at_limits = keeps_limits(fact) and not claim.growing

    def change(node: N.Node) -> N.Node:
        match node:
            case N.Let(_, body):
                return node if (new := change(body)) is body else new
            case N.Norm(N.Kron(left, right), "2"):
                return N.Multiply(change(N.Norm(left, "2")), change(N.Norm(right, "2")))
            case N.Limit() if (value := at_limit(claim, node)) is not None:
                return change(value)
            case N.Expectation() | N.Variance() | N.Covariance() if (
                written := with_logarithms_written_out(claim, node, assumed)
            ) != node:
                return change(written)
            case N.Variance(body) if not assumed & _lets(body) and _is_in_a_box(claim, body):
                square, mean = (N.Expectation(part) for part in (N.Power(body, _TWO), body))
                return change(N.Subtract(square, N.Power(mean, _TWO)))
            case N.Expectation(body, ()) if not assumed & _lets(body):
                # A mean inside is one over fresh draws, and a number while the outer one is taken.
                known = {mean: N.Symbol(f"{_MEAN}{k}", mean.shape) for k, mean in enumerate(_means(body))}
                value = _mean(claim, substitute(body, known), at_limits) or node
                back: dict[N.Node, N.Node] = {held: change(mean) for mean, held in known.items()}
                return substitute(value, back)
        return rebuild(node, change)

    return rebuild(given_whole_symbols(claim, fact), change)


def _is_in_a_box(claim: Claim, body: N.Node) -> bool:
    return mean_over_box(claim, N.Power(body, _TWO)) is not None


def _means(node: N.Node) -> Iterator[N.Node]:
    """The outermost means inside that are the same at every draw and every index."""
    if isinstance(node, _AVERAGES):
        given = isinstance(node, N.Expectation) and node.given
        if not given and not any(isinstance(part, N.Index) for part in walk(node)):
            yield node
        return
    for child in children(node):
        yield from _means(child)


def _lets(node: N.Node) -> set[str]:
    return {part.name for part in walk(node) if isinstance(part, N.Let)}


def _mean(claim: Claim, body: N.Node, at_limits: bool) -> N.Node | None:
    """E(body) by one of the rules; None where none applies."""
    if any(isinstance(part, N.Derivative | N.After | _AVERAGES) for part in walk(body)):
        return None
    if (signs := _by_signs(body)) != body:
        return _mean(claim, signs, at_limits) or N.Expectation(signs)
    if any(isinstance(part, N.Norm) and part.kind == "1" for part in walk(body)):
        return N.Expectation(_summed(expand_lets(body)))
    if (uniform := mean_over_box(claim, body) or mean_by_primitive(claim, body)) is not None:
        return uniform
    product = factored(claim, body)
    if product is not None:
        return _of_factors(claim, product, at_limits)
    if (waves := mean_of_waves(claim, body)) is not None:
        return waves
    if (
        exponential := mean_of_exponential(claim, body, at_limits) or mean_of_kernel(claim, body)
    ) is not None:
        return exponential
    places = _places(claim, body)
    if places is None or not any(_bends(part, places) for part in walk(body)):
        raised = any(_is_raised(claim, part) for part in walk(body))
        return N.Expectation(_exponential(claim, expand_lets(body))) if raised else None
    return _averaged(claim, expand_lets(body), [(place, _values(claim, place)) for place in places])


def _of_factors(claim: Claim, product: N.Product, at_limits: bool) -> N.Node:
    """prod_i E f(i), each factor at an index that stays where it is; a power where they are alike"""
    if (first := alike(claim, product)) is not None:
        return N.Power(_mean(claim, first, at_limits) or N.Expectation(first), product.ranges[0].high)
    index, still = N.Index(product.ranges[0].index), N.Symbol(_STILL)
    factor = substitute(product.body, {index: still})
    mean = _mean(claim, factor, at_limits) or N.Expectation(factor)
    return N.Product(substitute(mean, {still: index}), product.ranges)


def _is_raised(claim: Claim, node: N.Node) -> bool:
    """a**X for a positive a that is not random, and a random X."""
    match node:
        case N.Power(base, exponent) if base.shape.is_scalar:
            return is_weight(claim, base) and bool(claim.random_in(exponent))
    return False


def _exponential(claim: Claim, node: N.Node) -> N.Node:
    """a**X = exp(X log(a))"""
    match node:
        case N.Power(base, exponent) if _is_raised(claim, node):
            raised = N.Multiply(_exponential(claim, exponent), N.Apply("log", (base,)))
            return N.Apply("exp", (raised,))
    return rebuild(node, lambda part: _exponential(claim, part))


def _by_signs(node: N.Node) -> N.Node:
    """indicator(f g < 0) = indicator(f > 0) indicator(g < 0) + indicator(f < 0) indicator(g > 0)"""
    match node:
        case N.Indicator(N.Relation(op, N.Multiply(f, g), zero)) if op != "==" and zero == _ZERO:
            apart, together = (_signs(f, ">", g, sign) for sign in ("<", ">"))
            strict = apart if op in ("<", ">=") else together
            return strict if op in ("<", ">") else N.Subtract(N.Number(Fraction(1)), strict)
    return rebuild(node, _by_signs)


def _signs(f: N.Node, one: N.Comparison, g: N.Node, two: N.Comparison) -> N.Node:
    """The chance that the signs are these, or both the opposite."""
    turned: dict[N.Comparison, N.Comparison] = {"<": ">", ">": "<"}
    first, second = (
        N.Multiply(N.Indicator(N.Relation(a, f, _ZERO)), N.Indicator(N.Relation(b, g, _ZERO)))
        for a, b in ((one, two), (turned[one], turned[two]))
    )
    return N.Add(first, second)


def _summed(node: N.Node) -> N.Node:
    """norm(v, 1) = ones.T @ abs(v)"""
    match node:
        case N.Norm(arg, "1"):
            column = _summed(arg) if arg.shape.is_vector else N.Transpose(_summed(arg))
            row = N.Transpose(N.Ones(Shape(column.shape.rows, column.shape.cols)))
            return N.MatMul(row, N.Apply("abs", (column,)))
    return rebuild(node, _summed)


def _averaged(claim: Claim, body: N.Node, places: list[tuple[N.Node, list[Value]]]) -> N.Node:
    total: N.Node | None = None
    for choice in product(*(values for _, values in places)):
        at = {place: value for (place, _), (value, _) in zip(places, choice, strict=True)}
        term = substitute(body, at)
        term = _decided(term)
        if claim.random_in(term):
            term = N.Expectation(term)
        for _, chance in choice:
            term = N.Multiply(chance, term)
        total = term if total is None else N.Add(total, term)
    assert total is not None
    return total


def _decided(node: N.Node) -> N.Node:
    """Indicators of relations between numbers, as numbers."""
    match node:
        case N.Indicator(N.Relation(op, left, right)):
            a, b = _number(left), _number(right)
            if a is not None and b is not None:
                return N.Number(Fraction(_COMPARE[op](a, b)))
    return rebuild(node, _decided)


def _number(node: N.Node) -> Fraction | None:
    """A whole tree of numbers, worked out."""
    match node:
        case N.Number(value):
            return value
        case N.Negate(arg):
            inner = _number(arg)
            return None if inner is None else -inner
        case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right):
            a, b = _number(left), _number(right)
            if a is None or b is None:
                return None
            return a + b if isinstance(node, N.Add) else a - b if isinstance(node, N.Subtract) else a * b
    return None


def _places(claim: Claim, body: N.Node) -> list[N.Node] | None:
    """The entries of signs and masks that the body sees; None if it sees a whole matrix of them, or entries
    that may be the same."""
    found = list(dict.fromkeys(_seen(claim, body)))
    if not 0 < len(found) <= MOST_ENTRIES or any(place is None for place in found):
        return None
    places = [place for place in found if place is not None]
    return places if all(_differ(a, b) for a in places for b in places if a != b) else None


def _seen(claim: Claim, node: N.Node) -> Iterator[N.Node | None]:
    """Entries at places that do not move; None stands for whatever else is seen of a sign or mask."""
    match node:
        case N.Entry(N.Symbol(name), row, col) if _is_two_valued(claim, name):
            moves = any(isinstance(part, N.Index) for side in (row, col) for part in walk(side))
            yield None if moves else node
        case N.Symbol(name, shape) if _is_two_valued(claim, name):
            yield node if shape.is_scalar else None
        case N.Member(name) if isinstance(claim.symbols[name].kind, _TWO_VALUED):
            yield None
        case _:
            for child in children(node):
                yield from _seen(claim, child)


def _differ(first: N.Node, second: N.Node) -> bool:
    """Whether two places are never the same."""
    match first, second:
        case N.Entry(a, N.Number() as i, N.Number() as j), N.Entry(b, N.Number() as k, N.Number() as l):
            return a != b or (i, j) != (k, l)
        case N.Entry(a, _, _), N.Entry(b, _, _):
            return a != b
    return True


def _is_two_valued(claim: Claim, name: str) -> bool:
    declared = claim.symbols.get(name)
    return declared is not None and declared.copies is None and isinstance(declared.kind, _TWO_VALUED)


_TWO_VALUED = (Rademacher, Bernoulli)


def _values(claim: Claim, place: N.Node) -> list[Value]:
    name = next(part.name for part in walk(place) if isinstance(part, N.Symbol))
    return list(_of_kind(claim.symbols[name].kind))


def _of_kind(kind: Kind) -> Iterator[Value]:
    match kind:
        case Rademacher():
            half = N.Number(Fraction(1, 2))
            yield from ((N.Number(Fraction(1)), half), (N.Number(Fraction(-1)), half))
        case Bernoulli(chance):
            one = N.Number(Fraction(1))
            yield from ((one, chance), (N.Number(Fraction(0)), N.Subtract(one, chance)))


def _bends(part: N.Node, places: list[N.Node]) -> bool:
    """A function, or a power that is no polynomial, of what is random here."""
    match part:
        case N.Apply() | N.RowWise() | N.Norm() | N.Indicator():
            pass
        case N.Divide(_, below):
            return any(node in places for node in walk(below))
        case N.Power(_, N.Number(k)) if k.denominator == 1 and k >= 0:
            return False
        case N.Power():
            pass
        case _:
            return False
    return any(node in places for node in walk(part))
