"""Assumed equalities between scalars, solved for one of them: then it has a value, as in a substitution.

    x + y == 1  iff  y == 1 - x
    a * b == 1  iff  b == 1/a               for a > 0
    d * s**2 == 1  iff  s == sqrt(1/d)      for s > 0

What is left to choose satisfies the assumption by construction. The scalar keeps its declaration: a
positive y leaves x < 1.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from verifier.claim.model import Assumption, Step
from verifier.expr import nodes as N
from verifier.expr.affine import ONE, affine, minus, over
from verifier.expr.symbols import Declared, Dimension, Interval, Positive, Real
from verifier.expr.walk import children, substitute, symbols_in, walk
from verifier.facts.values import Values

SCALARS = Real | Positive | Interval
ARITHMETIC = N.Symbol | N.Number | N.Add | N.Subtract | N.Multiply | N.Divide | N.Negate | N.Power


def solved(
    assumptions: Iterable[Assumption],
    steps: Iterable[Step],
    symbols: Mapping[str, Declared],
    kept: Iterable[str],
) -> tuple[Assumption, ...]:
    """The assumptions, each equality that can be as one for a scalar; `kept` ones are solved for never."""
    given = list(assumptions)
    values: dict[N.Node, N.Node] = {found[0]: found[1] for item in given if (found := item.substitution)}
    taken = {*kept, *_moved(steps), *(node.name for node in values if isinstance(node, N.Symbol))}
    for at, item in enumerate(given):
        found = _solution(item, values, symbols, taken, given)
        if found is not None:
            fact = N.Relation("==", *found)
            given[at] = replace(item, fact=fact, written=item.written or item.fact)
            values[found[0]] = found[1]
            taken.add(found[0].name)
    return tuple(given)


def _solution(
    item: Assumption,
    values: Mapping[N.Node, N.Node],
    symbols: Mapping[str, Declared],
    taken: set[str],
    given: list[Assumption],
) -> tuple[N.Symbol, N.Node] | None:
    """A scalar and its value; of several scalars one that is any real, and that little else is said of."""
    match item.fact:
        case N.Relation("==", left, right) if item.constraint is not None and _is_plain(item.fact, symbols):
            gap = _without_given(N.Subtract(left, right), values)
        case _:
            return None

    def bound(name: str) -> tuple[bool, int]:
        said = sum(name in symbols_in(other.fact) for other in given)
        return not isinstance(symbols[name].kind, Real), said

    if symbols_in(gap) & {name for node in values for name in symbols_in(node)}:
        return None  # values in a circle
    names = {name for name in symbols_in(gap) - taken if isinstance(symbols[name].kind, SCALARS)}
    declared = [name for name in reversed(tuple(symbols)) if name in names]
    for name in sorted(declared, key=bound):
        power = _power(gap, name)
        line = affine(gap, power)
        if line is not None and Values.of(symbols)(line.slope).is_nonzero:
            value = over(minus(line.rest), line.slope)
            if isinstance(power, N.Symbol):
                return power, value
            if isinstance(symbols[name].kind, Positive):
                return N.Symbol(name), _root(value, power.exponent)
    return None


def _without_given(node: N.Node, values: Mapping[N.Node, N.Node]) -> N.Node:
    """With the values of what has one, and of what is in these."""
    for _ in values:
        node = substitute(node, values)
    return node


def _power(node: N.Node, name: str) -> N.Symbol | N.Power:
    """The first whole power in which the scalar occurs, or itself: whoever sees it elsewhere will say so."""
    alone = N.Symbol(name)
    for part in walk(node):
        match part:
            case N.Power(base, N.Number(exponent)) if base == alone and exponent > 0:
                return part
    return alone


def _is_plain(fact: N.Fact, symbols: Mapping[str, Declared]) -> bool:
    """Arithmetic of fixed scalars, at least two of them: a sphere or a mean is for others to build in."""
    parts = [part for child in children(fact) for part in walk(child)]
    names = {part.name for part in parts if isinstance(part, N.Symbol)}
    fixed = all(name in symbols and isinstance(symbols[name].kind, SCALARS | Dimension) for name in names)
    return fixed and len(names) > 1 and all(isinstance(part, ARITHMETIC) for part in parts)


def _moved(steps: Iterable[Step]) -> set[str]:
    """Symbols over which a limit, an extreme or a derivative is taken, or that are more than a value."""
    found: set[str] = set()
    for node in (node for step in steps for node in walk(step.fact)):
        match node:
            case N.Limit(_, variable, target):
                found |= {variable.name, *symbols_in(target)}
            case N.Extreme():
                found |= {symbol.name for symbol in node.over}
            case N.Derivative(_, by):
                found |= symbols_in(by)
    return found


def _root(node: N.Node, degree: N.Node) -> N.Node:
    """What is nonnegative and has this power"""
    match degree:
        case N.Number(value) if value == 2:
            return N.Apply("sqrt", (node,))
    return N.Power(node, over(ONE, degree))
