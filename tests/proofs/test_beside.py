"""What is offered beside a verdict: the goals that show it, and files that claim more than they show."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from verifier.evidence import Counterexample, Finding, SideKind
from verifier.expr.text import to_text
from verifier.kernel.rejected import Rejected
from verifier.plan.kernel_proofs import Brake, record_of
from verifier.plan.messages import Beside, Event
from verifier.plan.side_proofs import Asides
from verifier.proofs.audit import audit
from verifier.proofs.beside import ways
from verifier.proofs.propose import propose
from verifier.proofs.store import name_of, written
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Ready

SPEC = """
theorem: toy/beside
symbols:
  n: dimension
  m: dimension
  x: vector(n)
  y: vector(n)
  A: matrix(n, m)
  a: real
  b: real
  s: positive
assumptions:
  unit: norm(x) == 1
  big: a >= 2
  one: n == 1
  same: m == n
  idle: b >= 0
claims:
"""


def ready(says: str, under: str = "", **more: str) -> Ready:
    keys = "".join(f"    {key}: {value}\n" for key, value in more.items())
    loaded = load_text(f'{SPEC}  c:\n    says: "{says}"\n    under: [{under}]\n{keys}')
    assert not loaded.problems
    (entry,) = loaded.ready
    return entry


def shown(entry: Ready, kind: SideKind, of: str = "", points: tuple[dict[str, object], ...] = ()) -> bool:
    """Whether the kernel accepts proofs of all goals of some way."""
    events: list[Event] = []
    Asides(entry.draft, entry.claim, events.append, Brake(5.0)).show(kind, of, points=points or ({},))
    return any(isinstance(event, Beside) for event in events)


VECTORS: dict[str, object] = {"n": 2, "m": 2, "x": [[1], [1]], "y": [[1], [1]]}
POINTS: tuple[dict[str, object], ...] = (VECTORS, {"n": 2, "m": 2, "a": 0})
TRUE: list[tuple[tuple[str, str], SideKind, str]] = [
    (("norm(A)**2 == m*n + 1", ""), "instead", "norm(A)**2 >= 0"),
    (("norm(2*x)**2 == 2*norm(x)**2", ""), "corrected", "4*norm(x)**2"),
    (("2*n <= n**2", ""), "instead", "n <= n**2"),
    (("a**2 + 1 <= 2*a**2 + 1", ""), "attained", ""),
    (("norm(x + y) <= norm(x) + norm(y)", ""), "attained", ""),
    (("a**2 >= 0", ""), "attained", ""),
    (("sigmoid(a) in [0, 2]", ""), "better", "[0, 1]"),
    (("norm(x) in [0, 1]", "unit"), "loose", "[1, 1]"),
    (("norm(A)**2 <= 3*norm(A)**2", ""), "loose", "norm(A)**2"),
    (("norm(A)**2 <= 3*norm(A)**2", ""), "better", "norm(A)**2"),
    (("a**2 >= -1", ""), "better", "0"),
    (("1 + a**2 >= 0", ""), "loose", "1"),
    (("a**2 >= 4", "big"), "needed", "big"),
    (("norm(x)**2 == 1", "unit"), "needed", "unit"),
    (("norm(x + y) <= norm(x) + norm(y)", "unit"), "unneeded", "unit"),
    (("n**2 > n", ""), "repair", "n >= 2"),
    (("a*b >= 0", "idle"), "repair", "a >= 0"),
]
FALSE: list[tuple[tuple[str, str], SideKind, str]] = [
    (("norm(A)**2 == m*n + 1", ""), "instead", "norm(A)**2 >= 1"),
    (("norm(2*x)**2 == 2*norm(x)**2", ""), "corrected", "3*norm(x)**2"),
    (("2*n <= n**2", ""), "instead", "n < n**2"),
    (("a**2 + 1 <= 2*a**2 + 2", ""), "attained", ""),
    (("norm(x + y) <= 2*norm(x) + 2*norm(y) + 1", ""), "attained", ""),
    (("a**2 + s >= 0", ""), "attained", ""),
    # where the right side is 0 nothing is told of how close it comes
    (("0 <= a**2", ""), "attained", ""),
    # both ends have to be met
    (("abs(a)/(1 + abs(a)) in [0, 2]", ""), "attained", ""),
    (("sigmoid(a) in [0, 2]", ""), "better", "[0, 1/2]"),
    # better, but by less than 1% or not at all
    (("norm(x) in [0, 1]", "unit"), "loose", "[0, 1]"),
    (("norm(A)**2 <= norm(A)**2", ""), "loose", "999/1000*norm(A)**2"),
    (("norm(A)**2 <= norm(A)**2", ""), "loose", "norm(A)**2/2"),
    (("norm(A)**2 <= 3*norm(A)**2", ""), "better", "norm(A)**2/2"),
    (("a**2 >= -1", ""), "better", "1"),
    # 0 is reached by a**2
    (("a**2 >= 0", ""), "loose", "0"),
    (("a**2 >= 4", "big"), "needed", "idle"),
    (("a**2 >= 4", "big, idle"), "needed", "idle"),
    (("norm(x)**2 == 1", "unit"), "unneeded", "unit"),
    (("n**2 > n", ""), "repair", "n >= 1"),
    # what has no value is true of nothing
    (("a**2 <= 3*a**2", ""), "better", "log(-1 - a**2)"),
    (("a**2 <= 3*a**2", ""), "loose", "sqrt(-1 - a**2)"),
    (("a + 1 == a", ""), "corrected", "sqrt(-a**2 - 1)"),
    (("a + 1 == a", ""), "instead", "log(-a**2 - 1) == 7"),
    (("1/a >= 2", ""), "repair", "a == 0"),
    # nothing satisfies the condition
    (("n**2 > n", "one"), "repair", "n >= 2"),
    (("a*b >= 0", "idle"), "repair", "a >= -1"),
]


@pytest.mark.parametrize(("says", "kind", "of"), TRUE, ids=str)
def test_what_is_so_is_shown(says: tuple[str, str], kind: SideKind, of: str) -> None:
    assert shown(ready(*says), kind, of, POINTS)


@pytest.mark.parametrize(("says", "kind", "of"), FALSE, ids=str)
def test_what_is_not_so_is_not_shown(says: tuple[str, str], kind: SideKind, of: str) -> None:
    assert not shown(ready(*says), kind, of, (*POINTS, {"a": 1, "b": 1, "n": 1}))


def test_growth_that_cannot_be_improved_and_that_can() -> None:
    grows = {"as": "n -> oo"}
    assert shown(ready("n**2 + n <= O(n**2)", **grows), "attained")
    assert not shown(ready("n**2 + n <= O(n**3)", **grows), "attained")
    assert shown(ready("n**2 + n <= O(n**3)", **grows), "loose", "O(n**2)")
    assert not shown(ready("n**2 + n <= O(n**3)", **grows), "loose", "O(2*n**3)")
    assert not shown(ready("n**2 + n <= O(n**3)", **grows), "loose", "O(n)")


def test_tightness_is_measured_at_sizes_from_two_on() -> None:
    """(n + 3)/4 is 1 at n = 1, and nowhere else."""
    bound = ready("1 <= (n + 3)/4")
    assert not shown(bound, "attained", points=({"n": 1}, {}))
    assert shown(bound, "loose")
    assert not shown(ready("1 <= (n + 2)/4 + 1/4", "one"), "loose")


def test_without_what_it_cannot_be_read_without() -> None:
    """An assumption about shapes: nothing can be stated without it, and so no proof is asked for."""
    entry = ready("tr(A) == tr(A.T)", "same")
    assert list(ways(entry.draft, entry.claim, "needed", "same", 0)) == [()]


@pytest.mark.parametrize(
    ("kind", "of", "at", "words"),
    [
        ("corrected", "2*(", 0, "cannot be read"),
        ("corrected", "1 == a", 0, "read"),
        ("corrected", "whatever", 0, "whatever"),
        ("instead", "norm(x)", 0, "one relation"),
        ("needed", "nobody", 0, "nothing is assumed"),
        ("repair", "a >", 0, "read"),
        ("attained", "", 1, "no step 2"),
        ("corrected", "1+" * 20_000 + "1", 0, "longer"),
    ],
)
def test_what_cannot_be_offered(kind: SideKind, of: str, at: int, words: str) -> None:
    entry = ready("a**2 >= 4", "big")
    with pytest.raises(Rejected):
        list(ways(entry.draft, entry.claim, kind, of, at))


# --- in files ---------------------------------------------------------------------------------------


BOUND = ready("norm(A)**2 <= 3*norm(A)**2", "unit")


def put(folder: Path, entry: Ready = BOUND, *offered: tuple[SideKind, str]) -> Path:
    events: list[Event] = []
    asides = Asides(entry.draft, entry.claim, events.append, Brake(5.0))
    for kind, of in offered:
        asides.show(kind, of)
    assert len(asides.told) == len(offered)
    proof = propose(entry.claim, entry.claim.steps[0], Finding("x", "true", "proved"))
    path = folder / name_of(entry.claim.id)
    text = written(entry.claim, "holds", [record_of(proof).text], asides.told)
    path.write_text(text, encoding="utf-8")
    return path


def outcome(folder: Path, entry: Ready = BOUND) -> tuple[str, tuple[str, ...], str]:
    found = audit(entry.claim, folder, entry.draft)
    return found.outcome, found.beside, found.words


def test_what_is_shown_beside_is_checked_too(tmp_path: Path) -> None:
    put(tmp_path, BOUND, ("loose", "norm(A)**2"), ("better", "norm(A)**2"), ("unneeded", "unit"))
    assert outcome(tmp_path) == ("accepted", ("loose norm(A)**2", "better norm(A)**2", "unneeded unit"), "")


CHEATS: dict[str, Callable[[dict[str, Any]], object]] = {
    "another bound": lambda side: side.update(of="norm(A)**2/2"),
    "a bound that is not the claim's": lambda side: side.update(of="norm(x)**2"),
    "another kind": lambda side: side.update(kind="corrected", of="norm(A)**2/3"),
    "tight": lambda side: side.update(kind="attained", of=""),
    "needed": lambda side: side.update(kind="needed", of="unit"),
    "another way": lambda side: side.update(way=7),
    "a way from the end": lambda side: side.update(way=-1),
    "another step": lambda side: side.update(step=1),
    "a proof fewer": lambda side: side["proofs"].pop(),
    "a proof twice": lambda side: side.update(proofs=[side["proofs"][0]] * len(side["proofs"])),
    "no proof": lambda side: side.update(proofs=[]),
    "trust": lambda side: side["proofs"][0][-1].update(rule="trust", premises=[], data={"site": "me"}),
}


@pytest.mark.parametrize("change", CHEATS.values(), ids=CHEATS)
def test_no_file_shows_more_than_it_proves(change: Callable[[Any], object], tmp_path: Path) -> None:
    path = put(tmp_path, BOUND, ("loose", "norm(A)**2"))
    assert outcome(tmp_path)[0] == "accepted"
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data["beside"][0])
    path.write_text(json.dumps(data), encoding="utf-8")
    found, beside, words = outcome(tmp_path)
    assert (found, beside) == ("rejected", ())
    assert words


UNKNOWN = {"kind": "true", "of": "", "step": 0, "way": 0, "proofs": []}


@pytest.mark.parametrize("beside", ["x", 3, None, UNKNOWN, [1], [{}], [UNKNOWN]])
def test_what_is_no_list_of_them_cannot_be_read(beside: object, tmp_path: Path) -> None:
    path = put(tmp_path, BOUND)
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**data, "beside": beside}), encoding="utf-8")
    assert outcome(tmp_path)[0] == "unreadable"


def test_files_without_it_are_read_as_before(tmp_path: Path) -> None:
    path = put(tmp_path, BOUND)
    data = json.loads(path.read_text(encoding="utf-8"))
    del data["beside"]
    path.write_text(json.dumps(data), encoding="utf-8")
    assert outcome(tmp_path)[0] == "accepted"


def test_an_assumption_that_changed(tmp_path: Path) -> None:
    """What was needed for another statement is not shown for this one."""
    entry = ready("a**2 >= 4", "big")
    put(tmp_path, entry, ("needed", "big"))
    assert outcome(tmp_path, entry)[0] == "accepted"
    spec = entry.draft.theorem.assumptions["big"]
    changed = replace(entry.draft.theorem, assumptions={"big": replace(spec, value="a >= 3")})
    assert to_text(entry.claim.assumptions[0].fact) == "a >= 2"
    assert changed.assumptions["big"].value == "a >= 3"
    assert outcome(tmp_path, ready("a**2 >= 4", "idle"))[0] == "rejected"


def test_a_point_is_no_proof_where_it_is_not_allowed() -> None:
    entry = ready("a**2 >= 4", "big")
    found = Counterexample({"a": 1}, None, None)
    proof = propose(entry.claim, entry.claim.steps[0], Finding("x", "false", "proved", counterexample=found))
    assert "trust" in proof.rules
