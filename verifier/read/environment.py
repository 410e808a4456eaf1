"""What the letters of one theorem are: from the running text before it, and from its own words, which win."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from verifier.claim.document import Text
from verifier.claim.problems import SpecError
from verifier.claim.read import check_name
from verifier.expr import syntax as S
from verifier.expr.errors import ExprError, Span
from verifier.read.applied import Function
from verifier.read.gather import Gathered, Section, is_standing, letters_in
from verifier.read.infer import infer, kinds_among, shapes_among
from verifier.read.paper import Formula, Passage
from verifier.read.prose import Declared, declarations
from verifier.read.prose.formulas import read_mathematics
from verifier.read.stated import Stated, read_stated
from verifier.read.trees import names_in, reached

CONDITIONS = ("assumption", "independence")
NORM, BARS = "norm", r"\|\cdot\|"


@dataclass(frozen=True)
class Told:
    """Something in the claim language, and the words that it was read from or why it was inferred."""

    says: str
    words: str
    line: int
    inferred: str | None = None
    from_text: bool = False


@dataclass(frozen=True)
class Defined:
    """A name for an expression, or a condition, still as a tree."""

    stated: Stated
    told: Told


@dataclass(frozen=True)
class Environment:
    """What is known where a theorem stands."""

    symbols: Mapping[str, Told] = field(default_factory=dict)
    lets: Mapping[str, Defined] = field(default_factory=dict)
    assumptions: Mapping[str, Defined] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)  # LaTeX: name
    functions: Mapping[str, Function] = field(default_factory=dict)  # f(x) = ...
    growing: str | None = None
    waiting: Mapping[str, int] = field(default_factory=dict)  # letters of conditions that nobody cites: line
    met: Mapping[str, int] = field(default_factory=dict)  # letters of the text before: line
    spoiled: Mapping[str, str] = field(default_factory=dict)  # letters whose definitions are not read: why

    @property
    def declared(self) -> dict[str, str]:
        return {name: told.says for name, told in self.symbols.items()}


class Unreadable(Exception):
    """Something that the claims of a theorem rest on cannot be read; says what and why."""


def environment(section: Section, found: Gathered) -> Environment:
    """What holds for all claims of a theorem; raises Unreadable."""
    text = found.text[: section.before]
    known = Environment()
    for item in text:
        known = _with_or_without(known, item, from_text=True)
    own = {item.name for item in section.declared if item.what in ("symbol", "definition")}
    for item in section.declared:
        known = _with_or_without(known, item)
    for item in text:
        if item.what in ("assumption", "independence") and _in_force(item, text, own):
            known = with_condition(known, item, from_text=True)
    known_labels = {name for passage, _ in found.assumed for name in (passage.label, passage.number)}
    if section.cites - known_labels:
        raise Unreadable(
            f"it rests on {min(section.cites - known_labels)}, which is no assumption that was read"
        )
    cited = list(_cited(section, found))
    for item in [*section.declared, *cited]:
        if item.what in ("assumption", "independence"):
            known = with_condition(known, item)
    idle = [item for item in text if item.what == "assumption" and not _in_force(item, text, own)]
    for _, said in found.assumed[: section.assumed]:
        idle += [item for item in said if item.what in CONDITIONS and item not in cited]
    waiting = {name: item.line for item in idle for name in _letters_of(item) if name not in own}
    known = replace(known, functions=_restricted(known))
    return replace(known, waiting=waiting, met=dict(reversed(found.met[: section.met])))


def _restricted(known: Environment) -> dict[str, Function]:
    """Of f(u) = ... with a condition on u, or through a name that stands for something made of u, the values
    at u alone are known."""
    bound = {
        name for part in known.assumptions.values() for tree in part.stated.trees for name in names_in(tree)
    }
    lets = {name: part.stated.statements[0] for name, part in known.lets.items()}
    found: dict[str, Function] = {}
    for name, item in known.functions.items():
        through = reached({part for part in names_in(item.body) if part in lets}, lets)
        found[name] = replace(item, fixed=item.fixed or bool((bound | through) & set(item.parameters)))
    return found


def _letters_of(item: Declared) -> Iterator[str]:
    if item.says:
        yield from names_in(S.parse(item.says))
    yield from letters_in(item.formula) if item.formula else ()


def with_local(known: Environment, said: Sequence[Declared]) -> Environment:
    """The same with what one sentence says of its own letters."""
    for item in said:
        known = with_condition(_with(known, item), item)
    return known


def _with_or_without(known: Environment, item: Declared, from_text: bool = False) -> Environment:
    """One more; of a definition that cannot be read it is kept that its letter means something unread."""
    spoiled = {name: reason for name, reason in known.spoiled.items() if name != item.name}
    try:
        return replace(_with(known, item, from_text), spoiled=spoiled)
    except Unreadable as error:
        name = item.name or ""
        lets = {key: part for key, part in known.lets.items() if key != name}
        symbols = {key: part for key, part in known.symbols.items() if key != name}
        functions = {key: part for key, part in known.functions.items() if key != name}
        return replace(
            known, lets=lets, symbols=symbols, functions=functions, spoiled={**spoiled, name: str(error)}
        )


def _with(known: Environment, item: Declared, from_text: bool = False) -> Environment:
    """One symbol, name or growing letter more; conditions are for later."""
    told = Told(item.says, item.sentence, item.line, item.note or None, from_text)
    names = dict(known.names)
    if item.name and item.latex and (item.latex != item.name or item.name == "I"):
        names[item.latex] = item.name
    if item.what == "definition" and item.name == NORM:
        return replace(known, names={**known.names, BARS: NORM})
    if item.what == "growth":
        return replace(known, growing=item.says)
    if item.name is None or item.what not in ("symbol", "definition"):
        return known
    lets = {name: part for name, part in known.lets.items() if name != item.name}
    symbols = {name: part for name, part in known.symbols.items() if name != item.name}
    functions = {name: part for name, part in known.functions.items() if name != item.name}
    known = replace(known, functions=functions)
    if item.arguments:
        known = replace(known, symbols=symbols, lets=lets, names=names)
        return replace(known, functions={**functions, item.name: _function(item, known)})
    if item.what == "symbol":
        return replace(known, symbols={**symbols, item.name: told}, lets=lets, names=names)
    known = replace(known, symbols=symbols, names=names)
    return replace(known, lets={**lets, item.name: Defined(_body(item, known), told)})


def _function(item: Declared, known: Environment) -> Function:
    """What f(x) stands for; raises Unreadable."""
    assert item.name is not None
    declared = {name: says for name, says in known.declared.items() if name not in item.arguments}
    itself = Function(item.arguments, S.Name(Span(0, 1), item.name), False, item.line)
    try:
        stated = read_stated(
            item.formula.partition("=")[2], declared, known.names, {**known.functions, item.name: itself}
        )
    except ExprError as error:
        raise Unreadable(f"line {item.line} defines {item.name}: {error.message}") from None
    body = stated.statements[0]
    entries = {base for base, _ in stated.scripts.values()}
    if len(stated.statements) != 1 or isinstance(body, S.Compare) or stated.conditions:
        raise Unreadable(f"line {item.line} defines {item.name} in a way that is not read")
    if item.name in stated.written_out or entries & set(item.arguments):
        raise Unreadable(f"line {item.line} defines {item.name} by itself, or by entries of its argument")
    told = [known.symbols[name].says for name in item.arguments if name in known.symbols]
    fixed = any(not says.startswith(("vector(", "matrix(")) and says != "real" for says in told)
    shapes = shapes_among(declared)
    inside = {name: shapes[name] for name in names_in(body) if name in shapes}
    return Function(item.arguments, body, fixed, item.line, item.formula, inside)


def _body(item: Declared, known: Environment) -> Stated:
    """What a name stands for."""
    try:
        if item.says:
            return Stated(item.says, (S.parse(item.says),), False, True)
        stated = read_stated(item.formula, known.declared, known.names, known.functions)
        tree = stated.statements[0]
    except ExprError as error:
        raise Unreadable(f"line {item.line} defines {item.name}: {error.message}") from None
    if len(stated.statements) != 1 or not isinstance(tree, S.Compare) or tree.op != "==":
        raise Unreadable(f"line {item.line} defines {item.name} in a way that is not read")
    return replace(stated, statements=(tree.right,))


def with_condition(known: Environment, item: Declared, from_text: bool = False) -> Environment:
    """One assumption more, under the name of its line."""
    if item.what not in ("assumption", "independence") or (item.what == "independence" and item.note):
        return known
    try:
        if item.says:
            stated = Stated(item.says, (S.parse(item.says),), False, False)
        else:
            stated = read_stated(item.formula, known.declared, known.names, known.functions)
    except ExprError as error:
        raise Unreadable(f"line {item.line} assumes something that is not read: {error.message}") from None
    told = Told(item.says, item.sentence, item.line, item.note or None, from_text)
    name, count = f"line-{item.line}", 1
    while name in known.assumptions:
        count += 1
        name = f"line-{item.line}-{count}"
    return replace(known, assumptions={**known.assumptions, name: Defined(stated, told)})


def _in_force(item: Declared, text: Sequence[Declared], own: set[str | None]) -> bool:
    """A condition of the running text holds if it is said for good, or with a letter's declaration."""
    if is_standing(item):
        return True
    declared = {other.name for other in text if other.sentence == item.sentence and other.what == "symbol"}
    return bool(declared - own)


def _cited(section: Section, found: Gathered) -> Iterator[Declared]:
    """The conditions of the assumptions that a theorem cites; raises Unreadable where one is not clear."""
    for passage, said in found.assumed[: section.assumed]:
        if not section.cites & {passage.label, passage.number}:
            continue
        if passage in found.unread:
            raise Unreadable(f"the {passage.kind} in line {passage.line} was not understood")
        for item in said:
            own = next((other for other in section.declared if other.name == item.name), None)
            if item.what == "symbol" and own is not None and own.says != item.says:
                raise Unreadable(f"{item.name} is one thing here, and another in the {passage.kind} it cites")
        yield from (item for item in said if item.what in CONDITIONS)


# --- tails of formulas -------------------------------------------------------------------------------


def member(latex: str) -> dict[str, str] | None:
    r"""What `x \in \mathbb{R}^d` declares; None where it is not understood, or assumes something besides."""
    made = _members(latex, Formula(latex, (latex,), False, None, None, "", 1, 1))
    if made is None or any(item.what != "symbol" for item in made):
        return None
    return {item.name: item.says for item in made if item.name is not None}


def _members(latex: str, formula: Formula) -> list[Declared] | None:
    part = replace(formula, latex=latex, rows=(latex,), display=False)
    passage = Passage("text", None, None, None, formula.file, formula.line, ("Let ", part, "."))
    made = declarations(passage)
    declared = [item for item in made if isinstance(item, Declared)]
    return declared if declared and len(declared) == len(made) else None


def of_tails(stated: Stated, formula: Formula, known: Environment) -> Environment:
    r"""What stands after a formula: `\forall x \in \mathbb{R}^d`, `i = 1, \dots, n`; raises Unreadable."""
    for tail in stated.memberships:
        if _is_bare(tail.latex):
            check_quantified(tail.names, known)
            continue
        made = _members(tail.latex, formula)
        if made is None:
            raise Unreadable(f"{tail.latex} is not understood")
        known = with_local(known, made)
    for index, high in stated.ranges.items():
        from verifier.expr.tex.plain import to_source

        told = Told(f"index({to_source(high)})", formula.latex, formula.line)
        if index in known.symbols and known.symbols[index].says != told.says:
            raise Unreadable(f"{index} is declared otherwise")
        known = replace(known, symbols={**known.symbols, index: told})
    return known


def _is_bare(latex: str) -> bool:
    """Letters with commas between them, of which nothing is said."""
    made = read_mathematics(latex)
    return made.bare and bool(made.letters)


def check_quantified(names: Iterable[str], known: Environment) -> None:
    """`for all A, B` changes nothing if they are declared and fixed; raises Unreadable if they are not."""
    for name in names:
        if name not in known.symbols:
            raise Unreadable(f"`for all {name}`: what {name} is was not said or not understood")
        if kinds_among({name: known.symbols[name].says})[name] == "random":
            raise Unreadable(f"`for all {name}`: {name} is random, and whether it is held fixed is not said")


def is_sayable(name: str, says: str) -> bool:
    """Whether a declaration is one of the language; those that are not were not meant for it."""
    try:
        check_name(Text(name, "", ((0, 1, 1),)))
        infer((), {name: says})
    except (SpecError, ExprError):
        return False
    return True
