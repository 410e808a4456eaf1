"""A relation with expectations: an interval for each side, point by point, until it is resolved."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch

from verifier.claim.model import Claim
from verifier.evidence import Budget, Finding, Sample
from verifier.expr import nodes as N
from verifier.expr.walk import rebuild
from verifier.sample.draws import dependence as sources
from verifier.sample.draws import law_samplers as laws
from verifier.sample.draws.devices import device_of, memory_on
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.draws.outside_draws import draw_simple
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import Point, prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.estimate import FEWEST
from verifier.sample.expectation_leaves import leaves_of
from verifier.sample.pointwise import relations
from verifier.sample.readings import covered, refutation, sample_of, unbroken
from verifier.sample.rewrite import Written
from verifier.sample.sides_at_point import Reading, Site, Step
from verifier.sample.tails.decidable import decidable
from verifier.sample.tuning import Settings
from verifier.sample.unsupported import RefusedError, UndefinedError
from verifier.timer import past, worked

USUAL_SHARE = 0.4  # of the budget, while nothing looks wrong
MOST_SHARE = 0.6  # of the budget, before the replication
REPLICATIONS = 4  # each with twice the draws of the one before


def compare(claim: Claim, fact: N.Relation | N.Within, budget: Budget, settings: Settings) -> Finding:
    """Estimate both sides at several points; only a replicated, proven separation says `false`."""
    clock = Clock(budget.seconds)
    samples: list[Sample] = []
    excluded: list[str] = []
    suspicious, exact = False, list[bool]()
    for point in points(claim, fact, settings.points, deadline=clock.at(0.5)):
        try:
            verdicts = [
                at_point(claim, relation, point, budget, settings, clock) for relation in relations(fact)
            ]
        except UndefinedError as reason:
            excluded.append(f"{point.label}: {reason}")
            continue
        for verdict in verdicts:
            samples += verdict.samples
            suspicious |= verdict.suspicious
            exact += [] if verdict.exact is None else [verdict.exact]
            if verdict.finding is not None:
                return replace(verdict.finding, samples=tuple(samples), excluded=tuple(excluded))
        if clock.spent(1.0 if suspicious else USUAL_SHARE):
            break
    covers = decidable(claim, fact, integrated=True) and covered(
        claim, fact, (sample.at for sample in samples)
    )
    return unbroken(samples, excluded, exact, suspicious, budget.seed, covers)


def estimates(
    claim: Claim, relation: N.Relation, point: Point, budget: Budget, settings: Settings
) -> tuple[Sample, ...]:
    """The samples at one point, whatever they say of the relation."""
    found = readings(claim, relation, point, budget, settings)
    return tuple(sample_of(claim, point, law, reading) for law, reading in found)


def readings(
    claim: Claim, relation: N.Relation, point: Point, budget: Budget, settings: Settings
) -> Iterator[tuple[str | None, Reading]]:
    """Both sides at one point, under each law and free draw."""
    clock = Clock(budget.seconds)
    for law, site in _sites(claim, relation, point, budget, settings):
        reading = _run(site, budget, settings, clock)
        if reading is not None:
            yield law, reading.told(relation.op)


@dataclass(frozen=True)
class Clock:
    """How much of the budget is gone."""

    seconds: float
    start: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", worked())

    def spent(self, share: float) -> bool:
        return past(self.at(share))

    def at(self, share: float) -> float:
        """The moment at which this share of the budget is gone."""
        return self.start + share * self.seconds


@dataclass(frozen=True)
class AtPoint:
    samples: tuple[Sample, ...]
    finding: Finding | None = None
    suspicious: bool = False
    exact: bool | None = None  # equal to rounding on every draw; None where that cannot be seen
    inside: bool = False  # of the claimed order of magnitude, with proof, under every law and draw
    read: tuple[Site, ...] = ()  # where something was read


def at_point(
    claim: Claim,
    relation: N.Relation,
    point: Point,
    budget: Budget,
    settings: Settings,
    clock: Clock,
) -> AtPoint:
    """One point: every representative law, and some draws of the random symbols outside E."""
    readings: list[tuple[str | None, Site, Reading]] = []
    samples, unread = [], False
    for law, site in _sites(claim, relation, point, budget, settings):
        reading = _run(site, budget, settings, clock)
        if reading is None:
            unread = True
            continue
        samples.append(sample_of(claim, point, law, reading.told(relation.op)))
        resolved = reading.against(relation.op) or reading.inside(relation.op)
        if resolved and reading.rigorous and not _replicated(replication(site), relation.op, reading, clock):
            reading = replace(reading, rigorous=False)
        readings.append((law, site, reading))
    finding = _refuted(claim, relation, point, readings, unread, budget.seed)
    return AtPoint(
        tuple(samples),
        finding,
        suspicious=any(reading.suspicious(relation.op) for _, _, reading in readings),
        exact=_exactness(relation, [(site, reading) for _, site, reading in readings]),
        inside=not unread and all(r.inside(relation.op) and r.rigorous for _, _, r in readings),
        read=tuple(site for _, site, _ in readings),
    )


def _sites(
    claim: Claim, relation: N.Relation, point: Point, budget: Budget, settings: Settings
) -> Iterator[tuple[str | None, Site]]:
    """The estimates under each law and free draw."""
    device = device_of(budget.device)
    memory = memory_on(device, budget.memory_bytes)
    world = World.of(claim, point.sizes)
    relation = rebuild(relation, Written(Scope(world, {})).out)
    vague = any(is_vague(claim, name) for name in sources.random_names(relation, world))
    chosen = laws.REPRESENTATIVES[: settings.representatives] if vague else ("gaussian",)
    for law in chosen:
        scene = prepare(
            claim, point, relation, representative=law, dtype=settings.dtype_on(device), device=device
        )
        free = free_names(relation, scene.world)
        key = f"{point.key};{law}"
        drawn = draw_simple(scene, free, Stream(budget.seed, key, "free"), settings.free_draws)
        for position in range(settings.free_draws if free else 1):
            values = {name: value[position] for name, value in drawn.items()}
            here = scene.with_values(values)
            stream = Stream(budget.seed, f"{key};{position}", "estimate")
            located = replace(point, values={**point.values, **values})
            yield (law if vague else None), Site(claim, relation, located, here, stream, settings, memory)


def is_vague(claim: Claim, label: str) -> bool:
    name = label.removeprefix(sources.LAYER)
    inside = claim.layers.symbols if claim.layers and label.startswith(sources.LAYER) else ()
    symbol = next((item for item in inside if item.name == name), claim.symbols.get(name))
    return symbol is not None and laws.only_moments(symbol.kind)  # type: ignore[arg-type]


def free_names(relation: N.Relation, world: World) -> frozenset[str]:
    """Random symbols that stand outside every expectation, or are given in one."""
    integrated = frozenset.union(frozenset(), *(leaf.over for leaf in leaves_of(relation, world).values()))
    outside = sources.random_names(_without_leaves(relation), world)
    given = frozenset(
        name
        for leaf in leaves_of(relation, world).values()
        for name in sources.random_names(leaf.node, world) - leaf.over
    )
    if (outside | given) & integrated:
        raise RefusedError("a random symbol that stands both inside and outside an expectation")
    return outside | given


def _without_leaves(relation: N.Relation) -> N.Relation:
    def change(node: N.Node) -> N.Node:
        if isinstance(node, N.Expectation | N.Variance | N.Covariance):
            return N.Zeros(node.shape)
        return rebuild(node, change)

    return rebuild(relation, change)


def _run(site: Site, budget: Budget, settings: Settings, clock: Clock) -> Reading | None:
    """Double the draws until the relation is resolved, close enough, or the point's share is used up.

    Numbers of draws follow from the tree and the budget, so that they are the same in every run;
    the clock only stops what takes longer than it should.
    """
    op = site.relation.op
    affordable = budget.seconds / site.seconds_per_draw
    limit = min(settings.max_draws, int(MOST_SHARE * affordable))
    usual = min(limit, int(USUAL_SHARE / settings.usual_points * affordable))
    draws, epoch, reading = _first_draws(limit, settings), 0, None
    path: tuple[Step, ...] = ()
    while True:
        found = site.read(epoch, draws, clock.at(MOST_SHARE), partly=reading is None)
        if found is not None:
            told = found.told(op)
            path = (*path, (told.draws, told.middle_left, told.left.low, told.left.high))
            found = replace(found, path=path)
        reading = found or reading
        if found is not None:
            width = f"{found.draws} draws, +-{100 * told.relative_width:.2g}%"
            budget.tell(f"at {site.point.label}: {width}")
            doubtful = found.suspicious(op)
            decided = found.rigorous and (found.against(op) or found.inside(op))
            if decided or (not doubtful and told.settled(op, settings.wanted_width)):
                return found
            allowed = limit if doubtful else usual
        else:
            allowed = limit
        if 2 * draws > allowed or clock.spent(MOST_SHARE if allowed == limit else USUAL_SHARE):
            return reading
        draws, epoch = 2 * draws, epoch + 1


def _first_draws(limit: int, settings: Settings) -> int:
    """Fewer where draws are dear, so that there is something to read whenever the time ends."""
    draws = settings.first_draws
    if draws > limit:
        while draws > limit // 4 and draws // 2 >= FEWEST:
            draws //= 2
    return draws


def replication(site: Site) -> Site:
    """The same with a fresh stream."""
    return site.twin(replace(site.stream, purpose="replication"))


def _replicated(site: Site, op: str, first: Reading, clock: Clock) -> bool:
    """The same contradiction, or the same order of magnitude, from a fresh stream: with as many draws, or
    with a few times as many where the first time was a near thing."""
    for epoch in range(REPLICATIONS):
        second = site.read(epoch, first.draws << epoch, clock.at(1.0))
        if second is None or not second.rigorous:
            return False
        if second.against(op) if first.against(op) else second.inside(op):
            return True
    return False


def _refuted(
    claim: Claim,
    relation: N.Relation,
    point: Point,
    readings: list[tuple[str | None, Site, Reading]],
    unread: bool,
    seed: int,
) -> Finding | None:
    """False if refuted with proof under every law that was tried, these agreeing among themselves."""
    if not readings or not any(r.against(relation.op) and r.rigorous for _, _, r in readings):
        return None
    law, site, reading = next(item for item in readings if item[2].against(relation.op) and item[2].rigorous)
    drawn = {name: value for name, value in site.point.values.items() if name not in point.values}
    if law is not None:
        if drawn or unread:
            return None
        if not _compatible([r for _, _, r in readings if r.rigorous]):
            reason = "the answer differs between laws that have the stated moments"
            return Finding("numeric", "unknown", reason=reason, missing="a moment that is not stated")
        if not all(r.against(relation.op) and r.rigorous for _, _, r in readings):
            return None
    return refutation(claim, relation, point, drawn, reading, seed)


def _compatible(readings: list[Reading]) -> bool:
    """No two laws differ about either side, as they would if these rested on a moment that is not stated."""
    for boxes in ([r.left for r in readings], [r.right for r in readings]):
        low = torch.stack([box.low for box in boxes]).amax(dim=0)
        high = torch.stack([box.high for box in boxes]).amin(dim=0)
        if bool((low > high).any()):
            return False
    return True


def _exactness(relation: N.Relation, seen: list[tuple[Site, Reading]]) -> bool | None:
    """Whether both sides were free of noise and equal to rounding; probes hide that, so they say nothing."""
    if relation.op != "==" or not seen or any(site.probed for site, _ in seen):
        return None
    return not any(r.noisy or not r.rigorous or r.against("==") for _, r in seen)
