"""A proof as JSON, and back. Conclusions are written in the claim language, and read again by its parser in
the scope of the claim. A part that is shared is written once: a proof is a list of steps, whose premises are
numbers of earlier steps; the last step is the proof.

    [{"rule": "assumption", "concludes": {"holds": "a == b"}},
     {"rule": "weaken", "concludes": {"holds": "a <= b"}, "premises": [0]}]

What is read may be anybody's: sizes and depths are bounded, and whatever is no proof is `Rejected`.
"""

import json
from typing import Any

from verifier.claim.model import Claim
from verifier.expr.elaborate import elaborate_fact
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.nodes import Relation, Within
from verifier.expr.scope import Scope
from verifier.expr.sizes import MAX_TREE_DEPTH, room_for_trees
from verifier.expr.syntax import parse
from verifier.expr.text import to_text
from verifier.kernel.judgement import Fails, Holds, Judgement
from verifier.kernel.proof import Data, Proof
from verifier.kernel.rejected import Rejected
from verifier.proofs.statement import inside_layers
from verifier.read.specs.theorem_scope import MAX_EXPANDED, Extents, extent

MOST_STEPS, DEEPEST = 100_000, 1_000
DEEPEST_DATA = 32
_KINDS: dict[str, type[Holds] | type[Fails]] = {"holds": Holds, "fails": Fails}
_KEYS = frozenset({"rule", "concludes", "premises", "data"})

Json = Any


# --- writing ----------------------------------------------------------------------------------------


@room_for_trees()
def to_data(proof: Proof) -> list[Json]:
    """The steps of a proof, each before those that rest on it, and the proof itself last."""
    steps: list[Json] = []
    known: dict[str, int] = {}  # by what is written
    places: dict[int, int] = {}  # by the identity of a part, which lives as long as the proof
    todo = [proof]
    while todo:
        part = todo[-1]
        if id(part) in places:
            todo.pop()
            continue
        if waiting := [premise for premise in part.premises if id(premise) not in places]:
            todo += waiting
            continue
        todo.pop()
        step = _step(part, [places[id(premise)] for premise in part.premises])
        key = json.dumps(step, sort_keys=True)
        if key not in known:
            known[key] = len(steps)
            steps.append(step)
        places[id(part)] = known[key]
    return steps


def _step(part: Proof, premises: list[int]) -> Json:
    more = {"premises": premises, "data": dict(part.data)}
    return {"rule": part.rule, "concludes": judgement_to_data(part.conclusion)} | {
        key: value for key, value in more.items() if value
    }


def judgement_to_data(judgement: Judgement) -> Json:
    match judgement:
        case Holds(fact):
            return {"holds": to_text(fact)}
        case Fails(fact):
            return {"fails": to_text(fact)}
    raise TypeError(f"no text for {type(judgement).__name__}")


# --- reading ----------------------------------------------------------------------------------------


def from_data(data: Json, claim: Claim) -> Proof:
    """The proof again; raises Rejected."""
    return steps_from(data, claim)[-1]


@room_for_trees()
def steps_from(data: Json, claim: Claim) -> list[Proof]:
    """Its steps as they are written, each after those that it rests on."""
    if not isinstance(data, list) or not data:
        raise Rejected("data", "a proof is a list of steps, and has at least one")
    if len(data) > MOST_STEPS:
        raise Rejected("too-large", f"a proof of more than {MOST_STEPS} steps")
    reader = _Reader(claim)
    found: list[Proof] = []
    depths: list[int] = []
    for at, step in enumerate(data):
        rule, conclusion, premises, more = _parts(step, at)
        depths.append(1 + max((depths[number] for number in premises), default=0))
        if depths[-1] > DEEPEST:
            raise Rejected("too-large", f"a proof of more than {DEEPEST} steps one on top of another")
        concluded = reader.judgement(conclusion)
        found.append(Proof(rule, concluded, tuple(found[number] for number in premises), more))
    return found


def _parts(step: Json, at: int) -> tuple[str, Json, list[int], Data]:
    match step:
        case {"rule": str() as rule, "concludes": conclusion, **more} if step.keys() <= _KEYS:
            premises, data = more.get("premises", []), more.get("data", {})
        case _:
            raise Rejected("data", f"step {at} has no rule, no conclusion, or keys that nobody knows")
    if not isinstance(premises, list) or not all(_is_earlier(number, at) for number in premises):
        raise Rejected("data", f"the premises of step {at} are no numbers of earlier steps")
    if not isinstance(data, dict) or not _is_plain(data, DEEPEST_DATA):
        raise Rejected("data", f"the data of step {at} are no names with numbers, words and lists of them")
    return rule, conclusion, premises, data


def _is_earlier(number: object, at: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < at


def _is_plain(value: object, depth: int) -> bool:
    """Whether it is JSON without floating point, and not too deep."""
    match value:
        case None | bool() | int() | str():
            return True
        case list():
            return depth > 0 and all(_is_plain(item, depth - 1) for item in value)
        case dict():
            named = all(isinstance(name, str) for name in value)
            return depth > 0 and named and all(_is_plain(item, depth - 1) for item in value.values())
    return False


def fact_of(text: str, claim: Claim) -> Relation | Within:
    """A relation that the claim could say, of a size that it may have; raises Rejected."""
    return _Reader(claim).fact(text)


class _Reader:
    """Conclusions in the scope of one claim, each text read once."""

    def __init__(self, claim: Claim) -> None:
        self._scopes: tuple[Scope, ...] = (claim.scope, inside_layers(claim))
        self._facts: dict[str, Relation | Within] = {}
        self._extents: Extents = {}

    def judgement(self, data: Json) -> Judgement:
        match data:
            case dict() if len(data) == 1:
                ((kind, text),) = data.items()
                if kind in _KINDS and isinstance(text, str):
                    return _KINDS[kind](self.fact(text))
        raise Rejected("data", f"a conclusion is one of {', '.join(_KINDS)} with a relation")

    def fact(self, text: str) -> Relation | Within:
        if text not in self._facts:
            self._facts[text] = self._read(text)
        return self._facts[text]

    def _read(self, text: str) -> Relation | Within:
        """In the claim's scope, or else in that of its layers, as assumptions are."""
        wrong: Exception | None = None
        for scope in self._scopes:
            try:
                fact = elaborate_fact(parse(text), scope)
            except (ExprError, ShapeError) as error:
                wrong = wrong or error
                continue
            if not isinstance(fact, Relation | Within):
                raise Rejected("data", "a conclusion is one relation")
            size, depth = extent(fact, self._extents)
            if size > MAX_EXPANDED or depth > MAX_TREE_DEPTH:
                raise Rejected("too-large", "a conclusion that is larger than a claim may be")
            return fact
        raise Rejected("data", f"a conclusion cannot be read: {wrong}")
