"""Claims about values that satisfy an equation, as claims about values that are free.

    p*x + q == 0, p != 0                        x = -q/p
    h(X) == c, h(t*X) = t**k h(X), c > 0        X = X' (c/h(X'))**(1/k)     for all X' with h(X') > 0
    <G, V> == 0, G sure to be != 0              V = V' - <G, V'>/<G, G> G

Each takes exactly the values that the equation allows: a search that starts anywhere stays inside, where a
price for leaving would make it creep along a surface. The old symbols keep their names, as substitutions.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim, Step
from verifier.expr import nodes as N
from verifier.expr.affine import ONE, ZERO, affine, difference, minus, over, plus, times
from verifier.expr.scaling import Scaling, scaling
from verifier.expr.symbols import Declared, FixedMatrix, Positive, Real
from verifier.expr.text import to_text
from verifier.expr.walk import expand_lets, rebuild, substitute, walk
from verifier.facts.values import Values
from verifier.reformulate.function_families import Instance

SPACES = ("matrix", "vector", "symmetric")  # closed under every linear combination
CONES = (*SPACES, "psd")  # under multiplication by a positive number


@dataclass(frozen=True)
class Chart:
    """What the symbols are in free ones, and what these must satisfy."""

    values: Mapping[N.Symbol, N.Node]
    free: tuple[Declared, ...]
    condition: N.Relation | None = None


def on_level_sets(claim: Claim, step: Step) -> Instance | None:
    """The claim with every assumed equation that can be solved built into its symbols; None without one."""
    if claim.layers is not None or claim.growing:
        return None
    changed = claim
    forms: tuple[str, ...] = ()
    known: dict[N.Node, N.Node] = {}
    for at in _in_order(claim):
        # What an earlier equation made of the symbols is what this one speaks of.
        fact = substitute(at.fact, known)
        chart = _chart(changed, fact) if isinstance(fact, N.Relation) else None
        moved = None if chart is None else _moved(step, chart)
        if chart is None or moved is None:
            continue
        step, changed = moved, _with_chart(changed, at, chart)
        new: dict[N.Node, N.Node] = dict(chart.values.items())
        known = {key: substitute(value, new) for key, value in known.items()} | new
        forms += tuple(f"{key.name} = {to_text(value)}" for key, value in chart.values.items())
    return Instance(changed, step, forms) if forms else None


def _in_order(claim: Claim) -> list[Assumption]:
    """Equations between scalars: first those that leave a linear space, which may be scaled afterwards."""
    found = [item for item in claim.assumptions if item.constraint is not None and _is_equation(item.fact)]
    return sorted(found, key=lambda item: not _is_linear(claim, item.fact))


def _is_equation(fact: N.Fact) -> bool:
    return isinstance(fact, N.Relation) and fact.op == "==" and fact.left.shape.is_scalar


def _is_linear(claim: Claim, fact: N.Fact) -> bool:
    return isinstance(fact, N.Relation) and any(True for _ in _projected(claim, difference(fact)))


def _chart(claim: Claim, fact: N.Relation) -> Chart | None:
    zero = expand_lets(difference(fact))
    if any(isinstance(node, N.Expectation | N.Variance | N.Covariance | N.Extreme) for node in walk(zero)):
        return None
    for way in (_solved, _projected, _scaled):
        found = next(way(claim, zero), None)
        if found is not None:
            return found
    return None


def _declared(claim: Claim) -> Values:
    """What declarations say of trees: the assumption that is solved may not be used for it."""
    return Values.of(claim.symbols)


def _solved(claim: Claim, zero: N.Node) -> Iterator[Chart]:
    """p*x + q == 0: x = -q/p, where that is sure to be defined and of the kind of x."""
    for symbol in reversed(_symbols(claim, zero)):
        kind, line = claim.symbols[symbol.name].kind, affine(zero, symbol)
        if line is None or not isinstance(kind, Real | Positive):
            continue
        signs = [_declared(claim)(part).sign for part in (line.slope, line.rest)]
        # Where the slope is 0, no x solves it unless the rest is 0 as well.
        if (signs[0] or signs[1]) and (isinstance(kind, Real) or signs[0] * signs[1] == -1):
            yield Chart({symbol: over(minus(line.rest), line.slope)}, ())


def _scaled(claim: Claim, zero: N.Node) -> Iterator[Chart]:
    """h(X) == c > 0 with h of degree k: X = X' (c/h(X'))**(1/k)."""
    symbols = [s for s in _symbols(claim, zero) if _is_cone(claim.symbols[s.name])]
    matrices = [s for s in symbols if not s.shape.is_scalar]
    # The fewer are scaled, the more of what else is assumed stays as simple as it was.
    for group in (*([matrix] for matrix in matrices), matrices, symbols):
        names = {symbol.name for symbol in group}
        moving, still = _parts(zero, names)
        scale = scaling(moving, names) if names else None
        sign = _declared(claim)(still).sign
        if scale is None or scale.degree == 0 or sign == 0 or _is_sphere(claim, moving, still):
            continue
        height, level = (moving, minus(still)) if sign < 0 else (minus(moving), still)
        yield _scaling_chart(claim, group, height, level, scale)


def _scaling_chart(
    claim: Claim, group: list[N.Symbol], height: N.Node, level: N.Node, scale: Scaling
) -> Chart:
    fresh = {symbol: N.Symbol(_fresh(claim, symbol.name), symbol.shape) for symbol in group}
    # Of numbers that are positive, one may be 1 before all are scaled.
    one = next((s for s in group if isinstance(claim.symbols[s.name].kind, Positive)), None)
    start: dict[N.Node, N.Node] = {s: ONE if s == one else fresh[s] for s in group}
    there, degree = substitute(height, start), scale.degree
    values = {}
    for symbol in group:
        if degree == 1:
            values[symbol] = over(times(level, start[symbol]), there)
        else:
            values[symbol] = times(_root(over(level, there), degree), start[symbol])
    kept = tuple(
        replace(claim.symbols[symbol.name], name=fresh[symbol].name) for symbol in group if symbol != one
    )
    # A negative factor leaves a linear space as it is, and h(t*X) = t h(X) for it too if h is odd.
    turns = (
        degree == 1 and scale.parity == -1 and all(_is_space(claim.symbols[symbol.name]) for symbol in group)
    )
    condition = None if turns or _declared(claim)(height).is_nonnegative else N.Relation(">", there, ZERO)
    return Chart(values, kept, condition)


def _root(base: N.Node, degree: Fraction) -> N.Node:
    return N.Apply("sqrt", (base,)) if degree == 2 else N.Power(base, N.Number(1 / degree))


def _projected(claim: Claim, zero: N.Node) -> Iterator[Chart]:
    """Sums, traces and products with a vector that are 0: V minus what it has of that direction."""
    match zero:
        case N.Divide(total, N.Number() | N.Symbol()) | N.Multiply(N.Number(), total):
            yield from _projected(claim, total)
        case N.Sum(N.Entry(N.Symbol() as symbol, N.Index(row), N.Number(one)), (span,), ()) if one == 1:
            whole = span.index == row and span.low == ONE and _length(symbol) == to_text(span.high)
            if whole:
                yield from _without(claim, symbol, N.Ones(symbol.shape), zero)
        case N.MatMul(N.Transpose(N.Ones()), N.Symbol() as symbol):
            yield from _without(claim, symbol, N.Ones(symbol.shape), zero)
        case N.Inner(N.Ones(), N.Symbol() as symbol) | N.Inner(N.Symbol() as symbol, N.Ones()):
            yield from _without(claim, symbol, N.Ones(symbol.shape), zero)
        case N.Inner(N.Symbol() as one, N.Symbol() as other) | N.MatMul(
            N.Transpose(N.Symbol() as one), N.Symbol() as other
        ):
            for direction, symbol in ((one, other), (other, one)):
                if one != other and _has_length(claim, direction):
                    yield from _without(claim, symbol, direction, zero)
        case N.Trace(N.Symbol() as symbol):
            yield from _without(claim, symbol, N.Eye(symbol.shape.rows), zero)


def _has_length(claim: Claim, symbol: N.Symbol) -> bool:
    """An assumption gives its norm, which is positive."""
    for item in claim.assumptions:
        match item.fact:
            case N.Relation("==", N.Norm(arg, "fro") | N.Power(N.Norm(arg, "fro"), N.Number()), size):
                if arg == symbol and _declared(claim)(size).is_positive:
                    return True
    return False


def _without(claim: Claim, symbol: N.Symbol, direction: N.Node, total: N.Node) -> Iterator[Chart]:
    declared = claim.symbols.get(symbol.name)
    if declared is None or symbol not in _symbols(claim, total) or not _is_space(declared):
        return
    if declared.kind == FixedMatrix("symmetric") and not _is_symmetric(claim, direction):
        return
    fresh = N.Symbol(_fresh(claim, symbol.name), symbol.shape)
    size = N.Power(N.Norm(direction), N.Number(Fraction(2)))
    part = over(substitute(total, {symbol: fresh}), size)
    yield Chart(
        {symbol: N.Subtract(fresh, N.Multiply(part, direction))}, (replace(declared, name=fresh.name),)
    )


# --- the changed claim -----------------------------------------------------------------------------


def _with_chart(claim: Claim, solved: Assumption, chart: Chart) -> Claim:
    facts: list[N.Fact] = [N.Relation("==", symbol, value) for symbol, value in chart.values.items()]
    facts += [chart.condition] if chart.condition is not None else []
    new = [replace(solved, name=f"{solved.name}'{at}", fact=fact) for at, fact in enumerate(facts)]
    kept = [item for item in claim.assumptions if item.name != solved.name]
    symbols = {**claim.symbols, **{item.name: item for item in chart.free}}
    return replace(claim, symbols=symbols, assumptions=(*kept, *new))


def _moved(step: Step, chart: Chart) -> Step | None:
    """Extremes over all of the symbols run over the free ones; over some of them, they are something else."""
    names = {symbol.name for symbol in chart.values}
    extremes = [node for node in walk(step.fact) if isinstance(node, N.Extreme)]
    touched = [node for node in extremes if names & {symbol.name for symbol in node.over}]
    if any(not names <= {symbol.name for symbol in node.over} for node in touched):
        return None
    free = tuple(N.Symbol(item.name, item.shape) for item in chart.free)

    def change(node: N.Node) -> N.Node:
        node = rebuild(node, change)
        if isinstance(node, N.Extreme) and names & {symbol.name for symbol in node.over}:
            rest = tuple(symbol for symbol in node.over if symbol.name not in names)
            return replace(node, over=rest + free)
        return node

    return replace(step, fact=rebuild(step.fact, change)) if touched else step


def _symbols(claim: Claim, zero: N.Node) -> list[N.Symbol]:
    """The fixed symbols of an equation that may take other names: declared once, and given no value."""
    taken = {item.substitution[0].name for item in claim.assumptions if item.substitution} | set(claim.where)
    found = dict.fromkeys(node for node in walk(zero) if isinstance(node, N.Symbol))
    declared = [(node, claim.symbols.get(node.name)) for node in found if node.name not in taken]
    return [
        node for node, item in declared if item is not None and item.copies is None and not item.is_random
    ]


def _is_symmetric(claim: Claim, node: N.Node) -> bool:
    """A symmetric matrix stays one if what is taken off is symmetric."""
    if isinstance(node, N.Symbol):
        return claim.symbols[node.name].kind == FixedMatrix("symmetric")
    return isinstance(node, N.Ones | N.Eye)


def _is_cone(item: Declared) -> bool:
    of_matrices = isinstance(item.kind, FixedMatrix) and item.kind.family in CONES
    return of_matrices or isinstance(item.kind, Real | Positive)


def _is_space(item: Declared) -> bool:
    of_matrices = isinstance(item.kind, FixedMatrix) and item.kind.family in SPACES
    return of_matrices or isinstance(item.kind, Real)


def _is_sphere(claim: Claim, moving: N.Node, still: N.Node) -> bool:
    """norm(x) == 1 for a matrix without class: what every engine builds in by itself."""
    match moving:
        case N.Norm(N.Symbol(name), "fro") | N.Power(N.Norm(N.Symbol(name), "fro"), N.Number()):
            kind = claim.symbols[name].kind
            return isinstance(kind, FixedMatrix) and kind.family in ("matrix", "vector")
    return False


def _parts(zero: N.Node, names: set[str]) -> tuple[N.Node, N.Node]:
    """moving + still: the terms that speak of the symbols, and those that do not."""
    match zero:
        case N.Add(left, right) | N.Subtract(left, right):
            first, second = _parts(left, names), _parts(right, names)
            if isinstance(zero, N.Subtract):
                second = minus(second[0]), minus(second[1])
            return plus(first[0], second[0]), plus(first[1], second[1])
        case N.Negate(arg):
            moving, still = _parts(arg, names)
            return minus(moving), minus(still)
    moves = any(isinstance(node, N.Symbol) and node.name in names for node in walk(zero))
    return (zero, ZERO) if moves else (ZERO, zero)


def _length(symbol: N.Symbol) -> str:
    return str(symbol.shape.rows)


def _fresh(claim: Claim, name: str) -> str:
    name = f"{name}_free"
    while name in claim.symbols or any(let.name == name for let in claim.lets):
        name += "_"
    return name
