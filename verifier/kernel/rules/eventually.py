"""Where a family has values: for all that is large enough."""

from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.expr.walk import children
from verifier.kernel.asymptotic.allowed import Instance
from verifier.kernel.asymptotic.forms import Asymptotics
from verifier.kernel.normal.atoms import Poly
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.defined import Defined, unfolded
from verifier.kernel.rules.regular import ARITHMETIC, SMOOTH


@dataclass(frozen=True)
class Eventually(Defined):
    """Values along a family, once the growing symbols are large: a denominator is not 0 if it has a leading
    term; a mean exists if its normal form does, which needs that."""

    sizes: Asymptotics | None = None
    family: Instance | None = None

    def node(self, node: N.Node) -> None:
        match node:
            case N.Derivative(of, N.Symbol(name)) if self._is_smooth(unfolded(self.context, of), name):
                return self.node(of)
            case N.Apply("factorial" | "factorial2", (arg,)) if self._is_count(arg):
                return self.node(arg)
            case N.Expectation(body, ()) if self._normal(node) is not None:
                return self.node(body)
            case N.After() if (layers := self.context.layers) is not None:
                return self.node(unfolded(self.context, layers.next))
        return super().node(node)

    def _normal(self, node: N.Node) -> Poly | None:
        """The normal form of a number that no index around it is part of."""
        assert self.sizes is not None
        assert self.family is not None
        try:
            return self.family.normal(self.sizes.algebra, node)
        except (Rejected, KeyError):
            return None

    def _is_count(self, node: N.Node) -> bool:
        """A whole number that is not negative once the growing symbols are large."""
        poly = self._normal(node)
        if poly is None or self._size(node) is None or self.sizes is None:
            return False
        if poly.constant is not None:
            return poly.constant >= 0
        try:
            return self.sizes.leading(poly)[1] == ">"
        except Rejected:
            return False

    def _is_smooth(self, node: N.Node, name: str) -> bool:
        """Whether a tree has derivatives by a symbol wherever it has a value."""
        if name not in self.context.reach(node):
            return True
        match node:
            case N.Apply(function):
                smooth = function in SMOOTH
            case N.Power(_, exponent) | N.MatPower(_, exponent):
                smooth = isinstance(exponent, N.Number) and exponent.value.denominator == 1 <= exponent.value
            case N.RowWise(function):
                smooth = function == "softmax"
            case N.Divide(_, bottom):
                smooth = name not in self.context.reach(bottom)
            case _:
                smooth = isinstance(node, (*ARITHMETIC, N.Sum, N.Entry, N.Row))
        return smooth and all(self._is_smooth(part, name) for part in children(node))

    def is_nonzero(self, node: N.Node) -> bool:
        if super().is_nonzero(node):
            return True
        if isinstance(node, N.Apply) and node.function == "factorial":
            return self._is_count(node.args[0])
        poly = self._normal(node)
        if poly is None:
            return False
        assert self.sizes is not None
        try:
            self.sizes.leading(poly)
        except Rejected:
            return False
        return True


def has_values(family: Instance, sizes: Asymptotics, nodes: tuple[N.Node, ...]) -> None:
    """Rejects what may have no value along the family."""
    check = Eventually(family.context, frozenset(), {}, sizes=sizes, family=family)
    replaced = family.context.replaced
    for node in (*nodes, *replaced.values()):
        check.node(unfolded(family.context, family.concrete(node)))
