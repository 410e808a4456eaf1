"""Assumed equalities between scalars, solved for one of them: then it has a value, as in a substitution.

    x + y == 1  iff  y == 1 - x
    a * b == 1  iff  b == 1/a               for a > 0
    d * s**2 == 1  iff  s == sqrt(1/d)      for s > 0

What is left to choose satisfies the assumption by construction. The scalar keeps its declaration: a
positive y leaves x < 1.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Assumption, Step
from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, Dimension, Interval, Positive, Real
from verifier.expr.walk import children, substitute, walk

ZERO, ONE = N.Number(Fraction(0)), N.Number(Fraction(1))
SCALARS = Real | Positive | Interval
ARITHMETIC = N.Symbol | N.Number | N.Add | N.Subtract | N.Multiply | N.Divide | N.Negate | N.Power
Linear = tuple[N.Node, N.Node]  # c and r, of c*y**p + r


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
            given[at] = replace(item, fact=fact, written=item.fact)
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
        said = sum(name in _names(other.fact) for other in given)
        return not isinstance(symbols[name].kind, Real), said

    if _names(gap) & {name for node in values for name in _names(node)}:
        return None  # values in a circle
    names = {name for name in _names(gap) - taken if isinstance(symbols[name].kind, SCALARS)}
    declared = [name for name in reversed(tuple(symbols)) if name in names]
    for name in sorted(declared, key=bound):
        power = _power(gap, name)
        found = _linear(gap, power)
        if found is not None and _is_nonzero(found[0], symbols):
            value = _quotient(_negative(found[1]), found[0])
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
                found |= {variable.name, *_names(target)}
            case N.Extreme():
                found |= {symbol.name for symbol in node.over}
            case N.Derivative(_, by):
                found |= _names(by)
    return found


def _names(part: N.Node | N.Fact) -> set[str]:
    return {node.name for node in walk(part) if isinstance(node, N.Symbol | N.Member)}


def _linear(node: N.Node, y: N.Symbol | N.Power) -> Linear | None:
    """c and r with node = c*y + r, neither of which has y in it; None where there are none to be seen."""
    if node == y:
        return ONE, ZERO
    if not _has(node, y):
        return ZERO, node
    match node:
        case N.Negate(arg):
            found = _linear(arg, y)
            return None if found is None else (_negative(found[0]), _negative(found[1]))
        case N.Add(left, right) | N.Subtract(left, right):
            first, second = _linear(left, y), _linear(right, y)
            if first is None or second is None:
                return None
            add = _sum if isinstance(node, N.Add) else _difference
            return add(first[0], second[0]), add(first[1], second[1])
        case N.Multiply(left, right) if not _has(left, y):
            found = _linear(right, y)
            return None if found is None else (_product(left, found[0]), _product(left, found[1]))
        case N.Multiply(left, right) if not _has(right, y):
            return _linear(N.Multiply(right, left), y)
        case N.Divide(left, right) if not _has(right, y):
            found = _linear(left, y)
            return None if found is None else (_quotient(found[0], right), _quotient(found[1], right))
    return None


def _has(node: N.Node, y: N.Symbol | N.Power) -> bool:
    """Whether the scalar of y is in it, in whatever power."""
    return bool(_names(y) & _names(node))


def _is_nonzero(node: N.Node, symbols: Mapping[str, Declared]) -> bool:
    """Products, quotients and powers of positive scalars, and of numbers other than 0."""
    match node:
        case N.Number(value):
            return value != 0
        case N.Symbol(name):
            return isinstance(symbols[name].kind, Positive | Dimension)
        case N.Negate(arg) | N.Power(arg, _):
            return _is_nonzero(arg, symbols)
        case N.Multiply(left, right) | N.Divide(left, right):
            return _is_nonzero(left, symbols) and _is_nonzero(right, symbols)
    return False


def _root(node: N.Node, degree: N.Node) -> N.Node:
    """What is nonnegative and has this power"""
    match degree:
        case N.Number(value) if value == 2:
            return N.Apply("sqrt", (node,))
    return N.Power(node, _quotient(ONE, degree))


def _sum(left: N.Node, right: N.Node) -> N.Node:
    match left, right:
        case N.Number(x), N.Number(y):
            return N.Number(x + y)
        case N.Number(x), other if x == 0:
            return other
        case other, N.Number(x) if x == 0:
            return other
        case (other, N.Negate(arg)) | (N.Negate(arg), other):
            return N.Subtract(other, arg)
    return N.Add(left, right)


def _difference(left: N.Node, right: N.Node) -> N.Node:
    return _sum(left, _negative(right))


def _negative(node: N.Node) -> N.Node:
    match node:
        case N.Number(value):
            return N.Number(-value)
        case N.Negate(arg):
            return arg
        case N.Subtract(left, right):
            return _sum(right, _negative(left))
        case N.Add(left, right):
            return _sum(_negative(left), _negative(right))
    return N.Negate(node)


def _product(left: N.Node, right: N.Node) -> N.Node:
    match left, right:
        case N.Number(x), N.Number(y):
            return N.Number(x * y)
        case (N.Number(x), other) | (other, N.Number(x)) if x in (0, 1):
            return other if x == 1 else ZERO
    return N.Multiply(left, right)


def _quotient(left: N.Node, right: N.Node) -> N.Node:
    match left, right:
        case N.Number(x), N.Number(y) if y != 0:
            return N.Number(x / y)
        case other, N.Number(y) if y == 1:
            return other
        case other, N.Number(y) if y == -1:
            return _negative(other)
    return N.Divide(left, right)
