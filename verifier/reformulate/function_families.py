"""Claims about an arbitrary differentiable function, as claims about the functions of a family.

    affine       f(Y) = <G, Y> + c
    quadratic    f(Y) = <G, Y> + <H, Y * Y>/2 + c
    smooth       f(Y) = <G, Y> + <H, Y * Y>/2 + sin(<K, Y>) + c

with G, H, K, c any fixed matrices and number. At one argument the pair (f(Y), grad f(Y)) takes every
value, and so does the affine family's. So a relation that is stated point by point, of first
derivatives, holds for all f iff it holds for all affine f, each argument with its own G and c. Relations
between expectations follow from the one between the integrands.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim, Step
from verifier.expr import nodes as N
from verifier.expr.dims import Shape
from verifier.expr.symbols import Declared, FixedMatrix, Function, Real
from verifier.expr.text import to_text
from verifier.expr.walk import bound_ranges, children, distinct, expand_lets, rebuild, walk

TWO = N.Number(Fraction(2))
_AVERAGES = (N.Expectation, N.Variance, N.Covariance)
FAMILIES: dict[str, tuple[str, ...]] = {
    "affine": ("slope",),
    "quadratic": ("slope", "curve"),
    "smooth": ("slope", "curve", "wave"),
}


@dataclass(frozen=True)
class Instance:
    """The claim for the functions of a family, which are written as `forms` show.

    squared: its sides are the squares of the claim's, and so its gaps are those of squares.
    wider: it is about more points than the claim; what is reached there need not be reached by the claim."""

    claim: Claim
    step: Step
    forms: tuple[str, ...]
    squared: bool = False
    wider: bool = False


def functions(claim: Claim) -> frozenset[str]:
    """Names of the symbols that are functions."""
    return frozenset(name for name, symbol in claim.symbols.items() if isinstance(symbol.kind, Function))


def without_functions(claim: Claim) -> Claim:
    """The claim of a theorem that has functions, where this claim and its assumptions use none."""
    names = functions(claim)
    kept = {name: symbol for name, symbol in claim.symbols.items() if name not in names}
    return replace(claim, symbols=kept) if names else claim


def uses_functions(claim: Claim, step: Step) -> bool:
    parts: list[N.Fact | N.Node] = [step.fact, *(assumption.fact for assumption in claim.assumptions)]
    if claim.layers is not None:
        parts.append(claim.layers.next)
    return bool(functions(claim)) and any(isinstance(x, N.Called) for part in parts for x in distinct(part))


def in_family(claim: Claim, step: Step, family: str) -> Instance:
    """The claim for one function of the family per symbol."""
    return _replaced(claim, step, FAMILIES[family], lambda called: called.function)


def point_by_point(claim: Claim, step: Step) -> Instance | None:
    """The claim for affine functions, one per argument: it holds iff (with one argument) or if (with
    several, or once expectations are taken off) the claim holds for every function. None where the
    claim is not stated point by point."""
    bare = _without_averages(claim, step)
    if bare is None or not _is_pointwise(claim, bare):
        return None
    seen: dict[tuple[str, N.Node], str] = {}

    def name(called: N.Called) -> str:
        key = called.function, expand_lets(called.arg)
        count = sum(1 for known in seen if known[0] == called.function)
        return seen.setdefault(key, called.function if count == 0 else f"{called.function}_{count + 1}")

    return _replaced(claim, bare, FAMILIES["affine"], name)


def is_complete(claim: Claim, step: Step) -> bool:
    """Whether the point-by-point claim is the claim itself: no expectation was taken off, and each
    function has one argument."""
    facts = [step.fact, *(assumption.fact for assumption in claim.assumptions)]
    called = {(x.function, expand_lets(x.arg)) for f in facts for x in walk(f) if isinstance(x, N.Called)}
    several = len(called) > len({function for function, _ in called})
    return not several and not _averaged(claim, step)


# --- replacing -------------------------------------------------------------------------------------


def _replaced(claim: Claim, step: Step, parts: tuple[str, ...], name: Callable[[N.Called], str]) -> Instance:
    made: dict[str, Declared] = {}
    forms: dict[str, str] = {}

    def symbol(base: str, part: str, shape: Shape) -> N.Symbol:
        found = f"{base}_{part}"
        while found in claim.symbols or any(let.name == found for let in claim.lets):
            found += "_"
        made[found] = Declared(found, Real() if shape.is_scalar else FixedMatrix("matrix"), shape)
        return N.Symbol(found, shape)

    def formula(base: str, arg: N.Node) -> N.Node:
        shape = arg.shape
        total: N.Node = N.Inner(symbol(base, "slope", shape), arg)
        if "curve" in parts:
            curve = N.Inner(symbol(base, "curve", shape), N.Multiply(arg, arg))
            total = N.Add(total, N.Divide(curve, TWO))
        if "wave" in parts:
            total = N.Add(total, N.Apply("sin", (N.Inner(symbol(base, "wave", shape), arg),)))
        return N.Add(total, symbol(base, "value", Shape()))

    def change(node: N.Node) -> N.Node:
        if not isinstance(node, N.Called):
            return rebuild(node, change)
        base, arg = name(node), change(node.arg)
        forms[base] = f"{node.function}(Y) = {to_text(formula(base, N.Symbol('Y', arg.shape)))}"
        return formula(base, arg)

    fact = rebuild(step.fact, change)
    assumptions = tuple(_assumption(item, change) for item in claim.assumptions)
    layers = claim.layers
    if layers is not None:
        inner = tuple(N.Let(let.name, change(let.body)) for let in layers.lets)
        layers = replace(layers, lets=inner, next=change(layers.next))
    shown = tuple(forms.values())  # and not those of `let` names that the claim does not use
    lets = tuple(N.Let(let.name, change(let.body)) for let in claim.lets)
    symbols = {**without_functions(claim).symbols, **made}
    mended = replace(claim, symbols=symbols, assumptions=assumptions, lets=lets, layers=layers)
    return Instance(mended, replace(step, fact=fact), shown)


def _assumption(item: Assumption, change: Callable[[N.Node], N.Node]) -> Assumption:
    return replace(item, fact=rebuild(item.fact, change))


# --- point by point --------------------------------------------------------------------------------


def _is_pointwise(claim: Claim, step: Step) -> bool:
    """Values and first derivatives of the functions, each at one argument per point."""
    if claim.growing or (claim.layers is not None and _has_call(claim.layers.next)):
        return False
    facts: list[N.Fact] = [step.fact, *(assumption.fact for assumption in claim.assumptions)]
    return all(_is_local(claim, part, {}, 0) for fact in facts for part in children(fact)) and not any(
        isinstance(fact, N.ForAll | N.Independent) and any(map(_has_call, children(fact))) for fact in facts
    )


def _is_local(claim: Claim, node: N.Node, bound: Mapping[str, N.Range], derivatives: int) -> bool:
    if not _has_call(node):
        return True
    match node:
        case N.Called(_, arg):
            inside = {x.name for x in walk(arg) if isinstance(x, N.Index)}
            return derivatives <= 1 and not inside & bound.keys() and not _has_call(arg)
        case N.Limit() | N.Extreme() | N.Growth() | N.Variance() | N.Covariance() | N.Indicator():
            return False
        case N.Expectation(_, given):
            if given or _random(claim, node):
                return False
        case N.Derivative(of, by):
            return not _has_call(by) and _is_local(claim, of, bound, derivatives + 1)
    inner = {**bound, **{span.index: span for span in bound_ranges(node)}}
    return all(_is_local(claim, child, inner, derivatives) for child in children(node))


def _has_call(node: N.Node) -> bool:
    return any(isinstance(x, N.Called) for x in walk(node))


def _random(claim: Claim, node: N.Node) -> bool:
    """Whether an argument of a function inside is random."""
    layered = {symbol.name for symbol in claim.layers.symbols} if claim.layers else set()
    for called in (x for x in walk(node) if isinstance(x, N.Called)):
        for part in walk(called.arg):
            if isinstance(part, N.Symbol | N.Member) and part.name in claim.random | layered:
                return True
            if isinstance(part, N.After):
                return True
    return False


def _averaged(claim: Claim, step: Step) -> bool:
    return any(isinstance(x, _AVERAGES) and _random(claim, x) for x in walk(step.fact))


def _without_averages(claim: Claim, step: Step) -> Step | None:
    """E(f) <= c*E(g) + h follows from f <= c*g + h, on every draw."""
    if not _averaged(claim, step):
        return step
    if not isinstance(step.fact, N.Relation):
        return None
    left, right = _bare(claim, step.fact.left), _bare(claim, step.fact.right)
    op = {"<": "<=", ">": ">="}.get(step.fact.op, step.fact.op)
    if left is None or right is None or op != step.fact.op:
        return None  # f < g on every draw gives E f < E g, yet no engine says so of sets of measure 0
    return replace(step, fact=N.Relation(step.fact.op, left, right))


def _bare(claim: Claim, node: N.Node) -> N.Node | None:
    """A linear combination of expectations as that of their bodies; None where it is not linear."""
    if not any(isinstance(x, _AVERAGES) for x in walk(node)):
        random = bool(claim.random_in(node))
        return None if random else node
    match node:
        case N.Expectation(body, ()):
            return None if any(isinstance(x, _AVERAGES) for x in walk(body)) else body
        case N.Let(_, body):
            return _bare(claim, body)
        case N.Add() | N.Subtract() | N.Negate():
            return _each(claim, node)
        case N.Multiply(left, right) if not (_is_averaged(left) and _is_averaged(right)):
            return _each(claim, node)
        case N.Divide(_, right) if not _is_averaged(right):
            return _each(claim, node)
    return None


def _is_averaged(node: N.Node) -> bool:
    return any(isinstance(x, _AVERAGES) for x in walk(node))


def _each(claim: Claim, node: N.Node) -> N.Node | None:
    parts: Iterator[tuple[int, N.Node | None]] = ((id(x), _bare(claim, x)) for x in children(node))
    found = dict(parts)
    if any(part is None for part in found.values()):
        return None
    return rebuild(node, lambda child: found[id(child)] or child)
