"""Families of points that refute growth and limits: what an engine shows, and simple values."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice, product
from math import log

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.expr.symbols import Dimension, FixedMatrix, IndexOf, Integer, Interval, Positive, Real
from verifier.expr.walk import children, walk
from verifier.kernel.asymptotic.instance import LARGE
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails
from verifier.kernel.proof import Proof
from verifier.proofs.growth import comparisons
from verifier.proofs.linear import follows
from verifier.proofs.points import exactly

Values = dict[str, object]
PLAIN = Dimension | Integer | Positive | Real
MOST_GROWING = 4
WAYS = (("1", "-1"), ("-1", "1"), ("-1", "-1"))  # towards 0, and below it
ENTRIES = ({"entry": [1, 1]}, {"entry": [1, 2]}, {"entry": [2, 1]})
MOST_TRIED = 24
FEW_TRIED = 8  # where each is a part of a longer proof


def refutations(context: Context, fact: Relation, shown: Mapping[str, object]) -> Iterator[Proof]:
    """Candidates: every way to let few symbols grow, with fewer and fewer values for the others."""
    return islice(_families(context, fact, shown), MOST_TRIED)


def by_comparison(context: Context, fact: Relation, shown: Mapping[str, object]) -> Iterator[Proof]:
    """Of a mean of which nothing is known but how it compares with that of the square."""
    if not isinstance(fact.right, N.Growth) or not fact.left.shape.is_scalar:
        return
    for known, failing in comparisons(context, fact):
        for proof in islice(_families(context, failing, shown), FEW_TRIED):
            if follows(context, proof):
                yield Proof("compared", Fails(fact), (known, proof))
                break


def _families(context: Context, fact: Relation, shown: Mapping[str, object]) -> Iterator[Proof]:
    if isinstance(fact.right, N.Growth):
        for growing, tied in (*_shown(context, shown), *_growing(context, fact)):
            for values in _values(context, fact, {*growing, *tied}, shown):
                data = {"growing": growing, "values": {**values, **tied}}
                yield Proof("family", Fails(fact), (), data)
    else:
        for values in _values(context, fact, set(), shown) if isinstance(fact.left, N.Sum) else ():
            yield Proof("series", Fails(fact), (), {"values": values})
        variables = {part.variable.name for part in walk(fact.left) if isinstance(part, N.Limit)}
        for values in _values(context, fact, variables, shown):
            for entry in ({},) if fact.left.shape.is_scalar else ENTRIES:
                yield Proof("elsewhere", Fails(fact), (), {"values": values, **entry})


def _shown(context: Context, shown: Mapping[str, object]) -> Iterator[tuple[list[str], Values]]:
    """The family that an engine shows by its first values: powers of one symbol, or of a new number."""
    lists: dict[str, list[float]] = {}
    for name, value in shown.items():
        item, exact = context.symbols.get(name), exactly(value)
        if item is not None and item.shape.is_scalar and isinstance(exact, list) and len(exact) > 1:
            lists[name] = [float(each) for each in exact if isinstance(each, Fraction)]
    if not lists or not all(values[0] and values[-1] for values in lists.values()):
        return
    rates = {name: log(abs(values[-1] / values[0])) for name, values in lists.items()}
    slowest = min(map(abs, rates.values()))
    if not slowest:
        return
    powers = {name: str(Fraction(rate / slowest).limit_denominator(2)) for name, rate in rates.items()}
    if context.growing:
        first = min(lists, key=lambda name: rates[name])
        yield [first], {name: ["1", {first: powers[name]}] for name in lists if name != first}
    else:
        signs = {name: "-1" if values[-1] < 0 else "1" for name, values in lists.items()}
        yield [LARGE], {name: [signs[name], {LARGE: powers[name]}] for name in lists}


def _growing(context: Context, fact: Relation) -> Iterator[tuple[list[str], Values]]:
    """The symbols that grow along a family, and powers of one of them for others."""
    if context.growing:
        names = [symbol.name for symbol in context.growing]
        yield names, {}
        for name, powers in product(names, product("12", repeat=len(names) - 1) if len(names) > 1 else ()):
            others = [other for other in names if other != name]
            yield [name], {other: ["1", {name: power}] for other, power in zip(others, powers, strict=True)}
        return
    used = _names(context, fact)
    plain = [name for name in used if isinstance(context.symbols[name].kind, PLAIN)]
    for name in plain[:MOST_GROWING]:
        yield [name], {}
    for name in plain[:MOST_GROWING]:
        if isinstance(context.symbols[name].kind, Positive | Real):
            for factor, power in WAYS:
                yield [LARGE], {name: [factor, {LARGE: power}]}


def _values(
    context: Context, fact: Relation, known: set[str], shown: Mapping[str, object]
) -> Iterator[Values]:
    """1 for everything, and 2 for exponents; sizes alone; what an engine shows; 0, -1; sizes of 2; nothing.
    Small sizes come first, since sums are short there."""
    names = [name for name in _names(context, fact) if name not in known and _is_open(context, name)]
    sizes = [name for name in names if isinstance(context.symbols[name].kind, Dimension)]
    powers = _exponents(fact)
    given = {name: exact for name in names if (exact := exactly(shown.get(name))) is not None}
    numbers: Values = {name: _value(value) for name, value in given.items()}
    ones: Values = {name: ["2" if name in powers else "1", {}] for name in names if _has_any(context, name)}
    tried: list[Values] = [{**ones, **numbers}] if numbers else []
    if context.layers is not None and numbers.keys() & {depth := context.layers.depth.name}:
        tried.insert(0, {**ones, **numbers, depth: ["1", {}]})  # one layer is less work
    tried += [ones, {name: ones[name] for name in sizes}]
    signed = [name for name in ones if isinstance(context.symbols[name].kind, Real | FixedMatrix)]
    tried += [{**ones, **{name: [value, {}] for name in signed}} for value in ("0", "-1")]
    tried += [{**ones, **{name: ["2", {}] for name in sizes}}, {}]
    matrices = [name for name in names if isinstance(context.symbols[name].kind, FixedMatrix)]
    if isinstance(fact.right, N.Growth) and matrices:
        tried[1:1] = [{**ones, **numbers, **moved} for moved in _moving(context, matrices, known)]
    yield from (values for at, values in enumerate(tried) if values not in tried[:at])


def _moving(context: Context, names: list[str], growing: set[str]) -> Iterator[Values]:
    """Matrices that move with what grows: all entries alike, or on the diagonal."""
    for name in sorted(growing):
        yield {other: ["1", {name: "4"}] for other in names if _has_any(context, other)}
        yield {other: ["1", {name: "1"}, "eye"] for other in names if context.symbols[other].shape.is_square}


def _value(exact: Fraction | list[object]) -> object:
    """A number, which does not move, or a matrix by its rows."""
    if not isinstance(exact, list):
        return [str(exact), {}]
    return [[str(entry) for entry in row] if isinstance(row, list) else [str(row)] for row in exact]


def _is_open(context: Context, name: str) -> bool:
    """Whether a value may be chosen for a symbol."""
    if name in context.replaced or name in context.dims or name in context.where:
        return False
    match context.symbols[name].kind:
        case Dimension() | Integer() | Positive() | Real() | Interval() | IndexOf():
            return True
        case FixedMatrix():
            return True
    return False


def _has_any(context: Context, name: str) -> bool:
    """Whether every number is a value of each entry, as far as its declaration says."""
    kind = context.symbols[name].kind
    return not isinstance(kind, FixedMatrix) or kind.family in ("matrix", "vector")


def _names(context: Context, fact: Relation) -> list[str]:
    """The symbols that a statement speaks of, in its text, in laws, in assumptions and in sizes."""
    assumed = (part for each in context.assumptions for part in children(each))
    parts = [fact.left, fact.right, *assumed]
    found = frozenset[str]().union(*map(context.reach, parts)) & context.symbols.keys()
    shapes = [context.symbols[name].shape for name in found]
    shapes += [node.shape for part in parts for node in walk(part)]
    sizes = frozenset[str]().union(*(shape.rows.names | shape.cols.names for shape in shapes))
    return sorted((found | sizes) & context.symbols.keys())


def _exponents(fact: Relation) -> frozenset[str]:
    exponents = (part.exponent for part in walk(fact) if isinstance(part, N.Power | N.MatPower))
    return frozenset(node.name for part in exponents for node in walk(part) if isinstance(node, N.Symbol))
