"""Facts by the letter that they are about: W_{ij} belongs to W, x_1, ..., x_n is a family, `for all x` binds
x.

A letter that one sentence binds is apart from the letter of the same name in the rest of the passage.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from verifier.expr import syntax as S
from verifier.read.prose.quantified import over_arguments, over_steps, owner, shaped_in
from verifier.read.prose.sentences import Sentence
from verifier.read.prose.spelling import checked, entry_of
from verifier.read.prose.table import Said
from verifier.read.prose.values import (
    Always,
    Attribute,
    Family,
    Form,
    Function,
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
    Recurs,
    Space,
    Unsayable,
)

# Passages whose bare statements declare; in the others they may be claims.
GIVING = frozenset({"assumption", "definition", "setting", "notation", "model", "hypothesis", "condition"})
RANDOM = (Law, Moments, Independent, Random)
Group = tuple[str, int | None]  # a name, and the sentence that binds it, if one does
Sizes = tuple[str, ...]


@dataclass(frozen=True)
class Read:
    """A sentence and what the grammar made of it."""

    sentence: Sentence
    said: Said


@dataclass
class About:
    """All that is said of one letter, and in which sentences."""

    latex: str
    copies: str | None = None
    attributes: list[Attribute] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)


class Gathered:
    """The facts of a passage by letter; sentences that do not fit are in `failed`."""

    def __init__(self, kind: str, read: Mapping[int, Read], known: Mapping[str, Sizes]) -> None:
        self.kind = kind
        self.known = known
        self.failed: dict[int, Unsayable] = {}
        self.groups: dict[Group, About] = {}
        facts = [fact for item in read.values() for fact in item.said.facts]
        unknown = {fact.letter for fact in facts if isinstance(fact, Is) and fact.attribute == Random()}
        self.moments = {fact for fact in facts if isinstance(fact, Holds) and not fact.bound
                        and fact.moment is not None and fact.moment.letter in unknown}  # fmt: skip
        self.defined = {fact.letter.name for fact in facts if isinstance(fact, Means)}
        self.positive = {fact.left for fact in facts if isinstance(fact, Holds) and _is_positive(fact)}
        self._shaped = {*known, *shaped_in(facts)}
        for at, item in read.items():
            try:
                self._sentence(at, item.said)
            except Unsayable as trouble:
                self.failed[at] = trouble
        self.sizes = dict(_size_names(self.groups))

    def _sentence(self, at: int, said: Said) -> None:
        said = over_steps(over_arguments(said))
        _check_quantifiers(said)
        ranges = {fact.letter.name: fact for fact in said.facts if isinstance(fact, Ranges)}
        used: set[str] = set()
        for given in said.facts:
            fact = given.moment if isinstance(given, Holds) and given in self.moments else given
            if isinstance(fact, Means) and fact.stated and self.kind not in (*GIVING, "text"):
                hint = "begin with `Let` or `Define` to define it"
                raise Unsayable("this may be a claim about it rather than a definition", hint)
            if isinstance(fact, Is):
                self._check_stated(fact)
                shaped = owner(fact.letter) in self._shaped
                letter, attributes = _resolved(fact, ranges, used, shaped)
                self._add((letter.name, at if fact.bound else None), letter, attributes, at)
        for name, run in ranges.items():
            if name not in used:
                self._add((name, at if run.bound else None), run.letter, _index(run), at)

    def _add(self, group: Group, letter: Letter, attributes: tuple[Attribute, ...], at: int) -> None:
        about = self.groups.setdefault(group, About(checked(letter).latex))
        about.latex = about.latex or letter.latex
        if letter.latex and _plain(about.latex) != _plain(letter.latex):
            hint = "map one of them to another name under `names:`"
            raise Unsayable(f"{about.latex} and {letter.latex} would both be called {letter.name}", hint)
        if letter.copies is not None and about.copies not in (None, letter.copies):
            raise Unsayable(f"two sizes are said of the family {letter.name}", "say one")
        about.copies = letter.copies or about.copies
        about.attributes += attributes
        about.sentences.append(at)

    def _check_stated(self, fact: Is) -> None:
        """A theorem's bare `A is symmetric` may be what it claims; that entries are i.i.d. is not."""
        if not fact.stated:
            return
        gives = isinstance(fact.attribute, (*RANDOM, Space, Form)) or self.kind in GIVING
        if owner(fact.letter) in self.defined or not gives:
            hint = "begin with `Let` or `Assume that` to declare it"
            raise Unsayable("this may be a claim about it rather than a declaration", hint)


def _plain(latex: str) -> str:
    """LaTeX without what is not printed."""
    return "".join(mark for mark in latex if mark not in "{} ")


def _check_quantifiers(said: Said) -> None:
    """A condition for all values of a letter is more than the condition."""
    if said.claims:
        return
    bound = any(isinstance(fact, Is | Ranges) and fact.bound for fact in said.facts)
    steps = any(isinstance(fact, Recurs) for fact in said.facts)
    bound = bound or (steps and any(isinstance(fact, Holds) and fact.bound for fact in said.facts))
    if bound and any(isinstance(fact, Holds | Means | Recurs) for fact in said.facts):
        raise Unsayable(
            "a condition or a definition for all values of a letter is not read inside a sentence",
            "write the assumption with all(..., i, 1, n)",
        )


def _is_positive(fact: Holds) -> bool:
    """n >= 2: an integer of which that is said is a dimension."""
    least = {">=": 1, ">": 0}
    if fact.op not in least or fact.bound or not fact.right.isdigit():
        return False
    return int(fact.right[:9]) >= least[fact.op]


def _index(run: Ranges) -> tuple[Attribute, ...]:
    if run.low == "1":
        return (Number(f"index({run.high})"),)
    return (Number("integer"), Always(f"{{x}} >= {run.low}"), Always(f"{{x}} <= {run.high}"))


# --- entries and families ----------------------------------------------------------------------------------


def _resolved(
    fact: Is, ranges: Mapping[str, Ranges], used: set[str], shaped: bool
) -> tuple[Letter, tuple[Attribute, ...]]:
    """The letter that an attribute is of: of W_{ij} it is W, whose entries have it, or a family of its
    own."""
    letter, attribute = fact.letter, fact.attribute
    if not letter.indices:
        return letter, (attribute,)
    base = replace(letter, name=entry_of(letter), latex=letter.latex.split("_")[0], indices=())
    runs = [ranges[index] for index in letter.indices if index in ranges]
    if isinstance(attribute, RANDOM) and shaped:
        used |= set(letter.indices)
        return replace(base, latex=""), (_of_entry(attribute),)  # W_{ij} is an entry of \mathbf{W} too
    if len(runs) == len(letter.indices):
        used |= set(letter.indices)
        return _member(base, attribute, runs)
    if not shaped and (isinstance(attribute, Number) or attribute == Space(())):
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
    if isinstance(attribute, RANDOM):
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


# --- sizes --------------------------------------------------------------------------------------------------


def _size_names(groups: Mapping[Group, About]) -> Iterator[tuple[str, str]]:
    """The letters that are sizes, and of what; the first that is met is kept."""
    found: dict[str, str] = {}
    for (name, _), about in groups.items():
        texts = [] if about.copies is None else [about.copies]
        texts += [size for item in about.attributes for size in _sizes_in(item)]
        for text in texts:
            for size in names_in(text):
                found.setdefault(size, name)
    yield from found.items()


def _sizes_in(item: Attribute) -> tuple[str, ...]:
    match item:
        case Space(sizes):
            return sizes
        case Family(sizes=sizes) | Law(sizes=sizes) | Function(sizes=sizes):
            return sizes or ()
        case Number(kind) if kind.startswith("index("):
            return (kind[len("index(") : -1],)
    return ()


def names_in(text: str) -> list[str]:
    """The names of an expression of the claim language."""
    return names_of(S.parse(text))


def names_of(syntax: S.Syntax) -> list[str]:
    """The names in a tree."""
    todo, found = [syntax], []
    while todo:
        tree = todo.pop()
        if isinstance(tree, S.Name):
            found.append(tree.name)
        todo += S.parts(tree)
    return found
