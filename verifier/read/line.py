"""One line as a claim: `verify -e "norm(A @ B) <= norm(A) * norm(B)"`.

What the line does not declare is inferred, and said. `--with` declares a symbol (`A: matrix(n, m)`), assumes
a relation (`rho < 1`) or lets a symbol grow (`n -> oo`).
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

from verifier.claim.model import Position, Source
from verifier.claim.problems import Problem, SpecError
from verifier.expr import syntax as S
from verifier.expr.errors import ExprError, Span
from verifier.expr.sizes import room_for_trees
from verifier.expr.tex.plain import to_source
from verifier.expr.tokens import Token, tokenize
from verifier.read.infer import Inference, InferenceError, infer, kinds_among
from verifier.read.specs.declarations import located, placed
from verifier.read.specs.loaded import Broken, Entry, Loaded, Ready
from verifier.read.specs.make_claim import build, draft
from verifier.read.specs.raw import RawClaim, RawTheorem
from verifier.read.specs.theorems import check_name
from verifier.read.specs.yaml_document import Text
from verifier.read.stated import Settled, Stated, as_steps, inside_delimiters, read_stated, settle
from verifier.read.trees import average_in, names_in

LINE, GIVEN = "-e", "--with"
COMMAND = re.compile(r"\\[A-Za-z|{]")
SLUG = "says"
RELATIONS, OPENING, CLOSING = ("==", "<=", ">=", "<", ">"), ("(", "["), (")", "]")
MAX_LENGTH = 20_000
MAX_GIVEN = 200


@dataclass(frozen=True)
class Given:
    """What is said of the symbols besides the line."""

    symbols: Mapping[str, Text] = field(default_factory=dict)
    assumptions: Mapping[str, Text] = field(default_factory=dict)
    growing: tuple[Text, ...] = ()


@room_for_trees()
def load_lines(lines: Sequence[str], given: Sequence[str] = ()) -> Loaded:
    """Each line as a claim of its own, under all that is given; what is wrong with it is its error."""
    try:
        known = read_given(given)
    except SpecError as error:
        return Loaded((), tuple(_shown(problem, given) for problem in error.problems))
    entries = [_entry(line, number, known, given) for number, line in enumerate(lines, start=1)]
    return Loaded(tuple(entries))


def read_given(items: Sequence[str]) -> Given:
    """`A: matrix(n, m)`, `rho < 1`, `n -> oo`: declarations, assumptions, growing symbols."""
    if len(items) > MAX_GIVEN:
        raise _text(GIVEN, GIVEN).problem("too-long", f"more than {MAX_GIVEN} times {GIVEN}")
    symbols: dict[str, Text] = {}
    assumptions: dict[str, Text] = {}
    growing: list[Text] = []
    for number, item in enumerate(items, start=1):
        whole = _text(item, GIVEN, number)
        name, colon, _ = item.partition(":")
        if colon:
            key = _trimmed(whole, 0, len(name))
            check_name(key)
            if key.value in symbols:
                raise key.problem("duplicate-key", f"{key.value!r} is declared twice")
            symbols[key.value] = _trimmed(whole, len(name) + 1, len(item))
            _declarable(key.value, symbols[key.value])
        elif "->" in item:
            growing.append(_trimmed(whole, 0, len(item)))
        else:
            tree = located(whole, lambda tree: tree)
            if not isinstance(tree, S.Compare | S.Call):
                hint = f'{GIVEN} "A: matrix(n, m)", {GIVEN} "rho < 1" or {GIVEN} "n -> oo"'
                raise whole.problem("line", "this declares nothing and assumes nothing", hint)
            assumptions[item.strip()] = whole
    return Given(symbols, assumptions, tuple(growing))


def _declarable(name: str, text: Text) -> None:
    placed(text, lambda: infer((), {name: text.value}))


def _entry(line: str, number: int, given: Given, items: Sequence[str]) -> Entry:
    text = _text(line, LINE, number)
    name = f"line/{number}"
    try:
        theorem = _theorem(name, text, given)
        claim = theorem.claims[0]
        assert isinstance(claim, RawClaim)
        plan = draft(theorem, claim, {})
        return Ready(build(plan), plan)
    except SpecError as error:
        lines = {GIVEN: items, LINE: [line] * number}
        shown = tuple(_shown(problem, lines[problem.position.file]) for problem in error.problems)
        return Broken(f"{name}#{SLUG}", line.strip()[:200], text.position(), shown)


def _theorem(name: str, text: Text, given: Given) -> RawTheorem:
    if len(text.value) > MAX_LENGTH:
        raise text.problem("too-long", f"a line of more than {MAX_LENGTH:,} characters")
    declared = {symbol: part.value for symbol, part in given.symbols.items()}
    latex = inside_delimiters(text.value)
    if latex is None and COMMAND.search(text.value):
        latex = text.value.strip()  # no other language of ours has commands
    if latex is not None:
        return _printed(name, text, latex, given, declared)
    opened = _relations(text.value)
    links = _links(text, opened) if len(opened) > 1 else [text]
    texts = [*links, *given.assumptions.values()]
    trees = [located(part, lambda tree: tree) for part in texts]
    found = _inferred(trees, texts, declared)
    for link, tree in zip(links, trees, strict=False):
        demand_law(link, tree, declared)
    claim = RawClaim(SLUG, text, says=text, growing=given.growing)
    if len(links) > 1:
        claim = replace(claim, says=None, steps=_steps(text, opened))
    return _assembled(name, text, given, found, claim)


def _relations(line: str) -> list[Token]:
    """The signs ==, <=, ... that stand in no brackets; none where the line is no text of the language."""
    depth, found = 0, []
    with suppress(ExprError):
        for token in tokenize(line):
            depth += (token.text in OPENING) - (token.text in CLOSING)
            if depth == 0 and token.text in RELATIONS:
                found.append(token)
    return found


def _links(text: Text, opened: Sequence[Token]) -> list[Text]:
    """The relations of a chain: `a == b` and `b <= c` of `a == b <= c`."""
    starts = [0, *(token.end for token in opened)]
    ends = [*(token.start for token in opened[1:]), len(text.value)]
    return [_trimmed(text, start, end) for start, end in zip(starts, ends, strict=False)]


def _steps(text: Text, opened: Sequence[Token]) -> Text:
    """The chain with each of its relations on a line of its own, at its place in the line."""
    cuts = [0, *(token.start for token in opened), len(text.value)]
    places = [text.position(cut) for cut in cuts[:-1]]
    runs = tuple(
        (cut + at, here.line, here.column) for at, (cut, here) in enumerate(zip(cuts, places, strict=False))
    )
    parts = [text.value[start:end] for start, end in pairwise(cuts)]
    return replace(text, value="\n".join(parts), runs=runs)


def _assembled(name: str, text: Text, given: Given, found: Inference, claim: RawClaim) -> RawTheorem:
    symbols = {item.name: replace(text.slice(0, 1), value=item.says) for item in found.symbols}
    return RawTheorem(
        name, text, text.value.strip(), Source(), {**symbols, **given.symbols}, {}, given.assumptions, None,
        (claim,), inferred={item.name: item.why for item in found.symbols if item.name not in given.symbols},
    )  # fmt: skip


def _printed(name: str, text: Text, latex: str, given: Given, declared: dict[str, str]) -> RawTheorem:
    """A line of LaTeX: a relation, or a chain as steps; what its tail says is declared or assumed."""
    inner = text.slice(start := text.value.index(latex), start + len(latex))
    stated = placed(inner, lambda: read_stated(latex, declared))
    given = _with_members(stated, inner, given)
    if len(stated.statements) > 1 and not stated.is_chain:
        raise inner.problem("latex", "several statements in one line", "give each with an -e of its own")
    ranges = {index: placed(inner, partial(to_source, high)) for index, high in stated.ranges.items()}
    ends = {index: replace(inner, value=f"index({high})") for index, high in ranges.items()}
    given = replace(given, symbols={**ends, **given.symbols})
    declared = {symbol: part.value for symbol, part in given.symbols.items()}
    assumed = given.assumptions.values()
    others = [Stated(part.value, (located(part, lambda tree: tree),), False, False) for part in assumed]
    found = _settled([stated, *others], [inner, *assumed], declared)
    says = found.statements[0]
    if isinstance(says, ExprError):
        raise inner.problem(says.code, says.message, says.hint, says.span)
    conditions = {words: replace(inner, value=words) for words in found.conditions[0]}
    growing = (replace(inner, value=f"{stated.growing} -> oo"),) if stated.growing else ()
    given = replace(given, assumptions={**conditions, **given.assumptions})
    claim = RawClaim(SLUG, text, latex=inner, growing=(*growing, *given.growing))
    if stated.is_chain:
        claim = replace(claim, steps=replace(inner, value=as_steps(says)))
    else:
        claim = replace(claim, says=replace(inner, value=says[0]))
    return _assembled(name, text, given, found.inference, claim)


def _with_members(stated: Stated, inner: Text, given: Given) -> Given:
    r"""What `\forall x \in \mathbb{R}^d` declares; what is given besides the line comes first."""
    symbols: dict[str, Text] = {}
    for tail in stated.memberships:
        from verifier.read.tails import member  # a grammar of sentences, for those who need it

        found = member(tail.latex)
        if found is None:
            hint = f'declare it: {GIVEN} "x: vector(d)"'
            raise inner.problem("latex", f"{tail.latex} is not understood", hint)
        symbols |= {name: replace(inner, value=says) for name, says in found.items()}
    return replace(given, symbols={**symbols, **given.symbols})


def _settled(formulas: Sequence[Stated], texts: Sequence[Text], declared: Mapping[str, str]) -> Settled:
    try:
        return settle(formulas, declared)
    except InferenceError as error:
        owners = [text for text, formula in zip(texts, formulas, strict=True) for _ in formula.trees]
        raise owners[error.formula].problem(error.code, error.message, error.hint, error.span) from None


def _inferred(trees: Sequence[S.Syntax], texts: Sequence[Text], declared: Mapping[str, str]) -> Inference:
    try:
        return infer(trees, declared)
    except InferenceError as error:
        text = texts[error.formula]
        raise text.problem(error.code, error.message, error.hint, error.span) from None
    except ExprError as error:
        raise texts[0].problem(error.code, error.message, error.hint) from None


def demand_law(text: Text, tree: S.Syntax, declared: Mapping[str, str]) -> None:
    """A mean over nothing is a slip: somebody left the law out."""
    average = average_in(tree)
    kinds = kinds_among(declared)
    if average is None or "random" in {kinds.get(name) for name in names_in(tree)}:
        return
    name = next((name for name in names_in(average) if name not in declared), "W")
    hint = f"say what is random and how it is distributed, for example {name}: normal(n, m, std=s)"
    message = f"{average.function}(...) is over nothing: no symbol in it is random"
    raise text.problem("no-law", message, hint, Span(*average.span))


# --- texts and their places --------------------------------------------------------------------------


def _text(value: str, file: str, number: int = 1) -> Text:
    return Text(value, file, ((0, number, 1),))


def _trimmed(text: Text, start: int, end: int) -> Text:
    part = text.value[start:end]
    start += len(part) - len(part.lstrip())
    return text.slice(start, start + len(part.strip()))


def _shown(problem: Problem, lines: Sequence[str]) -> Problem:
    """The problem with the words that it speaks of."""
    at: Position = problem.position
    return replace(problem, line_text=lines[at.line - 1]) if at.line <= len(lines) else problem
