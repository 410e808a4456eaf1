"""The laws of random tensors, and what each says when one factor is contracted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import ClassVar, NamedTuple

from verifier.prove.networks.merge_indices import Pair
from verifier.prove.networks.network_tensors import Frame, Occurrence, Tensor, block, block_size
from verifier.prove.networks.ring import Coefficient, Scalar

Mean = Scalar | str  # a number for every entry, or the name of a tensor of the same shape


@dataclass(frozen=True)
class Normal:
    """Jointly normal entries: X = mean + std * G.

    Cov(G[i, j], G[k, l]) = delta(i, k) delta(j, l), or with row_corr = rho
                            delta(j, l) (rho + (1 - rho) delta(i, k)), i on row_axis;
    with cov = C            std**2 * C[i, k] on cov_axis, and delta on every other axis.
    """

    std: Scalar = 1
    mean: Mean = 0
    row_corr: Scalar | None = None
    row_axis: int = 0
    cov: str | None = None
    cov_axis: int = 0

    def __post_init__(self) -> None:
        if self.row_corr is not None and self.cov is not None:
            raise ValueError("state row_corr or cov, not both")


@dataclass(frozen=True)
class Rademacher:
    """Independent entries, +1 or -1 with probability 1/2."""


@dataclass(frozen=True)
class Uniform:
    """Independent entries, uniform on [low, high]."""

    low: Scalar
    high: Scalar


@dataclass(frozen=True)
class Iid:
    """Independent entries of one law, of which only these moments are known.

    moments: k -> E(W[i, j]**k), for k > 2.
    """

    mean: Scalar
    var: Scalar
    moments: Mapping[int, Scalar] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if any(order < 3 for order in self.moments):
            raise ValueError("the first two moments are stated as mean and var")


@dataclass(frozen=True)
class Arbitrary:
    """Any joint law of the entries, of which only the mean is known.

    second: the name of a symmetric matrix S, E x[i] x[k] = S[i, k] for a vector x, where it is known too.
    """

    mean: Mean = 0
    second: str | None = None


Ways = int | Fraction  # pairings are counted in integers, orders of growth in shares of one

Law = Normal | Rademacher | Uniform | Iid | Arbitrary


def validate(frame: Frame, name: str, law: Law) -> None:
    """ValueError unless the law can be the law of the tensor of that name."""
    tensor = frame.tensors.get(name)
    if tensor is None:
        raise ValueError(f"a law is given for the unknown tensor {name}")
    if tensor.symmetric or tensor.has_rules:
        raise ValueError(f"{name} is random: no identity may be declared for it")
    if isinstance(law, Normal):
        _validate_mean(frame, tensor, law.mean)
        if law.row_corr is not None and not 0 <= law.row_axis < len(tensor.spaces):
            raise ValueError(f"{name} has no axis {law.row_axis} for its rows")
        if law.cov is not None:
            axis = tensor.spaces[law.cov_axis : law.cov_axis + 1]
            _validate_square(frame, law.cov, axis, f"the covariance of {name}")
    elif isinstance(law, Arbitrary):
        _validate_mean(frame, tensor, law.mean)
        if law.second is not None:
            _validate_square(frame, law.second, tensor.spaces, f"the second moment of {name}")


def _validate_mean(frame: Frame, tensor: Tensor, stated: Mean) -> None:
    if isinstance(stated, str):
        mean = frame.tensors.get(stated)
        if mean is None or mean.spaces != tensor.spaces:
            raise ValueError(f"the mean of {tensor.name} must be a tensor with the axes {tensor.spaces}")


def _validate_square(frame: Frame, name: str, axes: tuple[str, ...], what: str) -> None:
    square = frame.tensors.get(name)
    if square is None or not square.symmetric or square.spaces != axes * 2:
        raise ValueError(f"{what} must be a symmetric matrix over {axes}")


def parameters(law: Law) -> set[str]:
    """The tensors that a law is stated with."""
    match law:
        case Normal(mean=mean, cov=cov):
            named = {mean} if isinstance(mean, str) else set()
            return named if cov is None else {*named, cov}
        case Arbitrary(mean, second):
            return {name for name in (mean, second) if isinstance(name, str)}
        case Rademacher() | Uniform() | Iid():
            return set()


class Move(NamedTuple):
    """weight * (the factors added, the pairs of indices merged), in place of those contracted.

    ways: how many of the pairings this stands for.
    """

    weight: Coefficient
    added: tuple[Occurrence, ...] = ()
    pairs: tuple[Pair, ...] = ()
    ways: Ways = 1


class Contraction(ABC):
    """E over one random tensor, one factor at a time. grows: whether joined factors make a block."""

    grows: ClassVar[bool]

    @abstractmethod
    def alone(self, factor: Occurrence) -> list[Move]:
        """What becomes of the chosen factor without any other."""

    @abstractmethod
    def joined(self, factor: Occurrence, other: Occurrence) -> list[Move]:
        """What becomes of the chosen factor together with one other copy."""


def mean_moves(frame: Frame, mean: Mean, factor: Occurrence) -> list[Move]:
    """E X[i, j] = mean, or = M[i, j]"""
    if isinstance(mean, str):
        return [Move(frame.one, added=((mean, factor[1]),))]
    if mean == 0:
        return []
    weight = frame.ring(mean)
    return [Move(weight)] if weight else []


@dataclass(frozen=True)
class Gaussian(Contraction):
    """E[X_a f(X)] = E[X_a] E[f] + sum over copies X_b in f of Cov(X_a, X_b) E[f without X_b]"""

    grows: ClassVar[bool] = False

    frame: Frame
    law: Normal
    variance: Coefficient = field(init=False)

    def __post_init__(self) -> None:
        std = self.frame.ring(self.law.std)
        object.__setattr__(self, "variance", self.frame.ring.reduce(self.frame.ring.times(std, std)))

    def alone(self, factor: Occurrence) -> list[Move]:
        return mean_moves(self.frame, self.law.mean, factor)

    def joined(self, factor: Occurrence, other: Occurrence) -> list[Move]:
        law, variance = self.law, self.variance
        pairs = tuple(zip(factor[1], other[1], strict=True))
        if law.cov is not None:
            kernel = (law.cov, pairs[law.cov_axis])
            return [Move(variance, (kernel,), _without(pairs, law.cov_axis))]
        if law.row_corr is None:
            return [Move(variance, (), pairs)]
        rho = self.frame.ring(law.row_corr)
        moves = [
            Move(variance * rho, (), _without(pairs, law.row_axis)),
            Move(variance * (1 - rho), (), pairs),
        ]
        return [move for move in moves if not move.weight.is_zero()]


def _without(pairs: tuple[Pair, ...], axis: int) -> tuple[Pair, ...]:
    return pairs[:axis] + pairs[axis + 1 :]


# A polynomial in unknown moments: product of their names -> coefficient.
Unknowns = dict[tuple[str, ...], Coefficient]


@dataclass(frozen=True)
class Cumulants(Contraction):
    """E of a product of entries = sum over partitions of prod over blocks of kappa_|block|.

    All entries of a block are one and the same entry, so a block is a factor W{m} at one position.
    It grows by one copy at a time, or is closed with kappa_m. A block of m + 1 can grow in m!
    orders, hence the weight 1/m of the m-th growth.
    """

    grows: ClassVar[bool] = True

    frame: Frame
    tensor: Tensor
    law: Rademacher | Uniform | Iid
    _known: dict[int, Unknowns] = field(default_factory=dict)

    def alone(self, factor: Occurrence) -> list[Move]:
        kappa = self.cumulant(block_size(factor[0]))
        return [Move(c, added=tuple((name, ()) for name in names)) for names, c in kappa.items()]

    def joined(self, factor: Occurrence, other: Occurrence) -> list[Move]:
        size = block_size(factor[0])
        share = Fraction(1, size)
        grown = (block(self.tensor.name, size + 1), factor[1])
        pairs = tuple(zip(factor[1], other[1], strict=True))
        return [Move(self.frame.ring(share), (grown,), pairs, share)]

    def cumulant(self, order: int) -> Unknowns:
        """kappa_n = m_n - sum_{k=1}^{n-1} binomial(n-1, k-1) kappa_k m_{n-k}"""
        if order not in self._known:
            total = dict(self.moment(order))
            for k in range(1, order):
                weight = -comb(order - 1, k - 1)
                for names, c in self.cumulant(k).items():
                    for others, d in self.moment(order - k).items():
                        key = tuple(sorted(names + others))
                        total[key] = total.get(key, self.frame.ring(0)) + weight * c * d
            self._known[order] = {names: c for names, c in total.items() if not c.is_zero()}
        return self._known[order]

    def moment(self, order: int) -> Unknowns:
        """E(W[i, j]**order), by its name if it is not known."""
        ring = self.frame.ring
        match self.law:
            case Rademacher():
                return {(): ring(1 - order % 2)}
            case Uniform(low, high):
                a, b = ring(low), ring(high)
                powers = ring.sum(a**i * b ** (order - i) for i in range(order + 1))
                return {(): powers * ring(Fraction(1, order + 1))}
            case Iid(mean, var, moments):
                known = {1: ring(mean), 2: ring(var) + ring(mean) ** 2}
                known |= {k: ring(m) for k, m in moments.items()}
                if order in known:
                    return {(): known[order]}
                return {(moment_name(self.tensor, order),): ring(1)}


def moment_name(tensor: Tensor, order: int) -> str:
    return f"E({entry_name(tensor)}**{order})"


def entry_name(tensor: Tensor, suffix: str = "") -> str:
    """W[i,j], with as many letters as the tensor has axes."""
    letters = [chr(ord("i") + axis) + suffix for axis in range(len(tensor.spaces))]
    return f"{tensor.name}[{','.join(letters)}]" if letters else tensor.name
