"""Theorems of Markdown pages: where they begin, how far they go; no display is left out in silence."""

from pathlib import Path

import pytest

from verifier.read.draft import Draft, draft_paper

HEAD = "Let $x, y \\in \\mathbb{R}^n$.\n\n"
SUM = "$$\n\\|x + y\\| \\le \\|x\\| + \\|y\\|.\n$$\n"
READ = "norm(x + y) <= norm(x) + norm(y)"


def drafted(tmp_path: Path, text: str) -> Draft:
    path = tmp_path / "page.md"
    path.write_text(HEAD + text, encoding="utf-8")
    return draft_paper(path)


def claims(draft: Draft) -> list[str]:
    return [claim.text for claim in draft.loaded().claims]


@pytest.mark.parametrize(
    "text",
    [
        f"**Lemma 1.**\n{SUM}",
        f"**Lemma 1.**\n\n{SUM}",
        f"**Lemma 1.** We have\n\n{SUM}",
        f"**Lemma 1 (triangle).** We have:\n\n{SUM}",
        f"## Lemma 1\n\nWe have\n\n{SUM}",
        f"# **Lemma 1 (triangle)**\n\n{SUM}",
        f"Lemma 1. We have\n\n{SUM}",
        f"Lemma A.1 (triangle). We have\n\n{SUM}",
    ],
)
def test_a_theorem_goes_on_behind_an_empty_line(tmp_path: Path, text: str) -> None:
    assert claims(drafted(tmp_path, text)) == [READ]


def test_it_goes_on_with_a_small_letter(tmp_path: Path) -> None:
    text = "**Lemma 1.** We have\n\n$$\n\\|x\\| \\ge 0\n$$\n\nand\n\n" + SUM
    assert claims(drafted(tmp_path, text)) == ["norm(x) >= 0", READ]


@pytest.mark.parametrize(
    "text",
    [
        f"**Lemma 1.** We have $\\|x\\| \\ge 0$.\n\n{SUM}",  # its sentence is closed
        f"**Lemma 1.** We have $\\|x\\| \\ge 0$.\n\nIn general\n\n{SUM}",
        f"**Lemma 1.** We have $\\|x\\| \\ge 0$\n\n## Discussion\n\n{SUM}",
        f"Lemma 1, as we know, says\n\n{SUM}",
        f"## Lemma 1 and its uses\n\nWhat if\n\n{SUM}",
        f"In general\n\n{SUM}",
    ],
)
def test_a_display_of_the_text_is_no_claim_and_is_named(tmp_path: Path, text: str) -> None:
    draft = drafted(tmp_path, text)
    assert READ not in claims(draft)
    assert any("running text" in note.reason and "x + y" in note.words for note in draft.notes)


def test_a_hedge_behind_the_empty_line_counts(tmp_path: Path) -> None:
    text = "**Lemma 1.** We have\n\n$$\n\\|x\\| \\ge 0\n$$\n\nwith high probability.\n"
    assert claims(drafted(tmp_path, text)) == []


def test_single_relations_of_a_proof_are_named(tmp_path: Path) -> None:
    text = (
        f"**Lemma 1.** We have\n\n{SUM}\n*Proof.* Note that\n\n$$ \\|y\\| \\le 3 $$\n\nsince $\\|x\\| = 1$.\n"
    )
    draft = drafted(tmp_path, text)
    assert claims(draft) == [READ]
    assert [note.line for note in draft.notes if "proof" in note.reason] == [11, 13]
