"""What the sentences of a passage say, put together: declarations, or refusals of whole sentences.

What cannot be stated makes its sentences refused with all that they say, and the rest is put together again
without them: no sentence is read in part."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from verifier.expr import syntax as S
from verifier.expr.declare import read as read_declaration
from verifier.expr.errors import ExprError
from verifier.read.prose.facts import Place, Words
from verifier.read.prose.gather import About, Gathered, Group, Read, Sizes
from verifier.read.prose.quantified import at_every_index
from verifier.read.prose.sentences import Sentence
from verifier.read.prose.spelling import latex_of
from verifier.read.prose.symbols import Symbol, symbol
from verifier.read.prose.values import Always, Apart, Declared, Independent, Number, Refused, Unsayable

MAX_ROUNDS = 30
_INDICES = ("i", "j", "k", "l", "i_1", "j_1", "i_2", "j_2")


def assemble(kind: str, read: tuple[Read, ...], known: Mapping[str, Sizes]) -> tuple[Declared | Refused, ...]:
    """The declarations of a passage of this kind; `known` are sizes that earlier passages told."""
    refused: dict[int, Unsayable] = {}
    saids = at_every_index([item.said for item in read], known)
    read = tuple(replace(item, said=said) for item, said in zip(read, saids, strict=True))
    for _ in range(MAX_ROUNDS):
        kept = {at: item for at, item in enumerate(read) if at not in refused}
        passage = _Passage(kind, kept, known)
        made = passage.declarations()
        if not passage.failed:
            break
        refused.update(passage.failed)
    else:
        made = ()
        reason = Unsayable("too much of this passage cannot be stated", "write shorter passages")
        refused = {at: refused.get(at, reason) for at in range(len(read))}
    return (*made, *(refusal(read[at].sentence, trouble) for at, trouble in sorted(refused.items())))


def refusal(sentence: Sentence, trouble: Unsayable) -> Refused:
    """The sentence, with why it is not read."""
    return Refused(
        sentence.written, trouble.reason, trouble.hint, sentence.file, sentence.line, sentence.formulas
    )


class _Passage:
    """One round: what the sentences say together, or which of them fail."""

    def __init__(self, kind: str, read: Mapping[int, Read], known: Mapping[str, Sizes]) -> None:
        self.read = read
        self.known = known
        self.gathered = Gathered(kind, read, known)
        self.failed = dict(self.gathered.failed)
        self.symbols: dict[Group, Symbol] = {}

    def declarations(self) -> tuple[Declared, ...]:
        for group, about in self.gathered.groups.items():
            try:
                self.symbols[group] = self._symbol(group, about)
            except Unsayable as trouble:
                self._fail(about, Unsayable(f"{group[0]}: {trouble.reason}", trouble.hint))
        if not self.failed:
            self._check_independence()
        if self.failed:
            return ()
        made = [*self._symbols(), *self._implied()]
        families = {name: made.rank for (name, _), made in self.symbols.items() if "copies=" in made.says}
        prints = {name: about.latex for (name, _), about in self.gathered.groups.items() if about.latex}
        words = Words(self._ranks(), families, self._declared(), self._random(), self._dimensions(), prints)
        for at, item in self.read.items():
            try:
                facts = (fact for fact in item.said.facts if fact not in self.gathered.moments)
                made += [line for fact in facts for line in words.of(fact, item.sentence)]
            except Unsayable as trouble:
                self.failed[at] = trouble
        return tuple(dict.fromkeys(made))

    def _fail(self, about: About, trouble: Unsayable) -> None:
        for at in about.sentences:
            self.failed.setdefault(at, trouble)

    # -- symbols

    def _symbol(self, group: Group, about: About) -> Symbol:
        name, gathered = group[0], self.gathered
        counts = Number("integer") in about.attributes and name in gathered.positive
        is_size = name in gathered.sizes or counts
        made = symbol(tuple(about.attributes), about.copies, self.known.get(name), is_size)
        if made is None:  # conditions alone, on a letter that the rest of the passage declares
            other = self.symbols.get((name, None))
            if other is None:
                raise Unsayable("its size is not said", r"say it: $x \in \mathbb{R}^n$")
            conditions = tuple(item.text for item in about.attributes if isinstance(item, Always))
            made = Symbol("", other.sizes, conditions)
        _check_declaration(made.says)
        return made

    def _check_independence(self) -> None:
        """Distinct random symbols are independent: of two whose joint law could be any, that must be said."""
        facts = [fact for item in self.read.values() for fact in item.said.facts]
        apart = {letter.name for fact in facts if isinstance(fact, Apart) for letter in fact.letters}
        random = [group for group, made in self.symbols.items() if made.random]
        for group in random[1:] if len(random) > 1 else ():
            about, made = self.gathered.groups[group], self.symbols[group]
            if (
                group[0] in apart
                or Independent(True) in about.attributes
                or Independent(False) in about.attributes
            ):
                continue
            if made.says.startswith("random("):
                hint = "say that they are independent: distinct random symbols are"
                self._fail(about, Unsayable(f"nothing says how {group[0]} and {random[0][0]} depend", hint))
            else:
                note = f"read as independent of {random[0][0]}"
                self.symbols[group] = replace(made, notes=(*made.notes, note))

    def _symbols(self) -> Iterator[Declared]:
        for group, made in self.symbols.items():
            about = self.gathered.groups[group]
            place = Place(self._sentences(about), "passage" if group[1] is None else "sentence")
            if made.says:
                yield place.declared("symbol", group[0], made.says, about.latex, note="; ".join(made.notes))
            for text in made.conditions:
                says = self._condition(group[0], text, made.sizes)
                yield place.declared("assumption", None, says, about.latex)

    def _condition(self, name: str, template: str, sizes: Sizes) -> str:
        taken = self._declared() | set(self.known)
        free = [letter for letter in _INDICES if letter not in taken]
        if len(free) < 2:
            raise Unsayable("no letter is left for an index", "rename one")
        rows, cols = (*sizes, "1", "1")[:2]
        return template.format(x=name, i=free[0], j=free[1], rows=rows, cols=cols)

    def _implied(self) -> Iterator[Declared]:
        """Sizes, scales and covariances that are letters which nobody declares."""
        declared = {name for name, _ in self.gathered.groups} | self.gathered.defined
        abouts = {name: about for (name, _), about in reversed(self.gathered.groups.items())}
        for size, of in self.gathered.sizes.items():
            if size not in declared and size not in self.known:
                place = Place(self._sentences(abouts[of]))
                yield place.declared("symbol", size, "dimension", latex_of(size), note=f"a size of {of}")
        for (name, _), made in self.symbols.items():
            place = Place(self._sentences(abouts[name]))
            for scale in made.scales:
                if scale not in declared:
                    note = f"its square is in the variance of {name}"
                    yield place.declared("symbol", scale, "positive", latex_of(scale), note=note)
            if made.chance is not None and made.chance not in declared:
                note = f"a chance of {name}"
                yield place.declared(
                    "symbol", made.chance, "interval(0, 1)", latex_of(made.chance), note=note
                )
            if made.covariance is not None and made.covariance[0] not in declared:
                letter, latex = made.covariance
                note = f"the covariance of {name}"
                yield place.declared("symbol", letter, f"psd({made.sizes[0]})", latex, note=note)

    # -- what is known of letters

    def _sentences(self, about: About) -> tuple[Sentence, ...]:
        return tuple(self.read[at].sentence for at in dict.fromkeys(about.sentences))

    def _declared(self) -> set[str]:
        return {name for name, _ in self.gathered.groups} | set(self.gathered.sizes)

    def _random(self) -> set[str]:
        return {name for (name, _), made in self.symbols.items() if made.random}

    def _dimensions(self) -> set[str]:
        declared = {name for (name, _), made in self.symbols.items() if made.says == "dimension"}
        return declared | (set(self.gathered.sizes) - {name for name, _ in self.gathered.groups})

    def _ranks(self) -> dict[str, int]:
        """The number of sizes of each letter; families and functions have none of their own."""
        ranks = {name: len(sizes) for name, sizes in self.known.items()}
        ranks.update(dict.fromkeys(self.gathered.sizes, 0))
        for (name, _), made in self.symbols.items():
            if made.says.startswith("function") or "copies=" in made.says:
                ranks.pop(name, None)
            elif made.says:
                ranks[name] = made.rank
        return ranks


def _check_declaration(says: str) -> None:
    """The language must accept what is said: a kind that it does not have is refused here at the latest."""
    if not says:
        return
    try:
        read_declaration(S.parse(says))
    except ExprError as error:
        raise Unsayable(error.message, error.hint or "") from None
