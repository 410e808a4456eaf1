"""A verdict is the same for another seed, under other names, in another order and in other words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.metamorphic.same import VARIANTS, Said, Theorem, differences, judged, read, seeded, single
from verifier import Settings

FOLDER = Path(__file__).parents[1] / "verdicts"
SETTINGS = Settings(jobs=2, trust="engines")
# By file, the claims that are judged again: quick ones of every kind.
CHOSEN = {
    "bounds.yaml": (
        "psdtr", "rr", "tanh", "rr-loose", "supr", "tanh-loose", "silu", "tanh-bad", "logx", "simplow-bad",
        "relu", "sum-bad", "amgm",
    ),
    "moments.yaml": (
        "varbound2", "cube", "cov", "had", "rowcorr", "entry", "univar", "triangle-bad", "offdiag", "wish2",
        "iid2",
    ),
    "growth.yaml": ("sublinear", "everywhere", "everywhere-bad", "rate", "every-power-loose"),
    "sums.yaml": ("minus-one", "one-less", "one-less-f", "moments"),
}  # fmt: skip
FRESH: Theorem = {
    "theorem": "same/fresh",
    "symbols": {"x": "real", "y": "real", "n": "dimension", "a": "positive", "v": "vector(n)"},
    "assumptions": {"disc": "x**2 + y**2 <= 1", "box": "a <= 1", "ball": "norm(v) <= 1"},
    "claims": {
        "a": {"says": "x + 2*y <= sqrt(5)", "under": ["disc"]},
        "b": {"says": "x + 2*y <= 2.236", "under": ["disc"]},
        "c": {"says": "x*y <= 1/2", "under": ["disc"]},
        "d": {"says": "x + y < sqrt(2)", "under": ["disc"]},
        "e": {"says": "a**2 <= a", "under": ["box"]},
        "f": {"says": "a**3 <= a/2", "under": ["box"]},
        "g": {"says": "norm(v)**2 <= 1", "under": ["ball"]},
        "h": {"says": "norm(v, 1) <= 1", "under": ["ball"]},
    },
}


def chosen() -> list[Theorem]:
    found: list[Theorem] = [FRESH]
    for name, keys in CHOSEN.items():
        for theorem in read(FOLDER / name):
            claims = {key: claim for key, claim in theorem["claims"].items() if key in keys}
            found += [{**theorem, "claims": claims}] if claims else []
    return single(found)


@pytest.fixture(scope="module")
def first() -> list[Said]:
    return judged(chosen(), SETTINGS)


def test_enough_of_them_are_decided(first: list[Said]) -> None:
    assert len(first) >= 40
    assert sum(said.verdict in ("holds", "loose", "fails") for said in first) >= 0.9 * len(first)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_verdict(variant: str, first: list[Said]) -> None:
    theorems = chosen()
    again = judged(VARIANTS[variant](theorems), seeded(variant, SETTINGS))
    assert not differences(theorems, first, again)
