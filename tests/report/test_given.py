"""What a step was given, in words."""

import pytest

from verifier.report.given import MOST_LETTERS, given


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"point": {"n": "2", "sigma_q": "1/2", "X": [["1"], ["0"]]}}, "n = 2, σ_q = 1/2, X = [[1], [0]]"),
        ({"growing": ["L"], "values": {"X": ["1", {}], "alpha": ["2", {"L": "1/2"}]}},
         "L → ∞; X = 1, α = 2·L^(1/2)"),
        ({"values": {"n": ["1", {"m": "1"}]}}, "n = m"),
        ({"point": {}, "laws": {"eps": [["1/2", "1"], ["1/2", "-1"]]}},
         "ε is 1 with probability 1/2 or -1 with probability 1/2"),
        ({"point": {}, "laws": {"v": [["1", [["1"], ["2"]]]]}}, "v is [[1], [2]]"),
        ({"case": "a_1"}, "a_1 = 0 and a_1 > 0 are looked at apart"),
        ({"made_up": [1, "2"]}, "made up: [1, 2]"),
        ({"values": {"x": "nonsense"}, "laws": {"y": 3}}, "x = nonsense; y is "),
        ({"site": "nobody", "cover": ["bound"], "exact": True}, ""),
        ({}, ""),
    ],
)  # fmt: skip
def test_data_are_words(data: dict[str, object], words: str) -> None:
    assert given(data) == words


def test_what_is_long_is_cut() -> None:
    text = given({"point": {f"x_{k}": str(k) for k in range(500)}})
    assert len(text) == MOST_LETTERS + 2
    assert text.endswith(" …")
