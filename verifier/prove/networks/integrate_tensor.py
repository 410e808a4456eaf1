"""E over one random tensor: contract factors until none is left, merging equal states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from verifier.prove.networks.contract import Contractor, Ids, Products, accumulate
from verifier.prove.networks.contractions import Outcome, Step
from verifier.prove.networks.network_sums import Sum, collect, merged, monomial_of, multiply
from verifier.prove.networks.network_tensors import Flat, Monomial
from verifier.prove.networks.ring import Coefficient
from verifier.prove.networks.tensor_laws import Ways

# The components that hold the random tensor, sorted; and, for each start and each product of
# components that were set free on the way, the coefficient with which it is reached.
State = Ids
Reached = dict[tuple[int, Ids], Coefficient]


@dataclass
class Integration:
    """E is linear, and what holds no copy of the tensor stays outside it:

    E[sum_t start_t * rest_t] = sum_t E[start_t] * rest_t
    """

    contractor: Contractor
    record: bool
    steps: list[Step] = field(default_factory=list)
    pairings: int = 0

    def run(self, value: Sum) -> Sum:
        starts = self._starts(value)
        levels: dict[int, dict[State, Reached]] = defaultdict(dict)
        one = value.frame.one
        for number, state in enumerate(starts):
            levels[self._size(state)][state] = {(number, ()): one}
        self._descend(levels)
        rests = list(starts.values())
        return collect(value.frame, self._reassembled(levels[0].get((), {}), rests, value))

    def _starts(self, value: Sum) -> dict[State, dict[Monomial, Coefficient]]:
        """Each product of components with the tensor, and the terms that it stands in."""
        starts: dict[State, dict[Monomial, Coefficient]] = defaultdict(dict)
        contractor = self.contractor
        for monomial, coefficient in value.terms.items():
            inside: list[int] = []
            outside: list[tuple[Flat, int]] = []
            for component, power in monomial:
                a = contractor.id(component)
                if contractor.copies[a]:
                    inside += [a] * power
                else:
                    outside.append((component, power))
            starts[tuple(sorted(inside))][frozenset(outside)] = coefficient
        return starts

    def _descend(self, levels: dict[int, dict[State, Reached]]) -> None:
        """Contract the states with most copies first: all ways to reach a state precede it."""
        counts: dict[State, Ways] = defaultdict(int)
        if self.record:
            counts.update((state, 1) for states in levels.values() for state in states)
        for size in range(max(levels, default=0), 0, -1):
            for state, reached in levels.pop(size, {}).items():
                products = self._contracted(state)
                for (random, free), (weight, ways) in products.items():
                    target = levels[self._size(random)].setdefault(random, {})
                    self._push(target, reached, free, weight)
                    if self.record:
                        counts[random] += counts[state] * ways
        self.pairings = int(counts[()])

    def _contracted(self, state: State) -> Products:
        """One factor of the smallest component, joined to every other copy.

        Smallest, because a join that splits the component makes smaller ones still, and one that
        absorbs it leaves the others as they are: the states met stay few.
        """
        contractor = self.contractor
        a = min(state, key=self._rank) if len(state) > 1 else state[0]
        made = contractor.alone(a)
        if len(state) > 1:
            rest = list(state)
            rest.remove(a)
            made = self._beside(rest, made)
            for b in dict.fromkeys(rest):
                others = list(rest)
                others.remove(b)
                power = rest.count(b)
                for key, (weight, ways) in self._beside(others, contractor.cross(a, b)).items():
                    accumulate(made, key, weight * power, ways * power)
        if self.record:
            self.steps.append(self._step(state, a, made))
        return made

    def _beside(self, rest: list[int], products: Products) -> Products:
        """rest * products"""
        return {(tuple(sorted([*rest, *random])), free): value for (random, free), value in products.items()}

    def _rank(self, a: int) -> tuple[bool, int, int, int]:
        contractor = self.contractor
        return (
            not contractor.blocks[a],
            contractor.copies[a],
            len(contractor.components[a]),
            a,
        )

    def _size(self, state: State) -> int:
        copies = self.contractor.copies
        return sum([copies[a] for a in state])

    def _monomial(self, ids: Ids) -> Monomial:
        return monomial_of([self.contractor.components[i] for i in ids])

    def _step(self, state: State, a: int, made: Products) -> Step:
        outcomes = tuple(
            Outcome(ways, weight, self._monomial(random + free))
            for (random, free), (weight, ways) in made.items()
        )
        name = self.contractor.name
        return Step(name, self._monomial(state), self._monomial((a,)), outcomes)

    def _push(self, target: Reached, reached: Reached, free: Ids, weight: Coefficient) -> None:
        """target += weight * free * reached"""
        times = self.contractor.frame.ring.times
        for (number, gone), coefficient in reached.items():
            key = (number, tuple(sorted(gone + free)) if free else gone)
            before = target.get(key)
            more = times(coefficient, weight)
            target[key] = more if before is None else before + more

    def _reassembled(
        self, reached: Reached, rests: list[dict[Monomial, Coefficient]], value: Sum
    ) -> Iterator[tuple[Monomial, Coefficient]]:
        times = value.frame.ring.times
        for (number, free), coefficient in reached.items():
            # What was set free on different ways may hold one delta twice.
            inner = merged(value.frame, self._monomial(free))
            for rest, outer in rests[number].items():
                product = None if inner is None else multiply(value.frame, inner, rest)
                if product is not None:
                    yield product, times(coefficient, outer)
