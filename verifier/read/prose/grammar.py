r"""A grammar as data, and its parser: every way to read a sentence, with memory and a bound on its work.

A production is one line: what it makes, a pattern, what is built from the pattern's slots, and an example.
In a pattern, `word|other` is one of these words, UPPER a phrase, `$name` a formula of that shape, `@name` any
word by which a thing may be called, `@reason` any by which a reason may be, `[x]` may be left out, and
UPPER* may be repeated, also no time. Slots are the phrases and the formulas, in order; one
that is left out is None, and what is repeated is no slot."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifier.expr.errors import ExprError
from verifier.read.prose.formulas import Mathematics
from verifier.read.prose.hedges import is_name, is_reason
from verifier.read.prose.sentences import Mark, Math, Token, Word
from verifier.read.prose.values import Unsayable

MAX_STEPS = 20_000
MAX_STEPS_OF_A_PASSAGE = 250_000
MAX_DEPTH = 45
_FREE = {"@name": is_name, "@reason": is_reason}
Shapes = Mapping[str, Callable[[Mathematics], Any]]


@dataclass(frozen=True)
class Production:
    """phrase → pattern. `example` is a sentence that uses it, `reads` what it declares, line by line; of
    what the claim language cannot say, `refuses` are words of the reason."""

    phrase: str
    pattern: str
    build: Callable[..., Any]
    example: str
    reads: tuple[str, ...] = ()
    refuses: str = ""

    @property
    def name(self) -> str:
        return f"{self.phrase} → {self.pattern}"


@dataclass(frozen=True)
class Parsed:
    """One way to read tokens up to a place."""

    end: int
    value: Any
    used: frozenset[str]


@dataclass(frozen=True)
class _Element:
    kind: str  # "word", "phrase", "repeated", "formula", "free"
    names: tuple[str, ...]
    optional: bool


class Mismatch(Exception):
    """What a rule raises for slots that do not go together: the pattern is not meant."""


class TooMuch(Exception):
    """The sentence has too many ways to be read."""


@dataclass(frozen=True)
class Grammar:
    """Productions by the phrase that they make."""

    productions: tuple[Production, ...]
    shapes: Shapes
    table: Mapping[str, tuple[tuple[Production, tuple[_Element, ...]], ...]] = field(init=False)

    def of(self, phrase: str) -> tuple[tuple[Production, tuple[_Element, ...]], ...]:
        return self.table[phrase]

    def __post_init__(self) -> None:
        table: dict[str, list[tuple[Production, tuple[_Element, ...]]]] = {}
        for item in self.productions:
            table.setdefault(item.phrase, []).append((item, _elements(item.pattern)))
        object.__setattr__(self, "table", {phrase: tuple(items) for phrase, items in table.items()})
        for item in self.productions:
            for element in _elements(item.pattern):
                known: Mapping[str, Any] = {
                    "phrase": table,
                    "repeated": table,
                    "formula": self.shapes,
                }.get(element.kind, {})
                if element.kind not in ("word", "free") and not set(element.names) <= set(known):
                    raise ValueError(f"{item.name}: {element.names} is not known")

    @property
    def words(self) -> frozenset[str]:
        """Every word that some pattern has."""
        elements = (part for item in self.productions for part in _elements(item.pattern))
        return frozenset(name for part in elements if part.kind == "word" for name in part.names)


def _elements(pattern: str) -> tuple[_Element, ...]:
    made = []
    for written in pattern.split():
        optional = written.startswith("[") and written.endswith("]") and len(written) > 2
        text = written[1:-1] if optional else written
        if text.startswith("$"):
            made.append(_Element("formula", (text[1:],), optional))
        elif text in _FREE:
            made.append(_Element("free", (text,), optional))
        elif text.endswith("*") and text.isupper():
            made.append(_Element("repeated", (text[:-1],), optional))
        elif text.isupper() and text.replace("_", "").isalpha():
            made.append(_Element("phrase", (text,), optional))
        else:
            made.append(_Element("word", tuple(text.split("|")), optional))
    return tuple(made)


@dataclass
class Budget:
    """How many steps the sentences of a passage may take together."""

    left: int = MAX_STEPS_OF_A_PASSAGE


class Parser:
    """One sentence: readings by phrase and place, each made once."""

    def __init__(self, grammar: Grammar, tokens: Sequence[Token], budget: Budget | None = None) -> None:
        self.grammar = grammar
        self.budget = budget or Budget()
        self.tokens = tokens
        self.known: dict[tuple[str, int], tuple[Parsed, ...]] = {}
        self.steps = 0
        self.depth = 0
        self.furthest = 0
        self.trouble: tuple[int, Unsayable] | None = None

    def whole(self, phrase: str) -> tuple[Parsed, ...]:
        """The ways to read all of the tokens as this phrase."""
        return tuple(item for item in self.read(phrase, 0) if item.end == len(self.tokens))

    def read(self, phrase: str, at: int) -> tuple[Parsed, ...]:
        key = (phrase, at)
        if key not in self.known:
            self.known[key] = ()  # a phrase that begins with itself has no further reading
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise TooMuch
            found = (item for made in self.grammar.of(phrase) for item in self._production(*made, at))
            self.known[key] = tuple(_distinct(found))
            self.depth -= 1
        return self.known[key]

    def _production(
        self, production: Production, elements: tuple[_Element, ...], at: int
    ) -> Iterator[Parsed]:
        for end, slots, used in self._sequence(elements, at):
            try:
                value = production.build(*slots)
            except Mismatch:
                continue
            except Unsayable as trouble:
                self._note(end, trouble)
                continue
            yield Parsed(end, value, used | {production.name})

    def _sequence(
        self, elements: tuple[_Element, ...], at: int
    ) -> Iterator[tuple[int, tuple[Any, ...], frozenset[str]]]:
        self.steps += 1
        self.budget.left -= 1
        if self.steps > MAX_STEPS or self.budget.left < 0:
            raise TooMuch
        if not elements:
            yield at, (), frozenset()
            return
        first, rest = elements[0], elements[1:]
        for end, slots, used in self._element(first, at):
            for last, others, more in self._sequence(rest, end):
                yield last, (*slots, *others), used | more

    def _element(self, element: _Element, at: int) -> Iterator[tuple[int, tuple[Any, ...], frozenset[str]]]:
        token = self.tokens[at] if at < len(self.tokens) else None
        match element.kind:
            case "word":
                if isinstance(token, Word | Mark) and token.text in element.names:
                    self.furthest = max(self.furthest, at + 1)
                    yield at + 1, (), frozenset()
                if element.optional:
                    yield at, (), frozenset()
            case "free":
                if isinstance(token, Word) and _FREE[element.names[0]](token.text):
                    self.furthest = max(self.furthest, at + 1)
                    yield at + 1, (), frozenset()
            case "phrase":
                for item in self.read(element.names[0], at):
                    yield item.end, (item.value,), item.used
                if element.optional:
                    yield at, (None,), frozenset()
            case "repeated":
                for end, used in self._repeated(element.names[0], at):
                    yield end, (), used
            case "formula":
                value = self._formula(element.names[0], token, at)
                if value is not None:
                    self.furthest = max(self.furthest, at + 1)
                    yield at + 1, (value,), frozenset()
                if element.optional:
                    yield at, (None,), frozenset()

    def _repeated(self, phrase: str, at: int) -> Iterator[tuple[int, frozenset[str]]]:
        """Every place up to which the phrase may be repeated."""
        todo, seen = [(at, frozenset[str]())], {at}
        while todo:
            place, used = todo.pop()
            yield place, used
            for item in self.read(phrase, place):
                if item.end not in seen:
                    seen.add(item.end)
                    todo.append((item.end, used | item.used))

    def _formula(self, shape: str, token: Token | None, at: int) -> Any:
        if not isinstance(token, Math):
            return None
        if token.read.trouble is not None and shape != "any":
            self._note(at + 1, token.read.trouble)
            return None
        try:
            return self.grammar.shapes[shape](token.read)
        except Unsayable as trouble:
            self._note(at + 1, trouble)
        except ExprError as error:
            self._note(at + 1, Unsayable(error.message, error.hint or ""))
        return None

    def _note(self, at: int, trouble: Unsayable) -> None:
        """Of what cannot be stated, the one that stands last in the sentence is told."""
        if self.trouble is None or at > self.trouble[0]:
            self.trouble = (at, trouble)


def _distinct(items: Iterator[Parsed]) -> Iterator[Parsed]:
    """Readings that differ; of those that do not, by whatever productions they are."""
    found: dict[tuple[int, Any], Parsed] = {}
    for item in items:
        key = (item.end, item.value)
        before = found.get(key)
        found[key] = item if before is None else Parsed(item.end, item.value, before.used | item.used)
    yield from found.values()
