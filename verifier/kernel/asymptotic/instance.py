"""Families of points: a context in which some symbols have values, and what of it still grows."""

from collections.abc import Mapping
from dataclasses import replace

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import SCALAR as SCALAR_SHAPE
from verifier.expr.dims import Dim
from verifier.kernel.asymptotic.allowed import Instance, check_assumption, check_law
from verifier.kernel.asymptotic.motion import motion
from verifier.kernel.asymptotic.values import Monomial, Table, Value
from verifier.kernel.context import Context
from verifier.kernel.core.sized import Sized, sized_context
from verifier.kernel.rejected import Rejected

WHOLE = K.Dimension | K.Integer | K.IndexOf
SCALAR = K.Dimension | K.Integer | K.Positive | K.Real


LARGE = "^t"  # a whole number that no statement speaks of


def instance(
    context: Context, growing: frozenset[str], values: Mapping[str, Value], encloses: bool = False
) -> Instance:
    """The context at the values, if it allows them once the growing symbols are large. Symbols of the
    statement that grow and have a value must grow with it; others that do not move must not. Where the
    statement lets nothing grow, a new number may."""
    if growing == {LARGE} and not context.growing:
        large = K.Declared(LARGE, K.Dimension(), SCALAR_SHAPE)
        context = replace(context, symbols={**context.symbols, LARGE: large})
    stated = frozenset(symbol.name for symbol in context.growing)
    known = motion(context, stated) if stated else None
    _check_growing(context, growing, stated, values)
    if values.keys() & context.where.keys():
        raise Rejected("not-allowed", "another value than the statement's own")
    values = {**values, **{name: Monomial(value, {}) for name, value in context.where.items()}}
    sizes = _sizes(context, values)
    for name, value in values.items():
        item = context.symbols.get(name)
        if item is None or item.is_random or name in context.replaced or name in context.dims:
            raise Rejected("not-allowed", f"{name} is no symbol that may be given a value")
        if not value.powers.keys() <= growing or name in growing:
            raise Rejected("data", f"the value of {name} is no function of what grows")
        if isinstance(value, Table):
            _check_table(item, value, sizes)
        else:
            _check_kind(context, item, value, sizes)
        if known is not None and name in stated and not _grows(value):
            raise Rejected("condition", f"{name} does not grow")
        if known is not None and name not in known.names and value.powers:
            raise Rejected("condition", f"{name} does not move, and its value does")
    sized = Sized(sizes)
    made = sized_context(replace(context, growing=()), sizes)
    equations = _equations(made, {name: v for name, v in values.items() if not _is_put(sizes.get(name))})
    named = [fact for fact in made.assumptions if made.is_entered(fact)]
    bare = Instance(replace(made, assumptions=(*named, *equations)), growing, sized, encloses)
    for fact in made.assumptions:
        check_assumption(bare, fact)
    for item in made.symbols.values():
        check_law(bare, item)
    return replace(bare, context=replace(made, assumptions=(*made.assumptions, *equations)))


def _is_put(size: Dim | None) -> bool:
    """Whether a number stands in the place of a name everywhere."""
    return size is not None and size.constant is not None


def _grows(value: Value) -> bool:
    return (
        isinstance(value, Monomial)
        and value.factor > 0
        and any(value.powers.values())
        and all(k >= 0 for k in value.powers.values())
    )


def _equations(context: Context, values: Mapping[str, Value]) -> list[N.Relation]:
    return [
        N.Relation("==", N.Symbol(name, context.symbols[name].shape), value.node(context, name))
        for name, value in values.items()
    ]


def _check_growing(
    context: Context, growing: frozenset[str], stated: frozenset[str], values: Mapping[str, Value]
) -> None:
    if stated and not (growing <= stated <= growing | values.keys()):
        raise Rejected("condition", "a symbol of the statement does not grow, or another one does")
    for name in growing:
        item = context.symbols.get(name)
        if item is None or not isinstance(item.kind, SCALAR) or not item.shape.is_scalar:
            raise Rejected("not-allowed", f"{name} cannot grow without bound")
        if name in context.replaced or name in context.dims:
            raise Rejected("not-allowed", f"{name} is given by others")


def _check_table(item: K.Declared, value: Table, sizes: Mapping[str, Dim]) -> None:
    """Whether a matrix has the declared shape and is of the declared family."""
    shape = tuple(size.replace(dict(sizes)).constant for size in (item.shape.rows, item.shape.cols))
    if not isinstance(item.kind, K.FixedMatrix) or item.copies is not None or shape != value.size:
        raise Rejected("not-allowed", f"{item.name} is no matrix of this shape")
    if not value.is_in(item.kind.family):
        raise Rejected("not-allowed", f"{item.name} is not as declared")


def _is_diagonal(item: K.Declared, value: Monomial) -> bool:
    """Whether a square matrix may be this multiple of the identity."""
    match item.kind:
        case K.FixedMatrix("matrix" | "symmetric"):
            return item.shape.is_square
        case K.FixedMatrix("psd"):
            return value.factor >= 0
        case K.FixedMatrix("orthogonal"):
            return abs(value.factor) == 1 and not any(value.powers.values())
    return False


def _check_kind(context: Context, item: K.Declared, value: Monomial, sizes: Mapping[str, Dim]) -> None:
    """Whether a symbol may have the value. Symbols that grow are positive once they are large."""
    counts = all(isinstance(context.symbols[name].kind, WHOLE) for name in value.powers)
    whole = value.factor.denominator == 1 and all(
        k.denominator == 1 and k >= 0 for k in value.powers.values()
    )
    if value.diagonal:
        if _is_diagonal(item, value):
            return
        raise Rejected("not-allowed", f"{item.name} is no multiple of the identity")
    match item.kind:
        case K.Real() | K.FixedMatrix("matrix" | "vector"):
            return
        case K.Positive() if value.factor > 0:
            return
        case K.Integer() if counts and whole:
            return
        case K.Dimension() if counts and whole and value.factor >= 1:
            return
        case K.IndexOf(size) if not value.powers and whole and 1 <= value.factor <= _least(size, sizes):
            return
        case K.Interval(N.Number(low), N.Number(high)) if not value.powers and low <= value.factor <= high:
            return
    raise Rejected("not-allowed", f"a value that a {type(item.kind).__name__} may not have")


def _least(size: Dim, sizes: Mapping[str, Dim]) -> int:
    """What a size is at least: symbols that have no value are at least 1."""
    found = size.replace(dict(sizes))
    if any(factor < 0 for _, factor in found.terms):
        return found.constant or 0
    return found.at(dict.fromkeys(found.names, 1))


def _sizes(context: Context, values: Mapping[str, Value]) -> dict[str, Dim]:
    """Sizes as polynomials in those that grow."""
    found: dict[str, Dim] = {}
    for name, value in values.items():
        item = context.symbols.get(name)
        if item is not None and isinstance(item.kind, WHOLE) and isinstance(value, Monomial):
            size = Dim.of(int(value.factor))
            for other, power in value.powers.items():
                for _ in range(int(power)):
                    size = size * Dim.of(other)
            found[name] = size
    return found | {name: size.replace(found) for name, size in context.dims.items() if name not in found}
