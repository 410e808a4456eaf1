"""sup(f, Z) >= c for every size at once: one pattern for Z at which f >= c, whatever the sizes are."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product

from verifier.claim.model import Claim
from verifier.claim.undefined import requirements
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.compare_at_point import compare
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Shape
from verifier.expr.walk import substitute, walk
from verifier.prove.ranges.slack_signs import proves
from verifier.refute.existence.pattern_operations import in_entries, read
from verifier.refute.existence.scalar_trees import ENDLESS, ONE, NoPatternError, over, size, times
from verifier.refute.existence.symbolic_patterns import Pattern, constant
from verifier.timer import past

MAX_TRIED = 120
NUMBERS = tuple(N.Number(Fraction(x)) for x in ("1", "-1", "2", "-2", "1/2", "10", "-10", "0"))


@dataclass(frozen=True)
class Witness:
    """What the symbols are, in words."""

    words: str


def for_all_sizes(
    claim: Claim, fact: N.Relation, over_names: tuple[N.Symbol, ...], deadline: float
) -> Witness | None:
    """A pattern for the named symbols at which the relation is proved for all that is left open."""
    names = {symbol.name for symbol in over_names}
    if bound_elsewhere(claim, names):
        return None
    options = [list(_options(claim.symbols[symbol.name])) for symbol in over_names]
    if not all(options):
        return None
    order = sorted(product(*(range(len(option)) for option in options)), key=sum)
    for chosen in islice(order, MAX_TRIED):
        if past(deadline):
            return None
        picked = [option[at] for option, at in zip(options, chosen, strict=True)]
        given = {symbol.name: p for symbol, (p, _) in zip(over_names, picked, strict=True)}
        if _proved(claim, fact, given, deadline):
            pairs = zip(over_names, picked, strict=True)
            return Witness(", ".join(f"{symbol.name} = {words}" for symbol, (_, words) in pairs))
    return None


def bound_elsewhere(claim: Claim, names: set[str]) -> bool:
    """An assumption speaks of the symbols: then a pattern may not be allowed."""
    return any(
        isinstance(node, N.Symbol) and node.name in names
        for assumption in claim.assumptions
        for node in walk(assumption.fact)
    )


def _proved(claim: Claim, fact: N.Relation, given: Mapping[str, Pattern], deadline: float) -> bool:
    if not all(_is_counted(claim, node) for node in walk(fact) if isinstance(node, N.Sum)):
        return False
    try:
        left, right = read(fact.left, given), read(fact.right, given)
    except NoPatternError:
        return False
    if not (left.shape.is_scalar and right.shape.is_scalar):
        return False
    stated = N.Relation(fact.op, left.first, right.first)
    if any(_is_false(claim, stated, at) for at in (1, 2, 3)):
        return False
    return proves(claim, stated, deadline) and _is_defined(claim, fact, given, deadline)


def _is_defined(claim: Claim, fact: N.Relation, given: Mapping[str, Pattern], deadline: float) -> bool:
    """Whether both sides have a value at the pattern, wherever they have one at all: a**2/(a**2 + x**2) has
    none at x = 0 for a = 0."""
    for side in (fact.left, fact.right):
        needed = requirements(side, given)
        if needed is None or not all(_is_met(claim, choice, given, deadline) for choice in needed):
            return False
    return True


def _is_met(
    claim: Claim, choice: tuple[N.Relation, ...], given: Mapping[str, Pattern], deadline: float
) -> bool:
    """Whether one of the relations is true at the pattern, of entries at every index."""
    needed = choice[0].left
    indices = sorted({part.name for part in walk(needed) if isinstance(part, N.Index)})
    if not all(in_entries(needed, index) for index in indices):
        return False
    for at in product((1, 2), repeat=len(indices)):  # all entries but the first are alike
        placed = zip(map(N.Index, indices), (N.Number(Fraction(k)) for k in at), strict=True)
        try:
            found = read(substitute(needed, dict(placed)), given)
        except NoPatternError:
            return False
        stated = (N.Relation(one.op, found.first, one.right) for one in choice)
        known = found.shape.is_scalar and any(proves(claim, one, deadline) for one in stated)
        if not (found.is_endless or known):
            return False
    return True


def _is_counted(claim: Claim, total: N.Sum) -> bool:
    """Whether a sum has as many terms as its ends say: from 1 on at least one, else none at least."""
    for span in total.ranges:
        least = _least(claim, span.high)
        if least is None or not isinstance(span.low, N.Number):
            return False
        if least < 1 or least < span.low.value - 1:
            return False
    return True


def _least(claim: Claim, node: N.Node) -> Fraction | None:
    """What an end of a range is at least."""
    match node:
        case N.Number(value):
            return value
        case N.Symbol(name):
            sized = isinstance(claim.symbols[name].kind, K.Dimension | K.IndexOf)
            return claim.where.get(name, Fraction(1)) if sized else None
        case N.Add(left, right):
            parts = _least(claim, left), _least(claim, right)
            return None if parts[0] is None or parts[1] is None else parts[0] + parts[1]
        case N.Subtract(left, N.Number(value)):
            first = _least(claim, left)
            return None if first is None else first - value
    return None


def _is_false(claim: Claim, fact: N.Relation, at: int) -> bool:
    """A quick look at one choice of sizes, before a proof is tried."""
    sizes = {
        name: at
        for name, declared in claim.symbols.items()
        if isinstance(declared.kind, K.Dimension | K.IndexOf) and name not in claim.where
    }
    try:
        return compare(fact, sizes, Context.of(claim)).outcome in ("false", "undefined")
    except (Refusal, OverflowError):
        return False


def _options(declared: K.Declared) -> Iterator[tuple[Pattern, str]]:
    """Patterns that the declaration allows, simplest first."""
    shape, kind = declared.shape, declared.kind
    square = shape.rows == shape.cols
    if declared.copies is not None:
        return
    match kind:
        case K.Real() | K.Positive():
            for number in NUMBERS:
                if not isinstance(kind, K.Positive) or number.value > 0:
                    yield Pattern(shape, number), str(number.value)
        case K.Interval(low, high):
            for end in (low, high, N.Divide(N.Add(low, high), N.Number(Fraction(2)))):
                yield Pattern(shape, end), "an end or the middle of its interval"
        case K.FixedMatrix("simplex"):
            yield constant(shape, over(ONE, size(shape.rows))), "uniform"
            yield Pattern(shape, ONE), "one-hot"
        case K.FixedMatrix("stochastic"):
            yield constant(shape, over(ONE, size(shape.cols))), "uniform"
            yield _column(shape, ONE), "one-hot rows"
            yield from [(Pattern(shape, ONE, more=ONE), "the identity")] if square else []
        case K.FixedMatrix("orthogonal"):
            yield Pattern(shape, ONE, more=ONE), "the identity"
        case K.FixedMatrix("psd"):
            yield from _plain(shape, (*NUMBERS[:1], NUMBERS[-1]))
        case K.FixedMatrix("symmetric"):
            yield from _plain(shape, (*NUMBERS[:4], NUMBERS[-1]))
        case K.FixedMatrix("matrix" | "vector"):
            yield from _plain(shape, (*NUMBERS[:4], NUMBERS[-1]))
            yield _column(shape, ENDLESS), "t times a column of ones, t -> oo"
            yield Pattern(shape, ENDLESS), "t in the first entry, t -> oo"
            if square:
                yield Pattern(shape, ENDLESS, more=ENDLESS), "t times the identity, t -> oo"


def _plain(shape: Shape, numbers: tuple[N.Number, ...]) -> Iterator[tuple[Pattern, str]]:
    """Multiples of the ones, of a single entry and of the identity."""
    for number in numbers:
        yield constant(shape, times(number, ONE)), f"{number.value} everywhere"
    for number in numbers:
        yield Pattern(shape, number), f"{number.value} in the first entry"
        if shape.rows == shape.cols and not shape.is_scalar:
            yield Pattern(shape, number, more=number), f"{number.value} times the identity"


def _column(shape: Shape, value: N.Node) -> Pattern:
    """The first column filled."""
    return Pattern(shape, value, below=value)
