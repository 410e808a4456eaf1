"""Functions that are no polynomials, kept as tensors of their own.

f(S), entry by entry, is a tensor with one axis per open index of S. Two of them are one tensor iff
f and the canonical form of S are the same. That proves equalities; it refutes nothing, since
different tensors may have equal values.
"""

from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.prove.networks import Sum


@dataclass(frozen=True, eq=False)
class Opaque:
    """function(argument) as a tensor; the argument's open slots are its axes.

    row_axes: for a function of whole rows, how many of the last axes run along a row.
    depends: the declared tensors inside, which no expectation may integrate past it.
    """

    name: str
    function: str
    argument: Sum
    spaces: tuple[str, ...]
    depends: frozenset[str]
    row_axes: int = 0


@dataclass(frozen=True, eq=False)
class Mean:
    """E body(u) for u ~ N(centre, v), kept as a function of v; u is the symbol U of the body."""

    body: N.Node
    centre: Sum


# No declared name begins with two underscores.
U = N.Symbol("__u")
