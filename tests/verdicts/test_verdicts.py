"""End to end: claims whose truth is known, each with false siblings, judged as a user would.

`expect` in the specs is what mathematics says. The budget may end first on a slow machine, and what a search
alone speaks for is unrefuted until somebody proves it: a claim may be left open. It may never be wrong, and
nearly all of them must be decided.
"""

from pathlib import Path

import pytest

from verifier import Settings, Verdict, load, verify

FOLDER = Path(__file__).parent
MOST_OPEN = 4  # of a small file
SPECS = sorted(path.name for path in FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("name", SPECS)
def test_no_verdict_is_wrong(name: str) -> None:
    run = verify(load(FOLDER / name), Settings(proving=0.2, proving_beside=0.0, trust="engines"))
    assert not run.problems
    wrong, open_ = [], []
    for item in run.verdicts:
        assert isinstance(item, Verdict), item
        assert item.disagreement is None, item.disagreement
        if item.verdict in ("inconclusive", "unrefuted") or _is_open_how_tight(item):
            open_.append(item.id)
        elif not item.as_expected:
            wrong.append((item.id, item.verdict, item.reason))
    assert not wrong
    assert len(open_) <= max(MOST_OPEN, len(run.verdicts) // 5), open_


def _is_open_how_tight(item: Verdict) -> bool:
    """A bound that is loose, and rightly called true: the stronger one was not proved."""
    tightness = {step.tightness for step in item.steps} & {"suspected-loose", "unknown"}
    return item.verdict == "holds" and item.claim.expect == ("loose",) and bool(tightness)


def test_nothing_satisfies_contradictory_assumptions() -> None:
    from verifier import load_text

    spec = """
    theorem: verdicts/vacuous
    symbols: {x: real}
    assumptions: {big: x >= 2, small: x <= 1}
    claims:
      all: {says: x**2 == 7}
      one: {says: "x**2 >= 4", under: [big]}
    """
    vacuous, fine = verify(load_text(spec)).verdicts
    assert (vacuous.verdict, fine.verdict) == ("error", "holds")
