"""E(f) < oo, where f grows like a polynomial in variables that have all moments:

    |f| <= c (1 + |w|)**k   and   E |w|**k < oo   give   E |f| < oo

Sums, products, norms, activations and softmax keep such growth. So do their first derivatives, since those of
activations and softmax are bounded: a Jacobian is sums of products of them.
"""

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import Bernoulli, Dimension, Normal, Rademacher, Uniform
from verifier.expr.walk import children, walk

ALL_MOMENTS = Normal | Rademacher | Bernoulli | Uniform
LIPSCHITZ = frozenset(
    ("relu", "abs", "tanh", "sigmoid", "gelu", "silu", "softplus", "erf", "Phi", "phi", "sin", "cos", "atan")
) | {"min", "max"}
LINEAR = (
    N.Add | N.Subtract | N.Multiply | N.Negate | N.MatMul | N.Transpose | N.Trace | N.Inner | N.Kron | N.VecR
    | N.DiagMatrix | N.DiagPart | N.Row | N.Entry | N.Sum | N.Product | N.BlockDiag | N.Norm
)  # fmt: skip
UNCLEAR = N.Expectation | N.Variance | N.Covariance | N.Limit | N.Extreme | N.After | N.Called | N.Infinity


def is_finite(claim: Claim, fact: N.Relation) -> bool:
    """Whether the relation says of a mean that it is finite, and growth alone shows it."""
    match fact:
        case N.Relation("<", N.Expectation(body), N.Infinity()):
            return _Growth(claim).is_moderate(body, False)
    return False


class _Growth:
    """Which trees grow like polynomials in the random symbols of one claim."""

    def __init__(self, claim: Claim) -> None:
        self.claim, self.values = claim, claim.values.in_mean()
        self.assumed = {found[0].name: found[1] for a in claim.assumptions if (found := a.assumed_value)}
        self.given = {pair[0].name: pair[1] for a in claim.assumptions if (pair := a.substitution)}

    def is_moderate(self, node: N.Node, sloped: bool) -> bool:
        """`sloped`: so do its first derivatives."""
        match node:
            case N.Let(name, body):
                # A derivative at an assumed value is made of that value, as diag(a) - a a.T is.
                value = self.assumed.get(name)
                inner = [body] if value is None else [value, *([body] if sloped else [])]
                return all(self.is_moderate(part, sloped) for part in inner)
            case N.Symbol(name) if name in self.given:
                return self.is_moderate(self.given[name], sloped)
            case N.Symbol(name) | N.Member(name):
                declared = self.claim.symbols.get(name)
                return declared is not None and (
                    not declared.is_random or isinstance(declared.kind, ALL_MOMENTS)
                )
            case N.Derivative(of):
                return not sloped and self.is_moderate(of, True)
            case N.Divide(left, right):
                return self._is_constant(right) and self.is_moderate(left, sloped)
            case N.Power(base, exponent) | N.MatPower(base, exponent):
                return self._is_degree(exponent, base, sloped) and self.is_moderate(base, sloped)
            case N.Apply("sqrt", (arg,)) if not self._is_constant(arg):
                return not sloped and self.values(arg).is_nonnegative and self.is_moderate(arg, False)
            case N.Apply(function, args):
                return self._is_constant(node) or (function in LIPSCHITZ and self._all(args, sloped))
            case N.RowWise("softmax", arg):
                return self.is_moderate(arg, sloped)
        if isinstance(node, LINEAR):
            return self._all(children(node), sloped)
        return self._is_constant(node)

    def _all(self, nodes: tuple[N.Node, ...] | list[N.Node], sloped: bool) -> bool:
        return all(self.is_moderate(node, sloped) for node in nodes)

    def _is_degree(self, node: N.Node, base: N.Node, sloped: bool) -> bool:
        """A number that is not negative, or a size; a fraction of what is never negative, without slopes."""
        match node:
            case N.Number(value):
                root = not sloped and self.values(base).is_nonnegative
                return value >= 0 and (value.denominator == 1 or root)
            case N.Symbol(name):
                return isinstance(self.claim.symbols[name].kind, Dimension)
        return False

    def _is_constant(self, node: N.Node) -> bool:
        """Nothing random in it, through assumed values too, and a value wherever it has one."""
        for part in walk(node):
            if isinstance(part, UNCLEAR) or (isinstance(part, N.Let) and part.name in self.assumed):
                return False
            if isinstance(part, N.Symbol | N.Member):
                declared = self.claim.symbols.get(part.name)
                if declared is None or declared.is_random or part.name in self.given:
                    return False
        return True
