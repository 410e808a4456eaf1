r"""What the productions build: facts and nouns, from letters and from each other.

A builder raises `Mismatch` for slots that do not go together in this pattern, and `Unsayable` for what was
understood and cannot be stated."""

from dataclasses import replace
from typing import Any

from verifier.read.prose.grammar import Mismatch
from verifier.read.prose.scalars import text as scalar_source
from verifier.read.prose.values import (
    Always,
    Apart,
    ApartFrom,
    Attribute,
    Fact,
    Facts,
    Form,
    Function,
    Grows,
    Holds,
    Independent,
    Is,
    Letter,
    Means,
    Named,
    Noun,
    Ranges,
    Rows,
    Space,
    Taken,
    Unsayable,
)

Subject = tuple[tuple[Letter, ...], Facts]


def is_(*attributes: Attribute) -> Any:
    """A builder for words that say this, whatever their slots."""
    return lambda *slots: Noun(attributes)


def joined(*nouns: Noun | None) -> Noun:
    made = Noun()
    for noun in nouns:
        made = made + noun
    return made


def refusing(reason: str, hint: str = "") -> Any:
    def build(*slots: Any) -> Noun:
        raise Unsayable(reason, hint)

    return build


def attach(letters: tuple[Letter, ...], noun: Noun) -> Facts:
    """What a noun says, of each of the letters."""
    facts: list[Fact] = []
    for letter in letters:
        for item in noun.attributes:
            if isinstance(item, ApartFrom):
                facts.append(Apart((letter, *item.letters)))
            else:
                facts.append(Is(letter, item))
    return (*facts, *noun.facts)


def nothing(*slots: object) -> Facts:
    """Words that declare nothing."""
    return ()


def both(*parts: Facts | None) -> Facts:
    return tuple(fact for part in parts if part is not None for fact in part)


def said(subject: Subject, *nouns: Noun | None) -> Facts:
    """What is said of a subject, beside what its own formula says."""
    letters, facts = subject
    return (*facts, *attach(letters, joined(*nouns)))


def of_same(member: Subject, function: str, facts: Facts) -> Facts:
    """s : R -> R, a known function, s(t) = ...: the formula says which."""
    named = {fact.letter.name for fact in facts if isinstance(fact, Means)}
    if named != {letter.name for letter in member[0]}:
        raise Mismatch
    return facts


def called(det: Noun | None, mods: Noun | None, noun: Noun, subject: Subject) -> Subject:
    """the symmetric matrix $A$: what the noun says goes with the letters."""
    return subject[0], said(subject, mods, noun)


def together(first: Subject, second: Subject) -> Subject:
    """What is said of a list is said of each in it."""
    return (*first[0], *second[0]), (*first[1], *second[1])


def introduced(subject: Subject, posts: Noun | None) -> Facts:
    """Things that are let be what their formulas say. What follows a list may be said of the last or of
    all."""
    if not subject[1] and posts is None:
        raise Mismatch
    if posts is not None and posts.attributes and len(subject[0]) > 1:
        raise Unsayable("of which of these things is this said?", "write one sentence for each")
    return said(subject, posts)


def drawn_iid(member: Subject) -> Subject:
    r"""$x_i \sim law$ i.i.d."""
    letters, facts = member
    if not all(letter.copies or letter.indices for letter in letters):
        raise Unsayable("what is i.i.d. here?", "say it of the entries, or of a family")
    return letters, (*facts, *(Is(letter, Independent(True)) for letter in letters))


def entries_named(letters: tuple[Letter, ...], of: Subject | None) -> Subject:
    """the entries $W_{ij}$ of $W$"""
    if not all(letter.indices for letter in letters):
        raise Mismatch
    return letters, () if of is None else of[1]


def of_all(subject: Subject, *nouns: Noun | None) -> Facts:
    """What is said with `are` is said of several: letters, a family, or the entries W_{ij}."""
    letters = subject[0]
    if len(letters) < 2 and not any(letter.copies or letter.indices for letter in letters):
        raise Mismatch
    return said(subject, *nouns)


def of_several(subject: Subject, noun: Noun) -> Facts:
    """`be an integer` is said of one thing; `be integers` of each in the list."""
    if noun.one and len(subject[0]) > 1:
        raise Mismatch
    return said(subject, noun)


def of_each(det: Noun, mods: Noun | None, noun: Noun, letters: tuple[Letter, ...], posts: Noun) -> Facts:
    """two vectors x and y in a space: both are in it"""
    if len(letters) < 2 or det.one:
        raise Mismatch
    return said((letters, ()), mods, noun, posts)


def of_vectors(condition: str) -> Any:
    """A condition on each entry of vectors."""

    def build(subject: Subject) -> Facts:
        if any(isinstance(fact, Is) and fact.attribute == Form(2) for fact in subject[1]) or any(
            isinstance(fact, Is) and isinstance(fact.attribute, Space) and len(fact.attribute.sizes) != 1
            for fact in subject[1]
        ):
            raise Unsayable("a condition on the entries of a matrix in words", "write all(..., i, 1, n)")
        return said(subject, Noun((Always(f"all({{x}}[{{i}}] {condition}, {{i}}, 1, {{rows}})"),)))

    return build


def of_last(first: Subject, last: Subject, noun: Noun) -> Facts:
    """x and k be an integer: k is one, and x is what its formula says."""
    if not noun.one or len(last[0]) != 1 or not first[1]:
        raise Mismatch
    return (*first[1], *said(last, noun))


def of_alike(subject: Subject, noun: Noun) -> Facts:
    """Of a vector and a matrix in a list, only the last may be meant to have such entries."""
    ranks = {
        len(fact.attribute.sizes)
        for fact in subject[1]
        if isinstance(fact, Is) and isinstance(fact.attribute, Space)
    }
    if len(ranks) > 1:
        raise Unsayable("of which of these things is this said?", "write one sentence for each")
    return said(subject, noun)


def satisfies(subject: Subject, facts: Facts) -> Facts:
    return (*subject[1], *facts)


def letters_of(*groups: tuple[Letter, ...] | None) -> tuple[Letter, ...]:
    return tuple(letter for group in groups if group for letter in group)


def stated(facts: Facts) -> Facts:
    """What a bare sentence says: it may be a claim, and is held apart until that is known."""
    return tuple(replace(fact, stated=True) if isinstance(fact, Is) else fact for fact in facts)


def named_so(facts: Facts) -> Facts:
    """`The score is $s = a + b$`: a definition, if s is new."""
    return tuple(replace(fact, stated=True) if isinstance(fact, Means) else fact for fact in facts)


def bound(facts: Facts | None) -> Facts:
    """What is true inside one sentence only."""
    return tuple(
        replace(fact, bound=True) if isinstance(fact, Is | Holds | Ranges | Means) else fact
        for fact in facts or ()
    )


def means(letter: Letter, formula: str) -> Facts:
    return (Means(letter, letter.latex, formula, sure=True),)


def flag(text: str) -> Any:
    """What is said of a function, with the number in it."""
    return lambda *slots: Noun((Function(None, (text.format(*(scalar_source(slot) for slot in slots)),)),))


def entrywise_function(facts: Facts, how: object = None) -> Facts:
    """$f(t) = ...$ applied entrywise: a function of one number."""
    made = tuple(
        replace(fact, entrywise=True)
        for fact in facts
        if isinstance(fact, Means) and len(fact.arguments) == 1
    )
    if len(made) != len(facts):
        raise Mismatch
    return made


def a_row(row: tuple[Letter, str, bool], index: Letter, of: Subject, column: bool | None) -> Facts:
    """x_i is the i-th row of X."""
    if len(of[0]) != 1 or index.name != row[1]:
        raise Mismatch
    return (*of[1], Rows(row[0], of[0][0], row[2] or bool(column)))


def all_rows(rows: tuple[Letter, str, bool], of: Subject, column: bool | None) -> Facts:
    """x_1, ..., x_n are the rows of X."""
    sizes = [
        fact.attribute.sizes for fact in of[1] if isinstance(fact, Is) and isinstance(fact.attribute, Space)
    ]
    if len(of[0]) != 1 or (sizes and sizes[0][0] != rows[1]):
        raise Unsayable("the matrix has another number of rows", "check the sizes")
    return (*of[1], Rows(rows[0], of[0][0], rows[2] or bool(column)))


def as_before(subject: Subject) -> Facts:
    """Letters that are what they are elsewhere."""
    if subject[1] or not all(letter.copies is None and not letter.indices for letter in subject[0]):
        raise Unsayable("which letter is meant is not clear", "write it out")
    return tuple(Taken(letter) for letter in subject[0])


def stands_for(letter: Letter, function: str) -> Facts:
    """A letter that is printed for a function of the claim language."""
    return (Named(letter, function),)


def normal_functions(letters: tuple[Letter, ...], law: None = None) -> Facts:
    """The letters of the density and of the distribution function of the standard normal law."""
    if len(letters) != 2:
        raise Mismatch
    return (*stands_for(letters[0], "phi"), *stands_for(letters[1], "Phi"))


def grow(letters: tuple[Letter, ...], loosely: bool = False) -> Facts:
    return tuple(Grows(letter, loosely) for letter in letters)


def independent(subject: Subject, entries: Noun | None = None) -> Facts:
    """Things that are independent of each other."""
    return (*of_alike(subject, entries or Noun()), *apart(subject[0]))


def apart(*groups: tuple[Letter, ...]) -> Facts:
    letters = letters_of(*groups)
    if len(letters) < 2:
        raise Unsayable("independent of what?", "name both: $X$ and $Y$ are independent")
    if len(groups) == 1 or (len(groups[0]) == len(groups[1]) == 1):
        return (Apart(letters),)
    return tuple(Apart((one, other)) for one in groups[0] for other in groups[1])
