"""Where the variables of a statement range: what declarations say, and premises that bound a variable by a
number. A region may be larger than what Γ allows: what is shown all over it is shown."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.nodes import Relation
from verifier.kernel.boxes import interval as iv
from verifier.kernel.boxes.evaluate import Box, Enclosure, Key, key_of, spread
from verifier.kernel.boxes.interval import Interval
from verifier.kernel.budget import Budget
from verifier.kernel.context import Context
from verifier.kernel.core import terms as T
from verifier.kernel.core.read import Reader
from verifier.kernel.core.settle import settled
from verifier.kernel.rejected import Rejected

MOST_VARIABLES = 12


@dataclass(frozen=True)
class Region:
    """A box; which of its variables are integers, and which are positive though their range begins at 0."""

    box: Box
    whole: frozenset[Key]
    positive: frozenset[Key]

    def within(self, key: Key, part: Interval) -> "Region | None":
        """The part where a variable lies in an interval; None for an empty one, as between two integers."""
        found = iv.common(self.box[key], part)
        if key in self.whole:
            low = found.low.ceil() if found.low.is_finite() else found.low
            high = found.high.floor() if found.high.is_finite() else found.high
            found = Interval(low, high)
        if found.low > found.high:
            return None
        return replace(self, box={**self.box, key: found})


def variables(term: T.Term) -> list[Key]:
    found = dict.fromkeys(key_of(part) for part in T.walk(term) if isinstance(part, T.Var))
    if len(found) > MOST_VARIABLES:
        raise Rejected("too-large", f"a function of more than {MOST_VARIABLES} variables")
    return list(found)


def declared_region(context: Context, keys: Iterable[Key], budget: Budget) -> Region:
    """The ranges that declarations give to these variables."""
    box: dict[Key, Interval] = {}
    whole: set[Key] = set()
    positive: set[Key] = set()
    for key in keys:
        if key[0] not in context.symbols:
            raise Rejected("outside", f"{key[0]}, which is no declared symbol, over a box")
        kind = context.symbols[key[0]].kind
        box[key] = _range(context, kind, budget)
        if isinstance(kind, K.Dimension | K.IndexOf | K.Integer):
            whole.add(key)
        if isinstance(kind, K.Positive):
            positive.add(key)
    return Region(box, frozenset(whole), frozenset(positive))


def _range(context: Context, kind: K.Kind, budget: Budget) -> Interval:
    match kind:
        case K.Positive():
            return Interval(iv.NONE, iv.INFINITE)
        case K.Dimension() | K.IndexOf():
            return Interval(iv.UNIT, iv.INFINITE)
        case K.Interval(low, high) | K.Uniform(low, high):
            ends = _number(context, low, budget), _number(context, high, budget)
            return Interval(ends[0].low, ends[1].high)
        case K.FixedMatrix("simplex" | "stochastic") | K.Bernoulli():
            return Interval(iv.NONE, iv.UNIT)
        case K.Rademacher():
            return Interval(-iv.UNIT, iv.UNIT)
    return iv.REALS


def _number(context: Context, node: N.Node, budget: Budget) -> Interval:
    """A number that is enclosed; all reals where it is none."""
    try:
        return Enclosure({}, frozenset(), budget).of(read(context, node, budget))
    except Rejected:
        return iv.REALS


def read(context: Context, node: N.Node, budget: Budget) -> T.Term:
    reader = Reader(context, budget=budget)
    return spread(settled(reader, reader.scalar(node)), context.where, budget)


def bounded(context: Context, region: Region, facts: Iterable[Relation], budget: Budget) -> Region | None:
    """The region cut down by premises, each a variable against a number; None where nothing is left."""
    found: Region | None = region
    for fact in facts:
        left, right = read(context, fact.left, budget), read(context, fact.right, budget)
        if isinstance(right, T.Var):
            left, right, op = right, left, _TURNED[fact.op]
        else:
            op = fact.op
        if (
            not isinstance(left, T.Var)
            or op == "!="
            or any(isinstance(part, T.Var) for part in T.walk(right))
        ):
            raise Rejected("premises", "a premise bounds a variable by a number")
        number = Enclosure({}, frozenset(), budget).of(right)
        low = iv.MINUS_INFINITE if op in ("<", "<=") else number.low
        high = iv.INFINITE if op in (">", ">=") else number.high
        key = key_of(left)
        if found is not None and key in found.box:
            found = found.within(key, Interval(low, high))
    return found


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
