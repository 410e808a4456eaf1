"""Which evidence is worth remembering, and verdicts from what is remembered.

What is settled is kept: true or false, proved or certified, with every assumption weighed. What is
not may be so because the machine was very busy, so it is kept only if the worker had the processor for
a good part of its time; limits being seconds of computing, they would then give the same again. Limits
are part of the key: more time is a new question. A crash, a lack of memory and a disagreement of engines
are never kept.
"""

from dataclasses import dataclass, field, replace

from verifier.codec import Unknown
from verifier.judge.verdict import StepVerdict, Verdict
from verifier.plan.settings import Settings
from verifier.read.specs.make_claim import Draft
from verifier.run.keys import claim_key
from verifier.run.pool import Ended
from verifier.run.recall import ended_from_data, ended_to_data
from verifier.run.result_store import Store
from verifier.timer import PATIENCE

# A worker may wait this long, and for this share of its time, and still count as undisturbed: less than what
# lets time on the wall count as work.
IDLE_SECONDS = 0.3
IDLE_SHARE = 1 - 1.5 / PATIENCE


@dataclass
class Memory:
    """The store as one run uses it; without a store nothing is known and nothing kept.

    `lost` names the claims that were judged and could not be kept."""

    store: Store | None
    settings: Settings
    lost: set[str] = field(default_factory=set)
    # Whether a verdict that is remembered without its proof counts as forgotten.
    with_proofs: bool = False

    def recall(self, plan: Draft) -> Ended | None:
        """How the examination of this claim ended, if that is remembered."""
        found = self._get(plan, self.settings)
        if found is None and not self.settings.pictures:
            # A run that also draws pictures finds the same, and more.
            found = self._get(plan, replace(self.settings, pictures=True))
        return found

    def _get(self, plan: Draft, settings: Settings) -> Ended | None:
        key = self._key(plan, settings)
        if self.store is None or key is None:
            return None
        try:
            return ended_from_data(self.store.get(key))
        except Unknown:
            return None

    def keep(self, plan: Draft, ended: Ended, verdict: Verdict) -> None:
        """Remember how it ended, if it would end so again."""
        if self.store is None:
            return
        if not is_final(ended, verdict) or not self._put(self.store, plan, ended):
            self.lost.add(plan.id)

    def _put(self, store: Store, plan: Draft, ended: Ended) -> bool:
        key = self._key(plan, self.settings)
        try:
            return key is not None and store.put(key, ended_to_data(ended))
        except Unknown:
            return False

    def _key(self, plan: Draft, settings: Settings) -> str | None:
        """None for a claim with parts that have no place in a key yet: it is judged every time."""
        try:
            return claim_key(plan, settings) if self.store is not None else None
        except TypeError:
            return None


def is_final(ended: Ended, verdict: Verdict) -> bool:
    """Whether another run with the same limits would end with the same."""
    if verdict.disagreement is not None or (ended.stopped is not None and not ended.timed_out):
        return False
    return _is_settled(ended, verdict) or _is_undisturbed(ended)


def _is_settled(ended: Ended, verdict: Verdict) -> bool:
    steps = [*verdict.steps, *([verdict.overall] if verdict.overall is not None else [])]
    weighed = all(part.status != "unknown" for part in verdict.assumptions)
    return ended.stopped is None and weighed and all(map(_is_decided, steps))


def _is_decided(step: StepVerdict) -> bool:
    """Beyond doubt, and with all that more time could add to it."""
    if step.evidence not in ("proved", "certified"):
        return False
    return (
        (step.verdict == "holds" and step.tightness in (None, "tight"))
        or (step.verdict == "loose" and step.tight is not None)
        or bool(step.corrected)
    )


def _is_undisturbed(ended: Ended) -> bool:
    if ended.cpu_seconds is None:
        return False
    return ended.seconds - ended.cpu_seconds <= IDLE_SECONDS + IDLE_SHARE * ended.seconds
