r"""A declaring sentence in clauses, each with a subject and a verb of its own.

`Throughout, $A$ is arbitrary, $x$ is a unit vector, and $g \sim ...$` is three clauses. A clause that is not
understood then leaves the others readable. No boundary is seen where a verb may have both subjects: in `$x$
and $y$ are unit vectors` there is one clause. A clause with a word that may reach the others is none."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from verifier.read.prose.sentences import Mark, Math, Sentence, Token, Word

MAX_UNKNOWN_WORDS = 12
_PLACES = ("section", "paper", "note", "article")
_LEADS = (
    *(tuple(words.split()) for words in ("throughout", "let", "let us", "here", "in what follows")),
    *(tuple(words.split()) for words in ("assume", "assume that", "we assume", "we assume that")),
    *(tuple(words.split()) for words in ("recall", "recall that", "suppose", "suppose that")),
    *(
        (first, second, place)
        for first in ("throughout", "in")
        for second in ("this", "the")
        for place in _PLACES
    ),
)
_VERBS = frozenset({"is", "are", "has", "have", "be", "denotes", "denote", "satisfies", "satisfy"})
_QUANTIFIERS = tuple(map(Word, ("for", "all", "any", "every", "each", "fixed", "given", "arbitrary")))
# Words by which a clause speaks of other clauses, or of all of them under a condition.
_WORDS = """
all both each every any together jointly joint respectively resp they them their these those this that it its
which whose who former latter other others another same such where if when whenever for under provided
assuming then so hence thus given as above below likewise similarly too also again mutually pairwise with
between among iid independent independently identically """
_REACHING = frozenset(_WORDS.split())


def clauses_of(sentence: Sentence) -> tuple[Sentence, ...]:
    """The clauses, each with the words that begin the sentence before it; one or none if it has no parts."""
    tokens = sentence.tokens
    while tokens and isinstance(tokens[-1], Mark) and tokens[-1].text in (".", ";", ","):
        tokens = tokens[:-1]
    lead = _lead(tokens)
    parts = list(_parts(tokens[len(lead) :]))
    if not lead or any(not part or not isinstance(part[0], Math) for part in parts):
        return ()
    return tuple(replace(sentence, tokens=(*lead, *part)) for part in parts)


def stands_alone(clause: Sentence) -> bool:
    """Whether a clause that is not understood can be left out without a loss to the others."""
    tokens = clause.tokens[len(_lead(clause.tokens)) :]
    words = [token.text for token in tokens if isinstance(token, Word)]
    subject = _subject(tokens)
    marks = any(isinstance(token, Mark) for token in tokens[subject:])
    return len(words) <= MAX_UNKNOWN_WORDS and not marks and not _REACHING & set(words)


def _subject(tokens: Sequence[Token]) -> int:
    """How many tokens stand before the first verb."""
    verbs = (at for at, token in enumerate(tokens) if isinstance(token, Word) and token.text in _VERBS)
    return next(verbs, 0)


def _lead(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """`Throughout,`, `Let`, `Throughout, we assume that`: what is said of every clause."""
    at = 0
    for _ in range(2):
        words = [token.text if isinstance(token, Word) else None for token in tokens[at : at + 4]]
        length = max((len(lead) for lead in _LEADS if tuple(words[: len(lead)]) == lead), default=0)
        at += length
        if length and at < len(tokens) and tokens[at] == Mark(","):
            at += 1
    return tuple(tokens[:at])


def _parts(tokens: Sequence[Token]) -> Iterator[tuple[Token, ...]]:
    """Cut before a formula that follows a comma or `and`, where the words since the last cut have a verb and
    what follows is a clause too: a formula with a verb, or the last formula."""
    begin = at = 0
    while at < len(tokens):
        length = _boundary(tokens, at)
        has_verb = any(isinstance(token, Word) and token.text in _VERBS for token in tokens[begin:at])
        if length and has_verb and _begins(tokens[at + length :]):
            yield tuple(tokens[begin:at])
            begin = at = at + length
        else:
            at += 1
    yield tuple(tokens[begin:])


def _boundary(tokens: Sequence[Token], at: int) -> int:
    """How many tokens part two clauses here: `,`, `;`, `and`, `, and`; 0 if nothing does."""
    if tokens[at] == Word("and"):
        return 1
    if tokens[at] in (Mark(","), Mark(";")):
        return 2 if at + 1 < len(tokens) and tokens[at + 1] == Word("and") else 1
    return 0


def _begins(rest: Sequence[Token]) -> bool:
    """A formula and a verb, or several with `and` and commas between; or one formula that is the last."""
    if not rest or not isinstance(rest[0], Math):
        return False
    if len(rest) == 1:
        return bool(rest[0].read.facts)
    for token in rest[1:]:
        if isinstance(token, Word) and token.text in _VERBS:
            return True
        if not isinstance(token, Math) and token not in (Mark(","), Word("and")):
            return False
    return False


def quantified(tokens: Sequence[Token]) -> Iterator[str]:
    """The letters after `for all` of which nothing more is said: `for all $A$ and $B$`."""
    is_open = False
    for before, token in pairwise((Mark("."), *tokens)):
        if isinstance(token, Math) and token.read.bare and (is_open or before in _QUANTIFIERS):
            yield from (letter.name for letter in token.read.letters)
            is_open = True
        elif token not in (Mark(","), Word("and"), *_QUANTIFIERS):
            is_open = False
