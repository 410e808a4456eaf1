r"""A formula before its symbols are declared: the syntax, and the letters that were met.

Print leaves out what shapes say, so the trees hold marks: `PRODUCT` (a product of either kind), `POWER`,
`SCALAR_PRODUCT`, `PLAIN_NORM`, `"|"`, `GRADIENT`, `EXTENT` (the end of a sum: the size of what it runs over),
`APPLIED` (a value of a function, or a product with a bracket), `EXPECTATION_OVER`. `plain.py` settles them.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from types import MappingProxyType

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError, Span
from verifier.expr.scope import Scope
from verifier.expr.tex.calculus import GRADIENT
from verifier.expr.tex.forms import EXPECTATION_OVER, PLAIN_NORM
from verifier.expr.tex.letters import letters
from verifier.expr.tex.marks import without_marks
from verifier.expr.tex.naming import OpenLetters
from verifier.expr.tex.notation import DEFINITIONS, RELATIONS, SUMS
from verifier.expr.tex.open import APPLIED, OpenReader
from verifier.expr.tex.pairing import bound_height, read_paired
from verifier.expr.tex.plain import rebuilt
from verifier.expr.tex.reader import POWER, PRODUCT, SCALAR_PRODUCT
from verifier.expr.tex.spelled import spelled_out
from verifier.expr.tex.sums import EXTENT
from verifier.expr.tex.tails import Tail, divided
from verifier.expr.tex.tokens import Token, group_end, tokenize

__all__ = [
    "APPLIED", "EXPECTATION_OVER", "EXTENT", "GRADIENT", "PLAIN_NORM", "POWER", "PRODUCT", "SCALAR_PRODUCT",
    "Quantified", "Untyped", "read_untyped",
]  # fmt: skip


@dataclass(frozen=True)
class Quantified:
    """What a tail says: for which values, on what condition, where a letter stands for what."""

    word: str
    latex: str
    names: tuple[str, ...] = ()
    relation: S.Syntax | None = None
    low: S.Syntax | None = None
    high: S.Syntax | None = None


@dataclass(frozen=True)
class Untyped:
    """A line of mathematics as it is printed."""

    statements: tuple[S.Syntax, ...]
    is_chain: bool
    is_definition: bool
    continues: str | None
    over: tuple[Quantified, ...]
    letters: Mapping[str, str]
    applied: frozenset[str]
    growing: str | None
    transposed_by_letter: bool
    scripts: Mapping[str, tuple[str, str]]  # x_k is the letter x with the subscript k
    paired: frozenset[str] = frozenset()  # i and j of \sum_{i \ne j}: both run


def read_untyped(
    latex: str,
    names: Mapping[str, str] | None = None,
    functions: Set[str] = frozenset(),
    entries: Set[str] = frozenset(),
    numbers: Set[str] = frozenset(),
) -> Untyped:
    """The relations of a line; raises ExprError for what could be meant in two ways or is not notation.

    `names` maps LaTeX to names, the letters in `functions` are functions, those in `entries` are vectors
    or matrices, so that x_i is an entry of x and not a name of its own, and those in `numbers` are numbers,
    so that a^T is a power. A line that begins with a
    relation continues another: `continues` is that relation, and the first statement its right side."""
    table = _table(names or {}, functions, entries, numbers)
    known = {*(names or {}).values(), *functions, *entries, *numbers}
    tokens = spelled_out(
        without_marks(tokenize(latex)), lambda word: not known.isdisjoint((word, f"{word}_"))
    )
    if not tokens:
        raise ExprError("latex", "there is no formula", Span(0, 1))
    parts = divided(tokens, latex)
    table = replace(table, numbers=table.numbers | _ends(tokens))
    over = tuple(_quantified(tail, latex, table) for tail in parts.tails if tail.word != "as")
    bound = frozenset(name for tail in over if tail.low is not None for name in tail.names)
    continues: str | None = None
    found: list[tuple[S.Syntax, ...]] = []
    for count, piece in enumerate(parts.formulas):
        if count == 0 and piece[0].text in RELATIONS:
            continues, piece = RELATIONS[piece[0].text], piece[1:]
        found.append(_chain(list(piece), table, bound))
    if not found:
        raise ExprError("latex", "there is no formula", tokens[0].span)
    growing = [name for tail in parts.tails if tail.word == "as" for name in (_growing(tail),)]
    _check(found, growing, table)
    statements = tuple(tree for chain in found for tree in chain)
    for tree in statements:
        bound_height(tree)
    statements = _iterated(statements, table)
    return Untyped(
        statements,
        len(found) == 1 and len(statements) > 1,
        any(token.text in DEFINITIONS for piece in parts.formulas for token in piece),
        continues,
        over,
        MappingProxyType(dict(table.met)),
        frozenset(table.before_brackets),
        growing[0] if growing else None,
        bool(table.transposed_by_letter),
        MappingProxyType({name: table.scripts[name] for name in table.met if name in table.scripts}),
        frozenset(table.paired),
    )


def _check(found: list[tuple[S.Syntax, ...]], growing: list[str], table: OpenLetters) -> None:
    """What only the whole line tells: raises ExprError where a letter stands for two things."""
    if "T" in table.met and table.transposed_by_letter:
        place = table.transposed_by_letter[0]
        raise ExprError("latex", "^T may be a power or a transpose", place, r"write \top for the transpose")
    if table.exponentials and any(name.split("_")[0] == "e" for name in table.met):
        hint = r"write \exp(...), or name the letter otherwise"
        raise ExprError("latex", "e is a letter here and a number there", table.exponentials[0], hint)
    for chain in found:
        if len(found) > 1 and not isinstance(chain[0], S.Compare):
            hint = "state each of them on its own"
            raise ExprError("latex", "a list where a formula is expected", chain[0].span, hint)
    for name, span in table.paired.items():
        if any(name in _free(tree) for chain in found for tree in chain):
            message = "whether both indices run or one is fixed is not said"
            raise ExprError("latex", message, span, r"write \sum_{i=1}^{n} \sum_{j \ne i}")
    for name, (_, script) in table.scripts.items():
        if script in growing and name in table.met:
            message = f"how {table.met[name]} depends on {script} is not said"
            raise ExprError("latex", message, found[0][0].span, "define it")


def _free(tree: S.Syntax) -> set[str]:
    """The names that no sum in the tree binds."""
    bound: set[str] = set()
    if isinstance(tree, S.Call) and tree.function in SUMS.values():
        bound = {item.name for item in tree.args[1::3] if isinstance(item, S.Name)}
    if isinstance(tree, S.Name):
        parts = tree.name.split("_")
        return {tree.name, *parts[1:]}
    return {name for part in S.parts(tree) for name in _free(part)} - bound


def _ends(tokens: list[Token]) -> set[str]:
    r"""The letters of \sum_{...}^{T - 1}: how far a sum runs is a number."""
    found: set[str] = set()
    for at, token in enumerate(tokens[:-3]):
        if token.text in SUMS and tokens[at + 1].text == "_":
            place = at + 2
            place = 1 + (group_end(tokens, place) if tokens[place].text == "{" else place)
            if place < len(tokens) - 1 and tokens[place].text == "^":
                last = group_end(tokens, place + 1) if tokens[place + 1].text == "{" else place + 1
                found |= {part.text for part in tokens[place + 1 : last + 1] if part.is_letter}
    return found


def _table(
    names: Mapping[str, str],
    functions: Set[str] = frozenset(),
    entries: Set[str] = frozenset(),
    numbers: Set[str] = frozenset(),
) -> OpenLetters:
    declared = letters(names, Scope())
    return OpenLetters(declared.keys, declared.scope, functions, entries, numbers)


def _iterated(trees: tuple[S.Syntax, ...], table: OpenLetters) -> tuple[S.Syntax, ...]:
    """Where x_{k+1} or x stands, x_k or x_i is a value of it and no name."""
    picked = {
        (part.arg.name, inner.name)
        for tree in trees
        for part in _walk(tree)
        if isinstance(part, S.Subscript) and isinstance(part.arg, S.Name)
        for index in part.indices
        for inner in _walk(index)
        if isinstance(inner, S.Name)
    }
    values = {
        name: (base, script)
        for name, (base, script) in table.scripts.items()
        if name in table.met
        and ((base, script) in picked or (base in table.met and script in ("i", "j", "k", "l")))
    }
    for name, (base, script) in values.items():
        printed = table.met.pop(name)
        table.met.setdefault(base, printed.partition("_")[0])
        table.met.setdefault(script, script)
    return tuple(_replaced(tree, values) for tree in trees)


def _walk(tree: S.Syntax) -> Iterator[S.Syntax]:
    yield tree
    for part in S.parts(tree):
        yield from _walk(part)


def _replaced(tree: S.Syntax, values: Mapping[str, tuple[str, str]]) -> S.Syntax:
    if isinstance(tree, S.Name) and tree.name in values:
        base, script = values[tree.name]
        return S.Subscript(tree.span, S.Name(tree.span, base), (S.Name(tree.span, script),))
    return rebuilt(tree, lambda part: _replaced(part, values))


def _chain(
    tokens: list[Token], table: OpenLetters, bound: frozenset[str] = frozenset()
) -> tuple[S.Syntax, ...]:
    """One formula, read once per way of pairing its bars; what only a failed way met is forgotten."""

    def read(paired: list[Token]) -> tuple[tuple[S.Syntax, ...], OpenLetters]:
        tried = replace(
            table, met=dict(table.met), before_brackets=set(), scripts={}, transposed_by_letter=[],
            exponentials=[], paired={},
        )  # fmt: skip
        reader = OpenReader(paired, tried, bound)
        trees = reader.statements()
        if reader.differentials and "d" in tried.met:
            hint = r"write \partial, or \mathrm{d}"
            raise ExprError(
                "latex", "d is a letter here and a derivative there", reader.differentials[0], hint
            )
        return trees, tried

    trees, tried = read_paired(tokens, read, lambda found: found[0])
    table.met.update(tried.met)
    table.before_brackets.update(tried.before_brackets)
    table.scripts.update(tried.scripts)
    table.transposed_by_letter.extend(tried.transposed_by_letter)
    table.exponentials.extend(tried.exponentials)
    table.paired.update(tried.paired)
    return trees


def _quantified(tail: Tail, latex: str, table: OpenLetters) -> Quantified:
    """A tail, read as far as it is a range or a relation; its print is there for other readers."""
    if not tail.tokens:
        raise ExprError("latex", f"`{tail.word}` is followed by nothing", Span(0, len(latex)))
    shown = latex[tail.tokens[0].span.start : tail.tokens[-1].span.end]
    if any(token.text in (r"\in", r"\sim") for token in tail.tokens):
        return _member(tail, shown, table)
    texts = [token.text for token in tail.tokens]
    if (
        len(texts) > 3
        and texts[1] == "="
        and texts[-2] == ","
        and texts[-3] in (r"\dots", r"\ldots", r"\cdots")
    ):
        reader = OpenReader(list(tail.tokens), table)
        index = reader.index_name(tail.tokens[0])
        low, high = reader.listed_range(list(tail.tokens[2:]), tail.tokens[0])
        return Quantified(tail.word, shown, (index.name,), None, low, high)
    try:
        trees = _chain(list(tail.tokens), table)
    except ExprError:
        return Quantified(tail.word, shown)
    if len(trees) == 1 and isinstance(trees[0], S.Name):
        return Quantified(tail.word, shown, (trees[0].name,))
    if len(trees) == 2 and all(isinstance(tree, S.Compare) and tree.op == "<=" for tree in trees):
        first, second = trees
        assert isinstance(first, S.Compare)
        assert isinstance(second, S.Compare)
        if isinstance(first.right, S.Name):
            return Quantified(tail.word, shown, (first.right.name,), None, first.left, second.right)
    if len(trees) == 1 and isinstance(trees[0], S.Compare):
        left = trees[0].left
        return Quantified(tail.word, shown, (left.name,) if isinstance(left, S.Name) else (), trees[0])
    return Quantified(tail.word, shown)


def _member(tail: Tail, shown: str, table: OpenLetters) -> Quantified:
    r"""x, y \in S: the names; the set itself is for the reader of prose."""
    texts = [token.text for token in tail.tokens]
    at = next(place for place, text in enumerate(texts) if text in (r"\in", r"\sim"))
    head = list(tail.tokens[:at])
    try:
        trees = OpenReader(head, table).listed(head)
    except ExprError:
        return Quantified(tail.word, shown)
    names = tuple(tree.name for tree in trees if isinstance(tree, S.Name))
    return Quantified(tail.word, shown, names if len(names) == len(trees) else ())


def _growing(tail: Tail) -> str:
    r"""as n \to \infty."""
    texts = [token.text for token in tail.tokens]
    if len(texts) >= 3 and texts[-2:] == [r"\to", r"\infty"]:
        reader = OpenReader(list(tail.tokens[:-2]), _table({}))
        tree = reader.sum()
        if isinstance(tree, S.Name) and reader.at == len(texts) - 2:
            return tree.name
    place = tail.tokens[0].span if tail.tokens else Span(0, 1)
    raise ExprError("latex", "this limit is not read", place, r"write: as n \to \infty")
