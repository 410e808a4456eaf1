"""How large a quantity is on average: bounds on (E |f|^p)^(1/p), entry by entry.

    |a + b|_p <= |a|_p + |b|_p                        (Minkowski)
    |a b|_p   <= |a|_p |b|_p                          if a and b are independent
    |a b|_p   <= |a|_2p |b|_2p, |a|_oo |b|_p          else (Hoelder)
    |sum_l u_l w_l|_p <= g_p (sum_l s_l^2 |u_l|_p^2)^(1/2)     w_l ~ N(0, s_l^2) independent of u, p >= 2
    |sum_l a_l x_l|_p <= max_l |x_l|                  a the rows of a softmax, x fixed
    |softmax|_oo <= 1,   |relu(a)|_p <= |a|_p,   and so on

with g_p = |g|_p of a standard normal g. Derivatives are bounded by the chain rule in the same way; a softmax
has derivatives a_j (1[j = k] - a_k), at most 1/4 in size. So quantities that are no polynomials, such as
gradients through a softmax, get a bound on their second moment, which a proven interval can rest on.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, reduce

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.draws.scene import Scene
from verifier.sample.draws.static_integers import position, terms, try_integer
from verifier.sample.unsupported import RefusedError, UndefinedError

MAX_ELEMENTS = 200_000
MAX_POWER = 64.0
ROUNDING = 1 + 1e-9
# |f(x)| <= bound, |f(x)| <= |x|, and |f'(x)| <= slope, for every x.
BOUNDED = {"sigmoid": 1.0, "Phi": 1.0, "tanh": 1.0, "erf": 1.0, "sin": 1.0, "cos": 1.0, "phi": 0.4}
SMALLER = ("relu", "gelu", "silu", "abs", "tanh", "sin")
SLOPES = {"relu": 1.0, "abs": 1.0, "tanh": 1.0, "sin": 1.0, "cos": 1.0, "sigmoid": 0.25, "Phi": 0.4,
          "gelu": 1.13, "silu": 1.1, "softplus": 1.0, "erf": 1.13}  # fmt: skip

Sized = Callable[[float], Tensor]


def size_of(node: N.Node, scene: Scene, over: frozenset[str], p: float = 2.0) -> float | None:
    """A bound on |f|_p, the largest over the entries; None where no rule gives one."""
    if scene.late or any(name.startswith(sources.LAYER) for name in over):
        return None
    double = scene.on_cpu()
    try:
        found = float(_Sizes(double, over).value(node, p, double.bind({})).max())
    except (RefusedError, UndefinedError, KeyError):
        return None
    return found if math.isfinite(found) else None


def normal_size(p: float) -> float:
    """|g|_p = sqrt(2) (Gamma((p + 1)/2)/sqrt(pi))^(1/p) for a standard normal g."""
    if math.isinf(p):
        return math.inf
    return math.sqrt(2) * math.exp((math.lgamma((p + 1) / 2) - math.lgamma(0.5)) / p)


@dataclass(frozen=True)
class _Sizes:
    """Bounds on |entry|_p at one point, over the draws of the symbols `over`."""

    scene: Scene
    over: frozenset[str]

    def value(self, node: N.Node, p: float, scope: Scope) -> Tensor:
        if p > MAX_POWER and not math.isinf(p):
            raise RefusedError("a moment of high order")
        if not self._random(node):
            return evaluate(node, scope).abs() * ROUNDING
        at = partial(self.value, scope=scope)
        match node:
            case N.Symbol(name) | N.Member(name) if name in self.over:
                return self._symbol(name, p, scope.world.shape(node.shape))
            case N.Let(name, body):
                return at(scope.world.assumed.get(name, body), p)
            case N.Add(left, right) | N.Subtract(left, right):
                return at(left, p) + at(right, p)
            case N.Multiply(left, right):
                return self._product(torch.mul, left, right, p, scope)
            case N.Divide(left, right) if not self._random(right):
                return at(left, p) / evaluate(right, scope).abs() * ROUNDING
            case N.Power(base, exponent):
                return self._power(base, exponent, p, scope)
            case N.Apply(function, (arg,)):
                return self._apply(function, arg, p, scope)
            case N.RowWise(function):
                limit = 1.0 if function == "softmax" else math.sqrt(scope.world.size(node.shape.cols))
                return torch.full(scope.world.shape(node.shape), limit, dtype=torch.float64)
            case N.Indicator():
                return torch.ones(1, 1, dtype=torch.float64)
            case N.Sum(body, ranges, conditions):
                parts = [self.value(body, p, inner) for inner in terms(ranges, conditions, scope)]
                return sum(parts, torch.zeros(scope.world.shape(body.shape), dtype=torch.float64))
            case N.Derivative(of, N.Symbol(name)):
                return self.slope(of, name, p, scope)
        return self._linear(node, p, scope)

    def _linear(self, node: N.Node, p: float, scope: Scope) -> Tensor:
        at = partial(self.value, scope=scope)
        match node:
            case N.Negate(arg):
                return at(arg, p)
            case N.Transpose(arg):
                return at(arg, p).mT
            case N.MatMul(left, right):
                found = self._product(torch.matmul, left, right, p, scope)
                found = torch.minimum(found, self._averaged(left, right, p, scope))
                return torch.minimum(found, self._mixed(left, right, scope))
            case N.Inner(left, right):
                return self._product(lambda a, b: (a * b).sum().reshape(1, 1), left, right, p, scope)
            case N.Trace(arg):
                return torch.diagonal(at(arg, p)).sum().reshape(1, 1)
            case N.DiagPart(arg):
                return torch.diagonal(at(arg, p)).reshape(-1, 1)
            case N.DiagMatrix(arg):
                return torch.diag(at(arg, p).reshape(-1))
            case N.VecR(arg):
                return at(arg, p).reshape(-1, 1)
            case N.Entry(arg, row, col):
                i, j = position(row, arg.shape.rows, scope), position(col, arg.shape.cols, scope)
                return at(arg, p)[i : i + 1, j : j + 1]
            case N.Row(arg, row):
                i = position(row, arg.shape.rows, scope)
                return at(arg, p)[i : i + 1]
            case N.Norm(arg, "fro" | "2"):
                # The norm of the sizes: | |A| |_p <= (sum |a_ij|_p^2)^(1/2) for p >= 2.
                return at(arg, max(p, 2.0)).square().sum().sqrt().reshape(1, 1)
            case N.Norm(arg, "1" | "oo"):
                return at(arg, p).sum().reshape(1, 1)
        raise RefusedError(f"a bound on the moments of {type(node).__name__}")

    def _random(self, node: N.Node) -> frozenset[str]:
        return sources.random_names(node, self.scene.world) & self.over

    def _symbol(self, name: str, p: float, shape: tuple[int, int]) -> Tensor:
        law = self.scene.laws[name]
        if law.bounded is not None:
            return torch.full(shape, max(map(abs, law.bounded)), dtype=torch.float64)
        if law.base != "gaussian":
            raise RefusedError("the moments of this law")
        spread = law.scale if law.mix is None else law.scale * law.mix.norm(dim=-1, keepdim=True)
        return (law.mean.abs() + normal_size(p) * spread).expand(shape) * ROUNDING

    def _product(
        self, times: Callable[[Tensor, Tensor], Tensor], left: N.Node, right: N.Node, p: float, scope: Scope
    ) -> Tensor:
        a, b = partial(self.value, left, scope=scope), partial(self.value, right, scope=scope)
        return product_size(times, a, b, p, not self._random(left) & self._random(right))

    def _averaged(self, left: N.Node, right: N.Node, p: float, scope: Scope) -> Tensor:
        """Sums of independent centred normals with random weights: squares add up, not sizes."""
        found = [torch.full((1, 1), math.inf, dtype=torch.float64)]
        q = max(p, 2.0)
        if not math.isinf(q):
            if (spread := self._spread(right, left)) is not None:
                weights = self.value(left, q, scope).square()
                found.append(normal_size(q) * (weights @ spread.square()).sqrt())
            if (spread := self._spread(left, right)) is not None:
                weights = self.value(right, q, scope).square()
                found.append(normal_size(q) * (spread.square() @ weights).sqrt())
        return reduce(torch.minimum, found) * ROUNDING

    def _mixed(self, left: N.Node, right: N.Node, scope: Scope) -> Tensor:
        """Rows of a softmax mix the rows of a fixed matrix: |sum_l a_l x_l| <= max_l |x_l|."""
        while isinstance(left, N.Let) and left.name not in scope.world.assumed:
            left = left.body
        if self._random(right) or not isinstance(left, N.RowWise) or left.function != "softmax":
            return torch.full((1, 1), math.inf, dtype=torch.float64)
        return evaluate(right, scope).abs().amax(dim=0, keepdim=True) * ROUNDING

    def _spread(self, node: N.Node, other: N.Node) -> Tensor | None:
        """Standard deviations of a matrix of independent centred normals that the other does not know."""
        if isinstance(node, N.Transpose):
            turned = self._spread(node.arg, other)
            return None if turned is None else turned.mT
        if not isinstance(node, N.Symbol) or node.name not in self.over or node.name in self._random(other):
            return None
        law = self.scene.laws[node.name]
        if law.base != "gaussian" or law.mix is not None or bool((law.mean != 0).any()):
            return None
        return law.scale.expand(self.scene.world.shape(node.shape))

    def _power(self, base: N.Node, exponent: N.Node, p: float, scope: Scope) -> Tensor:
        """|a^k|_p = |a|_kp^k."""
        whole = try_integer(exponent, scope)
        if whole is None or whole < 1:
            raise RefusedError("a bound on the moments of a power")
        return self.value(base, whole * p, scope) ** whole * ROUNDING

    def _apply(self, function: str, arg: N.Node, p: float, scope: Scope) -> Tensor:
        limit = torch.full(scope.world.shape(arg.shape), BOUNDED.get(function, math.inf), dtype=torch.float64)
        if function in SMALLER:
            return torch.minimum(limit, self.value(arg, p, scope))
        if function in BOUNDED:
            return limit
        if function == "softplus":
            return self.value(arg, p, scope) + math.log(2) * ROUNDING
        if function == "sqrt":
            # |a^(1/2)|_p = |a|_(p/2)^(1/2), and |a|_q grows with q.
            return self.value(arg, max(p / 2, 1.0), scope).sqrt() * ROUNDING
        raise RefusedError(f"a bound on the moments of {function}")

    # --- derivatives -------------------------------------------------------------------------------

    def slope(self, node: N.Node, by: str, p: float, scope: Scope) -> Tensor:
        """|d node_i / d by_j|_p: a row per entry of the node, a column per entry of the symbol."""
        world = scope.world
        symbol = world.symbols[by]
        rows, cols = world.size(node.shape.size), world.size(symbol.shape.size)
        if (
            rows * cols > MAX_ELEMENTS
            or by in world.substituted
            or (isinstance(node, N.Let) and node.name in world.assumed)
        ):
            raise RefusedError("a bound on the moments of this derivative")
        if by not in sources.names(node, world):
            return torch.zeros(rows, cols, dtype=torch.float64)
        at = partial(self.slope, by=by, scope=scope)
        match node:
            case N.Symbol():
                return torch.eye(rows, dtype=torch.float64)
            case N.Let(_, body):
                return at(body, p=p)
            case N.Negate(arg):
                return at(arg, p=p)
            case N.Add(left, right) | N.Subtract(left, right):
                return self._spread_out(at(left, p=p), left, rows) + self._spread_out(
                    at(right, p=p), right, rows
                )
            case N.Divide(left, right) if not self._random(right) and by not in sources.names(right, world):
                return at(left, p=p) / float(evaluate(right, scope).abs().min()) * ROUNDING
            case N.Transpose(arg):
                inner = at(arg, p=p).reshape(*world.shape(arg.shape), cols)
                return inner.transpose(0, 1).reshape(rows, cols)
            case N.MatMul(left, right):
                return self._product_rule("il,ljw->ijw", "ilw,lj->ijw", left, right, by, p, scope)
            case N.Multiply(left, right) if left.shape == right.shape:
                return self._product_rule("ij,ijw->ijw", "ijw,ij->ijw", left, right, by, p, scope)
            case N.Multiply(left, right) if left.shape.is_scalar:
                return self._product_rule("ab,ijw->ijw", "abw,ij->ijw", left, right, by, p, scope)
            case N.Multiply(left, right):
                return self._product_rule("ij,abw->ijw", "ijw,ab->ijw", left, right, by, p, scope)
            case N.RowWise("softmax", arg):
                inner = at(arg, p=p).reshape(*world.shape(arg.shape), cols).sum(dim=1, keepdim=True) / 4
                return inner.expand(*world.shape(arg.shape), cols).reshape(rows, cols)
            case N.Apply(function, (arg,)) if function in SLOPES:
                return SLOPES[function] * at(arg, p=p)
        raise RefusedError(f"a bound on the moments of a derivative of {type(node).__name__}")

    def _spread_out(self, found: Tensor, node: N.Node, rows: int) -> Tensor:
        """A scalar is added to every entry."""
        return found.expand(rows, -1) if node.shape.is_scalar else found

    def _product_rule(
        self, first: str, second: str, left: N.Node, right: N.Node, by: str, p: float, scope: Scope
    ) -> Tensor:
        """d(a b) = a db + da b."""
        world = scope.world
        cols = world.size(world.symbols[by].shape.size)

        def slope(node: N.Node) -> Sized:
            return lambda q: self.slope(node, by, q, scope).reshape(*world.shape(node.shape), cols)

        def size(node: N.Node) -> Sized:
            return partial(self.value, node, scope=scope)

        apart = not self._random(left) & self._random(right)
        one = product_size(partial(torch.einsum, first), size(left), slope(right), p, apart)
        two = product_size(partial(torch.einsum, second), slope(left), size(right), p, apart)
        return (one + two).reshape(-1, cols)


def product_size(
    times: Callable[[Tensor, Tensor], Tensor], left: Sized, right: Sized, p: float, independent: bool
) -> Tensor:
    """Sums of products of sizes: at one p where the factors are independent, else the best of Hoelder's."""
    if independent:
        return times(left(p), right(p)) * ROUNDING
    found = []
    for q, r in ((math.inf, p), (p, math.inf), (2 * p, 2 * p)):
        a, b = left(q), right(r)
        if bool(a.isfinite().all()) and bool(b.isfinite().all()):
            found.append(times(a, b))
    if not found:
        raise RefusedError("a bound on the moments of a product")
    return reduce(torch.minimum, found) * ROUNDING
