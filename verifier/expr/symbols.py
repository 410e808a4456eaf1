"""What a symbol may be: fixed and arbitrary, or random with a law."""

from abc import ABC
from dataclasses import dataclass
from typing import Literal, final

from verifier.expr.dims import Dim, Shape
from verifier.expr.nodes import Node


@dataclass(frozen=True)
class Kind(ABC):
    """What is known of a symbol."""


@dataclass(frozen=True)
class FixedKind(Kind):
    """Fixed and arbitrary: the claim is for every value."""


@dataclass(frozen=True)
class RandomKind(Kind):
    """Random: `E` integrates it out. Distinct random symbols are independent."""


@final
@dataclass(frozen=True)
class Dimension(FixedKind):
    """A positive integer."""


@final
@dataclass(frozen=True)
class IndexOf(FixedKind):
    """index(n): one of 1..n."""

    size: Dim


@final
@dataclass(frozen=True)
class Integer(FixedKind):
    """Any integer."""


@final
@dataclass(frozen=True)
class Real(FixedKind):
    """Any real."""


@final
@dataclass(frozen=True)
class Positive(FixedKind):
    """A positive real."""


@final
@dataclass(frozen=True)
class Interval(FixedKind):
    """interval(a, b), closed; an end may be infinite."""

    low: Node
    high: Node


MatrixClass = Literal["matrix", "vector", "simplex", "stochastic", "symmetric", "psd", "orthogonal"]


@final
@dataclass(frozen=True)
class FixedMatrix(FixedKind):
    """A fixed matrix or vector of the named class."""

    family: MatrixClass


@final
@dataclass(frozen=True)
class Function(FixedKind):
    """Any differentiable real function of a matrix; the symbol's shape is that of its argument."""


@final
@dataclass(frozen=True)
class Normal(RandomKind):
    """Independent N(mean, std**2) entries; rows equally correlated with `row_corr`; or a vector
    with covariance matrix `cov`."""

    mean: Node
    std: Node
    row_corr: Node | None = None
    cov: Node | None = None


@final
@dataclass(frozen=True)
class Rademacher(RandomKind):
    """Independent fair signs."""


@final
@dataclass(frozen=True)
class Bernoulli(RandomKind):
    """Independent entries, 1 with this chance and 0 otherwise."""

    chance: Node


@final
@dataclass(frozen=True)
class Uniform(RandomKind):
    """Independent entries, uniform on [low, high]."""

    low: Node
    high: Node


@final
@dataclass(frozen=True)
class Iid(RandomKind):
    """Independent, identically distributed entries of which only these moments are known
    (None: not even that one)."""

    mean: Node | None
    var: Node | None


@final
@dataclass(frozen=True)
class AnyLaw(RandomKind):
    """Any joint law with this mean (None: unknown)."""

    mean: Node | None


@final
@dataclass(frozen=True)
class Sequence(RandomKind):
    """Y[0], Y[1], Y[2], ... without end, of any joint law whatsoever."""


@final
@dataclass(frozen=True)
class JointWith(RandomKind):
    """Any joint law with the sequence of this name: it need not be independent of it."""

    sequence: str


@final
@dataclass(frozen=True)
class Declared:
    """A symbol of a claim: its name, its shape, what it is; `copies` makes it a family."""

    name: str
    kind: Kind
    shape: Shape
    copies: Dim | None = None

    @property
    def is_random(self) -> bool:
        return isinstance(self.kind, RandomKind)
