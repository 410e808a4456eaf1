"""What the letters of one theorem are: from the running text before it, and from its own words, which win."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError, Span
from verifier.read.applied import Function, of_numbers
from verifier.read.formulas import letters_in
from verifier.read.gather import Gathered, Section, is_standing
from verifier.read.infer import kinds_among, shapes_among
from verifier.read.prose import Declared
from verifier.read.prose.facts import ENTRYWISE
from verifier.read.recursion import Recursion, beginning, copied, numbered_below, recursion_of
from verifier.read.rows import with_rows
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
    rows: Mapping[str, tuple[str, bool]] = field(default_factory=dict)  # x: of X, as columns
    recursions: Mapping[str, Recursion] = field(default_factory=dict)  # x_{k+1} = ...
    prints: Mapping[str, str] = field(default_factory=dict)  # how each letter is printed where it is declared
    growing: str | None = None
    waiting: Mapping[str, int] = field(default_factory=dict)  # letters of conditions that nobody cites: line
    met: Mapping[str, int] = field(default_factory=dict)  # letters of the text before: line
    theirs: Mapping[str, int] = field(default_factory=dict)  # letters that other theorems define: line
    spoiled: Mapping[str, str] = field(default_factory=dict)  # letters whose definitions are not read: why

    @property
    def declared(self) -> dict[str, str]:
        return {name: told.says for name, told in self.symbols.items()}

    def knows(self, name: str) -> bool:
        """Whether it is said what this letter is."""
        return any(name in table for table in (self.symbols, self.lets, self.functions, self.rows))


class Unreadable(Exception):
    """Something that the claims of a theorem rest on cannot be read; says what and why."""


def environment(section: Section, found: Gathered) -> Environment:
    """What holds for all claims of a theorem; raises Unreadable."""
    text = found.text[: section.before]
    known = Environment()
    elsewhere = {
        item
        for passage, said in found.assumed
        if not section.cites & {passage.label, passage.number}
        for item in said
        if item.what == "symbol"
    }
    for item in text:
        if item in elsewhere and item.name in known.symbols:
            continue  # an assumption that is not cited makes no letter another one
        known = _with_or_without(known, item, from_text=True)
    own = {item.name for item in section.declared if item.what in ("symbol", "definition", "recursion")}
    for item in section.declared:
        known = _with_or_without(known, item)
    unknown = [
        item.name for item in section.declared if item.what == "taken" and not known.knows(item.name or "")
    ]
    if unknown:
        raise Unreadable(
            f"{unknown[0]} is said to be as elsewhere, and nothing that was read says what it is there"
        )
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
    for passage, said in found.assumed[: section.assumed]:
        if section.cites and found.is_unsaid(passage):
            continue  # the theorem says what it rests on, and this is not among it
        idle += [item for item in said if item.what in CONDITIONS and item not in cited]
    waiting = {name: item.line for item in idle for name in _letters_of(item) if name not in own}
    known = _begun(replace(known, functions=_restricted(known)))
    return replace(
        known,
        waiting=waiting,
        met=dict([*reversed(found.met[: section.met]), *section.lost]),
        theirs=_elsewhere(section),
    )


def in_order(lets: Mapping[str, Defined]) -> dict[str, Defined]:
    """Each name behind those that it is made of: `$L = D - A$, where $D = ...`."""
    made: dict[str, Defined] = {}
    waiting = dict(lets)
    while waiting:
        ready = [name for name, part in waiting.items()
                 if not (set(names_in(part.stated.statements[0])) - {name}) & waiting.keys()]  # fmt: skip
        if not ready:
            raise Unreadable(f"{min(waiting)} is defined by itself")
        made |= {name: waiting.pop(name) for name in ready[:1]}
    return made


def _begun(known: Environment) -> Environment:
    """What is said of x_0 is said of x, where x_{k+1} = ... is known; raises Unreadable."""
    for state, recursion in known.recursions.items():
        _refuse_other_starts(known, state)
        first = known.lets.get(f"{state}_0")
        itself = first is not None and first.stated.statements[0]
        if state in known.lets or (state in known.symbols and getattr(itself, "name", None) != state):
            raise Unreadable(f"{state} is a letter, and a sequence too")
        if first is not None:
            lets = {name: part for name, part in known.lets.items() if name != f"{state}_0"}
            known = replace(known, lets=lets)
            if state not in known.symbols:
                known = replace(
                    known, assumptions={**known.assumptions, f"start-{recursion.line}": _start(first, state)}
                )
        symbols = {state if name == f"{state}_0" else name: told for name, told in known.symbols.items()}
        assumptions = {name: replace(part, stated=beginning(part.stated, state))
                       for name, part in known.assumptions.items()}  # fmt: skip
        known = replace(known, symbols=symbols, assumptions=assumptions)
    return known


def _refuse_other_starts(known: Environment, state: str) -> None:
    """x_1 = ... says more of a sequence than where it begins; raises Unreadable."""
    assumed = {
        name for part in known.assumptions.values() for tree in part.stated.trees for name in names_in(tree)
    }
    for name in sorted({*known.lets, *known.symbols, *assumed}):
        base, _, script = name.rpartition("_")
        if base == state and script.isdigit() and script != "0":
            raise Unreadable(f"{name}: of the sequence {state} it is read how it begins at 0 alone")


def _start(first: Defined, state: str) -> Defined:
    """x_0 = ... as what is assumed of the state before its first step."""
    (body,) = first.stated.statements
    return replace(
        first,
        stated=replace(
            first.stated, statements=(S.Compare(body.span, "==", S.Name(body.span, state), body),)
        ),
    )


def _elsewhere(section: Section) -> dict[str, int]:
    """Letters that other theorems define, but for those that this one begins with: `Let $x > y$`."""
    begun = {
        name
        for item in section.declared
        if item.what == "assumption" and item.sentence.lower().startswith(("let ", "for ", "fix "))
        for name in _letters_of(item)
    }
    return {name: line for name, line in section.theirs.items() if name not in begun}


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
    if item.name and item.latex and item.what in ("symbol", "definition", "recursion"):
        before = known.prints.get(item.name, item.latex)
        if plain(before) != plain(item.latex):
            names = {latex: name for latex, name in names.items() if name != item.name}
        known = replace(known, prints={**known.prints, item.name: item.latex.partition("(")[0]})
    if item.name and item.latex and (item.latex != item.name or item.name == "I"):
        names[item.latex] = item.name
    if item.what == "definition" and item.name == NORM:
        return replace(known, names={**known.names, BARS: NORM})
    if item.what == "growth":
        return replace(known, growing=item.says)
    if item.what == "rows" and item.name:
        if item.name in known.symbols or item.name in known.lets:
            raise Unreadable(f"{item.name} is declared, and said to be a row of {item.says} too")
        return replace(known, rows={**known.rows, item.name: (item.says, bool(item.arguments))})
    if item.name is None or item.what not in ("symbol", "definition", "recursion"):
        return known
    known = replace(
        known,
        rows={name: part for name, part in known.rows.items() if name != item.name},
        recursions={name: part for name, part in known.recursions.items() if name != item.name},
    )
    if item.what == "recursion":
        return _stepped(known, item)
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


def _stepped(known: Environment, item: Declared) -> Environment:
    """One sequence more; raises Unreadable."""
    assert item.name is not None
    declared = {name: says for name, says in known.declared.items() if name not in item.arguments}
    try:
        families = {name: member for name, kind in kinds_among(declared).items()
                    if kind == "random" and (member := copied(declared[name])) is not None}  # fmt: skip
        made = recursion_of(item, lambda latex: read_in(known, latex, declared), families)
    except ExprError as error:
        raise Unreadable(f"line {item.line} defines {item.name} step by step: {error.message}") from None
    return replace(known, recursions={**known.recursions, item.name: made})


def read_in(known: Environment, latex: str, declared: Mapping[str, str] | None = None) -> Stated:
    """A formula where this is known; raises ExprError."""
    table = known.declared if declared is None else declared
    latex = numbered_below(latex, known.recursions.values())
    return with_rows(read_stated(latex, table, known.names, known.functions), known.rows)


def plain(latex: str) -> str:
    """LaTeX without what is not printed."""
    return "".join(mark for mark in latex if mark not in "{} ")


def _function(item: Declared, known: Environment) -> Function:
    """What f(x) stands for; raises Unreadable."""
    assert item.name is not None
    declared = {name: says for name, says in known.declared.items() if name not in item.arguments}
    itself = Function(item.arguments, S.Name(Span(0, 1), item.name), False, item.line)
    try:
        around = replace(known, functions={**known.functions, item.name: itself})
        stated = read_in(around, item.formula.partition("=")[2], declared)
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
    body = of_numbers(body) if item.note == ENTRYWISE else body
    shapes = shapes_among(declared)
    inside = {name: shapes[name] for name in names_in(body) if name in shapes}
    return Function(item.arguments, body, fixed, item.line, item.formula, inside)


def _body(item: Declared, known: Environment) -> Stated:
    """What a name stands for."""
    try:
        if item.says:
            return Stated(item.says, (S.parse(item.says),), False, True)
        stated = read_in(known, item.formula)
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
            stated = read_in(known, item.formula)
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
