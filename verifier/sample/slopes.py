"""Growth by sampling: the exponent of left/right over a geometric sweep, from separate samples.

A sweep shows finitely many sizes, so it decides only what shows no sign of a second scale: its steps settle
at one simple exponent, twice, at separate values of the other symbols, and no number in the claim is as
large as the sizes. Where the exponent is 0 the order is the claimed one; where it is another one, a bound
is loose, or, on proven tail bounds alone, the claim is false.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.evidence import Budget, Counterexample, Finding, Sample, Tightness
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, Positive
from verifier.expr.text import to_text
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import World
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import Point
from verifier.sample.expected import Clock, is_vague, readings
from verifier.sample.growth_exponents import Kind, Ratio, fits, hull, is_true, simple_exponent, steps
from verifier.sample.readings import sample_of
from verifier.sample.sides_at_point import Reading
from verifier.sample.tails.rare_events import reach
from verifier.sample.tuning import Settings
from verifier.sample.unsupported import RefusedError, UndefinedError

SIZES = (8, 16, 32, 64, 128, 256)
WIDTH = 0.02  # of both sides together
HELD = 4  # what other growing symbols are while one grows
PLACES = 2  # values of the other symbols
LARGEST = 4  # a number beyond this hides what the sizes of a sweep cannot show
FARTHEST = 16  # and so does the product of several
EXPONENTIAL = ("exp", "sigmoid", "softplus", "silu", "log")
MISSING = "a leading order for all sizes: a sweep shows finitely many"


@dataclass(frozen=True)
class Sweep:
    """left/right along one direction at one value of the other symbols, by size."""

    along: tuple[str, ...]
    samples: tuple[Sample, ...]
    proven: tuple[Ratio, ...]
    likely: tuple[Ratio, ...]

    @property
    def exponent(self) -> Fraction | None:
        """From normal intervals: enough to say that an order is as claimed, twice."""
        return simple_exponent(steps(list(self.likely)))

    def excludes(self, kind: Kind) -> bool:
        """Whether every step is far from the claimed order, on proven tail bounds."""
        slopes = steps(list(self.proven))
        far = not any(fits(kind, slope) for slope in slopes)
        return far and bool(slopes) and all(ratio.rigorous for ratio in self.proven)


def compare(claim: Claim, fact: N.Relation, budget: Budget, settings: Settings) -> Finding:
    """What exponent of left/right the draws show as the growing symbols grow."""
    assert isinstance(fact.right, N.Growth)
    if not claim.growing:
        raise RefusedError("growth over all values at once, for sampling")
    if {symbol.name for symbol in claim.growing} & World.of(claim, {}).substituted.keys():
        raise RefusedError("growth in a symbol that an assumption replaces, for sampling")
    if not fact.left.shape.is_scalar:
        raise RefusedError("the growth of a matrix, for sampling")
    settings = replace(settings, wanted_width=WIDTH, usual_points=1)
    question = Question(claim, N.Relation("==", fact.left, fact.right.body), budget, settings)
    doubt = question.doubt
    sweeps = list(question.sweeps(1 if doubt else PLACES))
    first = sweeps[0] if sweeps else None
    slopes = [] if first is None else steps(list(first.proven))
    whole = hull(slopes)
    if first is None or whole is None:
        raise RefusedError("a sample of both sides at several sizes")
    kind = fact.right.kind
    near = "close to the claimed order" if fits(kind, whole) else "not the claimed order"
    proof = "proven tail bounds" if all(ratio.rigorous for ratio in first.proven) else "approximate tails"
    sizes = f"{first.proven[0].size} to {first.proven[-1].size}"
    reason = f"over sizes {sizes} the ratio grows with the exponent {whole.words} ({proof}): {near}"
    found = None if doubt or not question.is_complete(sweeps) else _decided(claim, fact.right, kind, sweeps)
    if found is None:
        missing = MISSING if doubt is None else f"{MISSING}, and {doubt}"
        found = Finding("numeric", "unknown", reason=reason, missing=missing)
    return replace(found, samples=first.samples)


@dataclass(frozen=True)
class Question:
    """left == right at many sizes."""

    claim: Claim
    fact: N.Relation
    budget: Budget
    settings: Settings

    @property
    def doubt(self) -> str | None:
        """Why a sweep could mislead; None if there is no reason known."""
        claim, world = self.claim, World.of(self.claim, {})
        names = sources.relevant(claim, self.fact, world)
        growing = {symbol.name for symbol in claim.growing}
        nodes = list(sources.nodes(self.fact))
        if claim.layers is not None or any(isinstance(node, N.MatPower) for node in nodes):
            return "products of many random matrices have tails that no sample shows"
        if any(isinstance(p, N.RowWise) and p.function == "softmax" for p in nodes) or any(
            isinstance(p, N.Apply) and p.function in EXPONENTIAL for p in nodes
        ):
            return "an exponential turns moderate numbers into scales beyond the sizes"
        if any(assumption.substitution is None for assumption in claim.assumptions):
            return "assumptions are met at the sampled points only"
        for name in sorted(names):
            if name.startswith(sources.LAYER) or is_vague(claim, name):
                return f"{name} has no law that is fully known"
            symbol = claim.symbols.get(name)
            kind = None if symbol is None else symbol.kind
            if symbol is not None and not symbol.is_random and not isinstance(kind, Dimension | Positive):
                return f"an order may change at single values of {name}"
        numbers = _numbers(claim, nodes, names - growing)
        if any(map(_is_far, numbers)) or reach((self.fact.left, self.fact.right), world) > FARTHEST:
            return "a number in it is as large as the sizes"
        return None

    def directions(self) -> Iterator[dict[str, bool]]:
        """All growing symbols together, then each by itself."""
        names = [symbol.name for symbol in self.claim.growing]
        yield dict.fromkeys(names, True)
        if len(names) > 1:
            yield from ({other: other == name for other in names} for name in names)

    def sweeps(self, places: int) -> Iterator[Sweep]:
        """Each direction at each place, with draws of its own; the first one tells, the others confirm."""
        moves = list(self.directions()) if places > 1 else list(self.directions())[:1]
        clock = Clock(self.budget.seconds)
        for place in range(places):
            for move in moves:
                made = self._sweep(move, place, self.budget.seconds / (places * len(moves)))
                if made is not None:
                    yield made
                if made is None or clock.spent(1.0):
                    return

    def is_complete(self, sweeps: list[Sweep]) -> bool:
        return len(sweeps) == PLACES * len(list(self.directions()))

    def _sweep(self, move: dict[str, bool], place: int, seconds: float) -> Sweep | None:
        share = replace(self.budget, seconds=1.2 * seconds / len(SIZES))
        samples, proven, likely = [], [], []
        clock = Clock(seconds)
        for size in SIZES:
            sizes = {name: Fraction(size if grows else HELD) for name, grows in move.items()}
            there = replace(self.claim, sweep={k: (v,) for k, v in sizes.items()}, growing=())
            found = self._at(there, place, share)
            if found is None:
                break
            point, left, right = found
            samples.append(replace(sample_of(there, point, None, left), claimed=float(right.middle_left)))
            proven.append(_ratio(size, left, right, proven=True))
            likely.append(_ratio(size, left, right, proven=False))
            if min(proven[-1].low, likely[-1].low) <= 0 or clock.spent(1.0):
                break
        positive = [k for k, ratio in enumerate(proven) if min(ratio.low, likely[k].low) > 0]
        if len(positive) < 3:
            return None
        along = tuple(name for name, grows in move.items() if grows)
        kept = slice(0, len(positive))
        return Sweep(along, tuple(samples[kept]), tuple(proven[kept]), tuple(likely[kept]))

    def _at(self, there: Claim, place: int, share: Budget) -> tuple[Point, Reading, Reading] | None:
        """The place-th point of this size, and both sides there, each as narrow as the time allows."""
        sides = [N.Relation("==", side, side) for side in (self.fact.left, self.fact.right)]
        for position, point in enumerate(points(there, self.fact, place + 1)):
            if position < place:
                continue
            try:
                found = [next(readings(there, side, point, share, self.settings), None) for side in sides]
            except (RefusedError, UndefinedError):
                return None
            if found[0] is not None and found[1] is not None:
                return point, found[0][1], found[1][1]
        return None


def _ratio(size: int, left: Reading, right: Reading, proven: bool) -> Ratio:
    above, below = (side.left if proven else side.likely[0] for side in (left, right))
    low, high = float(above.low), float(above.high)
    if low <= 0 or float(below.low) <= 0:
        return Ratio(size, 0.0, 0.0, False)
    rigorous = proven and left.rigorous and right.rigorous
    return Ratio(size, low / float(below.high), high / float(below.low), rigorous)


def _numbers(claim: Claim, nodes: list[N.Node], names: frozenset[str]) -> Iterator[Fraction]:
    """Every number that the claim names: in its sides, its laws and its fixed values."""
    yield from (node.value for node in nodes if isinstance(node, N.Number))
    yield from claim.where.values()
    for name in names & claim.symbols.keys():
        for value in vars(claim.symbols[name].kind).values():
            if isinstance(value, N.Node):
                yield from (part.value for part in sources.nodes(value) if isinstance(part, N.Number))


def _is_far(value: Fraction) -> bool:
    return value != 0 and not Fraction(1, LARGEST) <= abs(value) <= LARGEST


def _decided(claim: Claim, right: N.Growth, kind: Kind, sweeps: list[Sweep]) -> Finding | None:
    """One exponent for all sweeps: 0 is the claimed order, another one is loose, or wrong on proven tails."""
    exponents = {sweep.exponent for sweep in sweeps}
    sizes = f"{sweeps[0].proven[0].size} to {min(sweep.proven[-1].size for sweep in sweeps)}"
    seen = f"over sizes {sizes}, in {len(sweeps)} separate samples,"
    if len(exponents) == 1 and None not in exponents:
        (exponent,) = exponents
        assert exponent is not None
        if is_true(kind, exponent) and (exponent == 0 or len(claim.growing) == 1):
            reason = f"{seen} every step of the sweep has the exponent {exponent} of the ratio"
            better = _better(claim, right, exponent)
            tightness = None if kind == "Theta" else Tightness(exponent == 0, better=better)
            return Finding("numeric", "true", "sampled", reason, tightness=tightness)
    together = [sweep for sweep in sweeps if len(sweep.along) == len(claim.growing)]
    settled = {sweep.exponent for sweep in together}
    if len(settled) != 1 or not all(sweep.excludes(kind) for sweep in together):
        return None
    (exponent,) = settled
    if exponent is None or is_true(kind, exponent):
        return None
    reason = f"{seen} the ratio has the exponent {exponent}, and proven tail bounds exclude the claimed one"
    return Finding("numeric", "false", "sampled", reason, counterexample=_ratios(claim, together[0]))


def _better(claim: Claim, right: N.Growth, exponent: Fraction) -> str | None:
    if exponent == 0:
        return None
    size: N.Node = claim.growing[0]
    grown = size if abs(exponent) == 1 else N.Power(size, N.Number(abs(exponent)))
    body = N.Multiply(right.body, grown) if exponent > 0 else N.Divide(right.body, grown)
    return f"{right.kind}({to_text(body)})"


def _ratios(claim: Claim, sweep: Sweep) -> Counterexample:
    sizes = [ratio.size for ratio in sweep.proven]
    middles = tuple((ratio.low + ratio.high) / 2 for ratio in sweep.proven)
    columns = {symbol.name: sizes for symbol in claim.growing}
    held = {k: v for k, v in sweep.samples[0].at.items() if k not in columns}
    return Counterexample({**held, **columns}, None, None, ratios=middles)
