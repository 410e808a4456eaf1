"""What moves while symbols grow: the constants of a growth statement may depend on everything else."""

from collections.abc import Iterator
from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Dim
from verifier.expr.walk import children, walk
from verifier.kernel.context import Context
from verifier.kernel.core.read import Reader
from verifier.kernel.core.states import is_state
from verifier.kernel.normal.atoms import Atom, Entry, Function, Inverse, Moment, Net, Root, Same, Value
from verifier.kernel.normal.sign import is_positive
from verifier.kernel.rejected import Rejected

FREE = ("matrix", "vector")


@dataclass(frozen=True)
class Motion:
    """`growing`: symbols that tend to infinity, each as fast as it likes; `moving`: symbols that may change
    with them, on which no constant may depend."""

    growing: frozenset[str]
    moving: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        return self.growing | self.moving


def motion(context: Context, growing: frozenset[str]) -> Motion:
    """A symbol moves if its size, its range or its law depends on one that does, or if an assumption ties the
    two. Without a growing symbol a statement is uniform, and everything moves."""
    if not growing:
        return Motion(frozenset(), frozenset(context.symbols))
    if fixed := growing & context.where.keys():
        raise Rejected("condition", f"{min(fixed)} has a value, and does not grow")
    for name in growing:
        item = context.symbols.get(name)
        if item is None or not isinstance(item.kind, K.Dimension | K.Integer | K.Positive | K.Real):
            raise Rejected("outside", f"{name} is bounded by its declaration, and does not grow")
    if given := growing & (context.replaced.keys() | context.dims.keys()):
        raise Rejected("outside", f"{min(given)} is given by others, and grows with them")
    moving = frozenset[str]()
    ties = [*_ties(context)]
    while True:
        known = growing | moving
        found = {name for name, item in context.symbols.items() if _reached(context, item) & known}
        found.update(*(tie for tie in ties if tie & known))
        if found - growing <= moving:
            return Motion(growing, moving)
        moving |= frozenset(found) - growing


def only_numbers_that_exist(context: Context, node: N.Node) -> None:
    """Rejects extremes and limits inside of a tree: as opaque numbers they would have to be finite."""
    for part in (node, *context.held.values(), *context.replaced.values()):
        if any(isinstance(inner, N.Extreme | N.Limit) for inner in walk(part)):
            raise Rejected("outside", "an extreme or a limit, which may be infinite, or none")


def dependence(context: Context, atom: Atom) -> frozenset[str]:
    """Everything that the value of an atom depends on: the draws that a mean integrates too, since their law
    may move, and the sizes of what stands in an opaque number."""
    match atom:
        case Entry(name) if is_state(context, name):
            raise Rejected("outside", "a state, which depends on all that its layers do")
        case Entry() | Same():
            return atom.names
        case Value(_, arg):
            sizes = (part.shape.rows.names | part.shape.cols.names for part in walk(arg))
            return (atom.names | context.reach(arg)).union(*sizes)
        case Function(_, args):
            parts = [part for arg in args for part in arg.atoms()]
        case Inverse(base) | Root(base):
            parts = [*base.atoms()]
        case Moment(draws, body):
            return draws.union(*(dependence(context, part) for part in body.atoms()))
        case Net(_, factors):
            parts = [part for part, _ in factors]
        case _:
            raise TypeError(atom)
    return atom.names.union(*(dependence(context, part) for part in parts))


def _reached(context: Context, item: K.Declared) -> frozenset[str]:
    """What a declaration depends on."""
    shape = item.shape.rows.names | item.shape.cols.names
    values = [item.copies, *vars(item.kind).values()]
    sizes = frozenset[str]().union(*(value.names for value in values if isinstance(value, Dim)))
    parts = (context.reach(value) for value in values if isinstance(value, N.Node))
    return (shape | sizes).union(*parts)


def _ties(context: Context) -> Iterator[frozenset[str]]:
    """The symbols of each assumption that does more than name a value."""
    for fact in context.assumptions:
        names = frozenset[str]().union(*(context.reach(part) for part in children(fact)))
        match fact:
            case N.Relation("==", N.Symbol(name), value) if context.replaced.get(name) == value:
                if not value_is_free(context, name, value):
                    yield names
                continue
            case N.Relation("==", N.Let(), _):
                continue
        yield names


def value_is_free(context: Context, name: str, value: N.Node) -> bool:
    """Whether a symbol may have the value whatever the symbols in it are."""
    kind = context.symbols[name].kind if name in context.symbols else None
    match kind:
        case K.Real():
            return True
        case K.Dimension():
            return _is_size(context, value)
        case K.Positive():
            return is_positive(context, value)
        case K.FixedMatrix(family):
            return family in FREE
    return False


def _is_size(context: Context, value: N.Node) -> bool:
    """A polynomial in sizes that is at least 1, since no coefficient of it is negative."""
    try:
        size = Reader(context).position(value)
    except Rejected:
        return False
    sizes = all(isinstance(context.symbols[name].kind, K.Dimension) for name in size.names)
    return sizes and bool(size.terms) and all(factor > 0 for _, factor in size.terms)
