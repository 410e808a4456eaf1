"""Derivatives of sums of networks: the product rule over factors, the chain rule through functions.

d X[a, b] / d X[i, j] = delta(a, i) delta(b, j)
d f(S)                = f'(S) dS, entry by entry
d softmax(M)[r, c]    = A[r, c] (dM[r, c] - sum_l A[r, l] dM[r, l])
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.walk import walk
from verifier.prove.forms.arc_functions import pi
from verifier.prove.forms.functions_of_sums import apply, power_of
from verifier.prove.forms.labels import renamed, slot, summed
from verifier.prove.forms.opaque_functions import Opaque
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import inverse, root
from verifier.prove.forms.splice import Piece, spliced
from verifier.prove.forms.workspace import HERE, Workspace
from verifier.prove.integrate.activations import KEPT
from verifier.prove.lower.interchange import law_names
from verifier.prove.networks import Coefficient, Sum
from verifier.prove.networks.network_sums import arrange, collect, flatten
from verifier.prove.networks.network_tensors import Label, derived


@dataclass(eq=False)
class Derivation:
    """d/d tensor[at], where an axis of the tensor is at a fixed open index or at by(k).

    assumed: how to differentiate a `let` name whose value is assumed, as a sum over its slots.
    """

    space: Workspace
    tensor: str
    at: tuple[str, ...]
    assumed: Callable[[str, "Derivation"], Sum | None]
    _known: dict[str, Sum] = field(default_factory=dict)

    def of(self, value: Sum) -> Sum:
        return collect(value.frame, self._pieces(value))

    def _pieces(self, value: Sum) -> Iterator[Piece]:
        for monomial, coefficient in value.terms.items():
            scalars = self._coefficient(coefficient)
            if scalars:
                unit = Sum(value.frame, {monomial: self.space.ring(1)})
                yield from (unit * scalars).terms.items()
            factors = flatten(monomial)
            for position, (name, labels) in enumerate(factors):
                if name == self.tensor:
                    spaces = value.frame.spaces(name)
                    alive: dict[Label, str] = dict(zip(labels, spaces, strict=True))
                    alive |= dict(zip(self._targets(spaces), spaces, strict=True))
                    pairs = list(zip(labels, self._targets(spaces), strict=True))
                    found = arrange(value.frame, factors[:position] + factors[position + 1 :], pairs, alive)
                    if found is not None:
                        yield found[0], found[1] * coefficient
                elif (slope := self._slope(name)) is not None:
                    yield from spliced(value.frame, factors, position, slope, coefficient)

    def _coefficient(self, value: Coefficient) -> Sum:
        """d p(g, h, ...) = sum over generators of dp/dg dg"""
        total = self.space.scalar(0)
        if self.tensor in self.space.ring.names:
            for k, name in enumerate(self.space.ring.names):
                if any(exponents[k] for exponents in value.to_dict()):
                    total = total + self._generator(name) * value.derivative(k)
        return total

    def _generator(self, name: str) -> Sum:
        """The derivative of a scalar that is a function of the one varied."""
        if name == self.tensor:
            return self.space.scalar(1)
        known = self.space.definition(name)
        if known is None:
            if self.tensor in _names(self.space.meaning[name]):
                raise Refusal(f"the derivative of a function of {self.tensor}")
            return self.space.scalar(0)
        function, base = known
        inner = self._coefficient(base)
        if not inner:
            return inner
        value = self.space.scalar(self.space.ring[name])
        return slope(self.space, function, self.space.scalar(base), value) * inner

    def _targets(self, spaces: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(f"{x}@{s}" if x.isdigit() else x for x, s in zip(self.at, spaces, strict=True))

    def _slope(self, name: str) -> Sum | None:
        """The derivative of a function's tensor over its slots; None where it is a constant."""
        if name not in self._known:
            opaque = self.space.opaque.get(name)
            if self.tensor in _names(self.space.weights.get(name, HERE)):
                raise Refusal(f"the derivative of a function of {self.tensor} and an index")
            if self.tensor in law_names(self.space.claim, _drawn(name)):
                raise Refusal(f"how a moment that is not stated, {name}, moves with {self.tensor}")
            found = self.assumed(name, self) if opaque is None else self._function(opaque)
            self._known[name] = self.space.scalar(0) if found is None else found
        return self._known[name] or None

    def _function(self, opaque: Opaque) -> Sum:
        inner = self.of(opaque.argument)
        if not inner:
            return inner
        value = self.space.factor(opaque.name, tuple(map(slot, range(len(opaque.spaces)))))
        if opaque.row_axes:
            return softmax_slope(value, inner, opaque)
        return slope(self.space, opaque.function, opaque.argument, value) * inner


def softmax_slope(value: Sum, inner: Sum, opaque: Opaque) -> Sum:
    """A[r, c] (dM[r, c] - sum_l A[r, l] dM[r, l])"""
    first = len(opaque.spaces) - opaque.row_axes
    along = {slot(k): f"_l{k}" for k in range(first, len(opaque.spaces))}
    mixed = renamed(value, along) * renamed(inner, along)
    return value * (inner - summed(mixed, along.values(), opaque.spaces[first:]))


def function_of(space: Workspace, name: str, x: Sum) -> Sum:
    """name(x), where a slope of a kink is a function of its own."""
    return space.function(name, x) if name.endswith("_slope") else apply(space, name, [x])


def slope(space: Workspace, function: str, x: Sum, value: Sum) -> Sum:
    """f'(x), where value = f(x)"""

    def made(name: str) -> Sum:
        return function_of(space, name, x)

    if space.means is not None and function in KEPT:
        return made(f"{function}_slope")
    if function in space.exponents:
        exponent = space.exponents[function]  # (x**p)' = p x**(p - 1)
        return power_of(space, x, space.scalar(exponent - space.ring(1))) * exponent
    match function:
        case "inv":
            return value * value * -1
        case "root":
            return value * inverse(space, x) * Fraction(1, 2)
        case "exp":
            return value
        case "log":
            return inverse(space, x)
        case "sin":
            return made("cos")
        case "cos":
            return made("sin") * -1
        case "asin":
            return inverse(space, root(space, space.scalar(1) - x * x))
        case "atan":
            return inverse(space, space.scalar(1) + x * x)
        case "tanh":
            return space.scalar(1) - value * value
        case "sigmoid":
            return value - value * value
        case "softplus":
            return made("sigmoid")
        case "gelu":
            return made("Phi") + x * made("phi")
        case "silu":
            sigmoid = made("sigmoid")
            return sigmoid + x * (sigmoid - sigmoid * sigmoid)
        case "Phi":
            return made("phi")
        case "phi":
            return x * value * -1
        case "relu" | "abs":
            return made(f"{function}_slope")
        case "relu_slope" | "abs_slope":
            return space.scalar(0)
        case "erf":
            scale = inverse(space, root(space, pi(space))) * 2
            return scale * function_of(space, "exp", x * x * -1)
    raise Refusal(f"the derivative of {function}")


def _drawn(name: str) -> frozenset[str]:
    """The random symbol of a moment that is not stated, E(W[i,j]**4)."""
    kind, inside = derived(name)
    return (
        frozenset({inside.partition("[")[0].partition("*")[0]}) if kind in ("leg", "scalar") else frozenset()
    )


def _names(node: N.Node) -> set[str]:
    return {x.name for x in walk(node) if isinstance(x, N.Symbol)}
