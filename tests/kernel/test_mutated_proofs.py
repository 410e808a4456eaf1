"""Proofs changed at random: what the kernel still accepts must not be refuted by exact arithmetic.

A proof is changed as whoever wants to deceive would: another rule, premise, number or name in one step or in
all of them, in what it concludes as well. The oracle shares no code with the kernel. Every run has a fresh
seed, told when something is wrong."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, cast

from tests.kernel.test_mutants import ALIKE, read, refuted
from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding
from verifier.exact.values.recheck import recheck
from verifier.kernel.check import TRUST, check
from verifier.kernel.judgement import Fails
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import rules
from verifier.proofs.propose import propose
from verifier.proofs.statement import context_of
from verifier.proofs.text import from_data, to_data

MUTANTS = 200
TRUE = [
    "norm(x + y) <= norm(x) + norm(y)", "norm(A @ B) <= norm(A)*norm(B)", "norm(x, 1) <= sqrt(n)*norm(x)",
    "2*a*b <= a**2 + b**2", "abs(a + b) <= abs(a) + abs(b)", "s*t <= (s + t)**2/4", "s/(s + t) < 1",
    "exp(a) >= 1 + a", "tanh(a) in [-1, 1]", "sigmoid(a) in [0, 1]", "a**2 - 2*a + 1 >= 0", "max(a, b) >= a",
    "n + m >= 2", "n**2 >= n", "inner(x, y) <= norm(x)*norm(y)", "tr(A @ B) == tr(B @ A)", "sqrt(s) <= 1 + s",
    "norm(x + y)**2 == norm(x)**2 + 2*inner(x, y) + norm(y)**2", "norm(2*x) <= 3*norm(x)", "s + t > s",
    "norm(2*x)**2 == 4*norm(x)**2", "sum(x[k]**2, k, 1, n) == norm(x)**2", "exp(-s) <= 1", "a**2 + s > 0",
    "norm(X)**2 <= 2*norm(X)**2", "x[i] <= norm(x)", "s + 1/s >= 2", "log(1 + s) <= s", "cos(a) <= 1",
]  # fmt: skip
FALSE: list[tuple[str, dict[str, object]]] = [
    ("n**2 > n", {"n": 1}), ("a**2 >= a", {"a": "1/2"}), ("s*t <= s", {"s": 2, "t": 2}),
    ("norm(x) <= 1", {"n": 2, "x": [[1], [1]]}), ("norm(x + y) == norm(x)", {"n": 1, "x": [[1]], "y": [[1]]}),
    ("abs(a) <= a", {"a": -1}), ("m <= n", {"n": 1, "m": 2}), ("exp(a) <= 2", {"a": 1}),
]  # fmt: skip
WORD = re.compile(r"[A-Za-z_]\w*|\d+|<=|>=|==|[-+*/<>]")
OPERATORS = [["<=", ">=", "<", ">", "=="], ["*", "/"], ["0", "1", "2", "3", "4"]]
KINDS = [*ALIKE, *OPERATORS]


@cache
def proofs() -> tuple[tuple[Claim, str], ...]:
    """Accepted proofs of true statements, and of the contrary of false ones, as text."""
    found = []
    for says, finding in [
        *((says, Finding("x", "true", "proved")) for says in TRUE),
        *((says, Finding("x", "false", "proved", counterexample=Counterexample(at, None, None)))
          for says, at in FALSE),
    ]:  # fmt: skip
        claim = read(says)
        assert claim is not None, says
        proof = propose(claim, claim.steps[0], finding)
        if TRUST not in proof.rules:
            found.append((claim, json.dumps(to_data(proof))))
    assert len(found) > (len(TRUE) + len(FALSE)) * 3 / 4
    return tuple(found)


# --- changes ----------------------------------------------------------------------------------------


def _other(text: str, chance: random.Random) -> str:
    """One word for another of its kind."""
    words = [m for m in WORD.finditer(text) if any(m.group() in kind for kind in KINDS)]
    if not words:
        return text
    word = chance.choice(words)
    kind = chance.choice([kind for kind in KINDS if word.group() in kind])
    return text[: word.start()] + chance.choice(kind) + text[word.end() :]


def everywhere(steps: list[Any], chance: random.Random) -> list[Any]:
    """One word for another, in every conclusion and in all data."""
    kind = chance.choice(KINDS)
    old, new = chance.choice(kind), chance.choice(kind)

    def changed(value: Any) -> Any:
        match value:
            case str():
                return WORD.sub(lambda m: new if m.group() == old else m.group(), value)
            case list():
                return [changed(item) for item in value]
            case dict():
                kept = ("holds", "fails", "point", "exact")
                return {key if key in kept else changed(key): changed(item) for key, item in value.items()}
        return value

    return [
        {
            **step,
            "concludes": changed(step["concludes"]),
            **({"data": changed(step["data"])} if "data" in step else {}),
        }
        for step in steps
    ]


def conclusion(steps: list[Any], chance: random.Random) -> list[Any]:
    """Another conclusion of one step, mostly of the last."""
    at = chance.choice([-1, chance.randrange(len(steps))])
    ((kind, text),) = steps[at]["concludes"].items()
    steps[at]["concludes"] = {kind: _other(text, chance)}
    return steps


def rule(steps: list[Any], chance: random.Random) -> list[Any]:
    chance.choice(steps)["rule"] = chance.choice(list(rules()))
    return steps


def premises(steps: list[Any], chance: random.Random) -> list[Any]:
    """One premise less, twice the same, or another one."""
    at = chance.randrange(len(steps))
    numbers = list(steps[at].get("premises", []))
    if numbers and chance.random() < 0.5:
        numbers.pop(chance.randrange(len(numbers)))
    if at:
        numbers.insert(chance.randint(0, len(numbers)), chance.randrange(at))
    steps[at]["premises"] = numbers
    return steps


def data(steps: list[Any], chance: random.Random) -> list[Any]:
    """A number or a word of the data changed, or a key less."""
    step = chance.choice([step for step in steps if step.get("data")] or steps)
    found = step.get("data", {})
    if found and chance.random() < 0.3:
        found.pop(chance.choice(list(found)))
    else:
        step["data"] = json.loads(_other(json.dumps(found), chance))
    return steps


CHANGES: tuple[Callable[[list[Any], random.Random], list[Any]], ...] = (
    everywhere, everywhere, conclusion, conclusion, rule, premises, data,
)  # fmt: skip


# --- the oracle -------------------------------------------------------------------------------------


@dataclass
class Tally:
    """How many proofs were tried and accepted, for how many statements other than the one proved, of how many
    of which the oracle had a word, and how many it refutes."""

    tried: int = 0
    accepted: int = 0
    others: int = 0
    judged: int = 0
    wrongly: int = 0


def kept(claim: Claim, steps: list[Any]) -> Proof | None:
    """The proof, if the kernel accepts it of what it concludes."""
    try:
        proof = from_data(steps, claim)
        done = check(context_of(claim), proof, proof.conclusion)
    except Rejected:
        return None
    return proof if done.is_proof else None


def wrong(claim: Claim, proof: Proof, steps: list[Any], chance: random.Random) -> bool | None:
    """Whether exact arithmetic says that it is not so; None where it says nothing."""
    ((_, text),) = steps[-1]["concludes"].items()
    stated = read(text)
    if stated is None:
        return None
    if isinstance(proof.conclusion, Fails):
        point = {
            name: _exact(value) for name, value in cast(dict[str, Any], proof.data.get("point", {})).items()
        }
        if any(value is None for value in point.values()):
            return None
        outcome = recheck(stated, stated.steps[0].fact, point).outcome
        return {"true": True, "false": False}.get(outcome)
    return refuted(stated, chance) is not None


def _exact(value: Any) -> Any:
    match value:
        case str() | int():
            return Fraction(value) if re.fullmatch(r"-?\d+(/\d+)?", str(value)) else None
        case list():
            rows = [_exact(item) for item in value]
            return None if None in rows else tuple(rows)
    return None


def tally(count: int, seed: int) -> Tally:
    """So many proofs changed at random."""
    chance, found = random.Random(seed), Tally()
    while found.tried < count:
        claim, text = chance.choice(proofs())
        steps = json.loads(text)
        try:
            for _ in range(chance.choice((1, 1, 2))):
                steps = chance.choice(CHANGES)(steps, chance)
        except (json.JSONDecodeError, TypeError, ValueError):
            continue
        found.tried += 1
        try:
            proof = kept(claim, steps)
        except Exception:  # data that a rule stumbles over; `verify check` says so
            continue
        if proof is None:
            continue
        found.accepted += 1
        found.others += steps[-1]["concludes"] != json.loads(text)[-1]["concludes"]
        said = wrong(claim, proof, steps, chance)
        found.judged += said is not None
        if said:
            found.wrongly += 1
            print(f"seed {seed}: accepted, and exact arithmetic says no: {json.dumps(steps)}")
    return found


def test_no_changed_proof_is_accepted_of_what_arithmetic_refutes() -> None:
    found = tally(MUTANTS, random.SystemRandom().randrange(10**9))
    assert found.wrongly == 0
    assert found.accepted > MUTANTS // 50  # some changes keep a proof a proof
    assert found.judged > 0  # and the oracle speaks
    assert found.accepted < MUTANTS * 3 // 4  # most do not


def test_the_oracle_refutes() -> None:
    """What every change aims at: statements with one word changed are refuted more often than not."""
    chance, refutations, tried = random.Random(3), 0, 0
    for says in TRUE:
        changed = read(_other(says, chance))
        if changed is not None and changed.steps[0].text != says:
            tried += 1
            refutations += refuted(changed, chance) is not None
    assert refutations > tried / 4
