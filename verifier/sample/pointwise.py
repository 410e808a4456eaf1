"""A relation without expectations: both sides at many points, for every draw.

The rounding error of a float64 value is judged in two ways, and the larger counts: by repeating the
computation in float32 (the two differ by about 2^29 times the error of the first), and by the largest
number met on the way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import torch
from torch import Tensor

from verifier.claim.model import Claim
from verifier.evidence import Budget, Counterexample, Finding
from verifier.expr import nodes as N
from verifier.expr.symbols import Iid
from verifier.sample.compile.compile import evaluate
from verifier.sample.compile.cost import cost_of
from verifier.sample.compile.structured_matrices import broadcast
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import World
from verifier.sample.draws.outside_draws import draw_simple, reach_of
from verifier.sample.draws.point_numbers import values_of
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import Draws, Point, Scene, prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.readings import ENOUGH, covered
from verifier.sample.tails.decidable import decidable
from verifier.sample.tails.watched_functions import Watch, folds, has_sides
from verifier.sample.unsupported import UndefinedError
from verifier.timer import worked

COUNT = 27
FIXED = 0  # the seed: what is seen at points is no matter of chance
DRAWS = 16
SAME = 1e-13
APART = 1e-6
UNIT_RATIO = 2.0**-29
MARGIN = 64 * UNIT_RATIO
ROUNDING = 1e-13
MAX_ELEMENTS = 10**7
MAX_WORK = 10**8
MAX_CALLS = 15_000

# Silent: the sides agree, on draws that show nothing but limits of the functions in them.
Outcome = Literal["agrees", "breaks", "unclear", "undefined", "silent"]


@dataclass(frozen=True)
class Seen:
    """One relation at one point: what came out, at which draw, and which sides of each kink were met."""

    outcome: Outcome
    draw: int = 0
    lhs: float = 0.0
    rhs: float = 0.0
    kinks: Mapping[int, tuple[bool, bool]] = field(default_factory=dict)


@dataclass(frozen=True)
class Look:
    """What was seen at one point; the draw and the sides where the relation breaks."""

    outcome: Outcome
    point: Point
    drawn: Draws
    lhs: float = 0.0
    rhs: float = 0.0
    kinks: Mapping[int, tuple[bool, bool]] = field(default_factory=dict)


@dataclass(frozen=True)
class Sides:
    """Left and right side, draws by entries, in float64; and for each draw the largest number met, whether a
    function shows nothing but its limit, and where it lies at each kink: above, below, on it."""

    left: Tensor
    right: Tensor
    met: Tensor
    flat: Tensor
    kinks: Mapping[int, Tensor]


def relations(fact: N.Relation | N.Within) -> tuple[N.Relation, ...]:
    """A range is two bounds; an infinite end is none."""
    match fact:
        case N.Relation():
            return (fact,)
        case N.Within(arg, low, high):
            both = (N.Relation(">=", arg, low), N.Relation("<=", arg, high))
            return tuple(
                r for r in both if not any(isinstance(n, N.Infinity) for n in sources.nodes(r.right))
            )


def compare(claim: Claim, fact: N.Relation | N.Within, budget: Budget, hurry: float = 1.0) -> Finding:
    """Look at points until one breaks the relation, or enough agree.

    hurry: the share of the time after which it ends, unless all have agreed and some more are enough.
    """
    start = worked()
    looks: list[Look] = []
    for point in points(claim, fact, COUNT, deadline=start + 0.7 * budget.seconds):
        looks.append(look(claim, fact, point))
        broken = [seen for seen in looks if seen.outcome == "breaks"]
        # A later point may break it in exact numbers: look a little further.
        if broken and (len(broken) > 4 or broken[-1].point.exact):
            break
        if worked() - start > budget.seconds * _share(looks, hurry):
            break
    return _finding(claim, fact, looks)


def _share(looks: list[Look], hurry: float) -> float:
    """How much of the time to use, as it looks."""
    outcomes = [seen.outcome for seen in looks]
    if "unclear" not in outcomes and "breaks" not in outcomes and outcomes.count("agrees") < ENOUGH:
        return 1.0
    return min(hurry, 0.5) if len(looks) >= 2 * ENOUGH else hurry


def _finding(claim: Claim, fact: N.Relation | N.Within, looks: list[Look]) -> Finding:
    excluded = tuple(
        f"undefined at point {seen.point.label}" for seen in looks if seen.outcome == "undefined"
    )
    defined = [seen for seen in looks if seen.outcome not in ("undefined", "silent")]
    agree = [seen for seen in defined if seen.outcome == "agrees"]
    broken = sorted(
        (s for s in defined if s.outcome == "breaks"), key=lambda s: (not s.point.exact, _size(s.point))
    )
    if broken and _supported(claim, fact):
        worst = broken[0]
        shown = Counterexample(
            values_of(claim, fact, worst.point, worst.drawn), worst.lhs, worst.rhs, arithmetic=("float64",)
        )
        text = f"{worst.lhs:.9g} against {worst.rhs:.9g} in float64 at this point"
        return Finding("numeric", "false", "sampled", text, counterexample=shown, excluded=excluded)
    if broken:
        missing = "the support of a law of which only moments are stated"
        return Finding(
            "numeric", "unknown", reason="breaks for some laws", missing=missing, excluded=excluded
        )
    if decidable(claim, fact) and len(agree) == len(defined) and _enough(claim, fact, agree, looks):
        if not _both_sides(claim, fact, agree):
            text = f"no difference at {len(agree)} points, all on one side of a kink"
            return Finding("numeric", "unknown", reason=text, excluded=excluded)
        text = f"both sides agree to rounding on every draw at {len(agree)} points"
        return Finding("numeric", "true", "sampled", text, excluded=excluded)
    if not defined and len(excluded) < len(looks):
        text = "the sides agree where functions have reached their limits, and that is all"
        return Finding("numeric", "unknown", reason=text, excluded=excluded)
    if not defined:
        return Finding(
            "numeric",
            "unknown",
            reason="no point at which both sides are defined",
            excluded=excluded,
            missing="a point that satisfies the assumptions and at which both sides are defined",
        )
    text = f"not broken at {len(defined)} points; sampling alone does not prove it"
    return Finding("numeric", "unknown", reason=text, excluded=excluded)


def _both_sides(claim: Claim, fact: N.Fact, looks: list[Look]) -> bool:
    """Every kink was met from above and from below: an equality may end there."""
    values = claim.values.in_mean()
    for part in sources.nodes(fact):
        own = [part] if has_sides(part, values) else []
        for node in (*own, *folds(part, values)):
            met = [seen.kinks[id(node)] for seen in looks if id(node) in seen.kinks]
            if not (any(above for above, _ in met) and any(below for _, below in met)):
                return False
    return True


def _supported(claim: Claim, fact: N.Fact) -> bool:
    """Every drawn value is possible: not known for entries of which only two moments are stated."""
    world = World.of(claim, {})
    labels = sources.random_names(fact, world)
    layered = {s.name: s for s in claim.layers.symbols} if claim.layers else {}
    found = [
        layered.get(n.removeprefix(sources.LAYER)) if n.startswith(sources.LAYER) else claim.symbols[n]
        for n in labels
    ]
    return not any(symbol is not None and isinstance(symbol.kind, Iid) for symbol in found)


def _enough(claim: Claim, fact: N.Relation | N.Within, agree: list[Look], looks: list[Look]) -> bool:
    fixed = any(not s.is_random and name not in claim.where for name, s in claim.symbols.items())
    seen = covered(claim, fact, (look.point.sizes for look in looks))
    return seen and len(agree) >= (ENOUGH if fixed else 1)


def _size(point: Point) -> int:
    return sum(point.sizes.values()) + sum(value.numel() for value in point.values.values())


def look(claim: Claim, fact: N.Relation | N.Within, point: Point) -> Look:
    """Both sides at one point, for some draws of the random symbols."""
    try:
        scene = prepare(claim, point, fact)
        count = _affordable(fact, scene)
        names = sources.random_names(fact, scene.world)
        drawn = draw_simple(scene, names, Stream(FIXED, point.key), count, reach_of(fact))
        seen = [_relation(relation, scene, drawn, point.margin) for relation in relations(fact)]
    except UndefinedError:
        return Look("undefined", point, {})
    order: list[Outcome] = ["breaks", "unclear", "undefined", "silent", "agrees"]
    worst = min(seen, key=lambda item: order.index(item.outcome), default=Seen("agrees"))
    at = {name: value[worst.draw] for name, value in drawn.items()}
    return Look(worst.outcome, point, at, worst.lhs, worst.rhs, worst.kinks)


def _affordable(fact: N.Relation | N.Within, scene: Scene) -> int:
    """How many draws may be looked at here; a point where even one is too dear is left out."""
    cost = cost_of(tuple(sources.children(fact)), scene, frozenset())
    if cost.elements > MAX_ELEMENTS or cost.work > MAX_WORK or cost.calls > MAX_CALLS:
        raise UndefinedError("too large to evaluate")
    return max(min(DRAWS, MAX_ELEMENTS // cost.elements, MAX_WORK // cost.work), 1)


def _relation(relation: N.Relation, scene: Scene, drawn: Draws, margin: float) -> Seen:
    """The outcome over all draws and entries, and one draw that shows it."""
    found = sides(relation, scene, drawn)
    low = {name: value.float() for name, value in drawn.items()}
    rough = sides(relation, scene.cast(torch.float32), low, watched=False)
    left, right = found.left, found.right
    error = MARGIN * ((left - rough.left).abs() + (right - rough.right).abs()) + ROUNDING * found.met[:, None]
    # Where single precision overflows nothing is known of the error, and the draw says nothing.
    usable = (torch.isfinite(left) & torch.isfinite(right) & torch.isfinite(error)).all(dim=1)
    usable &= ~_on_kink(relation, found)
    if not bool(usable.any()):
        return Seen("undefined")
    size = torch.maximum(left.abs(), right.abs())
    gap = left - right
    excess = {"==": gap.abs(), "<=": gap, "<": gap, ">=": -gap, ">": -gap}[relation.op]
    breaks = usable[:, None] & (excess > max(APART, margin) * size + 16 * error)
    if bool(breaks.any()):
        draw, entry = (int(x) for x in torch.nonzero(breaks)[0])
        return Seen("breaks", draw, float(left[draw, entry]), float(right[draw, entry]))
    if not bool((excess <= SAME * size + error)[usable].all()):
        return Seen("unclear")
    telling = usable & ~found.flat
    if not bool(telling.any()):
        return Seen("silent")
    met = {key: flags[telling].any(dim=0).tolist() for key, flags in found.kinks.items()}
    return Seen("agrees", kinks={key: (above, below) for key, (above, below, _) in met.items()})


def _on_kink(relation: N.Relation, found: Sides) -> Tensor:
    """Draws at which a derivative does not exist: it is meant almost everywhere."""
    derivatives = [node for node in sources.nodes(relation) if isinstance(node, N.Derivative)]
    inside = {id(part) for node in derivatives for part in sources.nodes(node.of)}
    on = torch.zeros(len(found.flat), dtype=torch.bool)
    for key, flags in found.kinks.items():
        if key in inside:
            on |= flags[:, 2]
    return on


def sides(relation: N.Relation, scene: Scene, drawn: Draws, watched: bool = True) -> Sides:
    """Both sides for every draw; `watched`, with what was met on the way."""

    def both(draw: Mapping[str, Tensor]) -> tuple[Tensor, Tensor, Tensor, Tensor, dict[int, Tensor]]:
        scope = scene.bind(draw)
        if watched:
            scope = replace(scope, trace=[], watch=Watch())
        left, right = broadcast(evaluate(relation.left, scope), evaluate(relation.right, scope))
        if scope.trace is None or scope.watch is None:
            nothing = torch.zeros(())
            return left.reshape(-1), right.reshape(-1), nothing, nothing, {}
        met = torch.stack(scope.trace).nan_to_num(0.0, posinf=0.0).amax()
        return left.reshape(-1), right.reshape(-1), met, scope.watch.is_flat(met), scope.watch.kinks

    if drawn:
        left, right, met, flat, kinks = torch.func.vmap(both)(dict(drawn))
    else:
        *values, kinks = both({})
        left, right, met, flat = (value[None] for value in values)
        kinks = {key: flags[None] for key, flags in kinks.items()}
    return Sides(left.double(), right.double(), met.double(), flat, kinks)
