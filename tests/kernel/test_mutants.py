"""Statements changed at random: exact arithmetic at random points must not refute what the kernel accepts.

The oracle shares no code with the kernel. Every run has a fresh seed, told when something is wrong."""

import random
import re
from dataclasses import dataclass
from fractions import Fraction

from tests.kernel.test_contract import SYMBOLS, TRUE_AND_FALSE
from verifier.claim.model import Claim
from verifier.exact.values.recheck import recheck
from verifier.expr.nodes import Relation
from verifier.kernel.context import Context
from verifier.kernel.normal.equal import equal_entries
from verifier.kernel.rejected import Rejected
from verifier.read.specs.load import load_text

MUTANTS = 200
SIZES = {"n": 2, "m": 3, "d": 2}
SHAPES = {"x": "n1", "y": "n1", "A": "nm", "B": "mn", "X": "nd"}
SPECIAL = re.compile(r"\b(S|Q|P|p|f|c|C|q|r|F|V|Z|T|M|rho)\b")
PLAIN = [true for true, _ in TRUE_AND_FALSE if not SPECIAL.search(true)]
ALIKE = [["x", "y"], ["s", "t"], ["a", "b"], ["n", "m", "d"], ["+", "-"], ["2", "3", "1"], ["A", "B.T"]]


def mutant(chance: random.Random) -> str:
    """A true statement with one or two of its words replaced by others of their kind."""
    text = chance.choice(PLAIN)
    for _ in range(chance.choice((1, 1, 2))):
        words = [m for m in re.finditer(r"\w+|[+-]", text) if any(m.group() in kind for kind in ALIKE)]
        if not words:
            continue
        word = chance.choice(words)
        kind = next(kind for kind in ALIKE if word.group() in kind)
        text = text[: word.start()] + chance.choice(kind) + text[word.end() :]
    return text


def read(says: str) -> Claim | None:
    """The statement as a claim; None where it is not well formed."""
    loaded = load_text(SYMBOLS.replace("{says}", says).replace("{under}", ""))
    return loaded.claims[0] if loaded.claims else None


def accepted(claim: Claim) -> bool:
    fact = claim.steps[0].fact
    assert isinstance(fact, Relation)
    try:
        equal_entries(Context(claim.symbols, (), claim.where, claim.dims), fact)
    except Rejected:
        return False
    return True


def refuted(claim: Claim, chance: random.Random) -> dict[str, object] | None:
    """A random point at which exact arithmetic says that it is false."""
    named = set(re.findall(r"\w+", claim.steps[0].text))
    for _ in range(3):
        point: dict[str, object] = {name: Fraction(size) for name, size in SIZES.items()}
        for name in ("s", "t"):
            point[name] = Fraction(chance.randint(1, 5), chance.randint(1, 3))
        for name in ("a", "b"):
            point[name] = Fraction(chance.randint(-4, 4), chance.randint(1, 3))
        for name, (rows, cols) in SHAPES.items():
            down, along = SIZES[rows], SIZES.get(cols, 1)
            point[name] = tuple(
                tuple(Fraction(chance.randint(-3, 3)) for _ in range(along)) for _ in range(down)
            )
        used = {name: value for name, value in point.items() if name in named or name in SIZES}
        if recheck(claim, claim.steps[0].fact, used).outcome == "false":
            return used
    return None


@dataclass
class Tally:
    """How many statements were tried, refuted by arithmetic, accepted by the kernel, and both."""

    tried: int = 0
    refuted: int = 0
    accepted: int = 0
    wrongly: int = 0


def tally(count: int, seed: int) -> Tally:
    """So many statements changed at random."""
    chance, found = random.Random(seed), Tally()
    while found.tried < count:
        claim = read(mutant(chance))
        if claim is None:
            continue
        point, proved = refuted(claim, chance), accepted(claim)
        found.tried += 1
        found.refuted += point is not None
        found.accepted += proved
        if point is not None and proved:
            found.wrongly += 1
            print(f"seed {seed}: accepted, and false at {point}: {claim.text}")
    return found


def test_no_mutant_is_accepted_that_arithmetic_refutes() -> None:
    found = tally(MUTANTS, random.SystemRandom().randrange(10**9))
    assert found.wrongly == 0
    assert found.refuted > MUTANTS // 10  # the oracle speaks
    assert found.accepted > MUTANTS // 20  # and so does the kernel
