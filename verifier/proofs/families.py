"""Families of points that refute growth and limits: what an engine shows, and simple values."""

from collections.abc import Iterator, Mapping
from itertools import islice, product

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.expr.symbols import Dimension, FixedMatrix, IndexOf, Integer, Interval, Positive, Real
from verifier.expr.walk import walk
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails
from verifier.kernel.proof import Proof
from verifier.proofs.points import exactly

Values = dict[str, list[object]]
PLAIN = Dimension | Integer | Positive | Real
MOST_GROWING = 4
MOST_TRIED = 12


def refutations(context: Context, fact: Relation, shown: Mapping[str, object]) -> Iterator[Proof]:
    """Candidates: every way to let few symbols grow, with fewer and fewer values for the others."""
    return islice(_families(context, fact, shown), MOST_TRIED)


def _families(context: Context, fact: Relation, shown: Mapping[str, object]) -> Iterator[Proof]:
    if isinstance(fact.right, N.Growth):
        for growing, tied in _growing(context, fact):
            for values in _values(context, fact, {*growing, *tied}, shown):
                data = {"growing": growing, "values": {**values, **tied}}
                yield Proof("family", Fails(fact), (), data)
    elif isinstance(fact.left, N.Limit):
        variables = {part.variable.name for part in walk(fact.left) if isinstance(part, N.Limit)}
        for values in _values(context, fact, variables, shown):
            yield Proof("elsewhere", Fails(fact), (), {"values": values})


def _growing(context: Context, fact: Relation) -> Iterator[tuple[list[str], Values]]:
    """The symbols that grow along a family, and powers of one of them for others."""
    if context.growing:
        names = [symbol.name for symbol in context.growing]
        yield names, {}
        for name, power in product(names, ("1", "2") if len(names) > 1 else ()):
            yield [name], {other: ["1", {name: power}] for other in names if other != name}
        return
    used = _names(context, fact)
    plain = [name for name in used if isinstance(context.symbols[name].kind, PLAIN)]
    for name in plain[:MOST_GROWING]:
        yield [name], {}


def _values(
    context: Context, fact: Relation, known: set[str], shown: Mapping[str, object]
) -> Iterator[Values]:
    """1 for everything, and 2 for exponents; sizes alone; what an engine shows; 0, -1; sizes of 2; nothing.
    Small sizes come first, since sums are short there."""
    names = [name for name in _names(context, fact) if name not in known and _is_open(context, name)]
    sizes = [name for name in names if isinstance(context.symbols[name].kind, Dimension)]
    powers = _exponents(fact)
    given = {name: exact for name in names if (exact := exactly(shown.get(name))) is not None}
    numbers: Values = {name: [str(value), {}] for name, value in given.items() if not isinstance(value, list)}
    ones: Values = {name: ["2" if name in powers else "1", {}] for name in names}
    tried: list[Values] = [ones, {name: ones[name] for name in sizes}]
    tried += [{**ones, **numbers}] if numbers else []
    signed = [name for name in names if isinstance(context.symbols[name].kind, Real | FixedMatrix)]
    tried += [{**ones, **{name: [value, {}] for name in signed}} for value in ("0", "-1")]
    tried += [{**ones, **{name: ["2", {}] for name in sizes}}, {}]
    yield from (values for at, values in enumerate(tried) if values not in tried[:at])


def _is_open(context: Context, name: str) -> bool:
    """Whether a value may be chosen for a symbol."""
    if name in context.replaced or name in context.dims or name in context.where:
        return False
    match context.symbols[name].kind:
        case Dimension() | Integer() | Positive() | Real() | Interval() | IndexOf():
            return True
        case FixedMatrix(family):
            return family in ("matrix", "vector")
    return False


def _names(context: Context, fact: Relation) -> list[str]:
    """The symbols that a statement speaks of, in its text, in laws, in assumptions and in sizes."""
    parts = [fact.left, fact.right, *context.replaced.values()]
    found = frozenset[str]().union(*map(context.reach, parts)) & context.symbols.keys()
    shapes = [context.symbols[name].shape for name in found]
    sizes = frozenset[str]().union(*(shape.rows.names | shape.cols.names for shape in shapes))
    return sorted((found | sizes) & context.symbols.keys())


def _exponents(fact: Relation) -> frozenset[str]:
    exponents = (part.exponent for part in walk(fact) if isinstance(part, N.Power | N.MatPower))
    return frozenset(node.name for part in exponents for node in walk(part) if isinstance(node, N.Symbol))
