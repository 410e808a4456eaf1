"""What the letters of one theorem are: from the running text before it, and from its own words, which win."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError, Span
from verifier.read.applied import Function, of_numbers
from verifier.read.beginnings import begun
from verifier.read.formulas import letters_in
from verifier.read.gather import Gathered, Section, is_standing
from verifier.read.infer import InferenceError, infer, kinds_among, shapes_among
from verifier.read.prose import Declared
from verifier.read.prose.facts import ENTRYWISE
from verifier.read.recursion import copied, numbered_below, recursion_of
from verifier.read.row_letters import with_rows
from verifier.read.stated import Stated, read_stated
from verifier.read.told import Defined, Environment, Told, Unreadable
from verifier.read.trees import names_in, reached

CONDITIONS = ("assumption", "independence")
NORM, BARS = "norm", r"\|\cdot\|"


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
    known = begun(replace(known, functions=_restricted(known)))
    known = replace(known, shaped=_shaped(known))
    return replace(
        known,
        waiting=waiting,
        met=dict([*reversed(found.met[: section.met]), *section.lost]),
        theirs=_elsewhere(section),
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


def _shaped(known: Environment) -> frozenset[str]:
    """The names that stand for vectors and matrices, as far as their shapes can be told already."""
    lets = {name: part.stated.statements[0] for name, part in known.lets.items()}
    found: set[str] = set()
    for name, tree in lets.items():
        with suppress(InferenceError):
            form = infer(
                [tree], known.declared, {key: part for key, part in lets.items() if key != name}
            ).form(tree)
            found |= {name} if form != "scalar" else set()
    return frozenset(found)


def read_in(known: Environment, latex: str, declared: Mapping[str, str] | None = None) -> Stated:
    """A formula where this is known; raises ExprError."""
    table = known.declared if declared is None else declared
    latex = numbered_below(latex, known.recursions.values())
    return with_rows(read_stated(latex, table, known.names, known.functions, known.shaped), known.rows)


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
