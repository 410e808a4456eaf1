"""expectation(sum, laws): the value, or the moments that one would have to know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from verifier.prove.networks.contract import Contractor
from verifier.prove.networks.contractions import Derivation, Outcome, Step
from verifier.prove.networks.integrate_tensor import Integration
from verifier.prove.networks.network_sums import Sum, arrange, collect, flatten
from verifier.prove.networks.network_tensors import Frame, Label, Monomial, Occurrence, derived, leg
from verifier.prove.networks.ring import Coefficient
from verifier.prove.networks.tensor_laws import (
    Arbitrary,
    Contraction,
    Cumulants,
    Gaussian,
    Law,
    Move,
    Normal,
    entry_name,
    mean_moves,
    parameters,
    validate,
)


@dataclass(frozen=True)
class Determined:
    """The expectation, for all sizes and all fixed tensors."""

    value: Sum
    derivation: Derivation | None = None


@dataclass(frozen=True)
class Undetermined:
    """The stated moments do not settle it: `missing` names those that remain in `value`.

    They are scalars and tensors of the sum like any other, so that a difference of two such values
    may be determined again: see missing_moments.
    """

    value: Sum
    missing: tuple[str, ...]
    derivation: Derivation | None = None


Expectation = Determined | Undetermined


def expectation(value: Sum, laws: Mapping[str, Law], *, record: bool = False) -> Expectation:
    """E over the tensors in `laws`, independent of each other; every other tensor is given.

    The tensor with fewest copies goes first: it leaves fewer networks for those that follow.
    """
    steps: list[Step] = []
    pairings: list[tuple[str, int]] = []
    for name in _order(value, laws):
        law = laws[name]
        if isinstance(law, Arbitrary):
            value, more = _gathered(value, name, law)
            steps += more if record else []
            continue
        contractor = Contractor(value.frame, name, _contraction(value.frame, name, law))
        integration = Integration(contractor, record)
        value = integration.run(value)
        steps += integration.steps
        pairings.append((name, integration.pairings))
    missing = missing_moments(value)
    kept = Derivation(value.frame, tuple(steps), tuple(pairings)) if record else None
    return Undetermined(value, missing, kept) if missing else Determined(value, kept)


def missing_moments(value: Sum) -> tuple[str, ...]:
    """The unknown moments that occur in a sum, by name: E(W[i,j]**4), E(W[i1,j1]*W[i2,j2])."""
    return tuple(sorted({name for m in value.terms if m for name in _unknown(value.frame, m)}))


def _order(value: Sum, laws: Mapping[str, Law]) -> list[str]:
    for name, law in laws.items():
        validate(value.frame, name, law)
        if used := parameters(law) & laws.keys():
            raise ValueError(f"the law of {name} depends on {sorted(used)}, which is random too")
    occurring = value.tensors()
    present = [name for name in laws if name in occurring]
    if len(present) < 2:
        return present
    copies = _copies(value)
    return sorted(present, key=lambda n: (copies[n], len(value.frame.spaces(n)), n))


def _copies(value: Sum) -> dict[str, int]:
    """How many factors of each tensor a term holds at most."""
    copies: dict[str, int] = {}
    for monomial in value.terms:
        found: dict[str, int] = {}
        for component, power in monomial:
            for name, _ in component:
                found[name] = found.get(name, 0) + power
        for name, count in found.items():
            copies[name] = max(copies.get(name, 0), count)
    return copies


def _contraction(frame: Frame, name: str, law: Law) -> Contraction:
    match law:
        case Normal():
            return Gaussian(frame, law)
        case Arbitrary():
            raise AssertionError("an arbitrary law is not contracted factor by factor")
        case _:
            return Cumulants(frame, frame.tensors[name], law)


def _gathered(value: Sum, name: str, law: Arbitrary) -> tuple[Sum, list[Step]]:
    """E of one factor is its mean, of two their second moment where it is stated; several become the
    legs of one unknown joint moment."""
    frame = value.frame
    pieces: list[tuple[Monomial, Coefficient]] = []
    steps: list[Step] = []
    for monomial, coefficient in value.terms.items():
        factors = flatten(monomial)
        inside = [f for f in factors if f[0] == name]
        if not inside:
            pieces.append((monomial, coefficient))
            continue
        rest = [f for f in factors if f[0] != name]
        alive: dict[Label, str] = {}
        for factor in inside:
            alive.update(zip(factor[1], frame.spaces(name), strict=True))
        moves = [Move(frame.one, _legs(name, inside))]
        if len(inside) == 1:
            moves = mean_moves(frame, law.mean, inside[0])
        elif len(inside) == 2 and law.second is not None:
            ends = (*inside[0][1], *inside[1][1])
            moves = [Move(frame.one, added=((law.second, ends),))]
        outcomes: list[Outcome] = []
        for move in moves:
            found = arrange(frame, [*rest, *move.added], (), alive)
            if found is not None:
                outcomes.append(Outcome(move.ways, found[1] * move.weight, found[0]))
        steps.append(Step(name, monomial, monomial, tuple(outcomes)))
        pieces += [(outcome.remains, outcome.weight * coefficient) for outcome in outcomes]
    return collect(frame, pieces), steps


def _legs(name: str, inside: list[Occurrence]) -> tuple[Occurrence, ...]:
    """The legs share index -1, which nothing else has."""
    return tuple((leg(name), (-1, *labels)) for _, labels in inside)


def _unknown(frame: Frame, monomial: Monomial) -> Iterator[str]:
    for component, _ in monomial:
        if not any(name.startswith("E(") for name, _ in component):
            continue
        legs = Counter((name, labels[0]) for name, labels in component if derived(name)[0] == "leg")
        for (name, _), count in legs.items():
            tensor = frame.tensors[derived(name)[1]]
            yield f"E({'*'.join(entry_name(tensor, str(k + 1)) for k in range(count))})"
        for name, _ in component:
            if derived(name)[0] == "scalar":
                yield name
