"""What a theorem about a kept ray gives: a bound of the mean square from below, and why."""

from collections.abc import Mapping
from typing import Protocol

import sympy as sp
from flint import arb

from verifier.claim.model import Claim, Layers
from verifier.exact.numbers.constants import Exact, enclose
from verifier.exact.numbers.refusals import Imprecise
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context
from verifier.prove.rays.absolute_moments import Law, laws
from verifier.prove.rays.layer_on_ray import Ray


class Kept(Protocol):
    """E x_L**2 >= growth**L start(x_0) for every L, where start(x_0) > 0; the growth is at least 1."""

    @property
    def growth(self) -> Exact: ...

    def start(self, size: int) -> arb: ...

    def lines(self, size: int) -> tuple[str, ...]: ...


def least(kept: Kept, size: int, depth: int) -> arb:
    """A number below E x_L**2 for every L >= depth, where it is positive."""
    return enclose(kept.growth) ** depth * kept.start(size)


def entry_laws(claim: Claim, layers: Layers, numbers: Mapping[str, object], ray: Ray) -> dict[str, Law]:
    """The laws of the entries that matter on the ray."""
    weights = [name for powers, _ in ray.terms for name in powers]
    used = {entry: ray.owners[entry] for entry in (*weights, *ray.drawn)}
    by_symbol = laws(layers, set(used.values()), Evaluator(Context.of(claim), numbers))
    return {entry: by_symbol[owner] for entry, owner in used.items()}


def whole_below(value: arb) -> int:
    """The largest integer that is surely not above."""
    found = value.lower().floor().unique_fmpz()
    if found is None:
        raise Imprecise("a number without a finite enclosure")
    return int(found)


def one_layer(ray: Ray) -> str:
    """x V -> r x V, in words."""
    r = " + ".join(_term(powers, poly.as_expr()) for powers, poly in ray.terms)
    r = r if ray.bottom == 1 else f"({r})/({ray.bottom.as_expr()})"
    words = f"one layer maps x*V, V = {[list(row) for row in ray.direction]}, to r*x*V with r = {r}"
    if not ray.exponent.powers:
        return words
    t = "*".join(power_text(name, k) for name, k in ray.exponent.powers.items())
    c = str(ray.exponent.coefficient)
    return f"{words}, y = exp(t), t = {t if c == '1' else f'{c}*{t}'}"


def _term(powers: Mapping[str, int], poly: sp.Expr) -> str:
    factors = [power_text(name, k) for name, k in powers.items()]
    if not factors:
        return str(poly)
    return "*".join(factors if poly == 1 else [*factors, f"({poly})"])


def power_text(name: str, k: int) -> str:
    """name**k"""
    return name if k == 1 else f"{name}**{k}"
