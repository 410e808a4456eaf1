"""Inequalities and equalities for expectations, one per function; the docstring is the equation.

Like the rules of `textbook.py`, each takes an atom and yields magnitudes that are never smaller.
"""

from collections.abc import Iterator
from fractions import Fraction

from flint import fmpq

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.walk import expand_lets, rebuild, substitute, walk
from verifier.prove.rules.magnitude_forms import HALF, UNIT, Magnitude, Reader, of_atom, of_dim
from verifier.prove.rules.textbook import RULES, Rule, larger

DEPTH = 6  # random factors of one product


def jensen(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """E(x) <= sqrt(E(x**2))"""
    match atom:
        case N.Expectation(body, ()):
            square = reader.read(N.Expectation(_squared(body)))
            root = None if square is None else square.raised(HALF)
            if root is not None:
                yield root


def absolute(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """|E(x)| <= E(|x|)"""
    match atom:
        case N.Apply("abs", (N.Expectation(body, ()),)) if body.shape.is_scalar:
            mean = reader.read(N.Expectation(N.Apply("abs", (body,))))
            if mean is not None:
                yield mean


def cauchy_schwarz_in_mean(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """E(x*y) <= sqrt(E(x**2)) sqrt(E(y**2)), |Cov(x, y)| <= sqrt(Var(x)) sqrt(Var(y))"""
    match atom:
        case N.Apply("abs", (N.Covariance(x, y),)) if x.shape.is_scalar and y.shape.is_scalar:
            yield of_atom(N.Variance(x), HALF) * of_atom(N.Variance(y), HALF)
        case N.Expectation(body, ()):
            inside = reader.read(body)
            if inside is None or len(inside.terms) != 1 or len(inside.terms[0][0]) < 2:
                return
            ((monomial, coefficient),) = inside.terms
            for at in range(len(monomial)):
                halves = _product([monomial[at]]), _product([*monomial[:at], *monomial[at + 1 :]])
                means = [reader.read(N.Expectation(_squared(half))) for half in halves if half is not None]
                roots = [None if mean is None else mean.raised(HALF) for mean in means]
                first, second = roots
                if first is not None and second is not None:
                    yield Magnitude((((), coefficient),)) * first * second


def linearity(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """E(c*x + d*y) = c*E(x) + d*E(y) for c, d >= 0 that are not random"""
    match atom:
        case N.Expectation(body, ()):
            inside = reader.read(body)
            total: Magnitude | None = None if inside is None else Magnitude(())
            for monomial, coefficient in () if inside is None else inside.terms:
                fixed = tuple((node, e) for node, e in monomial if not reader.random_in(node))
                moving = _product([(node, e) for node, e in monomial if reader.random_in(node)])
                mean = UNIT if moving is None else reader.read(N.Expectation(moving))
                total = (
                    None
                    if total is None or mean is None
                    else total + Magnitude(((fixed, coefficient),)) * mean
                )
            if total is not None:
                yield total


def _product(parts: list[tuple[N.Node, Fraction]]) -> N.Node | None:
    """The tree of a product of powers; None for the empty one."""
    found: N.Node | None = None
    for part, exponent in parts:
        factor = part if exponent == 1 else N.Power(part, N.Number(exponent))
        found = factor if found is None else N.Multiply(found, factor)
    return found


def second_moments(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """E(norm(A @ W @ B)**2) = v E(norm(A)**2) E(norm(B)**2) for independent entries of W of mean 0
    and variance v, where A, W and B share no random symbol"""
    match atom:
        case N.Expectation(N.Power(N.Norm(arg, "fro"), N.Number(two)), ()) if two == 2:
            factors = list(_factors(arg))
            names = [reader.random_in(factor) for factor in factors]
            for at, factor in enumerate(factors):
                variance = reader.variance(factor)
                left, right = factors[:at], factors[at + 1 :]
                others = [name for found in names[:at] + names[at + 1 :] for name in found]
                if variance is None or len(others) != len(set(others)) or set(others) & set(names[at]):
                    continue
                first = _second_moment(reader, left, factor.shape.rows)
                last = _second_moment(reader, right, factor.shape.cols)
                if first is not None and last is not None:
                    yield variance * first * last


def _factors(node: N.Node) -> Iterator[N.Node]:
    match node:
        case N.MatMul(left, right):
            yield from _factors(left)
            yield from _factors(right)
        case N.Transpose(N.MatMul(left, right)):
            yield from _factors(N.Transpose(right))
            yield from _factors(N.Transpose(left))
        case _:
            yield node


def _second_moment(reader: Reader, factors: list[N.Node], side: Dim) -> Magnitude | None:
    """E of the squared norm of a product; the empty one is the identity of that side."""
    if not factors:
        return of_dim(side)
    whole = factors[0]
    for factor in factors[1:]:
        whole = N.MatMul(whole, factor)
    square = N.Power(N.Norm(whole), N.Number(Fraction(2)))
    if not reader.random_in(whole):
        return reader.read(square)
    return reader.read(N.Expectation(square))


def monotonicity(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """E(x) <= E(y) where x <= y by one of the rules"""
    match atom:
        case N.Expectation(body, ()):
            inside = reader.read(body)
            if inside is None or len(inside.terms) != 1:
                return
            ((monomial, coefficient),) = inside.terms
            for at, (part, exponent) in enumerate(monomial):
                for rule in RULES:
                    for bound in larger(rule, reader, part) if exponent > 0 else ():
                        raised = bound.raised(exponent)
                        rest = Magnitude(((monomial[:at] + monomial[at + 1 :], coefficient),))
                        tree = None if raised is None else _tree(rest * raised)
                        mean = None if tree is None else reader.read(N.Expectation(tree))
                        if mean is not None:
                            yield mean


def _tree(magnitude: Magnitude) -> N.Node | None:
    """The magnitude as a tree; None where a coefficient is not rational."""
    total: N.Node | None = None
    for monomial, coefficient in magnitude.terms:
        if not isinstance(coefficient, fmpq):
            return None
        term: N.Node = N.Number(Fraction(int(coefficient.p), int(coefficient.q)))
        parts = _product(list(monomial))
        term = term if parts is None else N.Multiply(term, parts)
        total = term if total is None else N.Add(total, term)
    return total


def high_moments(reader: Reader, large: Magnitude) -> Iterator[Magnitude]:
    """1 <= (E(x**k)/E(x**2)**(k/2))**e for k > 2, to the power e that E(x**k) has in the bound, where the
    second moment is known"""
    powers = dict.fromkeys(item for monomial, _ in large.terms for item in monomial)
    for atom, exponent in powers:
        match atom:
            case N.Expectation(N.Power(base, N.Number(order)), ()) if order > 2 and exponent > 0:
                second = _second(reader, base)
                below = None if second is None or not second.terms else second.raised(-order * exponent / 2)
                if below is not None:
                    yield of_atom(atom, exponent) * below


def _second(reader: Reader, base: N.Node) -> Magnitude | None:
    """E(x**2) of a norm or of a single variable of mean 0, without an expectation left in it."""
    if not isinstance(base, N.Norm):
        return reader.variance(base) if base.shape.is_scalar else None
    tree = _known_mean(reader, N.Expectation(N.Power(base, N.Number(Fraction(2)))), DEPTH)
    return None if tree is None else reader.read(tree)


def _squared(body: N.Node) -> N.Node:
    """x**(2*k) of x**k; a square forgets the sign."""
    exponent = Fraction(2)
    match body:
        case N.Power(base, N.Number(once)):
            body, exponent = base, 2 * once
    match body:
        case N.Apply("abs", (arg,)) if exponent.denominator == 1 and exponent % 2 == 0:
            body = arg
    return N.Power(body, N.Number(exponent))


def in_closed_form(claim: Claim, fact: N.Relation | N.Within) -> N.Relation | N.Within:
    """The fact with known second moments of products of independent matrices in place of expectations."""
    if any(a.assumed_value is not None or a.substitution is not None for a in claim.assumptions):
        return fact
    reader = Reader(claim.symbols)

    def change(node: N.Node) -> N.Node:
        if isinstance(node, N.Expectation):
            return _known_mean(reader, node, DEPTH) or node
        return rebuild(node, change)

    return rebuild(expand_lets(fact), change)


def _known_mean(reader: Reader, mean: N.Expectation, depth: int) -> N.Node | None:
    """The expectation by equations alone; None where some of it is left."""
    for rule in (second_moments, linearity) if depth else ():
        for value in rule(reader, mean):
            tree = _tree(value)
            if tree is None or mean in walk(tree):
                continue
            inner = {node for node in walk(tree) if isinstance(node, N.Expectation)}
            known = {node: _known_mean(reader, node, depth - 1) for node in inner}
            if all(found is not None for found in known.values()):
                return substitute(tree, {node: found for node, found in known.items() if found is not None})
    return None


MEANS: tuple[Rule, ...] = (
    second_moments, linearity, monotonicity, jensen, absolute, cauchy_schwarz_in_mean,
)  # fmt: skip
