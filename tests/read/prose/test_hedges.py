"""No sentence with a hedge declares anything, whatever it hedges."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.read.prose.sentences import declared, is_refused, passage
from verifier.read.prose import Declared, declarations
from verifier.read.prose.hedges import HEDGES
from verifier.read.prose.table import PRODUCTIONS

EXAMPLES = sorted({item.example for item in PRODUCTIONS if item.reads and "probability" not in item.example})


@pytest.mark.parametrize(
    "text",
    [
        r"Let $X$ and $Y$ be not necessarily independent standard normal random variables.",
        r"We do not assume that $W$ and $V$ are independent.",
        r"Let $x \in \mathbb{R}^n$ be a unit vector unless $n = 1$.",
        r"The entries of $x \in \mathbb{R}^n$ are i.i.d. standard normal if and only if $n \ge 2$.",
        r"Without loss of generality, assume that $\|x\| = 1$.",
        r"Suppose for contradiction that $n \ge d$.",
        r"For some $c > 0$, we have $f \le c$.",
        r"Then there exists $c > 0$ such that $f \le c$.",
        r"For example, let $x \in \mathbb{R}^n$.",
        r"Let $A \in \mathbb{R}^{n \times n}$ be symmetric or orthogonal.",
        r"Assume that $y$ is almost independent of $z$.",
        r"Let $x$ be approximately $\mathcal{N}(0, 1)$.",
        r"The entries of $W \in \mathbb{R}^{m \times n}$ may be i.i.d. standard normal.",
        r"We never assume that $n \ge d$.",
        r"Neither $n \ge d$ nor $m \ge d$ is assumed.",
        r"Let $x \in \mathbb{R}^n$, although $\|x\| = 1$ is only needed later.",
        r"Assume that at least $n \ge d$.",
        r"Let $x \in \mathbb{R}^n$ with $\|x\| = 1$ up to constants.",
        r"Conditionally on $x$, let $y$ be standard normal.",
        r"Then with probability at least $1 - \delta$, $f \le g$ for all $x \in \mathbb{R}^n$.",
        r"We cannot assume that $\sigma > 0$.",
        r"Let $x \in \mathbb{R}^n$ be fixed, rather than random.",
    ],
)
def test_a_hedge_is_never_read_as_the_plain_sentence(text: str) -> None:
    assert declared(text) == []
    assert is_refused(text)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_hedge_anywhere(data: st.DataObject) -> None:
    """`probability` alone is left out: a probability vector is no hedge."""
    words = data.draw(st.sampled_from(EXAMPLES)).split(" ")
    hedge = data.draw(st.sampled_from(sorted(HEDGES - {"probability"})))
    outside = [at for at in range(len(words) + 1) if " ".join(words[:at]).count("$") % 2 == 0]
    at = data.draw(st.sampled_from(outside))
    text = " ".join([*words[:at], hedge, *words[at:]])
    if at == len(words):
        text = text.replace(f". {hedge}", f" {hedge}.")
    found = declarations(passage(text))
    assert not any(isinstance(item, Declared) for item in found), text
