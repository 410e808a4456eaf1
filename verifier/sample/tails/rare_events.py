"""Whether what draws hardly ever show can decide a mean, as far as the form of a quantity tells.

An approximate interval knows the draws that were made. It is no guide where rare ones may be huge: behind an
exponential, a high power or a product of many factors, a large number, or a divisor that comes near 0. A
norm of many entries does not: it is below a small r with a chance of about r to the number of entries.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil, floor, prod

from verifier.expr import nodes as N
from verifier.expr.symbols import Normal
from verifier.expr.walk import children
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.draws.static_integers import try_integer
from verifier.sample.expectation_leaves import leaves_of

LARGEST = 1000
HIGHEST = 4  # power
NEAR_ZERO = "a divisor that may be near 0"
MANY = 16  # entries, for each power of a norm that divides
PLAIN = (N.Number, N.Pi, N.Add, N.Subtract, N.Multiply, N.Divide, N.Negate, N.Power, N.Apply)


def doubt_of(fact: N.Relation, world: World) -> str | None:
    """Why rare draws may decide an expectation in it; None if no reason is seen."""
    for leaf in leaves_of(fact, world).values():
        nodes = [node for body in leaf.bodies for node in sources.nodes(body)]
        found = next((why for node in nodes if (why := _doubt(node, leaf.over, world)) is not None), None)
        if found is not None:
            return found
        parts = (*leaf.bodies, *(part for name in leaf.over for part in _means(name, world)))
        if reach(parts, world) > LARGEST:
            return "a large or a small number"
    return None


def _doubt(node: N.Node, over: frozenset[str], world: World) -> str | None:
    if not _random(node, over, world):
        return None
    match node:
        case N.Apply("exp"):
            return "an exponential"
        case N.Indicator():
            return "an event, which may be rare"
        case N.MatPower() | N.Product() | N.After():
            return "a product of many factors"
        case N.Power(base, exponent):
            power = try_integer(exponent, Scope(world, {}))
            if power is None and isinstance(exponent, N.Number):
                power = ceil(exponent.value) if exponent.value > 0 else floor(exponent.value)
            if power is None or power > HIGHEST:
                return "a high power"
            return None if power > 0 or _is_away(base, Fraction(-power), world) else NEAR_ZERO
        case N.Divide(_, right) if _random(right, over, world):
            return None if _is_away(right, Fraction(1), world) else NEAR_ZERO
    return None


def _is_away(node: N.Node, power: Fraction, world: World) -> bool:
    """A norm of so many entries that its power is hardly ever near 0; roots, sums and multiples of such."""
    match node:
        case N.Let(name, body):
            return _is_away(world.assumed.get(name, body), power, world)
        case N.Norm(arg):
            return world.size(arg.shape.size) >= MANY * power
        case N.Power(base, N.Number(value)) if value > 0:
            return _is_away(base, power * value, world)
        case N.Apply("sqrt", (arg,)):
            return _is_away(arg, power / 2, world)
        case N.Sum(arg):
            return _is_away(arg, power, world)
        case N.Add(left, right):
            return _is_away(left, power, world) and _is_away(right, power, world)
        case N.Multiply(left, right):
            if _is_plain(left, world) or _is_plain(right, world):
                return _is_away(right if _is_plain(left, world) else left, power, world)
            return _is_away(left, 2 * power, world) and _is_away(right, 2 * power, world)
        case N.Divide(left, right):
            return _is_away(left, power, world) and _is_plain(right, world)
    return False


def _is_plain(node: N.Node, world: World) -> bool:
    """Nothing random in it."""
    return not sources.random_names(node, world)


def _random(node: N.Node, over: frozenset[str], world: World) -> frozenset[str]:
    return sources.random_names(node, world) & over


def _means(name: str, world: World) -> Iterator[N.Node]:
    """Where draws of a symbol lie: far from a kink, perhaps. Its spread is a scale and hides nothing."""
    symbol = world.symbols.get(name)
    if symbol is not None and isinstance(symbol.kind, Normal):
        yield symbol.kind.mean


def _numbers(node: N.Node, world: World, seen: set[str]) -> Iterator[float]:
    """What is made of numbers alone, as large parts as there are, each `let` body once."""
    if isinstance(node, N.Let):
        if node.name not in seen:
            seen.add(node.name)
            yield from _numbers(node.body, world, seen)
    elif all(isinstance(part, PLAIN) for part in sources.nodes(node)):
        yield float(evaluate(node, Scope(world, {})).abs().max())
    else:  # neither powers nor the ends of sums: these are looked at elsewhere
        inside = (node.base,) if isinstance(node, N.Power) else children(node)
        inside = (node.body,) if isinstance(node, N.Sum) else inside
        for child in inside:
            yield from _numbers(child, world, seen)


def reach(parts: Iterable[N.Node], world: World) -> float:
    """How large or how small the product of all numbers in them could be."""
    seen: set[str] = set()
    values = (value for part in parts for value in _numbers(part, world, seen))
    return prod(max(value, 1 / value) for value in values if value > 0)
