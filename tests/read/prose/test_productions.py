"""Every production reads its example, and no word can be put into an example without its being noticed."""

import re

import pytest

from tests.read.prose.sentences import declared, line, passage, read
from verifier.read.prose import Refused, declarations
from verifier.read.prose.grammar import Parser, Production
from verifier.read.prose.hedges import restated
from verifier.read.prose.notation import NOTATIONS
from verifier.read.prose.sentences import Mark, sentences
from verifier.read.prose.split import clauses_of
from verifier.read.prose.table import GRAMMAR, PRODUCTIONS

EXAMPLES = sorted({item.example for item in PRODUCTIONS})


@pytest.mark.parametrize("production", PRODUCTIONS, ids=lambda item: item.name)
def test_the_example_says_what_the_table_says(production: Production) -> None:
    found = read(production.example)
    if production.refuses:
        assert len(found) == 1
        assert production.refuses in found[0]
    else:
        assert found == sorted(production.reads)


def used(text: str) -> frozenset[str]:
    """The productions by which a sentence is read, or was tried where it cannot be stated."""
    (sentence,) = sentences(passage(text))
    tokens = [token for token in sentence.tokens if token != Mark(".")]
    parser = Parser(GRAMMAR, restated(tuple(tokens)))
    names = [parsed.used for parsed in parser.whole("SENTENCE")]
    return frozenset().union(*names)


@pytest.mark.parametrize(
    "production", [item for item in PRODUCTIONS if not item.refuses], ids=lambda x: x.name
)
def test_the_example_uses_the_production(production: Production) -> None:
    assert production.name in used(production.example)


@pytest.mark.parametrize("text", EXAMPLES)
@pytest.mark.parametrize("word", ["quasi", "not"])
def test_a_word_put_in_anywhere_leaves_its_clause_unread(text: str, word: str) -> None:
    """One word more, and nothing is read that it may change: by `not` all, by another all of its clause."""
    whole = set(read(text))
    for place in [
        match.end() for match in re.finditer(r"(?<![\\$\w])[A-Za-z.]+ (?=[^}]*$|[A-Za-z$])", _outside(text))
    ]:
        changed = f"{text[:place]}{word} {text[place:]}"
        made = declared(changed)
        if not made:
            continue
        (refused,) = (item for item in declarations(passage(changed)) if isinstance(item, Refused))
        (sentence,) = sentences(passage(changed))
        assert word != "not", changed
        assert {line(item) for item in made} < whole, changed
        lost = {formula.latex[0] for formula in refused.formulas}
        assert len(clauses_of(sentence)) > 1
        assert lost.isdisjoint(item.latex for item in made), changed


def _outside(text: str) -> str:
    """The text with formulas blotted out, places kept."""
    return re.sub(r"\$\$?.+?\$\$?", lambda match: "#" * len(match[0]), text)


def test_there_is_an_example_of_everything() -> None:
    assert len(EXAMPLES) > 200
    assert all(item.reads or item.refuses or _says_nothing_new(item) for item in PRODUCTIONS)


def _says_nothing_new(item: Production) -> bool:
    return item in NOTATIONS or "Euclidean" in item.example
