"""The same expectations the slow way: every index value, every pairing, exact fractions.

Nothing here knows about components, canonical forms or contractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from math import prod

from verifier.prove.networks import Frame, Iid, Index, Law, Network, Normal, Rademacher, Uniform

Position = tuple[int, ...]
Entries = Mapping[Position, Fraction]
Moment = Callable[[list[Position]], Fraction]


def number(frame: Frame, value: object, scalars: Mapping[str, Fraction]) -> Fraction:
    """A coefficient at the given scalars."""
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    total = Fraction(0)
    for exponents, c in value.to_dict().items():  # type: ignore[attr-defined]
        powers = zip(frame.ring.names, exponents, strict=True)
        total += Fraction(int(c.p), int(c.q)) * prod(scalars[name] ** int(e) for name, e in powers)
    return total


def normal_moment(
    frame: Frame, law: Normal, at: Mapping[str, Fraction], fixed: Mapping[str, Entries]
) -> Moment:
    std = number(frame, law.std, at)

    def mean(a: Position) -> Fraction:
        return fixed[law.mean][a] if isinstance(law.mean, str) else number(frame, law.mean, at)

    def cov(a: Position, b: Position) -> Fraction:
        total = std * std
        for axis, (i, k) in enumerate(zip(a, b, strict=True)):
            if law.cov is not None and axis == law.cov_axis:
                total *= fixed[law.cov][i, k]
            elif law.row_corr is not None and axis == law.row_axis:
                rho = number(frame, law.row_corr, at)
                total *= 1 if i == k else rho
            else:
                total *= i == k
        return total

    def moment(positions: list[Position]) -> Fraction:
        if not positions:
            return Fraction(1)
        first, rest = positions[0], positions[1:]
        total = mean(first) * moment(rest)
        for j, other in enumerate(rest):
            total += cov(first, other) * moment(rest[:j] + rest[j + 1 :])
        return total

    return moment


def iid_moment(one: Callable[[int], Fraction]) -> Moment:
    """Independent entries: the product over distinct entries of E(entry ** multiplicity)."""
    return lambda positions: prod((one(k) for k in Counter(positions).values()), start=Fraction(1))


def moment_of(frame: Frame, law: Law, at: Mapping[str, Fraction], fixed: Mapping[str, Entries]) -> Moment:
    match law:
        case Normal():
            return normal_moment(frame, law, at, fixed)
        case Rademacher():
            return iid_moment(lambda k: Fraction(1 + (-1) ** k, 2))
        case Uniform(low, high):
            a, b = number(frame, low, at), number(frame, high, at)
            return iid_moment(lambda k: (b ** (k + 1) - a ** (k + 1)) / ((k + 1) * (b - a)))
        case Iid(mean, var, moments):
            m = number(frame, mean, at)
            known = {1: m, 2: number(frame, var, at) + m * m}
            known |= {k: number(frame, v, at) for k, v in moments.items()}
            return iid_moment(lambda k: known[k])
    raise AssertionError(law)


def assignments(frame: Frame, network: Network, at: Mapping[str, Fraction], places: Mapping[str, int]):
    """Every value of every index that the constraints allow."""
    indices = {i for f in network.factors for i in f.indices} | set(network.summed)
    indices |= {i for pair in network.equal + network.distinct for i in pair}
    ordered = sorted(indices, key=lambda i: (i.label, i.space, i.open))

    def values(index: Index) -> list[int]:
        if index.open:
            return [int(index.label) if index.label.isdigit() else places[index.label]]
        return list(range(1, int(number(frame, frame.sizes[index.space], at)) + 1))

    for chosen in product(*map(values, ordered)):
        value = dict(zip(ordered, chosen, strict=True))
        if all(value[a] == value[b] for a, b in network.equal) and all(
            value[a] != value[b] for a, b in network.distinct
        ):
            yield value


def brute(
    frame: Frame,
    networks: list[Network],
    laws: Mapping[str, Law],
    at: Mapping[str, Fraction],
    fixed: Mapping[str, Entries],
    places: Mapping[str, int],
) -> Fraction:
    """E of the sum of the networks."""
    moments = {name: moment_of(frame, law, at, fixed) for name, law in laws.items()}
    total = Fraction(0)
    for network in networks:
        inner = Fraction(0)
        for value in assignments(frame, network, at, places):
            random: dict[str, list[Position]] = {}
            term = Fraction(1)
            for factor in network.factors:
                position = tuple(value[i] for i in factor.indices)
                if factor.tensor in laws:
                    random.setdefault(factor.tensor, []).append(position)
                else:
                    term *= fixed[factor.tensor][position]
            if term:
                inner += term * prod(moments[name](ps) for name, ps in random.items())
        total += number(frame, network.coefficient, at) * inner
    return total
