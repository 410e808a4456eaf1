r"""`as n \to \infty` behind a formula is said of what stands before it, not of what comes after."""

from pathlib import Path

import pytest

from tests.read.test_quantifiers import claims, drafted

GROWS = r"$\frac{k^2}{k+1} = O(k)$ as $k \to \infty$"
READ = "k**2 / (k + 1) <= O(k)"


@pytest.mark.parametrize(
    ("lemma", "says"),
    [
        (rf"{GROWS}, and $0 \le \sin^2 t \le 1$.", [READ, "sin(t)**2 in [0, 1]"]),
        (rf"{GROWS}, and $\cos^2 t + \sin^2 t = 1$.", [READ, "cos(t)**2 + sin(t)**2 == 1"]),
        (rf"{GROWS}.", [READ]),
        # Of the second one nobody says what grows.
        (rf"{GROWS}, and $k^2 + k = O(k^2)$.", [READ]),
        # A bound is no growth: before the words it is refused, since it may be meant for large k.
        (r"$\sin^2 t \le 1$ as $k \to \infty$.", []),
        (r"As $k \to \infty$, $\frac{k^2}{k+1} = O(k)$ and $\sin^2 t \le 1$.", [READ]),
    ],
)
def test_growth_belongs_to_what_stands_before(tmp_path: Path, lemma: str, says: list[str]) -> None:
    assert claims(drafted(tmp_path, lemma)) == says


def test_the_growing_letter_is_kept(tmp_path: Path) -> None:
    draft = drafted(tmp_path, rf"{GROWS}, and $0 \le \sin^2 t \le 1$.")
    assert draft.text.count("as: k -> oo") + draft.text.count("as: 'k -> oo'") == 1


def test_the_number_of_a_display_is_no_word(tmp_path: Path) -> None:
    lemma = r"We have \[ \|A\|_2 \le \|A\|_F \] (12)"
    assert claims(drafted(tmp_path, lemma)) == ["norm(A, 2) <= norm(A)"]
    assert claims(drafted(tmp_path, lemma.replace("(12)", "(maybe)"))) == []
