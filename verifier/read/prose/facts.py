"""Facts that are no declarations of symbols, in the words of the claim language."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.tex.plain import rebuilt
from verifier.expr.tex.tokens import tokenize
from verifier.read.prose.gather import names_of
from verifier.read.prose.scalars import tree_of
from verifier.read.prose.sentences import Sentence
from verifier.read.prose.spelling import INDICES, checked
from verifier.read.prose.values import (
    Apart,
    Bars,
    Declared,
    Fact,
    Grows,
    Holds,
    Is,
    Letter,
    Means,
    Named,
    Ranges,
    Recurs,
    Rows,
    Scope,
    Taken,
    Unsayable,
    What,
)
from verifier.read.prose.wording import Unsettled, Wording

_PRINTED = {"==": "=", "<=": r"\le", ">=": r"\ge", "<": "<", ">": ">", "!=": r"\ne"}
ENTRYWISE = "applied to each entry"
_IMPLIED = "distinct random symbols are independent already"


@dataclass(frozen=True)
class Place:
    """The sentences that a declaration was read from."""

    sentences: tuple[Sentence, ...]
    scope: Scope = "passage"

    def declared(
        self, what: What, name: str | None, says: str, latex: str, note: str = "", formula: str = ""
    ) -> Declared:
        first = self.sentences[0]
        written = " ".join(item.written for item in self.sentences)
        formulas = tuple(part for item in self.sentences for part in item.formulas)
        return Declared(
            what, name, says, latex, written, first.file, first.line, formula, note, self.scope, formulas
        )


@dataclass(frozen=True)
class Words:
    """What is known of the passage's letters: ranks by name, families, what is declared, random, a
    dimension."""

    ranks: Mapping[str, int]
    families: Mapping[str, int]  # the ranks of their members
    declared: Set[str]
    random: Set[str]
    dimensions: Set[str]
    prints: Mapping[str, str]  # how each is printed

    def of(self, fact: Fact, sentence: Sentence) -> Iterator[Declared]:
        """What a fact says, in a sentence; raises Unsayable."""
        match fact:
            case Is() | Ranges():
                return  # of a symbol: put together with all else that is said of it
            case Holds(left, op, right, bound, over=(index, low, high)):
                says = self.at_every(left, op, right, index)
                place = Place((sentence,), "sentence" if bound else "passage")
                yield place.declared("assumption", None, f"all({says}, {index}, {low}, {high})", "")
            case Holds(left, op, right, bound):
                if left in self.dimensions and (op, right) in ((">=", "1"), (">", "0")):
                    return  # every dimension is
                place = Place((sentence,), "sentence" if bound else "passage")
                formula = f"{left} {_PRINTED[op]} {right}"
                yield place.declared("assumption", None, self.relation(left, op, right), "", formula=formula)
            case Means():
                scope: Scope = "sentence" if fact.bound else "passage"
                yield replace(self._meaning(Place((sentence,), scope), fact), stated=fact.stated)
            case Recurs(letter, index, printed, formula, is_back, is_above):
                place = Place((sentence,))
                made = place.declared(
                    "recursion", letter.name, "", letter.latex, "", f"{printed} = {formula}"
                )
                marks = (("back",) if is_back else ()) + (("above",) if is_above else ())
                yield replace(made, arguments=(index, *marks))
            case Grows(letter, loosely):
                if loosely and not any(_has_growth(item.latex) for item in sentence.formulas):
                    hint = r"say from which n on: $n \ge 10$"
                    raise Unsayable("the claim language has no `for all large n` apart from growth", hint)
                says = f"{letter.name} -> oo"
                yield Place((sentence,), "sentence").declared("growth", letter.name, says, letter.latex)
            case Apart(letters):
                yield self._apart(Place((sentence,)), letters)
            case Named(letter, function):
                yield Place((sentence,)).declared("definition", function, function, letter.latex)
            case Rows(letter, of, column):
                made = Place((sentence,)).declared("rows", letter.name, of.name, letter.latex)
                yield replace(made, arguments=("column",) if column else ())
            case Taken(letter):
                yield Place((sentence,)).declared("taken", checked(letter).name, "", letter.latex)
            case Bars(norm):
                yield from self._bars(Place((sentence,)), norm)

    def at_every(self, left: str, op: str, right: str, index: str) -> str:
        """The relation at an index, whose entries and members are written out."""
        sides = []
        for latex in (left, right):
            tree = self._picked(tree_of(tokenize(latex)), index)
            self._check_entries(tree, frozenset({index}))
            try:
                sides.append(Wording(self.ranks, self.families, frozenset({index})).text(tree))
            except Unsettled as trouble:
                raise Unsayable(trouble.reason, "write the condition with all(..., i, 1, n)") from None
        if op == "!=":
            raise Unsayable(
                "entries that differ from something", "write the condition with all(..., i, 1, n)"
            )
        return f"{sides[0]} {op} {sides[1]}"

    def _picked(self, tree: S.Syntax, index: str) -> S.Syntax:
        """x[i] for x_i, where x is a column or a family."""
        if isinstance(tree, S.Name):
            base, mark, script = tree.name.rpartition("_")
            is_one = mark and script == index and (self.ranks.get(base) == 1 or base in self.families)
            place = tree.span
            return S.Subscript(place, S.Name(place, base), (S.Name(place, index),)) if is_one else tree
        return rebuilt(tree, lambda part: self._picked(part, index))

    def relation(self, left: str, op: str, right: str) -> str:
        """The relation as text, empty where a shape must be known first."""
        sides = [self.expression(side) for side in (left, right)]
        if op == "!=":
            return self._differs(left, sides, right)
        return f"{sides[0]} {op} {sides[1]}" if all(sides) else ""

    def _differs(self, left: str, sides: list[str], right: str) -> str:
        """Of vectors, != would be said of every entry: x is not 0 if its norm is positive."""
        ranks = [self._rank(side) for side in (left, right)]
        if ranks == [0, 0]:
            return f"{sides[0]} != {sides[1]}"
        if None in ranks or not all(sides):
            return ""
        if sides[1] != "0":
            raise Unsayable("two vectors or matrices that differ cannot be stated", "say which entry differs")
        return f"norm({sides[0]}) > 0"

    def _rank(self, latex: str) -> int | None:
        try:
            return Wording(self.ranks, self.families).piece(tree_of(tokenize(latex))).rank
        except Unsettled:
            return None

    def expression(self, latex: str) -> str:
        """The expression as text, empty where a shape must be known first."""
        try:
            tree = tree_of(tokenize(latex))
            self._check_entries(tree)
            return Wording(self.ranks, self.families).text(tree)
        except Unsettled:
            return ""
        except ExprError as error:
            raise Unsayable(error.message, error.hint or "") from None

    def _check_entries(self, tree: S.Syntax, bound: frozenset[str] = frozenset()) -> None:
        """A general entry W_{ij} of something that is declared: for which indices?"""
        loose = ""
        match tree:
            case S.Name(_, name):
                base, mark, script = name.rpartition("_")
                general = script in INDICES or (len(script) == 2 and script.islower())
                shaped = bool(self.ranks.get(base)) or base in self.families
                free = bool(mark) and shaped and name not in self.declared
                loose = script if free and general else ""
                if free and script.isdigit():
                    hint = "declare it, or write the entry as a relation of its own"
                    raise Unsayable(f"{name}: an entry of {base}, or a letter of its own?", hint)
            case S.Subscript(_, _, indices):
                names = {name for index in indices for name in names_of(index)}
                loose = ", ".join(sorted(names - bound - self.declared))
            case S.Call(_, "sum" | "prod", _, (_, S.Name(_, index), *_), ()):
                bound = bound | {index}
        if loose:
            hint = "say it of the whole matrix, or write all(..., i, 1, n)"
            raise Unsayable(f"the indices {loose}: for which of them?", hint)
        for part in S.parts(tree):
            self._check_entries(part, bound)

    def _meaning(self, place: Place, fact: Means) -> Declared:
        name = checked(fact.letter).name
        formula = f"{fact.printed} = {fact.formula}"
        if name in self.prints and _plain(self.prints[name]) != _plain(fact.letter.latex):
            both = f"{self.prints[name]} and {fact.letter.latex} would both be called {name}"
            raise Unsayable(both, "map one of them to another name under `names:`")
        if name in self.declared and (fact.sure or fact.stated):
            raise Unsayable(f"{name} is declared, and defined too", "do one of them")
        if name in self.declared:
            says = self.relation(fact.letter.latex, "==", fact.formula)
            return place.declared("assumption", None, says, "", formula=formula)
        place = replace(place, scope="passage")
        if fact.arguments:
            arguments = tuple(letter.name for letter in fact.arguments)
            made = place.declared("definition", name, "", fact.letter.latex, formula=formula)
            return replace(made, arguments=arguments, note=ENTRYWISE if fact.entrywise else "")
        if fact.letter.indices:
            hint = "write the whole vector or matrix on the left"
            raise Unsayable(f"{fact.printed} = ... defines entry by entry", hint)
        says = self.expression(fact.formula)
        return place.declared("definition", name, says, fact.printed, formula=formula)

    def _apart(self, place: Place, letters: tuple[Letter, ...]) -> Declared:
        names = [letter.name for letter in letters]
        note = _IMPLIED if set(names) <= self.random else ""
        return place.declared("independence", None, f"independent({', '.join(names)})", "", note=note)

    def _bars(self, place: Place, norm: str) -> Iterator[Declared]:
        if norm == "spectral":
            raise Unsayable("plain bars cannot be declared as the spectral norm", r"print \|A\|_2")
        if norm == "frobenius":
            yield place.declared("definition", "norm", "norm", r"\|\cdot\|")


def _plain(latex: str) -> str:
    """LaTeX without what is not printed."""
    return "".join(mark for mark in latex if mark not in "{} ")


def _has_growth(latex: str) -> bool:
    try:
        marks = [token.text for token in tokenize(latex)]
    except ExprError:
        return False
    places = (at for at, mark in enumerate(marks) if mark in ("O", r"\Omega", r"\Theta"))
    return any("(" in marks[at + 1 : at + 3] for at in places)
