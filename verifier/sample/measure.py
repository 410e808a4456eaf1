"""Several expressions measured off the same draws: a table of sizes and ratios from one run."""

import math
from collections.abc import Sequence
from functools import reduce

from verifier.claim.model import Claim
from verifier.evidence import Budget, Sample
from verifier.expr import nodes as N
from verifier.sample.compile.outer_intervals import WideError
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.devices import device_of, memory_on
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.draws.point_numbers import place_of
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.estimate import FEWEST, MAX_BLOCKS
from verifier.sample.rewrite import Written
from verifier.sample.sides_at_point import Around, Site, is_vague
from verifier.sample.tuning import Settings
from verifier.sample.unsupported import RefusedError
from verifier.timer import worked

SHARE = 0.7  # of the time is planned with draws: their cost is known only roughly


def measure(
    claim: Claim, wanted: Sequence[N.Node], budget: Budget, settings: Settings
) -> tuple[Sample | None, ...]:
    """Each scalar with its interval at the claim's first point; None while a divisor may still be 0."""
    deadline = worked() + budget.seconds
    if not all(node.shape.is_scalar for node in wanted):
        raise RefusedError("a table of matrices")
    fact = _all(wanted)
    point = next(iter(points(claim, fact, 1)), None)
    if point is None:
        raise RefusedError("a point that satisfies the assumptions")
    device = device_of(budget.device)
    scene = prepare(claim, point, fact, dtype=settings.dtype_on(device), device=device)
    scope = Scope(World.of(claim, point.sizes), {})
    written = [Written(scope).out(node) for node in wanted]
    stream = Stream(budget.seed, point.key, "measure")
    memory = memory_on(device, budget.memory_bytes)
    site = Site(claim, _all(written), point, scene, stream, settings, memory)
    around = _advanced(site, budget, settings, deadline)
    if around is None:
        return (None,) * len(wanted)
    return tuple(_sample(node, around, site) for node in written)


def _all(wanted: Sequence[N.Node]) -> N.Relation:
    """A relation that contains them all; nobody asks whether it is true."""
    return N.Relation("==", reduce(N.Add, wanted), N.Zeros(wanted[0].shape))


def _advanced(site: Site, budget: Budget, settings: Settings, deadline: float) -> Around | None:
    """As many draws as the time is likely to carry, read on the way too in case it does not."""
    affordable = min(int(SHARE * budget.seconds / site.seconds_per_draw), settings.max_draws)
    if affordable > MAX_BLOCKS:  # blocks are halved in number: whole powers of two leave none over
        affordable = 2 ** int(math.log2(affordable))
    found = None
    for epoch, part in enumerate((16, 8, 4, 2, 1)):
        found = site.around(epoch, max(FEWEST, affordable // part), deadline) or found
    return found


def _sample(node: N.Node, around: Around, site: Site) -> Sample | None:
    scope = site.outside
    try:
        box, middle, likely = (
            outer.value(node, scope) for outer in (around.outer, around.middle, around.likely)
        )
    except WideError:
        return None
    used = [around.estimates[id(part)] for part in sources.nodes(node) if id(part) in around.estimates]
    rigorous = all(item.rigorous for item in used)
    if rigorous and is_vague(float(box.radius), float(likely.radius)):
        box, rigorous = likely, False
    return Sample(
        place_of(site.claim, site.point, None),
        float(middle.low),
        float(box.low),
        float(box.high),
        None,
        max((item.draws for item in used), default=0),
        rigorous,
    )
