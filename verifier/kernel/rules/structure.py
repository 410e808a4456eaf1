"""Structure: how judgements follow from judgements."""

from fractions import Fraction

from verifier.expr.dims import Dim
from verifier.expr.nodes import Extreme, ForAll, Index, Limit, Node, Number, Relation, Symbol, Within
from verifier.expr.symbols import Dimension, IndexOf
from verifier.expr.walk import children, substitute, walk
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule


def assumption(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\varphi \in \Gamma}{\Gamma \vdash \varphi}

    An assumption in force, as its author wrote it.
    """
    if premises:
        raise Rejected("premises", "an assumption needs no premise")
    if not isinstance(goal, Holds) or goal.fact not in context.assumptions:
        raise Rejected("condition", "this is no assumption in force")


def weaken(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash a = b}{\Gamma \vdash a \le b} \qquad \frac{\Gamma \vdash a < b}{\Gamma \vdash a \le b}

    Also with the order turned round.
    """
    match premises, goal:
        case (Holds(Relation(op, left, right)),), Holds(Relation(weaker, a, b)) if (a, b) == (left, right):
            if (op, weaker) in {("==", "<="), ("==", ">="), ("<", "<="), (">", ">=")}:
                return
    raise Rejected("premises", "this follows from an equation or a strict inequality of the same sides")


def instance(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\left(\forall k \in l..h\colon \varphi(k)\right) \in \Gamma \qquad l \le t \le h}
    {\Gamma \vdash \varphi(t)}

    t is a number, or a symbol that is declared as an index with the same range; from 2 on, where it is
    assumed not to be 1. Conditions of the assumption must be assumed of t.
    """
    if premises or not isinstance(goal, Holds):
        raise Rejected("premises", "what is assumed for all indices needs no premise")
    for fact in context.assumptions:
        if isinstance(fact, ForAll) and _is_instance(context, fact, goal.fact):
            return
    raise Rejected("condition", "nothing is assumed for all indices that says so of one that is among them")


def _is_instance(context: Context, rule: ForAll, fact: Relation | Within) -> bool:
    names = {item.index for item in rule.ranges}
    inside = [part for side in _parts(rule.fact) for part in walk(side)]
    bound = {item.index for part in inside for item in getattr(part, "ranges", ())}
    taken = {name for part in inside for name in _binds(part)}
    values: dict[Node, Node] = {}
    for side, there in zip(_parts(rule.fact), _parts(fact), strict=False):
        collect(side, there, frozenset(map(Index, names)), values)
    if names & bound or values.keys() != set(map(Index, names)):
        return False
    if any(isinstance(part, Index) or part in taken for value in values.values() for part in walk(value)):
        return False
    said = [substitute(side, values) for side in _parts(rule.fact)]
    same = type(fact) is type(rule.fact) and getattr(fact, "op", "") == getattr(rule.fact, "op", "")
    conditions = (
        Relation(item.op, substitute(item.left, values), substitute(item.right, values))
        for item in rule.conditions
    )
    return (
        same
        and said == list(_parts(fact))
        and all(_is_assumed(context, item) for item in conditions)
        and all(is_among(context, values[Index(item.index)], item.low, item.high) for item in rule.ranges)
    )


def _binds(node: Node) -> tuple[Node, ...]:
    """The symbols that are not those outside: what an extreme is taken over, what a limit binds."""
    match node:
        case Extreme(_, _, over):
            return over
        case Limit(_, name):
            return (name,)
    return ()


def _parts(fact: Relation | Within) -> tuple[Node, ...]:
    return (fact.left, fact.right) if isinstance(fact, Relation) else (fact.arg, fact.low, fact.high)


def _is_assumed(context: Context, fact: Relation) -> bool:
    turned = Relation(fact.op, fact.right, fact.left)
    return fact in context.assumptions or (fact.op == "!=" and turned in context.assumptions)


def collect(body: Node, there: Node, over: frozenset[Node], found: dict[Node, Node]) -> None:
    """What stands in the places of some parts; whether the rest is the same is for who asks."""
    if body in over:
        found.setdefault(body, there)
    elif type(body) is type(there):
        for one, other in zip(children(body), children(there), strict=False):
            collect(one, other, over, found)


def is_among(context: Context, at: Node, low: Node, high: Node) -> bool:
    """Whether a position is one of low..high."""
    one = Number(Fraction(1))
    match at, low, high:
        case Number(value), Number(first), Number(last):
            return value.denominator == 1 and first <= value <= last
        case Number(), Number(first), Symbol(name) if at == one and first <= 1 and name in context.symbols:
            return isinstance(context.symbols[name].kind, Dimension)
        case Symbol(name), Number(first), Symbol(size) if name in context.symbols:
            excluded = first == 2 and _is_assumed(context, Relation("!=", at, one))
            return context.symbols[name].kind == IndexOf(Dim.of(size)) and (first <= 1 or excluded)
        case Symbol(name), Number(first), Number(last) if name in context.symbols and last.denominator == 1:
            return context.symbols[name].kind == IndexOf(Dim.of(int(last))) and first <= 1
    return False


RULES = (
    Rule("assumption", "structure", assumption),
    Rule("weaken", "structure", weaken),
    Rule("instance", "structure", instance),
)
