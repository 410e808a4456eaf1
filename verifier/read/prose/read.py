"""Passages to declarations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from verifier.expr import syntax as S
from verifier.read.paper import Passage
from verifier.read.prose.assemble import assemble, refusal
from verifier.read.prose.gather import GIVING, Read, Sizes
from verifier.read.prose.grammar import Budget, Parsed, Parser, TooMuch
from verifier.read.prose.hedges import declares, hedge, open_constant, restated, without_consequence
from verifier.read.prose.scalars import text
from verifier.read.prose.scenes import SCENE
from verifier.read.prose.sentences import Mark, Math, Sentence, Token, Word, sentences
from verifier.read.prose.split import clauses_of, stands_alone
from verifier.read.prose.table import GRAMMAR, Said
from verifier.read.prose.values import Declared, Form, Holds, Is, Number, Ranges, Refused, Space, Unsayable

# Passages that claim: all of their words must be understood, or a formula of theirs may not be the claim.
CLAIMING = frozenset({"theorem", "lemma", "proposition", "corollary", "claim", "fact", "conjecture"})
TWO_CLAIMS = "two claims in one sentence, on conditions of their own"
MAX_PARTS = 6
# What a sentence may begin with that says nothing of conditions.
_BEGINNING = frozenset(
    {"we", "then", "it", "one", "moreover", "also", "hence", "thus", "there", "furthermore"}
)


def declarations(
    passage: Passage, known: Mapping[str, Sizes] | None = None
) -> tuple[Declared | Refused, ...]:
    """What the sentences of a passage declare, and which of them could not be read.

    `known` are the sizes of letters that earlier passages declare: {"W": ("m", "n")}."""
    read: list[Read] = []
    refused: list[Refused] = []
    budget = Budget()
    for whole in spoken(passage):
        for sentence, found in _in_parts(whole, passage.kind, budget):
            if isinstance(found, Unsayable):
                refused.append(refusal(sentence, found))
            elif found is not None and found.facts:
                read.append(Read(sentence, found))
    return (*assemble(passage.kind, tuple(read), known or {}), *refused)


def spoken(passage: Passage) -> Iterator[Sentence]:
    """The sentences of a passage; one that makes two claims, each on conditions of its own, is two."""
    for sentence in sentences(passage):
        halves = _halves(sentence, passage.kind) if passage.kind in CLAIMING else None
        yield from halves or (sentence,)


def _halves(sentence: Sentence, kind: str) -> tuple[Sentence, Sentence] | None:
    """`A for all x, and B for all y` in two, where what stands first binds nothing for the second."""
    tokens = sentence.tokens
    if not tokens or (isinstance(tokens[0], Word) and tokens[0].text not in _BEGINNING):
        return None
    if sum(token == Word("and") for token in tokens) > MAX_PARTS:
        return None
    whole = understood(sentence, kind)
    if not isinstance(whole, Unsayable) or whole.reason != TWO_CLAIMS:
        return None
    found: list[tuple[Sentence, Sentence]] = []
    for at in (at for at, token in enumerate(tokens) if token == Word("and")):
        first = tokens[: at - 1] if at and tokens[at - 1] == Mark(",") else tokens[:at]
        pair = (
            replace(sentence, tokens=first, written=f"{sentence.written} (the first claim)"),
            replace(sentence, tokens=tokens[at + 1 :], written=f"{sentence.written} (the second claim)"),
        )
        said = [understood(part, kind) for part in pair]
        if all(isinstance(item, Said) and item.claims for item in said):
            found.append(pair)
    return found[0] if len(found) == 1 else None


def _in_parts(
    sentence: Sentence, kind: str, budget: Budget
) -> Iterator[tuple[Sentence, Said | Unsayable | None]]:
    """The sentence with what it says; where it is not understood, its clauses with what they say.

    Not in a theorem: a hypothesis that was not understood is missing there, whatever the others say."""
    found = understood(sentence, kind, budget)
    parts = clauses_of(sentence) if isinstance(found, Unsayable) and not hedge(sentence.tokens) else ()
    if kind in CLAIMING or len(parts) < 2:
        yield sentence, found
        return
    said = [(part, understood(part, kind, budget)) for part in parts]
    lost = [part for part, item in said if not isinstance(item, Said) or item.claims]
    if len(lost) == len(parts) or not all(stands_alone(part) for part in lost):
        yield sentence, found
        return
    unknown = Unsayable("this clause is not understood", "write a sentence of its own")
    yield from ((part, unknown if item is None else item) for part, item in said)


def understood(sentence: Sentence, kind: str, budget: Budget | None = None) -> Said | Unsayable | None:
    """What the sentence says; why it cannot be read; None if it declares nothing."""
    tokens = tuple(sentence.tokens)
    while tokens and isinstance(tokens[-1], Mark) and tokens[-1].text in (".", ",", ";", ":"):
        tokens = tokens[:-1]
    if not any(isinstance(token, Math) for token in tokens):
        return None
    tokens = restated(tokens if kind in CLAIMING else without_consequence(tokens))
    if sentence.too_long:
        return Unsayable("the sentence is too long", "write several")
    giving = kind in GIVING
    matters = giving or kind in CLAIMING or declares(tokens)
    doubt = hedge(tokens)
    if doubt is not None:
        reason = f"`{doubt}` is not read: it may change what the sentence says"
        return Unsayable(reason, "say it without this word, or write the claim by hand") if matters else None
    if matters and _side_by_side(tokens):
        return Unsayable("two formulas stand side by side without a word between", "say what the second is")
    if matters and open_constant(tokens):
        return Unsayable("a constant: any one, or one that there is?", "begin with `Let` if it is any")
    parser = Parser(GRAMMAR, tokens, budget)
    try:
        parsed = parser.whole("SENTENCE")
        # What a scene is set with counts where nothing else does.
        parsed = tuple(item for item in parsed if not SCENE & item.used) or parsed
        parsed = tuple(item for item in parsed if not _in_two(item)) or parsed
        found = {frozenset(item.value.facts): item.value for item in parsed}
        if giving and any(said.claims for said in found.values()):
            found = {frozenset(item.value): Said(item.value) for item in parser.whole("STATES")}
    except TooMuch:
        reason = "the sentence, or all of the passage, is too long or can be read in too many ways"
        return Unsayable(reason, "write shorter sentences") if matters else None
    if len({said.claims for said in found.values()}) > 1:
        hint = "begin with `Suppose that` or with `Then`"
        return Unsayable("whether this is assumed or claimed is not said", hint)
    if len(found) > 1:
        return Unsayable("the sentence can be read in two ways", "write two sentences")
    if found:
        said: Said = next(iter(found.values()))
        if any(map(_in_two, parsed)) and _is_conditional(said):
            return Unsayable(TWO_CLAIMS, "write two sentences")
        return said if said.claims or matters or said.facts else None
    if not matters:
        return None
    if parser.trouble is not None:
        return parser.trouble[1]
    return _unknown(tokens, parser.furthest)


def _in_two(item: Parsed) -> bool:
    """Whether a sentence is read as two claims with conditions between."""
    return any(name.startswith("NEXT") for name in item.used)


def _side_by_side(tokens: Sequence[Token]) -> bool:
    """Formulas in a line need a word or a comma between them; before a display it may be left out."""
    inline = [isinstance(token, Math) and not token.formula.display for token in tokens]
    return any(first and second for first, second in pairwise(inline))


def _is_conditional(said: Said) -> bool:
    """Whether something is true of a part of the sentence only."""
    kinds = (Number("real"), Number("integer"), Number("dimension"))
    for fact in said.facts:
        if isinstance(fact, Is) and fact.bound:
            if not isinstance(fact.attribute, Space | Form) and fact.attribute not in kinds:
                return True
        elif isinstance(fact, Holds | Ranges) and fact.bound:
            return True
    return False


def _unknown(tokens: tuple[object, ...], at: int) -> Unsayable:
    """The place where no rule goes on."""
    token = tokens[at] if at < len(tokens) else None
    match token:
        case Word(text) | Mark(text):
            what = f"`{text}` is not understood here"
        case Math(formula):
            what = f"the formula ${formula.latex}$ is not understood here"
        case _:
            what = "the sentence ends before it has said something"
    return Unsayable(what, "say it in other words, or declare it in a claim block")


def declarations_of(passages: Iterable[Passage]) -> Iterator[tuple[Declared | Refused, ...]]:
    """The declarations of each passage in turn, with the sizes that the running text told before, and to a
    proof its theorem."""
    known: dict[str, Sizes] = {}
    of_theorem: dict[str, Sizes] = {}
    for passage in passages:
        made = declarations(passage, {**known, **of_theorem} if passage.kind == "proof" else known)
        yield made
        if passage.kind in CLAIMING:
            of_theorem = _told(made)
        elif passage.kind != "proof":
            known.update(_told(made))


def _told(made: tuple[Declared | Refused, ...]) -> dict[str, Sizes]:
    """Sizes of fixed matrices and vectors: a later passage may say their law."""
    found: dict[str, Sizes] = {}
    for item in made:
        if (
            not isinstance(item, Declared)
            or item.what != "symbol"
            or item.scope != "passage"
            or not item.name
        ):
            continue
        tree = S.parse(item.says)
        if isinstance(tree, S.Call) and tree.function in ("matrix", "vector") and not tree.keywords:
            found[item.name] = tuple(text(arg) for arg in tree.args)
    return found
