"""A sum at a concrete point: exact where every generator and tensor is rational, else approximate."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from verifier.expr import nodes as N
from verifier.expr.symbols import IndexOf
from verifier.expr.walk import substitute
from verifier.prove.forms.integral_names import is_integral, rough
from verifier.prove.forms.labels import slot
from verifier.prove.forms.partial_ranges import UPTO
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.workspace import HERE, Workspace
from verifier.prove.networks import Coefficient, Sum, evaluate
from verifier.prove.networks.ring import to_fraction

Entries = dict[tuple[int, ...], Fraction]
_LARGEST = 4096


@dataclass(eq=False)
class Evaluation:
    """Values of generators and tensors at one point; `exact` until something was rounded."""

    space: Workspace
    point: Mapping[str, Any]
    exact: bool = True
    _generators: dict[str, Fraction] = field(default_factory=dict)
    _tensors: dict[str, Entries] = field(default_factory=dict)

    def value(self, value: Sum, places: Mapping[str, int]) -> Fraction:
        names = self.space.ring.names
        used = {k for c in value.terms.values() for e in c.to_dict() for k, power in enumerate(e) if power}
        for axis in self.space.space_dims:
            used |= {names.index(x) for x in self.space.space_dims[axis].names}
        scalars = {n: self._generator(n) if k in used else Fraction(0) for k, n in enumerate(names)}
        tensors = {name: self._entries(name) for name in value.tensors() if not name.startswith("delta:")}
        return evaluate(value, scalars, tensors, self._places() | dict(places))

    def _places(self) -> dict[str, int]:
        found = {
            name: int(self.point[name])
            for name, declared in self.space.claim.symbols.items()
            if isinstance(declared.kind, IndexOf) and name in self.point
        }
        for axis in self.space.space_dims:
            word = "".join(c if c.isalnum() else "_" for c in axis)
            found[f"_last_{word}"] = self.size(axis)
        return found

    def size(self, axis: str) -> int:
        dim = self.space.space_dims[axis]
        return dim.at({name: int(self.point[name]) for name in dim.names})

    def _generator(self, name: str) -> Fraction:
        if name not in self._generators:
            if name in self.space.unknown:
                raise Refusal(self.space.unknown[name])
            known = self.space.definition(name)
            if name in self.point:
                self._generators[name] = Fraction(self.point[name])
            elif known is not None:
                function, base = known
                self._generators[name] = self.function(function, [self.coefficient(base)])
            else:
                self._generators[name] = self._node(self.space.meaning[name])
        return self._generators[name]

    def coefficient(self, value: Coefficient) -> Fraction:
        total = Fraction(0)
        for exponents, amount in value.to_dict().items():
            term = to_fraction(amount)
            for name, power in zip(self.space.ring.names, exponents, strict=True):
                if power:
                    term *= self._generator(name) ** int(power)
            total += term
        return total

    def _inverse(self, base: Fraction) -> Fraction:
        if base == 0:
            raise Refusal("a division by zero at this point")
        return 1 / base

    def _root(self, base: Fraction) -> Fraction:
        if base < 0:
            raise Refusal("a root of a negative number at this point")
        top, bottom = math.isqrt(base.numerator), math.isqrt(base.denominator)
        if top * top == base.numerator and bottom * bottom == base.denominator:
            return Fraction(top, bottom)
        self.exact = False
        return Fraction(math.sqrt(base))

    def _node(self, node: N.Node) -> Fraction:
        """The value of a generator's meaning."""
        match node:
            case N.Number(value):
                return value
            case N.Symbol(name) if name in self.point:
                return Fraction(self.point[name])
            case N.Pi():
                self.exact = False
                return Fraction(math.pi)
            case N.Add(left, right):
                return self._node(left) + self._node(right)
            case N.Subtract(left, right):
                return self._node(left) - self._node(right)
            case N.Multiply(left, right):
                return self._node(left) * self._node(right)
            case N.Divide(left, right):
                return self._node(left) * self._inverse(self._node(right))
            case N.Negate(arg):
                return -self._node(arg)
            case N.Power(base, exponent):
                power, bottom = self._node(exponent), self._node(base)
                if power.denominator == 1:
                    return Fraction(
                        self._inverse(bottom) ** int(-power) if power < 0 else bottom ** int(power)
                    )
                self.exact = False
                return Fraction(float(bottom) ** float(power))
            case N.Apply(function, args):
                return self.function(function, [self._node(arg) for arg in args])
        raise Refusal("a scalar at a point")

    def function(self, name: str, args: list[Fraction]) -> Fraction:
        x = args[0]
        match name:
            case "inv":
                return self._inverse(x)
            case "root" | "sqrt":
                return self._root(x)
            case "abs":
                return abs(x)
            case "relu":
                return max(x, Fraction(0))
            case "relu_slope":
                return Fraction(x > 0)
            case "abs_slope":
                return Fraction((x > 0) - (x < 0))
            case "min" | "max":
                return min(args) if name == "min" else max(args)
            case "factorial" if x.denominator == 1 and 0 <= x <= 50:
                return Fraction(math.factorial(int(x)))
            case "binomial" if all(a.denominator == 1 and a >= 0 for a in args):
                return Fraction(math.comb(int(args[0]), int(args[1])))
            case "factorial2" if x.denominator == 1 and -1 <= x <= 50:
                return Fraction(math.prod(range(int(x), 0, -2)))
        self.exact = False
        if is_integral(name) and (value := rough(name, float(x), {**_REAL, **_KINKED})) is not None:
            return Fraction(value)
        if name in _REAL:
            try:
                return Fraction(_REAL[name](float(x)))
            except (ValueError, OverflowError):
                raise Refusal(f"{name} at this point") from None
        if name in self.space.exponents:
            exponent = self.coefficient(self.space.exponents[name])
            if exponent.denominator == 1 and 0 <= exponent <= 64:
                return Fraction(x ** int(exponent))
        raise Refusal(f"{name} at a point")

    # --- tensors ------------------------------------------------------------------------------

    def _entries(self, name: str) -> Entries:
        if name not in self._tensors:
            if name in self.space.opaque:
                self._tensors[name] = self._opaque(name)
            elif name in self.space.weights:
                places = self._positions(self.space.frame.spaces(name))
                tree = self.space.weights[name]
                values = (self._node(substitute(tree, {HERE: N.Number(Fraction(k))})) for (k,) in places)
                self._tensors[name] = dict(zip(places, values, strict=True))
            elif name.startswith(UPTO):
                places = self._positions(self.space.frame.spaces(name))
                self._tensors[name] = {(i, j): Fraction(j <= i) for i, j in places}
            else:
                self._tensors[name] = self._declared(name)
        return self._tensors[name]

    def _positions(self, spaces: tuple[str, ...]) -> list[tuple[int, ...]]:
        sizes = [self.size(axis) for axis in spaces]
        if math.prod(sizes) > _LARGEST:
            raise Refusal("a smaller point")
        return list(product(*(range(1, size + 1) for size in sizes)))

    def _declared(self, name: str) -> Entries:
        if name not in self.point:
            raise Refusal(f"a value of {name}")
        flat = _flatten(self.point[name])
        positions = self._positions(self.space.frame.spaces(name))
        if len(flat) != len(positions):
            raise Refusal(f"a value of {name} of the right size")
        return dict(zip(positions, flat, strict=True))

    def _opaque(self, name: str) -> Entries:
        opaque = self.space.opaque[name]
        positions = self._positions(opaque.spaces)
        inner = {
            at: self.value(opaque.argument, {slot(k): place for k, place in enumerate(at)})
            for at in positions
        }
        if not opaque.row_axes:
            return {at: self.function(opaque.function, [x]) for at, x in inner.items()}
        self.exact = False
        head = len(opaque.spaces) - opaque.row_axes
        weights = {at: Fraction(math.exp(min(float(x), 700.0))) for at, x in inner.items()}
        totals: dict[tuple[int, ...], Fraction] = {}
        for at, weight in weights.items():
            totals[at[:head]] = totals.get(at[:head], Fraction(0)) + weight
        return {at: weight / totals[at[:head]] for at, weight in weights.items()}


def _flatten(value: Any) -> list[Fraction]:
    if isinstance(value, list | tuple):
        return [entry for item in value for entry in _flatten(item)]
    return [Fraction(value)]


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def _cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


_KINKED: dict[str, Callable[[float], float]] = {"relu": lambda x: max(x, 0.0), "abs": abs}

_REAL: dict[str, Callable[[float], float]] = {
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "tanh": math.tanh,
    "asin": math.asin,
    "atan": math.atan,
    "erf": math.erf,
    "sigmoid": _sigmoid,
    "softplus": lambda x: math.log1p(math.exp(-abs(x))) + max(x, 0.0),
    "Phi": _cdf,
    "factorial": lambda x: math.gamma(x + 1),
    "phi": lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi),
    "gelu": lambda x: x * _cdf(x),
    "silu": lambda x: x * _sigmoid(x),
}
