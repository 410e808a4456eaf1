"""The verdicts of a run, in the order of its claims: a few hundred in memory, the others as their evidence on
disk, from which they are composed again when somebody looks."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import overload

from verifier.claim.loaded import Broken, Entry
from verifier.claim.model import Claim, Step
from verifier.codec import Unknown
from verifier.evidence import Finding, ProofRecord
from verifier.expr.sizes import room_for_trees
from verifier.judge.decide import compose, decide
from verifier.judge.verdict import AssumptionVerdict, StepVerdict, Verdict
from verifier.run.events import Bought, Found, Mended, Proposed, Stage
from verifier.run.overall import OVERALL, overall
from verifier.run.pool import Ended
from verifier.run.recall import ended_from_data, ended_to_data
from verifier.spool import STAYS, Disk, Spool, fits_in_memory

Item = Verdict | Broken


class Judged(Sequence[Item]):
    """Verdicts by the number of their entry, put as they come."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
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
        return verdict_of(entry.claim, ended_from_data(self._disk.value(self._kept[number])))


def verdict_of(claim: Claim, ended: Ended) -> Verdict:
    """The verdict from what arrived. What cannot be judged costs this claim its verdict, and no other."""
    try:
        return _composed(claim, ended)
    except Exception as error:
        stopped = f"judging failed with {type(error).__name__}: {error}"
        return _composed(claim, replace(ended, events=(), stopped=stopped))


def _composed(claim: Claim, ended: Ended) -> Verdict:
    """Compose the verdict from what arrived, also when the worker was stopped on its way."""
    findings: dict[int, list[Finding]] = {}
    for event in ended.events:
        if isinstance(event, Found):
            findings.setdefault(event.step, []).append(event.finding)
    proofs = {event.step: event.proof for event in ended.events if isinstance(event, Proposed)}
    steps = [
        _with_proof(_decided(step, findings.get(at, ()), ended), proofs.get(at))
        for at, step in enumerate(claim.steps)
    ]
    whole = overall(claim)
    against = decide(whole, findings.get(OVERALL, ())) if whole is not None else None
    bought = [event.verdict for event in ended.events if isinstance(event, Bought)]
    if ended.stopped is not None:
        weighed = {part.name for part in bought}
        left = [assumption.name for assumption in claim.assumptions if assumption.name not in weighed]
        bought += [AssumptionVerdict(name, "unknown", reason=ended.stopped) for name in left]
    places = {assumption.name: at for at, assumption in enumerate(claim.assumptions)}
    bought.sort(key=lambda part: places.get(part.name, len(places)))
    repair = next((event.repair for event in ended.events if isinstance(event, Mended)), None)
    return replace(compose(claim, steps, against, bought, ended.seconds), repair=repair)


def _with_proof(step: StepVerdict, proof: ProofRecord | None) -> StepVerdict:
    """Only a proof of what the verdict says."""
    truth = "true" if step.is_true else "false" if step.verdict == "fails" else None
    return replace(step, proof=proof) if proof is not None and proof.truth == truth else step


def _decided(step: Step, findings: Sequence[Finding], ended: Ended) -> StepVerdict:
    if ended.stopped is not None:
        stage = next((e.words for e in reversed(ended.events) if isinstance(e, Stage)), "starting")
        stopped = Finding("run", "unknown", reason=f"{ended.stopped}, at {stage}")
        return decide(step, [*findings, stopped])
    return decide(step, findings)
