"""The steps of a route: how one value on the path from a variable to an expression makes the next.

Z is what depends on the variable, everything else in a step does not.
"""

from dataclasses import dataclass

from verifier.expr import nodes as N


@dataclass(frozen=True)
class Left:
    """Y = A Z."""

    by: N.Node


@dataclass(frozen=True)
class Right:
    """Y = Z A."""

    by: N.Node


@dataclass(frozen=True)
class Turned:
    """Y = Z^T."""


@dataclass(frozen=True)
class Scaled:
    """Y = s Z, or Z / s."""

    by: N.Node
    divides: bool = False


@dataclass(frozen=True)
class Shifted:
    """Y = Z + B."""

    by: N.Node


@dataclass(frozen=True)
class Entries:
    """Y_ij = g_ij(Z_ij): `of` with the hole in place of Z."""

    of: N.Node
    hole: N.Let


@dataclass(frozen=True)
class Rows:
    """Y_i = f(Z_i); `assumed` is the value that an assumption gives to Y."""

    function: str
    assumed: N.Node | None = None


Step = Left | Right | Turned | Scaled | Shifted | Entries | Rows
Route = tuple[Step, ...]
