"""A stranger's text is bounded: in tokens, in readings, in rounds; and never a crash."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.read.prose.sentences import declared, passage
from verifier.read.paper import Formula, Passage
from verifier.read.prose import Declared, Refused, declarations
from verifier.read.prose.sentences import MAX_SENTENCES, MAX_TOKENS, sentences

X = r"$x \in \mathbb{R}^n$"


@pytest.mark.parametrize(
    "text",
    [
        "word " * 100_000,
        f"Let {X} be a " + "symmetric " * 100_000 + "matrix.",
        f"Let {X} " + "and $y$ " * 2_000 + "be symmetric.",
        "Let " + f"{X}, " * 300 + "be fixed.",
        ("(" * 50_000) + X + (")" * 50_000),
        "Let $" + "{" * 2_000 + "x" + "}" * 2_000 + r" \in \mathbb{R}^n$.",
        "Let $" + r"\bar{" * 500 + "x" + "}" * 500 + r" \in \mathbb{R}^n$.",
        r"Let $x \in " + "(" * 1_500 + "0, 1" + ")" * 1_500 + "$.",
        r"Let $x \in \mathbb{R}^{" + "n + " * 800 + "n}$.",
        "Let $" + "x, " * 1_000 + r"y \in \mathbb{R}$.",
        r"Let $x \in \mathbb{R}^{" + "9" * 3_000 + "}$.",
        "Let $x$ be i.i.d. " * 3_000,
        "Assume that $" + "a < " * 900 + "b$.",
        "Then " + "$a$ for all $x$ and " * 60 + "$b$.",
    ],
    ids=lambda text: text[:24],
)
def test_long_and_deep_text_is_read_or_refused(text: str) -> None:
    made = declarations(passage(text))
    assert all(isinstance(item, Declared | Refused) for item in made)
    assert all(len(item.sentence) < 100_000 for item in made)


def test_a_hundred_thousand_words_are_so_many_sentences_at_most() -> None:
    long = passage("Let $n \\ge 2$. " * (MAX_SENTENCES + 100))
    assert len(list(sentences(long))) <= MAX_SENTENCES + 1
    assert all(len(item.tokens) <= MAX_TOKENS for item in sentences(passage("word " * 100_000)))


def test_a_passage_has_so_many_steps_and_no_more() -> None:
    """Sentences with many readings use up what there is; those after them are refused, not read in part."""
    hard = "Let " + "$x$ and " * 30 + "$y$ be symmetric fixed. "
    made = declarations(passage(hard * 120 + "Let $k$ be an integer."))
    assert made
    assert all(isinstance(item, Refused) for item in made)
    easy = declarations(passage(hard * 3 + "Let $k$ be an integer."))
    assert [item.name for item in easy if isinstance(item, Declared)] == ["k"]


def test_many_sentences_that_contradict_each_other() -> None:
    text = "".join(f"Let $x \\in \\mathbb{{R}}^{{n_{{{at}}}}}$. " for at in range(300))
    made = declarations(passage(text))
    assert not [item for item in made if isinstance(item, Declared) and item.name == "x"]
    assert declared("Let $x \\in \\mathbb{R}^{n_{1}}$. ")


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                [
                    "let",
                    "be",
                    "a",
                    "the",
                    "and",
                    ",",
                    ".",
                    "where",
                    "for",
                    "all",
                    "assume",
                    "that",
                    "iid",
                    "normal",
                    "entries",
                    "of",
                    "have",
                    "with",
                    "is",
                    "independent",
                ]
            ),
            st.text(max_size=12),
            st.sampled_from(
                [r"x \in \mathbb{R}^n", "x", r"\sim", r"W_{ij} \sim \mathcal{N}(0,", "n \\ge", "}{", r"\|x\|"]
            ).map(lambda latex: Formula(latex, (latex,), False, None, None, "p.tex", 1, 1)),
            st.text(alphabet=r"\{}^_()[],=<>|xW12 in\sim", max_size=15).map(
                lambda latex: Formula(latex, (latex,), False, None, None, "p.tex", 1, 1)
            ),
        ),
        max_size=14,
    )
)
def test_any_words_and_formulas(parts: list[str | Formula]) -> None:
    spaced = tuple(f" {part} " if isinstance(part, str) else part for part in parts)
    for kind in ("text", "theorem", "assumption"):
        for item in declarations(Passage(kind, None, None, None, "p.tex", 1, spaced)):
            assert isinstance(item, Declared | Refused)
            assert item.file == "p.tex"
            assert item.line >= 1
