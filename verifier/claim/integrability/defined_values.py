"""Whether what a mean is taken of has a value at every draw, but for some of chance 0.

A quotient, a root or a logarithm without a value has no mean, and neither has what is made of it: not its
product with 0, not its power 0, not a bounded function of it.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

from verifier.claim.integrability.answer import FINITE, Answer, every, open_, undefined
from verifier.claim.integrability.gaussian_exponents import polynomial
from verifier.claim.integrability.rates import WILD
from verifier.claim.integrability.small_balls import Vanishing, vanishing
from verifier.claim.integrability.tree_growth import Scene
from verifier.expr import nodes as N
from verifier.expr.affine import ZERO
from verifier.expr.sizes import rational
from verifier.expr.symbols import Bernoulli, Normal, Rademacher
from verifier.expr.text import to_text
from verifier.expr.walk import children, substitute

MOST_OUTCOMES = 64
_MEANS = N.Expectation | N.Variance | N.Covariance


def has_value(scene: Scene, body: N.Node) -> Answer:
    """Finite where there is a value almost surely, undefined where there is none with a positive chance."""
    parts = list(_parts(scene, body, set()))
    layers = scene.stated.layers if any(isinstance(part, N.After) for part in parts) else None
    answers = [_asked(scene, part) for part in parts]
    if layers is not None:
        inside = Scene(scene.stated, scene.held, layers.state.name, scene.least)
        answers.append(has_value(inside, layers.next))
    return every(answers)


def _parts(scene: Scene, node: N.Node, seen: set[int]) -> Iterator[N.Node]:
    """The random parts of a tree, each once; a mean inside is asked for itself."""
    if id(node) in seen or not scene.random(node) or isinstance(node, _MEANS):
        return
    seen.add(id(node))
    yield node
    inner = children(node) if (arg := _of_entropy(node)) is None else (arg,)
    for child in inner:
        yield from _parts(scene, child, seen)


def _of_entropy(node: N.Node) -> N.Node | None:
    """The x of x*log(x), which is 0 at 0."""
    match node:
        case N.Multiply(one, N.Apply("log", (arg,))) | N.Multiply(N.Apply("log", (arg,)), one) if one == arg:
            return arg
    return None


def _asked(scene: Scene, part: N.Node) -> Answer:
    """f/g needs g != 0, log(f) f > 0, sqrt(f) f >= 0, f**-2 f != 0, f**(1/2) f >= 0, asin(f) |f| <= 1."""
    match part:
        case N.Divide(_, below):
            return _not_zero(scene, below)
        case N.Power(base, exponent):
            return _raised(scene, base, exponent)
        case N.Apply("sqrt", (arg,)):
            return _not_negative(scene, arg)
        case N.Apply("log", (arg,)):
            return every([_not_zero(scene, arg), _not_negative(scene, arg)])
        case N.Apply("asin" | "acos", (arg,)):
            return _between_ones(scene, arg)
    return FINITE if (entropy := _of_entropy(part)) is None else _not_negative(scene, entropy)


def _raised(scene: Scene, base: N.Node, exponent: N.Node) -> Answer:
    k = rational(exponent)
    if scene.whole(exponent):
        return FINITE
    if not isinstance(k, Fraction):
        found = every([_not_zero(scene, base), _not_negative(scene, base)])
        return found if found == FINITE else open_(f"that {to_text(base)} is almost surely positive")
    root = FINITE if k.denominator == 1 else _not_negative(scene, base)
    return root if k >= 0 else every([root, _not_zero(scene, base)])


def _not_zero(scene: Scene, node: N.Node) -> Answer:
    size = scene.size(node)
    if not scene.random(node) or size.inverse != WILD or size.low > 0 or size.high < 0:
        return FINITE
    close, seen = _close(scene, node), _outcomes(scene, node)
    if (close is not None and close.order == ZERO) or 0 in seen:
        return undefined(f"{to_text(node)} is 0 with a positive chance")
    known = close is not None or seen or scene.span(node).is_nonzero
    if known or _is_nonzero_polynomial(scene, node):
        return FINITE
    found = _not_zero_by_parts(scene, node)
    return open_(f"that {to_text(node)} is almost surely not 0") if found is None else found


def _not_zero_by_parts(scene: Scene, node: N.Node) -> Answer | None:
    """A product where no factor is 0; a sum of what is never negative where one term is not 0."""
    match node:
        case N.Negate(arg) | N.Transpose(arg) | N.Apply("abs" | "sqrt", (arg,)) | N.Power(arg, N.Number()):
            return _not_zero(scene, arg)
        case N.Multiply(left, right):
            return every([_not_zero(scene, left), _not_zero(scene, right)])
        case N.Divide(left, _):
            return _not_zero(scene, left)
        case N.Add(left, right) if min(scene.size(left).low, scene.size(right).low) >= 0:
            return FINITE if FINITE in (_not_zero(scene, left), _not_zero(scene, right)) else None
        case N.Sum(body, ranges, conditions) if scene.size(body).low >= 0:
            filled = not scene.known.may_be_empty(ranges, conditions)
            return FINITE if filled and _not_zero(scene, body) == FINITE else None
    return None


def _is_nonzero_polynomial(scene: Scene, node: N.Node) -> bool:
    """The zeros of a polynomial with a coefficient that is not 0 have no chance under a density."""
    found = None if scene.state in scene.random(node) else polynomial(scene, node)
    return (
        found is not None
        and all(_has_density(scene, name) for name in scene.random(node))
        and any(scene.span(value).is_nonzero for value in found.values())
    )


def _has_density(scene: Scene, name: str) -> bool:
    match scene.declared[name].kind:
        case Normal(_, std, None, None):
            return scene.span(std).is_positive
    return False


def _not_negative(scene: Scene, node: N.Node) -> Answer:
    if not scene.random(node) or scene.size(node).low >= 0 or scene.span(node).is_nonnegative:
        return FINITE
    close, seen = _close(scene, node), _outcomes(scene, node)
    if (close is not None and close.dense) or any(value < 0 for value in seen):
        return undefined(f"{to_text(node)} is negative with a positive chance")
    return FINITE if seen else open_(f"that {to_text(node)} is never negative")


def _between_ones(scene: Scene, node: N.Node) -> Answer:
    if not scene.random(node) or (scene.size(node).low >= -1 and scene.size(node).high <= 1):
        return FINITE
    close, seen = _close(scene, node), _outcomes(scene, node)
    if (close is not None and close.dense) or any(abs(value) > 1 for value in seen):
        return undefined(f"{to_text(node)} is beyond 1 with a positive chance")
    return FINITE if seen else open_(f"that {to_text(node)} is never beyond 1")


def _close(scene: Scene, node: N.Node) -> Vanishing | None:
    """How rarely it is close to 0; of a state of layers nothing is known."""
    return None if scene.state in scene.random(node) else vanishing(scene, node)


def _outcomes(scene: Scene, node: N.Node) -> frozenset[Fraction]:
    """The values of something made of numbers with two values each; none where it is not."""
    names = sorted(scene.random(node))
    values = [_two_values(scene, name) for name in names]
    if not names or not all(values) or prod(map(len, values)) > MOST_OUTCOMES:
        return frozenset()
    found: set[Fraction] = set()
    for outcome in product(*values):
        numbers = (N.Number(Fraction(one)) for one in outcome)
        at: dict[N.Node, N.Node] = dict(zip(map(N.Symbol, names), numbers, strict=True))
        value = rational(substitute(node, at))
        if not isinstance(value, Fraction):
            return frozenset()
        found.add(value)
    return frozenset(found)


def _two_values(scene: Scene, name: str) -> tuple[int, ...]:
    declared = scene.declared.get(name)
    if declared is None or name in scene.values or not declared.shape.is_scalar or declared.copies:
        return ()
    match declared.kind:
        case Rademacher():
            return (-1, 1)
        case Bernoulli(N.Number(chance)):
            return (0, 1) if 0 < chance < 1 else (1,) if chance else (0,)
    return ()
