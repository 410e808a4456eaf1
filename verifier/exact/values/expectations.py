"""Exact expectations at a small concrete size.

Random entries become the variables of a polynomial; each monomial's moment is looked up. Where the
body is not a polynomial but the weights are signs, all sign patterns are enumerated.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from flint import fmpq

from verifier.exact.means.entry_moments import Draw
from verifier.exact.numbers import value_matrices as mx
from verifier.exact.numbers.constants import ONE
from verifier.exact.numbers.jets import map_values
from verifier.exact.numbers.operations import Value
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.numbers.value_matrices import Matrix
from verifier.exact.values.point_context import Context
from verifier.exact.values.point_environment import Environment, Name
from verifier.expr import nodes as n
from verifier.expr.symbols import AnyLaw, Declared, Iid, Rademacher
from verifier.expr.walk import walk

MAX_SIGNS = 12
Combine = Callable[[list[Matrix]], Matrix]


def expect(env: Environment, body: n.Node, given: tuple[n.Node, ...]) -> Matrix:
    """E(body), entry by entry, over every random symbol inside that is not given."""
    return _mean(env, (body,), given, lambda values: values[0])


def variance(env: Environment, body: n.Node) -> Matrix:
    """E(b**2) - E(b)**2, entry by entry."""
    mean = expect(env, body, ())
    square = _mean(env, (body,), (), lambda v: mx.entrywise(v[0], lambda x: x * x))
    return mx.paired(square, mean, lambda second, first: second - first * first)


def covariance(env: Environment, left: n.Node, right: n.Node) -> Matrix:
    """E(f g.T) - E(f) E(g).T."""
    joint = _mean(env, (left, right), (), lambda v: mx.matmul(v[0], mx.transpose(v[1])))
    apart = mx.matmul(expect(env, left, ()), mx.transpose(expect(env, right, ())))
    return mx.paired(joint, apart, lambda x, y: x - y)


def _mean(env: Environment, bodies: tuple[n.Node, ...], given: tuple[n.Node, ...], f: Combine) -> Matrix:
    random = dict(random_symbols(env, bodies))
    for node in given:
        if not isinstance(node, n.Symbol):
            raise Unsupported("an expectation given something that is not a symbol")
        random.pop((node.name, None), None)
    if random and any(a.independence for a in env.context.assumptions):
        raise Unsupported("an exact expectation under an assumed independence")
    try:
        return _polynomial(env, bodies, random, f)
    except Unsupported as refusal:
        return _enumerated(env, bodies, random, f, refusal)


def _polynomial(
    env: Environment, bodies: tuple[n.Node, ...], random: Mapping[Name, Declared], f: Combine
) -> Matrix:
    draw, _, values = drawn(env, bodies, random)
    return mx.entrywise(f(values), lambda v: map_values(v, draw.integrate))


def drawn(
    env: Environment, bodies: tuple[n.Node, ...], random: Mapping[Name, Declared]
) -> tuple[Draw, Mapping[Name, Matrix], list[Matrix]]:
    """The entries of the random symbols as variables, and the bodies as polynomials in them."""
    names = frozenset(random)
    if names not in env.draws:
        env.draws[names] = _drawn(env, random)
    draw, bound, where = env.draws[names]
    inner = replace(where, indices=env.indices)
    return draw, bound, [inner.value(body) for body in bodies]


def _drawn(
    env: Environment, random: Mapping[Name, Declared]
) -> tuple[Draw, Mapping[Name, Matrix], Environment]:
    """What is drawn, and where the random symbols are that."""
    draw = Draw()
    bound = {}
    if env.is_scaled and any(isinstance(symbol.kind, Iid | AnyLaw) for symbol in random.values()):
        raise Unsupported("an expansion in mean over a law that may have few moments")
    for name, symbol in random.items():
        rows, cols = env.dim(symbol.shape.rows), env.dim(symbol.shape.cols)
        bound[name] = draw.entries(symbol.kind, rows, cols, env.value)
    return draw, bound, env.bind(bound)


def _enumerated(
    env: Environment,
    bodies: tuple[n.Node, ...],
    random: Mapping[Name, Declared],
    f: Combine,
    refusal: Unsupported,
) -> Matrix:
    """The average over every pattern of signs; what is not a sign is integrated as before."""
    signs = {name: symbol for name, symbol in random.items() if isinstance(symbol.kind, Rademacher)}
    rest = {name: symbol for name, symbol in random.items() if name not in signs}
    shapes = [(name, env.dim(s.shape.rows), env.dim(s.shape.cols)) for name, s in signs.items()]
    count = sum(rows * cols for _, rows, cols in shapes)
    if not signs or count > MAX_SIGNS:
        raise refusal
    result: Matrix | None = None
    for pattern in product((ONE, -ONE), repeat=count):
        entries = iter(pattern)
        bound = {name: _take(entries, rows, cols) for name, rows, cols in shapes}
        value = _polynomial(env.bind(bound), bodies, rest, f)
        result = value if result is None else mx.paired(result, value, lambda x, y: x + y)
    assert result is not None
    return mx.entrywise(result, lambda x: x * fmpq(1, 2**count))


def _take(entries: Iterator[Value], rows: int, cols: int) -> Matrix:
    return mx.build(rows, cols, lambda i, j: next(entries))


def random_symbols(env: Environment, bodies: tuple[n.Node, ...]) -> Iterator[tuple[Name, Declared]]:
    """Every random symbol that the bodies reach, through substitutions and layers too."""
    symbols, layers = env.context.symbols, env.context.layers
    pending: list[n.Node] = list(bodies)
    seen: set[str] = set()
    while pending:
        for node in walk(pending.pop()):
            match node:
                case n.Symbol(name) | n.Member(name) if name in symbols and name not in seen:
                    seen.add(name)
                    yield from _copies(env, symbols[name])
                    pending += _replacements(env.context, name)
                case n.After(_, depth) if layers is not None:
                    pending += [layers.next] if "after" not in seen else []
                    seen.add("after")
                    for layer in range(1, env.integer(depth) + 1):
                        yield from (((s.name, layer), s) for s in layers.symbols if s.is_random)


def _copies(env: Environment, symbol: Declared) -> Iterator[tuple[Name, Declared]]:
    if not symbol.is_random:
        return
    if symbol.copies is None:
        yield (symbol.name, None), symbol
        return
    for copy in range(1, env.dim(symbol.copies) + 1):
        yield (symbol.name, copy), symbol


def _replacements(context: Context, name: str) -> list[n.Node]:
    found: list[Any] = [a.substitution for a in context.assumptions]
    return [pair[1] for pair in found if pair is not None and pair[0].name == name]
