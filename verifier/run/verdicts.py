"""The verdicts of a run, in the order of its claims: a few hundred in memory, the others as their evidence on
disk, from which they are composed again when somebody looks."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import overload

from verifier.claim.model import Claim, Step
from verifier.codec import Unknown
from verifier.evidence import Attempt, Finding, ProofRecord, SideProof, Trust
from verifier.expr.sizes import room_for_trees
from verifier.judge.decide import compose, decide
from verifier.judge.grounds import Grounds, of_step
from verifier.judge.verdict import AssumptionVerdict, Repair, StepVerdict, Verdict
from verifier.plan.messages import Beside, Bought, Found, Mended, Proposed, Stage, Tried
from verifier.plan.settings import DEFAULT_TRUST
from verifier.plan.whole_chain import OVERALL, overall
from verifier.read.specs.loaded import Broken, Entry
from verifier.run.pool import Ended
from verifier.run.recall import ended_from_data, ended_to_data
from verifier.spool import STAYS, Disk, Spool, fits_in_memory

Item = Verdict | Broken


class Judged(Sequence[Item]):
    """Verdicts by the number of their entry, put as they come."""

    def __init__(self, entries: Sequence[Entry], trust: Trust = DEFAULT_TRUST) -> None:
        self._entries = entries
        self._trust = trust
        self._disk = Disk()
        self._kept = array("q", [STAYS]) * len(entries)  # numbers on the disk
        self._here: dict[int, Verdict] = {}

    def put(self, number: int, ended: Ended, verdict: Verdict) -> None:
        """What came of the examination of a claim."""
        place = None if fits_in_memory(len(self._here)) else self._written(ended)
        if place is None:
            self._here[number] = verdict
        else:
            self._kept[number] = place

    def _written(self, ended: Ended) -> int | None:
        try:
            return self._disk.keep(ended_to_data(ended))
        except Unknown:
            return None

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Item]:
        return map(self._item, range(len(self)))

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        numbers = range(len(self))[at]
        return tuple(map(self._item, numbers)) if isinstance(numbers, range) else self._item(numbers)

    @property
    def is_short(self) -> bool:
        """Whether nothing is on disk."""
        return not isinstance(self._entries, Spool) and all(place == STAYS for place in self._kept)

    @room_for_trees()
    def _item(self, number: int) -> Item:
        if number in self._here:
            return self._here[number]
        entry = self._entries[number]
        if isinstance(entry, Broken):
            return entry
        return verdict_of(entry.claim, ended_from_data(self._disk.value(self._kept[number])), self._trust)


def verdict_of(claim: Claim, ended: Ended, trust: Trust = DEFAULT_TRUST) -> Verdict:
    """The verdict from what arrived. What cannot be judged costs this claim its verdict, and no other."""
    try:
        return _composed(claim, ended, trust)
    except Exception as error:
        stopped = f"judging failed with {type(error).__name__}: {error}"
        return _composed(claim, replace(ended, events=(), stopped=stopped), trust)


def _composed(claim: Claim, ended: Ended, trust: Trust) -> Verdict:
    """Compose the verdict from what arrived, also when the worker was stopped on its way."""
    findings: dict[int, list[Finding]] = {}
    for event in ended.events:
        if isinstance(event, Found):
            findings.setdefault(event.step, []).append(event.finding)
    proofs = {event.step: event.proof for event in ended.events if isinstance(event, Proposed)}
    sides = tuple(event.proof for event in ended.events if isinstance(event, Beside))
    steps = [
        _decided(step, findings.get(at, ()), ended, Grounds(trust, proofs.get(at), of_step(sides, at)))
        for at, step in enumerate(claim.steps)
    ]
    steps = [replace(step, tried=_tried(ended, at)) for at, step in enumerate(steps)]
    whole = overall(claim)
    against = _against(whole, findings.get(OVERALL, ()), steps, trust) if whole is not None else None
    against = against and replace(against, tried=_tried(ended, OVERALL))
    bought = [event.verdict for event in ended.events if isinstance(event, Bought)]
    if ended.stopped is not None:
        weighed = {part.name for part in bought}
        left = [assumption.name for assumption in claim.assumptions if assumption.name not in weighed]
        bought += [AssumptionVerdict(name, "unknown", reason=ended.stopped) for name in left]
    places = {assumption.name: at for at, assumption in enumerate(claim.assumptions)}
    bought.sort(key=lambda part: places.get(part.name, len(places)))
    mended = next((event.repair for event in ended.events if isinstance(event, Mended)), None)
    found = compose(claim, steps, against, [_told(part, sides) for part in bought], ended.seconds)
    return replace(found, repair=mended and _saved(mended, sides), sides=sides, tried=_tried(ended, None))


def _tried(ended: Ended, step: int | None) -> tuple[Attempt, ...]:
    return tuple(e.attempt for e in ended.events if isinstance(e, Tried) and e.step == step)


def _against(
    whole: Step, findings: Sequence[Finding], steps: Sequence[StepVerdict], trust: Trust
) -> StepVerdict:
    """First against last: where every step is proved, it follows."""
    follows = ProofRecord("true", "", {}, exact=all(step.evidence == "proved" for step in steps))
    proved = all(step.is_true for step in steps)
    return replace(decide(whole, findings, Grounds(trust, follows if proved else None)), proof=None)


def _told(part: AssumptionVerdict, sides: Sequence[SideProof]) -> AssumptionVerdict:
    """What an assumption buys, or a guess at it."""
    shown = any((side.kind, side.of) == (part.status, part.name) for side in sides)
    return replace(part, is_guess=part.status != "unknown" and not shown)


def _saved(repair: Repair, sides: Sequence[SideProof]) -> Repair:
    shown = any((side.kind, side.of) == ("repair", repair.condition) for side in sides)
    return replace(repair, is_guess=not shown)


def _decided(step: Step, findings: Sequence[Finding], ended: Ended, grounds: Grounds) -> StepVerdict:
    if ended.stopped is not None:
        stage = next((e.words for e in reversed(ended.events) if isinstance(e, Stage)), "starting")
        stopped = Finding("run", "unknown", reason=f"{ended.stopped}, at {stage}")
        return decide(step, [*findings, stopped], grounds)
    return decide(step, findings, grounds)
