"""Kinks inside of functions, as in a maximum of three, are opened by the sign of what they are a kink of.

    f(a + c relu(b)) = step(b) f(a + c b) + step(-b) f(a)
    f(a + c abs(b))  = step(b) f(a + c b) + step(-b) f(a - c b)

entry by entry, for any f, outside of b = 0; and a kink of an exponential is one of its exponent:

    relu(a exp(S) - c) = c (exp(v) - 1) step(v),        v = S - log(c/a),        for a, c > 0
    relu(c - a exp(S)) = c (1 - exp(v)) step(-v)        abs(a exp(S) - c) = the sum of both
    step(a exp(S) - c) = step(v)                        step(c - a exp(S)) = step(-v)
"""

from verifier.prove.forms.functions_of_sums import apply, reapplied
from verifier.prove.forms.labels import renamed, slot
from verifier.prove.forms.opaque_functions import Opaque
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import inverse
from verifier.prove.forms.splice import replaced
from verifier.prove.forms.workspace import Workspace
from verifier.prove.integrate.activated_factors import exponential
from verifier.prove.integrate.homogeneous import DEGREES
from verifier.prove.networks import Coefficient, Monomial, Sum

_MOST = 12


def unfolded(space: Workspace, value: Sum, random: frozenset[str]) -> Sum:
    """The sum without kinks of random entries inside of other functions of them."""
    for _ in range(_MOST):
        names = sorted(value.tensors())
        found = next((x for x in names if _inner(space, x, random) is not None), None)
        if found is not None:
            value = replaced(value, found, _opened(space, found, random))
            continue
        kink = next(((x, by) for x in names if (by := _of_exponent(space, x, random)) is not None), None)
        if kink is None:
            return value
        value = replaced(value, *kink)
    raise Refusal("the expectation of a function with fewer kinks inside")


def _inner(
    space: Workspace, name: str, random: frozenset[str]
) -> tuple[Monomial, Coefficient, Opaque] | None:
    """A term c g(b) of the argument, with g a kink of a random b at the indices of the outer function."""
    outer = space.opaque.get(name)
    if outer is None or outer.row_axes or outer.function in ("root", "inv") or not outer.depends & random:
        return None
    for monomial, weight in sorted(outer.argument.terms.items(), key=repr):
        if len(monomial) != 1:
            continue
        ((component, times),) = monomial
        inner = space.opaque.get(component[0][0])
        if len(component) > 1 or times != 1 or inner is None or inner.function not in ("relu", "abs"):
            continue
        if inner.depends & random and not any(isinstance(label, int) for label in component[0][1]):
            return monomial, weight, inner
    return None


def _opened(space: Workspace, name: str, random: frozenset[str]) -> Sum:
    outer, found = space.opaque[name], _inner(space, name, random)
    assert found is not None
    monomial, weight, inner = found
    ((((_, labels),), _),) = monomial
    at = {slot(k): str(label).partition("@")[0] for k, label in enumerate(labels)}
    kink = renamed(inner.argument, at) if at else inner.argument
    rest = Sum(space.frame, {m: c for m, c in outer.argument.terms.items() if m != monomial})
    above = reapplied(space, outer, rest + kink * weight)
    below = reapplied(space, outer, rest if inner.function == "relu" else rest - kink * weight)
    up, down = (space.function("relu_slope", kink * side) for side in (1, -1))
    return up * above + down * below


def _of_exponent(space: Workspace, name: str, random: frozenset[str]) -> Sum | None:
    """A kink of a exp(S) + b with a, b of known and different signs, by one of its exponent."""
    outer = space.opaque.get(name)
    if outer is None or outer.function not in DEGREES or not outer.depends & random:
        return None
    terms = dict(outer.argument.terms)
    level = terms.pop(frozenset(), space.ring(0))
    if len(terms) != 1:
        return None
    ((monomial, weight),) = terms.items()
    inner = _exponent(space, monomial)
    side = next((x for x in (1, -1) if space.is_positive(weight * x) and space.is_positive(level * -x)), None)
    if inner is None or side is None:
        return None
    ratio = space.scalar(level * -side) * inverse(space, space.scalar(weight * side))
    exponent = inner - apply(space, "log", [ratio])
    size = space.scalar(level * -side)
    above, below = (space.function("relu_slope", exponent * x) for x in (1, -1))
    distance = space.function("exp", exponent) - space.scalar(1)
    match outer.function:
        case "relu":
            return size * distance * above if side > 0 else -(size * distance * below)
        case "abs":
            return size * distance * (above - below)
        case "relu_slope":
            return above if side > 0 else below
    return (above - below) * side


def _exponent(space: Workspace, monomial: Monomial) -> Sum | None:
    """The k S of a monomial that is exp(S)**k or (1/exp(S))**k."""
    if len(monomial) != 1:
        return None
    ((component, times),) = monomial
    found, labels = space.opaque.get(component[0][0]), component[0][1]
    if len(component) > 1 or found is None or any(isinstance(label, int) for label in labels):
        return None
    below = exponential(space, found) if found.function == "inv" else None
    if found.function != "exp" and below is None:
        return None
    inside = found.argument * times if below is None else below * -times
    at = {slot(k): str(label).partition("@")[0] for k, label in enumerate(labels)}
    return renamed(inside, at) if at else inside
