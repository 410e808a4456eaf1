"""Papers in ordinary style against transcriptions by hand: nothing is read as anything else.

The papers and what their theorems say are those of `benchmarks/drafts.py`."""

import json
from pathlib import Path

import pytest

from benchmarks.drafts import HERE, measured, statements
from verifier.read.draft import Draft, draft_paper

ANSWERS = sorted(HERE.glob("*.json"))
# How many statements of each are read at the least.
READ = {
    "activations": 11, "adapters": 11, "attention": 11, "averaging": 13, "centering": 15, "collapse": 12,
    "concentration": 9, "converted": 7, "descent": 7, "dropout": 11, "entropy": 13, "features": 13,
    "gaussian": 17, "gossip": 8, "information": 9, "initialization": 8, "kernels": 15, "leastsquares": 11,
    "logits": 11, "matrices": 6, "moments": 16, "noise": 7, "quadratics": 13, "residual": 10, "ridge": 10,
    "scaling": 7, "sketching": 14, "wishart": 7,
}  # fmt: skip


def drafted(name: str) -> Draft:
    return draft_paper(next(path for path in sorted(HERE.glob(f"{name}.*")) if path.suffix != ".json"))


@pytest.mark.parametrize("answers", ANSWERS, ids=lambda path: path.stem)
def test_no_statement_is_read_as_another_one(answers: Path) -> None:
    draft = drafted(answers.stem)
    _, right, refused, wrong = measured(json.loads(answers.read_text(encoding="utf-8")), draft)
    assert wrong == 0, statements(draft)
    assert right >= READ[answers.stem]
    assert all(note.reason for note in draft.notes)
    assert refused == 0 or draft.notes


def kinds(draft: Draft, theorem: str) -> dict[str, str]:
    """What the symbols of a theorem are; conditions beside them."""
    found: dict[str, str] = {}
    for claim in draft.loaded().claims:
        if claim.id.partition("#")[0].endswith(f"/{theorem}"):
            found |= {name: item.says for name, item in claim.origins.items() if item.says != "dimension"}
    return found


def test_letters_are_what_the_paper_says_of_them() -> None:
    attention = drafted("attention")
    given = {"X": "matrix(n, d)", "A": "stochastic(n, n)", "W_V": "iid(d, d, mean=0, var=1/d)"}
    assert kinds(attention, "thm-values") == given
    assert kinds(attention, "lem-quarter") == {"p": "simplex(n)"}
    assert kinds(attention, "thm-uniform")["W_V"] == "normal(d, d, std=sigma_v)"
    assert kinds(drafted("wishart"), "thm-vN") == {"A": "psd(n)", "B": "psd(n)"}
    assert kinds(drafted("wishart"), "prop-quad") == {"X": "normal(n, p)", "B": "matrix(p, p)"}
    one = "iid(d, mean=0, var=1)"
    assert kinds(drafted("scaling"), "claim-1") == {"q": one, "k": one}
    assert kinds(drafted("scaling"), "proposition-5") == {"x": "interval(0, 1)"}


def test_what_is_assumed_goes_with_the_claim() -> None:
    (uniform,) = (claim for claim in drafted("attention").loaded().claims if "thm-uniform" in claim.id)
    assert [item.text for item in uniform.assumptions] == ["A == 1 / n * ones(n) @ ones(n).T"]
    (mean,) = (claim for claim in drafted("scaling").loaded().claims if "proposition-4b" in claim.id)
    assert [item.text for item in mean.assumptions] == ["a > 0", "b > 0"]
