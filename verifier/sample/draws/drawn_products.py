"""Products of fixed and Gaussian matrices, drawn as such: fewer random numbers for the same law.

Let W = M + S Z with Z of independent standard normal entries, and let an expression depend on W through A W
alone, A fixed: its law is then a function of that of A W. The columns of A W are independent and normal with
means the columns of A M and one covariance, (A S)(A S)^T. With (A S)^T = Q R that is R^T R, the covariance
of the columns of R^T Y for Y of independent standard normal entries, with as many rows as A. A normal law is
determined by its mean and covariance, so

    A W  and  A M + R^T Y  have the same law,

and rows(A) / rows(W) of the numbers are enough. Several products A_1 W, ..., A_m W are one: the A_i stacked.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.expr.walk import children
from verifier.sample.compile.compile import evaluate
from verifier.sample.compile.route_steps import Route
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import World
from verifier.sample.draws.law_samplers import Law
from verifier.sample.draws.scene import Scene


@dataclass(frozen=True)
class Product:
    """The law of A_1 W, ..., A_m W on top of each other, and each A_i with its number of rows."""

    law: Law
    factors: tuple[tuple[N.Node, int], ...]

    def split(self, name: str, drawn: Tensor) -> dict[tuple[N.Node, str], Tensor]:
        parts = torch.split(drawn, [rows for _, rows in self.factors], dim=-2)
        return {(node, name): part for (node, _), part in zip(self.factors, parts, strict=True)}


def products_of(
    bodies: Iterable[N.Node], over: Iterable[str], scene: Scene, routes: Mapping[int, Route]
) -> dict[str, Product]:
    """For each random symbol that is met in products with fixed matrices of few rows alone: these."""
    world = scene.world
    if world.layers is not None:
        return {}
    seen = _Seen(world, routes)
    for body in bodies:
        seen.visit(body)
    elsewhere = (*world.assumed.values(), *world.substituted.values())
    whole = seen.whole.union(*(sources.names(node, world) for node in elsewhere))
    found = {}
    for name in over:
        factors = seen.factors.get(name, [])
        law = scene.laws[name]
        if name in whole or law.base != "gaussian" or not all(seen.is_fixed(node) for node in factors):
            continue
        rows = [(node, world.size(node.shape.rows)) for node in factors]
        if rows and sum(count for _, count in rows) < law.shape[-2]:
            found[name] = Product(_law(law, factors, scene), tuple(rows))
    return found


def _law(law: Law, factors: list[N.Node], scene: Scene) -> Law:
    """A M + R^T Y."""
    scope = scene.on_cpu().bind({})
    stacked = torch.cat([evaluate(node, scope) for node in factors])
    spread = stacked * law.scale if law.mix is None else stacked @ law.mix * law.scale
    _, upper = torch.linalg.qr(spread.mT, mode="r")
    mean = stacked @ law.mean.expand(law.shape[-2:]) if bool((law.mean != 0).any()) else law.mean
    shape = (*law.shape[:-2], stacked.shape[0], law.shape[-1])
    return replace(law, shape=shape, mean=mean, scale=torch.ones_like(law.scale), mix=upper.mT.contiguous())


@dataclass
class _Seen:
    """How symbols are met: in products with what stands to their left, or otherwise (`whole`).

    A route (routes.py) starts with the product too, so that a derivative that has one does not count.
    """

    world: World
    routes: Mapping[int, Route]
    factors: dict[str, list[N.Node]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    varied: set[str] = field(default_factory=set)
    lets: set[str] = field(default_factory=set)

    def visit(self, node: N.Node) -> None:
        match node:
            case N.MatMul(left, N.Symbol(name) | N.Member(name)):
                known = self.factors.setdefault(name, [])
                if left not in known:
                    known.append(left)
                self.visit(left)
                return
            case N.Derivative(of, N.Symbol(name) | N.Member(name)) if id(node) in self.routes:
                self.varied.add(name)
                self.visit(of)
                return
            case N.Derivative(_, by):
                self.varied.add(_base(by))
            case N.Symbol(name) | N.Member(name):
                self.whole.add(name)
            case N.Let(name):
                if name in self.lets:
                    return
                self.lets.add(name)
        for child in children(node):
            self.visit(child)

    def is_fixed(self, node: N.Node) -> bool:
        """The same in every draw, in every term of a sum and for every value of what is varied."""
        inside = list(sources.nodes(node))
        named = {part.name for part in inside if isinstance(part, N.Symbol | N.Member | N.Let)}
        reached = named | sources.names(node, self.world)
        indexed = any(isinstance(part, N.Index) for part in inside)
        return not (indexed or reached & self.varied or sources.random_names(node, self.world))


def _base(by: N.Node) -> str:
    """The name of what is varied."""
    match by:
        case N.Symbol(name) | N.Member(name) | N.Let(name):
            return name
        case N.Entry(arg):
            return _base(arg)
    return ""  # anything else is refused when the derivative is taken
