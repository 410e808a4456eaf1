"""A fact at a point that the context allows: is it false there?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as S
from verifier.expr.errors import ShapeError
from verifier.expr.walk import rebuild, substitute, walk
from verifier.kernel.budget import Budget
from verifier.kernel.context import Context
from verifier.kernel.core.unroll import unrolled
from verifier.kernel.points.admit import Admission, chosen_laws, tables
from verifier.kernel.points.data import Raw, read_laws, read_point
from verifier.kernel.points.evaluate import Evaluator
from verifier.kernel.points.outcomes import Undecided
from verifier.kernel.points.quadratic import Quadratic, at_values, read_functions
from verifier.kernel.points.subsets import written_out
from verifier.kernel.points.values import Value, precision
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected

# No enclosure at first: what is decided then is decided exactly.
BITS = (None, 64, 128, 256, 1024)
KEYS = frozenset({"point", "laws", "functions"})


@dataclass(frozen=True)
class Evidence:
    """Both sides of a false relation, exact or as enclosures; `entry` is where matrices differ."""

    left: str
    op: str
    right: str
    entry: tuple[int, int] | None
    exact: bool


@dataclass(frozen=True)
class _Point:
    """Values by their names; laws and functions by theirs where the declarations leave them open."""

    values: Mapping[str, Raw]
    laws: Mapping[str, list[tuple[Value, Raw]]]
    functions: Mapping[str, Quadratic]


def fails_at(context: Context, fact: N.Relation | N.Within, data: Data) -> Evidence:
    """What breaks the fact at the point, or `Rejected`: the point is not allowed, a side has no value, the
    fact is true there, or some of this cannot be computed. `laws` are laws with finitely many outcomes, for
    random symbols of which only some moments are declared, `functions` quadratic ones for declared ones."""
    if not data.keys() <= KEYS or "point" not in data:
        raise Rejected("data", "the data are a point, laws and functions that it chooses, and no more")
    functions = read_functions(data.get("functions", {}), context.symbols)
    read = _Point(read_point(data["point"]), read_laws(data.get("laws", {})), functions)
    try:
        return _by_precision(context, fact, read)
    except RecursionError:
        raise Rejected("too-large", "a statement nested too deeply") from None
    except ShapeError as error:
        raise Rejected("outside", str(error)) from error


def _by_precision(context: Context, fact: N.Relation | N.Within, point: _Point) -> Evidence:
    if context.growing:
        raise Rejected("outside", "a statement about what grows is not false at one point")
    if any(isinstance(part, N.Limit | N.Extreme) for part in walk(fact)):
        raise Rejected("outside", "a limit or an extreme, which no point has")
    for bits in BITS:
        try:
            with precision(bits):
                return _at(context, fact, point, exact=bits is None)
        except Undecided:
            continue
    raise Rejected("not-false", f"enclosures of {BITS[-1]} bits overlap: nothing is decided")


def _at(context: Context, fact: N.Relation | N.Within, point: _Point, exact: bool) -> Evidence:
    budget = Budget()
    made, stated = _at_sizes(context, fact, point, budget)
    laws = chosen_laws(made, point.laws)
    evaluator = Evaluator(made, tables(made, point.values), budget, laws)
    admission = Admission(evaluator)
    admission.check()
    constrained = set(evaluator.free)
    broken = admission.relations.broken(stated)
    if broken is None:
        raise Rejected("not-false", "the statement is true at the point")
    if constrained & evaluator.means.integrated:
        raise Rejected("outside", "an assumption about the values of something that a mean integrates")
    return Evidence(broken.left, broken.op, broken.right, broken.entry, exact)


def _at_sizes(
    context: Context, fact: N.Relation | N.Within, point: _Point, budget: Budget
) -> tuple[Context, N.Relation | N.Within]:
    """Context and fact with sizes, indices and integers as numbers, functions and layers written out."""
    layered = context.layers.symbols if context.layers is not None else {}
    own = {name: value for name, value in point.values.items() if name not in layered}
    evaluator = Evaluator(context, tables(context, own), budget)
    for name, function in point.functions.items():
        shape = context.symbols[name].shape
        if (evaluator.dim(shape.rows), evaluator.dim(shape.cols)) != function.size:
            raise Rejected("data", f"{name} is a function of a matrix of another shape")
    numbers: dict[N.Node, N.Node] = {}
    for name, declared in context.symbols.items():
        if isinstance(declared.kind, S.Dimension | S.IndexOf | S.Integer) and _has_value(evaluator, name):
            numbers[N.Symbol(name, declared.shape)] = N.Number(Fraction(evaluator.integer(name)))

    def concrete(node: N.Node) -> N.Node:
        return written_out(at_values(substitute(node, numbers), point.functions))

    assumptions = tuple(rebuild(item, concrete) for item in context.assumptions)
    layers = context.layers
    depth = None
    if layers is not None:
        depth = numbers.get(layers.depth)
        layers = replace(layers, next=concrete(layers.next))
    made = replace(context, assumptions=assumptions, layers=layers)
    stated = rebuild(fact, concrete)
    return unrolled(made, stated, int(depth.value) if isinstance(depth, N.Number) else None)


def _has_value(evaluator: Evaluator, name: str) -> bool:
    context = evaluator.context
    return any(name in names for names in (evaluator.given, context.where, evaluator.replaced, context.dims))
