"""The pages about proofs: the rules are those of the kernel, and nobody is trusted more than before."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


TRUST = script("trust")


@pytest.mark.parametrize("name", ["rules", "trust"])
def test_the_page_is_up_to_date(name: str) -> None:
    call = [sys.executable, str(ROOT / "benchmarks" / f"{name}.py"), "--check"]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def claim(verdict: str, rules: dict[str, int], sites: dict[str, int]) -> dict[str, object]:
    if verdict not in TRUST.DECIDED:
        return {"verdict": verdict, "proof": None}
    trusted = sum(sites.values())
    proof = {"checked": not trusted, "trusted": trusted, "rules": rules, "sites": sites}
    return {"verdict": verdict, "proof": proof}


REPORT = {
    "claims": [
        claim("holds", {"contract": 2}, {}),
        claim("fails", {"point": 1}, {}),
        claim("loose", {"weaken": 1}, {"symbolic: x": 1, "rules: y": 2}),
        claim("holds", {}, {"symbolic: x": 1}),
        claim("unrefuted", {}, {}),
        claim("error", {}, {}),
    ]
}


def test_the_ledger_counts() -> None:
    found = TRUST.read(TRUST.page({"a": TRUST.counted(REPORT), "b": TRUST.counted(REPORT)}))
    assert found["Totals"] == {"claims": 12, "decided": 8, "with a checked proof": 4, "trusted leaves": 8}
    assert found["Rules"] == {"`contract`": 4, "`point`": 2, "`weaken`": 2}
    assert found["Trusted"] == {"rules: y": 4, "symbolic: x": 4}


def test_what_is_offered_beside_is_counted_apart() -> None:
    sides = [{"kind": "corrected"}, {"kind": "needed"}]
    bought = {"a": {"status": "needed", "guess": False}, "b": {"status": "unneeded", "guess": True}}
    steps = [{"guesses": ["tight", "tightness"], "tightness": "loose"}, {"guesses": [], "tightness": "tight"}]
    rich = claim("holds", {}, {}) | {"beside": sides, "assumptions": bought, "steps": steps}
    plain = claim("fails", {}, {}) | {"guesses": ["instead"], "repair": {"guess": True}, "steps": []}
    found = TRUST.read(TRUST.page({"a": TRUST.counted({"claims": [rich, plain]})}))
    assert found["Proved beside"] == {"corrected": 1, "needed": 1}
    assert found["Guesses"] == {"better": 1, "loose": 1, "unneeded": 1, "instead": 1, "repair": 1}


def test_numbers_that_rise_are_told() -> None:
    page = TRUST.page({"a": TRUST.counted(REPORT)})
    assert TRUST.faults(page, {"symbolic: x": 2, "rules: y": 2}) == []
    assert TRUST.faults(page, {"symbolic: x": 3, "rules: y": 9, "gone": 1}) == []
    assert TRUST.faults(page, {"symbolic: x": 1, "rules: y": 2}) == [
        "symbolic: x: 2 trusted leaves, 1 before"
    ]
    assert len(TRUST.faults(page, {})) == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("| symbolic: x | 2 | 2 |", "| symbolic: x | 1 | 1 |"),
        ("| decided | 4 | 4 |", "| decided | 1 | 1 |"),
        ("| claims | 6 | 6 |", "| claims | 3 | 3 |"),
        ("## Trusted", "## Others"),
    ],
)
def test_a_page_that_does_not_add_up_is_told(before: str, after: str) -> None:
    page = TRUST.page({"a": TRUST.counted(REPORT)})
    assert before in page
    assert TRUST.faults(page.replace(before, after), {"symbolic: x": 2, "rules: y": 2})


def test_the_ledger_and_its_ceiling_are_there() -> None:
    page = TRUST.PAGE.read_text(encoding="utf-8")
    ceiling = json.loads(TRUST.CEILING.read_text(encoding="utf-8"))
    assert TRUST.faults(page, ceiling) == []
    assert TRUST.read(page)["Totals"]["claims"] > 0
