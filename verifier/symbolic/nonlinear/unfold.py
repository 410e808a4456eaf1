"""Kinks inside of functions, as in a maximum of three, are opened by the sign of what they are a kink of.

    f(a + c relu(b)) = step(b) f(a + c b) + step(-b) f(a)
    f(a + c abs(b))  = step(b) f(a + c b) + step(-b) f(a - c b)

entry by entry, for any f, outside of b = 0.
"""

from verifier.symbolic.functions import reapplied
from verifier.symbolic.labels import renamed, slot
from verifier.symbolic.network import Coefficient, Monomial, Sum
from verifier.symbolic.opaque import Opaque
from verifier.symbolic.refusal import Refusal
from verifier.symbolic.splice import replaced
from verifier.symbolic.workspace import Workspace

_MOST = 12


def unfolded(space: Workspace, value: Sum, random: frozenset[str]) -> Sum:
    """The sum without kinks of random entries inside of other functions of them."""
    for _ in range(_MOST):
        found = next((x for x in sorted(value.tensors()) if _inner(space, x, random) is not None), None)
        if found is None:
            return value
        value = replaced(value, found, _opened(space, found, random))
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
