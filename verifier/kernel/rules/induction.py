"""Induction over a size."""

from collections.abc import Iterator
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Dim, Shape
from verifier.expr.nodes import Relation
from verifier.expr.symbols import Declared
from verifier.expr.walk import children, rebuild, substitute, walk
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.normal.sign import is_nonnegative, is_positive
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.defined import Defined, evaluated, only_numbers, unfolded

MOST_BASES = 16
BINDS_SYMBOLS = N.Limit | N.Extreme | N.Derivative | N.After | N.Called | N.Member | N.Let | N.Growth
Sides = tuple[N.Node, N.Node]


def induction(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash f(1) \le g(1) \qquad \Gamma \vdash f(n + 1) \le q\,f(n) + d \qquad
    \Gamma \vdash q\,g(n) + d \le g(n + 1) \qquad 0 \le q}
    {\Gamma \vdash f(n) \le g(n)}

    The data name n (`over`), a size that has no value and on which no other symbol of the statement depends,
    nor one that an assumption speaks of; what else depends on it exists for every n. With k premises for
    n = 1, ..., k the others speak of n + k - 1 and n + k. Both sides have values for every n. Strict if the
    premises for 1, ..., k are, and one of the others is or q is positive; an equation follows from equations.
    """
    name, (small, large), op = _stated(context, goal, data)
    if not 3 <= len(premises) <= MOST_BASES + 2:
        raise Rejected("premises", "a start and two steps")
    count = len(premises) - 2
    for at, premise in enumerate(premises[:count], start=1):
        if _sides(premise, {op}) != tuple(shifted(side, name, number=at) for side in (small, large)):
            raise Rejected("premises", f"the statement at {at}")
    weak = {"==": {"=="}, "<": {"<=", "<"}, "<=": {"<=", "<"}}[op]
    (beyond, upper), (lower, last) = (_sides(premise, weak) for premise in premises[count:])
    first, second = (shifted(side, name, by=count - 1) for side in (small, large))
    match upper, lower:
        case N.Add(N.Multiply(q, f), d), N.Add(N.Multiply(p, g), c) if (q, d) == (p, c):
            pass
        case _:
            raise Rejected("premises", "steps by the same factor and the same difference")
    ends = shifted(small, name, by=count), shifted(large, name, by=count)
    if (f, g) != (first, second) or (beyond, last) != ends:
        raise Rejected("premises", "steps from n to n + 1")
    if op != "==" and not is_nonnegative(context, unfolded(context, q)):
        raise Rejected("condition", "a factor that may be negative")
    gains = any(isinstance(step, Holds) and _op(step.fact) == "<" for step in premises[count:])
    if op == "<" and not gains and not is_positive(context, unfolded(context, q)):
        raise Rejected("condition", "a strict inequality from steps that are not")
    _has_values(context, name, (small, large), premises)


def shifted(node: N.Node, name: str, by: int = 0, number: int | None = None) -> N.Node:
    """The tree at n + by, or at a number."""
    n = N.Symbol(name)
    if number is not None:
        return folded(substitute(node, {n: N.Number(Fraction(number))}))
    return substitute(node, {n: N.Add(n, N.Number(Fraction(by)))}) if by else node


def folded(node: N.Node) -> N.Node:
    """Quotients and negatives of numbers are numbers, as they are read."""
    match rebuild(node, folded):
        case N.Divide(N.Number(top), N.Number(bottom)) if bottom:
            return N.Number(top / bottom)
        case N.Negate(N.Number(value)):
            return N.Number(-value)
        case other:
            return other


def _op(fact: N.Fact) -> str:
    turned = {">": "<", ">=": "<="}
    return turned.get(fact.op, fact.op) if isinstance(fact, Relation) else ""


def _sides(judgement: Judgement, ops: set[str]) -> Sides:
    match judgement:
        case Holds(Relation(op, left, right) as fact) if _op(fact) in ops:
            only_numbers(fact)
            return (left, right) if op in ("<", "<=", "==") else (right, left)
    raise Rejected("premises", "a relation of another kind")


def _stated(context: Context, goal: Judgement, data: Data) -> tuple[str, Sides, str]:
    name = data.get("over")
    if not isinstance(name, str) or set(data) != {"over"}:
        raise Rejected("data", "the name of a size")
    if not isinstance(goal, Holds) or _op(goal.fact) not in ("==", "<", "<="):
        raise Rejected("statement", "a relation between numbers")
    op = _op(goal.fact)
    first, second = _sides(goal, {op})
    sides = unfolded(context, first), unfolded(context, second)
    if not all(side.shape.is_scalar for side in sides):
        raise Rejected("statement", "a relation between numbers")
    _stands_free(context, name, sides)
    return name, sides, op


# --- what is true for one size is asked for all -------------------------------------------------------


def _stands_free(context: Context, name: str, sides: Sides) -> None:
    """Rejects a size of which not every value is allowed together with the values of all other symbols that
    the sides speak of."""
    declared = context.symbols.get(name)
    if declared is None or not isinstance(declared.kind, K.Dimension) or declared.copies is not None:
        raise Rejected("condition", "what is no size")
    tied = [item for item in context.symbols.values() if item.name != name and _depends(context, item, name)]
    held = {name, *(item.name for item in tied)}
    valued = context.where.keys() | context.dims.keys() | context.replaced.keys()
    named = frozenset[str]().union(*(size.names for size in context.dims.values()))
    if context.layers is not None or held & valued or name in named:
        raise Rejected("condition", "a size that has a value, or on which one depends")
    if not all(_exists(context, item, name) for item in tied):
        raise Rejected("condition", "a symbol that need not exist for every value of a size")
    spoken = [part for fact in context.assumptions for node in children(fact) for part in walk(node)]
    if any(_speaks(part, name, held) for part in spoken):
        raise Rejected("condition", "an assumption about a size, or about what depends on it")
    inside = [part for side in sides for part in walk(side)]
    if any(isinstance(part, BINDS_SYMBOLS) or _speaks(part, name, held - {name}) for part in inside):
        raise Rejected("outside", "a part that depends on a size otherwise than as a number")


def _dims(thing: object) -> Iterator[Dim]:
    """The sizes that a node or a law names."""
    for value in vars(thing).values():
        if isinstance(value, Dim):
            yield value
        elif isinstance(value, Shape):
            yield from (value.rows, value.cols)


def _speaks(part: N.Node, name: str, held: set[str]) -> bool:
    if isinstance(part, N.Symbol | N.Member) and part.name in held:
        return True
    sizes = (*_dims(part), part.shape.rows, part.shape.cols)
    return any(name in size.names for size in sizes)


def _depends(context: Context, item: Declared, name: str) -> bool:
    sizes = [*_dims(item), *_dims(item.kind)]
    values = [value for value in vars(item.kind).values() if isinstance(value, N.Node)]
    reached = frozenset[str]().union(*map(context.reach, values))
    return any(name in size.names for size in sizes) or any(
        other == name or _shape_names(context, other, name) for other in reached
    )


def _shape_names(context: Context, other: str, name: str) -> bool:
    return other in context.symbols and any(name in size.names for size in _dims(context.symbols[other]))


def _exists(context: Context, item: Declared, name: str) -> bool:
    """Whether there are values of a symbol for every value of the size."""
    sizes = [size for size in (*_dims(item), *_dims(item.kind)) if name in size.names]
    if not all(factor > 0 for size in sizes for _, factor in size.terms):
        return False
    values = [value for value in vars(item.kind).values() if isinstance(value, N.Node)]
    held = [value for value in values if name in context.reach(value)]
    match item.kind:
        case K.FixedMatrix() | K.IndexOf() | K.Rademacher():
            return True
        case K.Uniform() | K.Bernoulli():
            return not held
        case K.Normal(row_corr=None, cov=None) | K.Iid() | K.AnyLaw():
            return all(is_nonnegative(context, value) and _has_value(context, value) for value in held)
    return False


def _has_value(context: Context, value: N.Node) -> bool:
    try:
        Defined(context, frozenset(), {}).node(value)
    except Rejected:
        return False
    return True


def _has_values(context: Context, name: str, sides: Sides, premises: tuple[Judgement, ...]) -> None:
    """Both sides for every n, and those of the premises: by what the sides have in them that does not depend
    on n."""
    known = frozenset(
        part for side in sides for part in evaluated(context, side) if name not in context.reach(part)
    )
    check = Defined(context, known, {})
    facts = [premise.fact for premise in premises if isinstance(premise, Holds)]
    inside = [side for fact in facts if isinstance(fact, Relation) for side in (fact.left, fact.right)]
    for node in (*sides, *inside):
        check.node(unfolded(context, node))


RULES = (Rule("induction", "order", induction),)
