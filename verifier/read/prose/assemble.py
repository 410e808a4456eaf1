"""What the sentences of a passage say, put together: declarations, or refusals of whole sentences.

What cannot be stated makes its sentences refused with all that they say, and the rest is put together again without
them: no sentence is read in part.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from verifier.expr import syntax as S
from verifier.expr.declare import read as read_declaration
from verifier.expr.errors import ExprError
from verifier.expr.tex.tokens import tokenize
from verifier.read.prose.scalars import tree_of
from verifier.read.prose.sentences import Sentence
from verifier.read.prose.spelling import entry_of
from verifier.read.prose.symbols import Symbol, symbol
from verifier.read.prose.table import Said
from verifier.read.prose.values import (
    Always,
    Apart,
    Attribute,
    Bars,
    Declared,
    Fact,
    Family,
    Form,
    Function,
    Grows,
    Holds,
    Independent,
    Is,
    Law,
    Letter,
    Means,
    Moments,
    Number,
    Random,
    Ranges,
    Refused,
    Scope,
    Space,
    Unsayable,
    What,
)
from verifier.read.prose.wording import Unsettled, Wording

CLAIMING = frozenset({"theorem", "lemma", "proposition", "corollary", "claim", "fact", "conjecture"})
GIVING = frozenset({"assumption", "definition", "setting", "notation", "model", "hypothesis"})
MAX_ROUNDS = 30
_RANDOM = (Law, Moments, Independent, Random)
Group = tuple[str, int | None]  # a name, and the number of the sentence that binds it


@dataclass(frozen=True)
class Read:
    """A sentence and what the grammar made of it."""

    sentence: Sentence
    said: Said


@dataclass
class _Letters:
    """All that is said of one letter, and where."""

    latex: str
    copies: str | None = None
    attributes: list[Attribute] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    stated: list[Attribute] = field(default_factory=list)


class Failed(Exception):
    """These sentences say what cannot be stated."""

    def __init__(self, sentences: Iterable[int], trouble: Unsayable) -> None:
        super().__init__(trouble.reason)
        self.sentences = tuple(dict.fromkeys(sentences))
        self.trouble = trouble


def assemble(
    kind: str, read: tuple[Read, ...], known: Mapping[str, tuple[str, ...]]
) -> tuple[Declared | Refused, ...]:
    """The declarations of a passage of this kind; `known` are sizes that earlier passages told."""
    refused: dict[int, Unsayable] = {}
    for _ in range(MAX_ROUNDS):
        kept = {at: item for at, item in enumerate(read) if at not in refused}
        passage = _Passage(kind, kept, known)
        made = tuple(passage.declarations())
        if not passage.failed:
            break
        refused.update(passage.failed)
    else:
        made = ()
        refused = {
            at: refused.get(at, Unsayable("too much of this passage cannot be stated"))
            for at in range(len(read))
        }
    return (*made, *(refusal(read[at].sentence, trouble) for at, trouble in sorted(refused.items())))


def refusal(sentence: Sentence, trouble: Unsayable) -> Refused:
    return Refused(
        sentence.written, trouble.reason, trouble.hint, sentence.file, sentence.line, sentence.formulas
    )


class _Passage:
    """One round: facts gathered by letter, then worded."""

    def __init__(self, kind: str, read: dict[int, Read], known: Mapping[str, tuple[str, ...]]) -> None:
        self.kind = kind
        self.read = read
        self.known = known
        self.failed: dict[int, Unsayable] = {}
        self.symbols: dict[Group, Symbol] = {}
        self.groups: dict[Group, _Letters] = {}
        self.defined = {
            fact.letter.name for item in read.values() for fact in item.said.facts if isinstance(fact, Means)
        }

        self.positive = {
            fact.left for item in read.values() for fact in item.said.facts if _is_positive(fact)
        }

    def declarations(self) -> Iterator[Declared]:
        for at, item in self.read.items():
            self._attempt(at, lambda at=at, item=item: self._gather(at, item.said))  # type: ignore[misc]
        self._make_symbols()
        if self.failed:
            return
        ranks = self._ranks()
        made = [*self._symbols(), *self._implied()]
        for at, item in self.read.items():
            for fact in item.said.facts:
                try:
                    made += self._fact(at, fact, ranks)
                except Unsayable as trouble:
                    self.failed.setdefault(at, trouble)
        yield from dict.fromkeys(made)

    def _attempt(self, at: int, run: object) -> None:
        assert callable(run)
        try:
            run()
        except Unsayable as trouble:
            self.failed.setdefault(at, trouble)

    # -- gathering

    def _gather(self, at: int, said: Said) -> None:
        ranges = {fact.letter.name: fact for fact in said.facts if isinstance(fact, Ranges)}
        self._check_quantifiers(said)
        used: set[str] = set()
        for fact in said.facts:
            if not isinstance(fact, Is):
                continue
            self._check_stated(fact)
            letter, attributes = _resolved(fact, ranges, used, self._is_shaped(fact.letter))
            group = (letter.name, at if fact.bound else None)
            found = self.groups.setdefault(group, _Letters(letter.latex))
            if letter.copies is not None and found.copies not in (None, letter.copies):
                raise Unsayable(f"two sizes are said of the family {letter.name}")
            found.copies = letter.copies or found.copies
            found.attributes += attributes
            found.sentences.append(at)
        for name, run in ranges.items():
            if name not in used:
                self._index(at, run)

    def _index(self, at: int, run: Ranges) -> None:
        attributes: list[Attribute] = [Number(f"index({run.high})")]
        if run.low != "1":
            attributes = [Number("integer"), Always(f"{{x}} >= {run.low}"), Always(f"{{x}} <= {run.high}")]
        found = self.groups.setdefault(
            (run.letter.name, at if run.bound else None), _Letters(run.letter.latex)
        )
        found.attributes += attributes
        found.sentences.append(at)

    def _is_shaped(self, letter: Letter) -> bool:
        """Whether the passage tells the space of that of which this is an entry."""
        base = entry_of(letter) if letter.indices else letter.name
        spaces = (
            fact.letter.name == base and isinstance(fact.attribute, Space | Family)
            for item in self.read.values()
            for fact in item.said.facts
            if isinstance(fact, Is)
        )
        return base in self.known or any(spaces)

    def _check_stated(self, fact: Is) -> None:
        if not fact.stated:
            return
        name = entry_of(fact.letter) if fact.letter.indices else fact.letter.name
        random = isinstance(fact.attribute, (*_RANDOM, Space, Form))
        if name in self.defined or (not random and self.kind not in GIVING):
            raise Unsayable(
                "this may be a claim about it rather than a declaration",
                "begin with `Let` or `Assume that` to declare it",
            )

    def _check_quantifiers(self, said: Said) -> None:
        """A condition for all values of a letter is more than the condition."""
        if said.claims:
            return
        facts = said.facts
        bound = [fact for fact in facts if isinstance(fact, Is | Ranges) and fact.bound]
        if bound and any(isinstance(fact, Holds | Means) for fact in facts):
            raise Unsayable(
                "a condition or a definition for all values of a letter is not read inside a sentence",
                "write the assumption with all(..., i, 1, n)",
            )

    # -- symbols

    def _make_symbols(self) -> None:
        sizes = self._size_names()
        for group, found in self.groups.items():
            name = group[0]
            try:
                known = self.known.get(name)
                counts = name in sizes or (Number("integer") in found.attributes and name in self.positive)
                made = symbol(tuple(found.attributes), found.copies, known, counts)
            except Unsayable as trouble:
                said = Unsayable(f"{name}: {trouble.reason}", trouble.hint)
                self.failed.update({at: said for at in found.sentences if at not in self.failed})
                continue
            if made is None:
                made = self.symbols.get((name, None)) and Symbol("", self.symbols[name, None].sizes)
                made = self._conditions_only(group, found)
            if made is not None:
                self.symbols[group] = made

    def _conditions_only(self, group: Group, found: _Letters) -> Symbol | None:
        """Conditions on a letter that another group declares, or that the passage does not declare."""
        other = self.symbols.get((group[0], None))
        if other is None:
            said = Unsayable(f"{group[0]}: its size is not said", r"say it: $x \in \mathbb{R}^n$")
            self.failed.update({at: said for at in found.sentences if at not in self.failed})
            return None
        conditions = tuple(item.text for item in found.attributes if isinstance(item, Always))
        return Symbol("", other.sizes, conditions)

    def _size_names(self) -> dict[str, str]:
        """The letters that are sizes, and of what."""
        found: dict[str, str] = {}
        for (name, _), group in self.groups.items():
            texts: list[str] = [] if group.copies is None else [group.copies]
            for item in group.attributes:
                texts += _sizes_in(item)
            for text in texts:
                for size in _names(text):
                    found.setdefault(size, name)
        return found

    def _ranks(self) -> dict[str, int]:
        ranks = {name: len(sizes) for name, sizes in self.known.items()}
        ranks.update({name: 0 for name in self._size_names()})
        for (name, _), made in self.symbols.items():
            if made.says and not made.says.startswith("function"):
                ranks[name] = made.rank if self._group(name).copies is None or made.rank == 0 else made.rank
        families = {name for (name, _), group in self.groups.items() if "copies=" in self._says(name)}
        return {name: rank for name, rank in ranks.items() if name not in families}

    def _group(self, name: str) -> _Letters:
        return next(group for (other, _), group in self.groups.items() if other == name)

    def _says(self, name: str) -> str:
        return next((made.says for (other, _), made in self.symbols.items() if other == name), "")

    def _symbols(self) -> Iterator[Declared]:
        for group, made in self.symbols.items():
            found = self.groups[group]
            scope: Scope = "passage" if group[1] is None else "sentence"
            place = _Place(self._sentence(found.sentences), scope)
            if made.says:
                _check_declaration(made.says)
                yield place.declared("symbol", group[0], made.says, found.latex, note="; ".join(made.notes))
            for text in made.conditions:
                says = self._condition(group[0], text, made.sizes)
                yield place.declared("assumption", None, says, found.latex)

    def _condition(self, name: str, template: str, sizes: tuple[str, ...]) -> str:
        taken = {name for name, _ in self.groups} | set(self._size_names()) | set(self.known)
        free = [letter for letter in ("i", "j", "k", "l", "i_1", "j_1") if letter not in taken]
        rows, cols = (sizes + ("1", "1"))[:2]
        return template.format(x=name, i=free[0], j=free[1], rows=rows, cols=cols)

    def _implied(self) -> Iterator[Declared]:
        """Sizes, scales and covariances that are letters nobody declares."""
        declared = {name for name, _ in self.groups} | self.defined
        for size, of in self._size_names().items():
            if size not in declared and size not in self.known:
                place = _Place(self._sentence(self._group(of).sentences), "passage")
                yield place.declared("symbol", size, "dimension", size, note=f"a size of {of}")
        for (name, _), made in self.symbols.items():
            place = _Place(self._sentence(self._group(name).sentences), "passage")
            if made.scale is not None and made.scale not in declared:
                note = f"a standard deviation of {name}"
                yield place.declared("symbol", made.scale, "positive", made.scale, note=note)
            if made.covariance is not None and made.covariance[0] not in declared:
                size = made.sizes[0]
                note = f"the covariance of {name}"
                yield place.declared(
                    "symbol", made.covariance[0], f"psd({size})", made.covariance[1], note=note
                )

    def _sentence(self, at: list[int]) -> tuple[Sentence, ...]:
        return tuple(self.read[place].sentence for place in dict.fromkeys(at))

    # -- the other facts

    def _fact(self, at: int, fact: Fact, ranks: Mapping[str, int]) -> Iterator[Declared]:
        sentence = self.read[at].sentence
        match fact:
            case Is() | Ranges():
                return
            case Holds(left, op, right, bound):
                place = _Place((sentence,), "sentence" if bound else "passage")
                formula = f"{left} {_PRINTED[op]} {right}"
                yield place.declared(
                    "assumption", None, _relation(left, op, right, ranks), "", formula=formula
                )
            case Means():
                yield self._meaning(_Place((sentence,), "passage"), fact, ranks)
            case Grows(letter, loosely):
                if loosely and not any(_has_growth(item.latex) for item in sentence.formulas):
                    raise Unsayable(
                        "the claim language has no `for all large n` apart from growth",
                        "say from which n on: $n \\ge 10$",
                    )
                place = _Place((sentence,), "sentence")
                yield place.declared("growth", letter.name, f"{letter.name} -> oo", letter.latex)
            case Apart(letters):
                yield self._apart(_Place((sentence,), "passage"), letters)
            case Bars(norm):
                if norm == "spectral":
                    raise Unsayable("plain bars cannot be declared as the spectral norm", r"print \|A\|_2")
                if norm == "frobenius":
                    place = _Place((sentence,), "passage")
                    yield place.declared("definition", "norm", "norm", r"\|\cdot\|")

    def _meaning(self, place: "_Place", fact: Means, ranks: Mapping[str, int]) -> Declared:
        name = fact.letter.name
        formula = f"{fact.printed} = {fact.formula}"
        declared = {group for group, _ in self.groups} | set(self._size_names())
        if name in declared and fact.sure:
            raise Unsayable(f"{name} is declared, and defined too", "do one of them")
        if name in declared:
            says = _relation(fact.letter.latex, "==", fact.formula, ranks)
            return place.declared("assumption", None, says, "", formula=formula)
        if fact.letter.indices:
            raise Unsayable(
                f"{fact.printed} = ... defines entry by entry", "write the whole vector or matrix on the left"
            )
        says = _expression(fact.formula, ranks)
        return place.declared("definition", name, says, fact.printed, formula=formula)

    def _apart(self, place: "_Place", letters: tuple[Letter, ...]) -> Declared:
        names = [letter.name for letter in letters]
        random = [name for name in names if self._is_random(name)]
        note = "distinct random symbols are independent already" if random == names else ""
        return place.declared("independence", None, f"independent({', '.join(names)})", "", note=note)

    def _is_random(self, name: str) -> bool:
        return any(made.random for (other, _), made in self.symbols.items() if other == name)


_PRINTED = {"==": "=", "<=": r"\le", ">=": r"\ge", "<": "<", ">": ">", "!=": r"\ne"}


@dataclass(frozen=True)
class _Place:
    """The sentences that a declaration was read from."""

    sentences: tuple[Sentence, ...]
    scope: Scope

    def declared(
        self, what: What, name: str | None, says: str, latex: str, note: str = "", formula: str = ""
    ) -> Declared:
        first = self.sentences[0]
        written = " ".join(item.written for item in self.sentences)
        return Declared(what, name, says, latex, written, first.file, first.line, formula, note, self.scope)


def _resolved(
    fact: Is, ranges: Mapping[str, Ranges], used: set[str], shaped: bool
) -> tuple[Letter, tuple[Attribute, ...]]:
    """The letter that an attribute is of: of W_{ij} it is W, whose entries have it, or a family of its own."""
    letter, attribute = fact.letter, fact.attribute
    if not letter.indices:
        return letter, (attribute,)
    base = replace(letter, name=entry_of(letter), latex=letter.latex.split("_")[0], indices=())
    runs = [ranges.get(index) for index in letter.indices]
    if isinstance(attribute, _RANDOM) and shaped:
        used |= set(letter.indices)
        return base, (_of_entry(attribute),)
    if all(run is not None for run in runs):
        used |= set(letter.indices)
        return _member(base, attribute, [run for run in runs if run is not None])
    if isinstance(attribute, Number) or attribute == Space(()):
        return replace(letter, indices=()), (attribute,)
    raise Unsayable(
        f"{letter.latex}: which indices there are is not said",
        r"say it: for $i = 1, \dots, n$, or $W \in \mathbb{R}^{m \times n}$",
    )


def _member(base: Letter, attribute: Attribute, runs: list[Ranges]) -> tuple[Letter, tuple[Attribute, ...]]:
    if any(run.low != "1" for run in runs):
        raise Unsayable("a family that does not count from 1 is not read", "count from 1")
    if len(runs) == 1:
        return replace(base, copies=runs[0].high), (attribute,)
    if isinstance(attribute, _RANDOM):
        return base, (Space(tuple(run.high for run in runs)), _of_entry(attribute))
    raise Unsayable("a family with two indices is not read", "say it of the whole matrix")


def _of_entry(attribute: Attribute) -> Attribute:
    match attribute:
        case Law(sizes=None, covariance=None):
            return replace(attribute, entrywise=True)
        case Independent(identical):
            return Independent(identical, of_entries=True)
        case Moments() | Random():
            return attribute
    raise Unsayable("the law of an entry is that of a number", "say it of the whole matrix or vector")


def _is_positive(fact: Fact) -> bool:
    """n >= 2: an integer of which that is said is a dimension."""
    least = {">=": 1, ">": 0}
    return (
        isinstance(fact, Holds)
        and fact.op in least
        and not fact.bound
        and fact.right.isdigit()
        and int(fact.right[:9]) >= least[fact.op]
    )


def _sizes_in(item: Attribute) -> tuple[str, ...]:
    match item:
        case Space(sizes):
            return sizes
        case Family(sizes=sizes) | Law(sizes=sizes) | Function(sizes=sizes):
            return sizes or ()
        case Number(kind) if kind.startswith("index("):
            return (kind[len("index(") : -1],)
    return ()


def _names(text: str) -> list[str]:
    todo, found = [S.parse(text)], []
    while todo:
        tree = todo.pop()
        if isinstance(tree, S.Name):
            found.append(tree.name)
        todo += S.parts(tree)
    return found


def _has_growth(latex: str) -> bool:
    marks = [token.text for token in tokenize(latex[:2000])]
    return any(
        mark in ("O", r"\Omega", r"\Theta") and "(" in marks[at + 1 : at + 3] for at, mark in enumerate(marks)
    )


def _check_declaration(says: str) -> None:
    """The language must accept what is said: a kind that it does not have is refused here at the latest."""
    try:
        read_declaration(S.parse(says))
    except ExprError as error:
        raise Unsayable(error.message, error.hint or "") from None


def _relation(left: str, op: str, right: str, ranks: Mapping[str, int]) -> str:
    """The relation as text, empty where a shape must be known first."""
    wording = Wording(ranks)
    try:
        sides = [wording.text(tree_of(tokenize(side))) for side in (left, right)]
    except Unsettled:
        return ""
    except ExprError as error:
        raise Unsayable(error.message, error.hint or "") from None
    return f"{sides[0]} {op} {sides[1]}"


def _expression(formula: str, ranks: Mapping[str, int]) -> str:
    try:
        return Wording(ranks).text(tree_of(tokenize(formula)))
    except Unsettled:
        return ""
    except ExprError as error:
        raise Unsayable(error.message, error.hint or "") from None
