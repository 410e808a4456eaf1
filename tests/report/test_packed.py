"""Formulas that a page carries packed: what is read without a script, and what a script finds."""

import base64
import re
import zlib

import pytest

from verifier.report.markup import formula
from verifier.report.packed import FORMULA, HERE, WITH_PICTURES, in_letters, packed
from verifier.serve.line import load_line


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("x == a/(b + 1)", "x = a/(b + 1)"),
        ("x == (a + 1)/b", "x = (a + 1)/b"),
        ("x == a + 1/b", "x = a + 1/b"),
        ("x == a**(n + 1)", "x = a^(n + 1)"),
        ("x == a**n + 1", "x = a^n + 1"),
        ("x <= sqrt(a + b)", "x ≤ √(a + b)"),
        ("x <= sqrt(a) + b", "x ≤ √a + b"),
        ("x == a*b", "x = a b"),
    ],
)
def test_letters_keep_what_belongs_together(text: str, letters: str) -> None:
    (entry,) = load_line(text).entries
    pieces = FORMULA.findall(formula(entry.claim.steps[0].fact))
    assert " ".join("".join(map(in_letters, pieces)).split()) == letters


def test_letters_are_escaped() -> None:
    formula = "<math><mrow><mi>a</mi><mo>&lt;</mo><mtext>&lt;script&gt;&amp;</mtext></mrow></math>"
    assert in_letters(formula) == "a &lt; &lt;script&gt;&amp;"


def test_every_formula_comes_back_in_its_order() -> None:
    formulas = [f"<math><msup><mi>x</mi><mn>{number}</mn></msup></math>" for number in range(300)]
    pieces = ["<ul>\n", *(f"<li>{formula} and {formula}</li>\n" for formula in formulas), f"</ul>{HERE}"]
    page = "".join(packed(pieces))
    assert "<math>" not in page
    assert page.count("<span data-f>x^") == 600
    (content,) = re.findall(r'id="formulas">([\w+/=]+)<', page)
    plain = zlib.decompress(base64.b64decode(content)).decode()
    assert plain.splitlines() == [formula for formula in formulas for _ in range(2)]
    assert len(page) < sum(map(len, pieces))


def test_a_page_without_formulas_stays_as_it_is() -> None:
    assert "formulas" not in "".join(packed(["<p>none</p>\n"]))


def test_pictures_may_go_with_them_and_leave_their_words() -> None:
    pieces = [f'<p><math><mn>2</mn></math></p>\n<svg a="b"><title id="t">A &amp; B</title><g/></svg>{HERE}']
    assert "<svg" in "".join(packed(pieces))
    page = "".join(packed(pieces, WITH_PICTURES))
    assert "<svg" not in page
    assert "<span data-f>A &amp; B</span>" in page
    (content,) = re.findall(r'id="formulas">([\w+/=]+)<', page)
    assert zlib.decompress(base64.b64decode(content)).count(b"\x1e") == 2
