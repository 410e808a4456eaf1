"""Products and sums over sets of indices of any size, and the pairings of centred normal numbers."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from verifier.expr import nodes as N
from verifier.expr.dims import ONE, Dim
from verifier.expr.symbols import (
    Bernoulli,
    Dimension,
    Iid,
    IndexOf,
    Interval,
    Normal,
    Positive,
    Rademacher,
    Uniform,
)
from verifier.expr.walk import children
from verifier.kernel.context import Context
from verifier.kernel.core.axes import plain, rows
from verifier.kernel.core.draws import draws
from verifier.kernel.core.terms import (
    UNIT,
    ZERO,
    Call,
    Fn,
    Mean,
    Num,
    Plus,
    Pow,
    Sum,
    Term,
    Times,
    Var,
    free,
    is_nonnegative,
    number,
    of_dim,
    parts_of,
    plus,
    power,
    rebuilt,
    times,
    walk,
)
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.core.read import Reader

MOST_PAIRED, LARGEST_ORDER = 8, 6


def product(reader: "Reader", body: N.Node, ranged: N.Range) -> Term:
    """prod(c, i, l, h) = c**(h - l + 1), prod(i, i, 1, n) = n!, and exp(sum of logarithms) if positive."""
    index, low, high, term = _body(reader, body, ranged)
    if index not in free(term):
        return Pow(term, of_dim(_count(reader.context, low, high)))
    if term == Var(index) and low == ONE:
        return Fn("factorial", (of_dim(high),))
    if not _is_positive(reader.context, term, {index: low}):
        raise Rejected("outside", "a product of a symbolic number of factors that need not be positive")
    return Fn("exp", (Sum(index, low, high, Fn("log", (term,))),))


def over_sets(reader: "Reader", node: N.SubsetSum) -> Term:
    """Newton's identities for sets of a given size; all sets are alike where the body is a number."""
    index, low, high, term = _body(reader, node.body, node.range)
    order = reader.scalar(node.order)
    if index not in free(term):
        count = of_dim(_count(reader.context, low, high))
        return times(Fn("binomial", (count, order)), Pow(term, order))
    if not isinstance(order, Num) or order.value.denominator != 1 or not 0 <= order.value <= LARGEST_ORDER:
        raise Rejected("outside", "a sum over sets of a symbolic size")
    found: list[Term] = [UNIT]
    for p in range(1, int(order.value) + 1):
        parts = (
            times(number((-1) ** (k - 1)), found[p - k], Sum(index, low, high, power(term, k)))
            for k in range(1, p + 1)
        )
        found.append(times(number(Fraction(1, p)), plus(*parts)))
    return found[-1]


def mean_of_product(reader: "Reader", body: N.Node) -> Term | None:
    """The mean of a product, or of a sum over sets, of factors each of which has draws of its own, all with
    one law; or of a product of the entries of a centred normal vector. None for other means."""
    match body:
        case N.Product(N.Entry(vector, N.Index(name), _), (ranged,), ()) if name == ranged.index:
            if (found := _paired(reader, vector, ranged)) is not None:
                return found
    match body:
        case N.Product(inner, (ranged,), ()) | N.SubsetSum(inner, ranged, _):
            first = _one_of_many(reader, inner, ranged)
            if first is None:
                return None
            count = of_dim(_count(reader.context, reader.position(ranged.low), reader.position(ranged.high)))
            if isinstance(body, N.Product):
                return Pow(first, count)
            order = reader.scalar(body.order)
            return times(Fn("binomial", (count, order)), Pow(first, order))
    return None


def hafnian(reader: "Reader", arg: N.Node) -> Term:
    """The pairings of a given number of rows, one by one; an odd number of rows has none, and 2*r rows have
    (2*r - 1)!!."""
    size = arg.shape.rows
    if rows(arg) not in (None, plain(size)):
        raise Rejected("outside", "pairings of rows that several indices number")
    if size.constant is not None:
        if size.constant > MOST_PAIRED:
            raise Rejected("too-large", f"pairings of more than {MOST_PAIRED} rows")
        return _pairings(
            tuple(range(1, size.constant + 1)), lambda i, j: _entry(reader, arg, Dim.of(i), Dim.of(j))
        )
    half = _half(size)
    if half is None:
        if _half(size + ONE) is not None:
            return ZERO
        return Call("", N.Hafnian(arg))
    names = [f"%{next(reader.fresh)}" for _ in range(2)]
    entry = _entry(reader, arg, *map(Dim.of, names))
    if set(names) & free(entry):
        return Call("", N.Hafnian(arg))
    return times(Pow(entry, of_dim(half)), Fn("factorial2", (of_dim(size - ONE),)))


def _entry(reader: "Reader", arg: N.Node, row: Dim, col: Dim) -> Term:
    return reader.entry(arg, (row,), (col,))


def _pairings(left: tuple[int, ...], entry: Callable[[int, int], Term]) -> Term:
    if not left:
        return UNIT
    first, *others = left
    return plus(
        *(
            times(entry(first, other), _pairings(tuple(k for k in others if k != other), entry))
            for other in others
        )
    )


def _half(size: Dim) -> Dim | None:
    if any(factor % 2 for _, factor in size.terms):
        return None
    return Dim(tuple((powers, factor // 2) for powers, factor in size.terms))


def _paired(reader: "Reader", vector: N.Node, ranged: N.Range) -> Term | None:
    """E(prod(v[i], i, 1, n)) = hafnian(E(v @ v.T)) for a centred normal vector with n entries."""
    size = vector.shape.rows
    whole = reader.position(ranged.low) == ONE and reader.position(ranged.high) == size
    if not whole or vector.shape.cols != ONE or not _is_centred_normal(reader.context, vector):
        return None
    _require_own_law(reader.context, draws(reader.context, vector))
    if size.constant is None and _half(size) is None and _half(size + ONE) is not None:
        return ZERO
    return hafnian(reader, N.Expectation(N.MatMul(vector, N.Transpose(vector)), ()))


def _is_centred_normal(context: Context, vector: N.Node) -> bool:
    match vector:
        case N.Let(name, body) if name not in context.held:
            return _is_centred_normal(context, body)
        case N.Symbol(name) if name in context.symbols:
            kind = context.symbols[name].kind
            return isinstance(kind, Normal) and kind.mean == N.Number(Fraction(0))
        case N.MatMul(left, right):
            return not draws(context, left) and _is_centred_normal(context, right)
    return False


def _require_own_law(context: Context, names: frozenset[str]) -> None:
    if any(names & context.reach(part) for fact in context.assumptions for part in children(fact)):
        raise Rejected("condition", "an assumption about what a mean integrates")


def _one_of_many(reader: "Reader", body: N.Node, ranged: N.Range) -> Term | None:
    """The mean of one factor, if each has entries of its own in every draw it looks at, and looks at nothing
    else that depends on the index."""
    own = draws(reader.context, body)
    index, _, _, term = _body(reader, body, ranged)
    for part in walk(term):
        match part:
            case Var(name, at) if name in own:
                if Dim.of(index) not in at or not _has_alike_entries(reader.context, name):
                    return None
                if any(index in place.names and place != Dim.of(index) for place in at):
                    return None
            case Mean() | Call():
                return None
            case _ if not parts_of(part) and index in free(part):
                return None
    if not own:
        return None
    _require_own_law(reader.context, own)
    return Mean(own, _at_first(term, index))


def _at_first(term: Term, index: str) -> Term:
    if isinstance(term, Var):
        return Var(term.name, tuple(ONE if place == Dim.of(index) else place for place in term.at))
    return rebuilt(term, lambda part: _at_first(part, index))


def _has_alike_entries(context: Context, name: str) -> bool:
    match context.symbols[name].kind if name in context.symbols else None:
        case Normal(mean, _, row_corr, cov):
            return row_corr is None and cov is None and (mean is None or mean.shape.is_scalar)
        case Iid(mean, _):
            return mean is None or mean.shape.is_scalar
        case Rademacher() | Bernoulli() | Uniform():
            return True
    return False


def _body(reader: "Reader", body: N.Node, ranged: N.Range) -> tuple[str, Dim, Dim, Term]:
    index = f"%{next(reader.fresh)}"
    inner = replace(reader, indices={**reader.indices, ranged.index: index})
    return index, reader.position(ranged.low), reader.position(ranged.high), inner.scalar(body)


def _count(context: Context, low: Dim, high: Dim) -> Dim:
    """How many values there are, if that is never negative: sizes are at least 1."""
    size = high - low + ONE
    kinds = {name: context.symbols[name].kind for name in size.names if name in context.symbols}
    shifted = size.replace({name: Dim.of(name) + ONE for name in size.names})
    sizes = all(isinstance(kinds.get(name), Dimension | IndexOf) for name in size.names)
    if not sizes or any(factor < 0 for _, factor in shifted.terms):
        raise Rejected("condition", "a range that may end before it begins")
    return size


def _is_positive(context: Context, term: Term, lows: dict[str, Dim]) -> bool:
    match term:
        case Num(value):
            return value > 0
        case Var(name, ()) if name in lows:
            return (lows[name].constant or 0) >= 1
        case Var(name, ()):
            kind = context.symbols[name].kind if name in context.symbols else None
            low = kind.low if isinstance(kind, Interval) else None
            beyond = isinstance(low, N.Number) and low.value > 0
            return beyond or isinstance(kind, Positive | Dimension | IndexOf)
        case Fn("exp" | "sigmoid" | "Phi" | "pi"):
            return True
        case Plus(parts):
            some = any(_is_positive(context, part, lows) for part in parts)
            return some and all(is_nonnegative(part) or _is_positive(context, part, lows) for part in parts)
        case Times(parts):
            return all(_is_positive(context, part, lows) for part in parts)
        case Pow(base, _):
            return _is_positive(context, base, lows)
    return False
