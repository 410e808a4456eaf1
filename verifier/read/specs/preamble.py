"""What a whole document has in common: symbols, `let` names, assumptions and the letters of its write-up.

A preamble is a file `preamble.yaml` beside claims, a block `preamble` of a write-up, or a document of a claim
file under the key `preamble`. A theorem takes from it what it uses; what it declares itself comes first. An
error in a declaration is told once, at the preamble: a claim that rests on it only says so.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from verifier.claim.model import Position
from verifier.claim.problems import Gathered, Problem, SpecError
from verifier.expr.elaborate import elaborate
from verifier.expr.functions import USAGE
from verifier.expr.nodes import Let
from verifier.expr.scope import Scope
from verifier.read.specs import schema
from verifier.read.specs.declarations import declare, located
from verifier.read.specs.raw import BrokenClaim, RawClaim, RawTheorem
from verifier.read.specs.spec_files import WRITEUPS
from verifier.read.specs.theorems import (
    letters_of,
    named_texts,
    read_version,
    refuse_unknown,
    table_of,
    texts_of,
)
from verifier.read.specs.writeups import blocks_of
from verifier.read.specs.yaml_document import Table, Text, Value
from verifier.read.trees import all_of

KEY = "preamble"
T = TypeVar("T")
_INFERRED = re.compile(r"\s#\s*inferred:\s*(.+)$")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Preamble:
    """Declarations for every theorem after it; `broken` says where those stand that are wrong."""

    symbols: Mapping[str, Text] = field(default_factory=dict)
    lets: Mapping[str, Text] = field(default_factory=dict)
    assumptions: Mapping[str, Text] = field(default_factory=dict)
    letters: Mapping[str, Text] | None = None
    broken: Mapping[str, Position] = field(default_factory=dict)

    def then(self, later: "Preamble") -> "Preamble":
        """Both, where the later one wins."""
        own = {*later.symbols, *later.lets}
        letters = {**(self.letters or {}), **(later.letters or {})}
        return Preamble(
            {**_without(self.symbols, own), **later.symbols},
            {**_without(self.lets, own), **later.lets},
            {**self.assumptions, **later.assumptions},
            letters if letters or later.letters is not None else self.letters,
            {**_without(self.broken, own), **later.broken},
        )


def read_preamble(value: Value) -> tuple[Preamble, tuple[Problem, ...]]:
    """The preamble without what is wrong in it, and what that is."""
    found = Gathered()
    table = found.attempt(table_of, value, "a preamble is a mapping of keys")
    if table is None:
        return Preamble(), tuple(found.problems)
    found.attempt(refuse_unknown, table, schema.PREAMBLE_KEYS)
    found.attempt(read_version, table)
    symbols = found.attempt(named_texts, table, "symbols") or {}
    lets = found.attempt(named_texts, table, "let") or {}
    assumptions = found.attempt(texts_of, table, "assumptions") or {}
    letters = found.attempt(letters_of, table)
    preamble = Preamble(symbols, lets, assumptions, letters)
    broken = {name: text.position() for name, text in _wrong(preamble, found)}
    return replace(preamble, broken=broken), tuple(dict.fromkeys(found.problems))


def inner_of(document: Value) -> Value | None:
    """What stands under `preamble` in a document of a claim file; None where it is a theorem."""
    if isinstance(document, Table) and KEY in document.entries and "theorem" not in document.entries:
        others = [key for key, _ in document.entries.values() if key.value not in (KEY, "schema")]
        if others:
            hint = f"put it under `{KEY}`, or into a document of its own, after a line ---"
            raise others[0].problem("unknown-key", f"{others[0].value!r} beside a preamble", hint)
        return document.entries[KEY][1]
    return None


def preamble_lines(text: str, suffix: str) -> frozenset[int]:
    """The lines of a write-up's blocks that are preambles."""
    if suffix not in WRITEUPS:
        return frozenset()
    blocks = [block for block in blocks_of(text, suffix) if block.kind == KEY]
    return frozenset(line for block in blocks for line in range(block.first, block.last + 1))


def preamble_in(document: Value, blocks: frozenset[int]) -> Value | None:
    """The preamble that a document is; None where it is a theorem."""
    place = document.position() if isinstance(document, Text) else document.position
    return document if place.line in blocks else inner_of(document)


def _wrong(preamble: Preamble, found: Gathered) -> Iterator[tuple[str, Text]]:
    """Each declaration that cannot be right; a name that is unknown here may be a theorem's own."""
    scope, wrong = _symbols(preamble.symbols, found)
    yield from wrong.items()
    for name, text in preamble.lets.items():
        try:
            scope = scope.with_let(Let(name, located(text, partial(elaborate, scope=scope))))
        except SpecError as error:
            if not _is_open(error):
                found.problems += error.problems
                yield name, text
    for name, text in preamble.assumptions.items():
        try:
            located(text, lambda tree: tree)
        except SpecError as error:
            found.problems += error.problems
            yield name, text


def _symbols(texts: Mapping[str, Text], found: Gathered) -> tuple[Scope, dict[str, Text]]:
    """The symbols that can be declared, and those that are wrong. All are tried at once; then again without
    those that had problems, since what is wrong with one is not said of those that rest on it."""
    left, wrong = dict(texts), dict[str, Text]()
    while True:
        try:
            return declare(left, {}, Scope()), wrong
        except SpecError as error:
            blamed = {name: text for name, text in left.items() if _is_about(text, error.problems)}
            if not _is_open(error):
                kept = [problem for problem in error.problems if problem.code != "unknown-name"]
                found.problems += kept
                wrong |= {name: text for name, text in blamed.items() if _is_about(text, kept)}
            left = _without(left, blamed or left)


def _is_about(text: Text, problems: Iterable[Problem]) -> bool:
    begin, end = text.position(), text.position(len(text.value))
    places = [problem.position for problem in problems]
    return any(
        (begin.line, begin.column) <= (place.line, place.column) <= (end.line, end.column)
        and place.file == begin.file
        for place in places
    )


def _is_open(error: SpecError) -> bool:
    return all(problem.code == "unknown-name" for problem in error.problems)


# --- theorems with it --------------------------------------------------------------------------------


def completed(theorem: RawTheorem, preamble: Preamble) -> RawTheorem:
    """The theorem with what it uses of the preamble; claims that rest on a wrong declaration are broken."""
    own = theorem.names
    lets = _without(preamble.lets, own)
    known = {**_without(preamble.symbols, own), **lets}
    claims = tuple(
        _unless_broken(claim, theorem, preamble, known) if isinstance(claim, RawClaim) else claim
        for claim in theorem.claims
    )
    wrong = {name for name in preamble.broken if not own & _reached({name}, known)}
    offered = _without(preamble.assumptions, {*theorem.assumptions, *wrong})
    named = {word.value for claim in claims if isinstance(claim, RawClaim) for word in claim.under or ()}
    texts = [*_texts(theorem, claims), *(text for name, text in offered.items() if name in named)]
    used = _reached(_words(texts), known) - wrong
    letters = _letters(theorem, preamble, {*used, *own})
    return replace(
        theorem,
        symbols={**{name: known[name] for name in preamble.symbols if name in used & known.keys()},
                 **theorem.symbols},
        lets={**{name: lets[name] for name in lets if name in used}, **theorem.lets},
        offered={name: text for name, text in offered.items() if name in named},
        claims=claims,
        letters=letters,
    )  # fmt: skip


def with_marks(theorem: RawTheorem, lines: list[str]) -> RawTheorem:
    """Symbols on whose line of the file a comment says that they were inferred, and why."""
    found: dict[str, str] = {}
    for name, text in theorem.symbols.items():
        at = text.position()
        line = lines[at.line - 1] if at.file == theorem.id_text.file and at.line <= len(lines) else ""
        mark = _INFERRED.search(line)
        if mark is not None:
            found[name] = mark[1].strip()
    return replace(theorem, inferred=found) if found else theorem


def _letters(theorem: RawTheorem, preamble: Preamble, names: set[str]) -> Mapping[str, Text] | None:
    """The preamble's letters of names that the theorem has, then its own."""
    if preamble.letters is None:
        return theorem.letters
    taken = {latex: text for latex, text in preamble.letters.items() if text.value in names}
    functions = {latex: text for latex, text in preamble.letters.items() if text.value in USAGE}
    return {**functions, **taken, **(theorem.letters or {})}


def _unless_broken(
    claim: RawClaim, theorem: RawTheorem, preamble: Preamble, known: Mapping[str, Text]
) -> RawClaim | BrokenClaim:
    """A claim of which a part is declared wrongly in the preamble has no reading."""
    own = theorem.names
    under = {word.value for word in claim.under or ()} - theorem.assumptions.keys()
    texts = [
        *_texts(theorem, (claim,)),
        *(preamble.assumptions[n] for n in under & preamble.assumptions.keys()),
    ]
    for name in sorted(_reached(_words(texts), known) | under):
        if name in preamble.broken and name not in own and not own & _reached({name}, known):
            message = f"{name} is declared wrongly in the preamble, at {preamble.broken[name]}"
            return BrokenClaim(claim.slug, claim.key, (claim.key.problem("preamble", message).problem,))
    return claim


def _texts(theorem: RawTheorem, claims: Iterable[RawClaim | BrokenClaim]) -> Iterator[Text]:
    """Every text in which a theorem may use a name."""
    yield from (*theorem.symbols.values(), *theorem.lets.values(), *theorem.assumptions.values())
    if theorem.layers is not None:
        layers = theorem.layers
        yield from (layers.state, layers.next, *layers.symbols.values(), *layers.lets.values())
        yield from (layers.depth,) if layers.depth is not None else ()
    for claim in claims:
        if isinstance(claim, RawClaim):
            yield from (text for text in (claim.says, claim.steps) if text is not None)
            yield from (key for key, _ in (*claim.where.values(), *claim.sweep.values()))
            yield from (key for key, _ in claim.each.values())
            yield from (*claim.growing, *(claim.letters or {}).values())


def _words(texts: Iterable[Text]) -> set[str]:
    return {word for text in texts for word in _WORD.findall(text.value)}


def _reached(names: set[str], known: Mapping[str, Text]) -> set[str]:
    """These names and all that their declarations name."""
    return all_of(names, lambda name: _WORD.findall(known[name].value) if name in known else ())


def _without(table: Mapping[str, T], names: Iterable[str]) -> dict[str, T]:
    gone = frozenset(names)
    return {name: item for name, item in table.items() if name not in gone}
