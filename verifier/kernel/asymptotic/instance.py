"""Families of points: a context in which some symbols have values, and what of it still grows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Dim
from verifier.expr.walk import substitute
from verifier.kernel.asymptotic.motion import motion, only_numbers_that_exist, value_is_free
from verifier.kernel.context import Context
from verifier.kernel.core import terms as T
from verifier.kernel.core.settle import settled
from verifier.kernel.normal.atoms import Poly
from verifier.kernel.normal.equal import equal_entries
from verifier.kernel.normal.sign import signed_entries
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected

ZERO, ONE = N.Number(Fraction(0)), N.Number(Fraction(1))
WHOLE = K.Dimension | K.Integer
SCALAR = K.Dimension | K.Integer | K.Positive | K.Real


@dataclass(frozen=True)
class Monomial:
    """factor * n**k * ..., a value along a family."""

    factor: Fraction
    powers: Mapping[str, Fraction]

    def node(self, context: Context) -> N.Node:
        found: N.Node = N.Number(self.factor)
        for name, power in self.powers.items():
            base = N.Symbol(name, context.symbols[name].shape)
            found = N.Multiply(found, N.Power(base, N.Number(power)))
        return found


@dataclass(frozen=True)
class Instance:
    """A context with values, and the symbols that are free to grow in it."""

    context: Context
    growing: frozenset[str]
    sizes: Mapping[str, Dim]

    def concrete(self, node: N.Node) -> N.Node:
        """The tree with numbers in the place of sizes that have one: exponents are read then."""
        numbers: dict[N.Node, N.Node] = {
            N.Symbol(name, self.context.symbols[name].shape): N.Number(Fraction(size.constant))
            for name, size in self.sizes.items()
            if size.constant is not None
        }
        return substitute(node, numbers)

    def normal(self, algebra: ZeroTest, node: N.Node) -> Poly:
        """The normal form of a number, at the sizes of the family."""
        only_numbers_that_exist(self.context, node)
        term = settled(algebra.reader, algebra.reader.scalar(self.concrete(node)))
        return algebra.normal(resized(term, self.sizes))


def read_values(values: object) -> dict[str, Monomial]:
    """`{"x": ["2", {"n": "1/2"}], "y": ["3", {}]}`: x = 2*sqrt(n), y = 3."""
    if not isinstance(values, dict):
        raise Rejected("data", "a value for each name")
    found = {}
    for name, value in values.items():
        match value:
            case [str() as factor, dict() as powers] if all(isinstance(k, str) for k in powers.values()):
                try:
                    exponents = {other: Fraction(k) for other, k in powers.items()}
                    found[name] = Monomial(Fraction(factor), exponents)
                except (ValueError, ZeroDivisionError):
                    raise Rejected("data", "factors and exponents are rational numbers") from None
            case _:
                raise Rejected("data", "a value is a factor and the exponents of symbols that grow")
    return found


def instance(context: Context, growing: frozenset[str], values: Mapping[str, Monomial]) -> Instance:
    """The context at the values, if it allows them however large the growing symbols are. Symbols of the
    statement that grow and have a value must grow with it; others that do not move must not."""
    stated = frozenset(symbol.name for symbol in context.growing)
    known = motion(context, stated) if stated else None
    _check_growing(context, growing, stated, values)
    if values.keys() & context.where.keys():
        raise Rejected("not-allowed", "another value than the statement's own")
    values = {**values, **{name: Monomial(value, {}) for name, value in context.where.items()}}
    for name, value in values.items():
        item = context.symbols.get(name)
        if item is None or item.is_random or name in context.replaced or name in context.dims:
            raise Rejected("not-allowed", f"{name} is no symbol that may be given a value")
        if not value.powers.keys() <= growing or name in growing:
            raise Rejected("data", f"the value of {name} is no function of what grows")
        _check_kind(context, item.kind, value)
        if known is not None and name in stated and not _grows(value):
            raise Rejected("condition", f"{name} does not grow")
        if known is not None and name not in known.names and value.powers:
            raise Rejected("condition", f"{name} does not move, and its value does")
    equations = _equations(context, values)
    named = [fact for fact in context.assumptions if names_value(fact)]
    bare = replace(context, assumptions=(*named, *equations), growing=())
    for fact in context.assumptions:
        _check_assumption(bare, fact)
    for item in context.symbols.values():
        _check_law(bare, item)
    made = replace(bare, assumptions=(*context.assumptions, *equations))
    return Instance(made, growing, _sizes(context, values))


def _grows(value: Monomial) -> bool:
    return value.factor > 0 and any(value.powers.values()) and all(k >= 0 for k in value.powers.values())


def _equations(context: Context, values: Mapping[str, Monomial]) -> list[N.Relation]:
    return [
        N.Relation("==", N.Symbol(name, context.symbols[name].shape), value.node(context))
        for name, value in values.items()
    ]


def _check_growing(
    context: Context, growing: frozenset[str], stated: frozenset[str], values: Mapping[str, Monomial]
) -> None:
    if not growing or (stated and not (growing <= stated <= growing | values.keys())):
        raise Rejected("condition", "a symbol of the statement does not grow, or another one does")
    for name in growing:
        item = context.symbols.get(name)
        if item is None or not isinstance(item.kind, SCALAR) or not item.shape.is_scalar:
            raise Rejected("not-allowed", f"{name} cannot grow without bound")
        if name in context.replaced or name in context.dims:
            raise Rejected("not-allowed", f"{name} is given by others")


def _check_kind(context: Context, kind: K.Kind, value: Monomial) -> None:
    """Whether a symbol may have the value. Symbols that grow are positive once they are large."""
    sizes = all(isinstance(context.symbols[name].kind, WHOLE) for name in value.powers)
    whole = value.factor.denominator == 1 and all(
        k.denominator == 1 and k >= 0 for k in value.powers.values()
    )
    match kind:
        case K.Real() | K.FixedMatrix("matrix" | "vector"):
            return
        case K.Positive() if value.factor > 0:
            return
        case K.Integer() if sizes and whole:
            return
        case K.Dimension() if sizes and whole and value.factor >= 1:
            return
        case K.IndexOf() if value == Monomial(Fraction(1), {}):
            return
        case K.Interval(N.Number(low), N.Number(high)) if not value.powers and low <= value.factor <= high:
            return
    raise Rejected("not-allowed", f"a value that a {type(kind).__name__} may not have")


def names_value(fact: N.Fact) -> bool:
    return isinstance(fact, N.Relation) and fact.op == "==" and isinstance(fact.left, N.Let | N.Symbol)


def _check_assumption(bare: Context, fact: N.Fact) -> None:
    """An assumption that names a value is used as such; any other must hold along the family, whatever else
    is assumed."""
    match fact:
        case N.Relation("==", N.Let(), _):
            return
        case N.Relation("==", N.Symbol(name), value):
            if not value_is_free(bare, name, value):
                raise Rejected("not-allowed", f"nobody knows whether {name} may have its assumed value")
        case N.Relation("=="):
            _shown(lambda: equal_entries(bare, fact))
        case N.Relation("<=" | "<" | ">=" | ">"):
            _shown(lambda: signed_entries(bare, fact))
        case _:
            raise Rejected("not-allowed", "an assumption that is not known to hold along the family")


def _check_law(bare: Context, item: K.Declared) -> None:
    """Whether a law exists along the family."""
    ends: list[tuple[N.Node, N.Node]]
    match item.kind:
        case K.Normal(_, std, None, None):
            ends = [(ZERO, std)]
        case K.Uniform(low, high):
            ends = [(low, high)]
        case K.Bernoulli(chance):
            ends = [(ZERO, chance), (chance, ONE)]
        case K.Iid(_, var):
            ends = [] if var is None else [(ZERO, var)]
        case K.Rademacher() | K.AnyLaw() | K.FixedKind():
            ends = []
        case _:
            raise Rejected("outside", f"a law of the kind {type(item.kind).__name__}")
    for low, high in ends:
        _at_most(bare, low, high)


def _at_most(bare: Context, low: N.Node, high: N.Node) -> None:
    _shown(lambda: signed_entries(bare, N.Relation("<=", low, high)))


def _shown(check: Callable[[], None]) -> None:
    try:
        check()
    except Rejected as rejected:
        raise Rejected("not-allowed", f"an assumption may be false there: {rejected.words}") from None


def _sizes(context: Context, values: Mapping[str, Monomial]) -> dict[str, Dim]:
    """Sizes as polynomials in those that grow."""
    found = {}
    for name, value in values.items():
        if isinstance(context.symbols[name].kind, WHOLE):
            size = Dim.of(int(value.factor))
            for other, power in value.powers.items():
                for _ in range(int(power)):
                    size = size * Dim.of(other)
            found[name] = size
    return found


def resized(term: T.Term, sizes: Mapping[str, Dim]) -> T.Term:
    """The term with other sizes in its sums and positions."""

    def put(dim: Dim) -> Dim:
        return dim.replace(dict(sizes))

    match term:
        case T.Var(name, at):
            return T.Var(name, tuple(map(put, at)))
        case T.Delta(left, right):
            return T.delta(put(left), put(right))
        case T.Sum(index, low, high, body):
            return T.Sum(index, put(low), put(high), resized(body, sizes))
    return T.rebuilt(term, lambda part: resized(part, sizes))
