"""One line as a claim of its own: `norm(A @ B) <= norm(A) * norm(B)`, read as `verify -e` reads it."""

from dataclasses import replace

from verifier.claim.model import Position
from verifier.claim.problems import Problem
from verifier.read.line import GIVEN, LINE, SLUG, load_lines
from verifier.read.specs.loaded import Broken, Entry, Loaded

# Who asks here knows nothing of the options of a command.
FILES = {LINE: "<line>", GIVEN: "<given>"}
CLAIM_ID = f"line/1#{SLUG}"


def load_line(line: str, *given: str) -> Loaded:
    """The claim that a line states, under what is given: `A: matrix(n, m)`, `rho < 1`, `n -> oo`. There is
    always exactly one: what is wrong with what is given is wrong with it."""
    loaded = load_lines([line], given)
    if loaded.problems:
        problems = tuple(map(_renamed, loaded.problems))
        return Loaded((Broken(CLAIM_ID, "", problems[0].position, problems),))
    return Loaded(tuple(map(_entry, loaded.entries)))


def _entry(entry: Entry) -> Entry:
    if isinstance(entry, Broken):
        problems = tuple(map(_renamed, entry.problems))
        return replace(entry, position=_placed(entry.position), problems=problems)
    steps = tuple(replace(step, position=_placed(step.position)) for step in entry.claim.steps)
    claim = replace(entry.claim, position=_placed(entry.position), steps=steps)
    return replace(entry, claim=claim)


def _renamed(problem: Problem) -> Problem:
    hint = problem.hint.replace(f"{GIVEN} ", "") if problem.hint is not None else None
    return replace(problem, position=_placed(problem.position), hint=hint)


def _placed(position: Position) -> Position:
    return replace(position, file=FILES.get(position.file, position.file))
