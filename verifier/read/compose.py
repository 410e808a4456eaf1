"""Theorems of a draft: each section's claims in the claim language, or why they are none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.read.across import WHY, across
from verifier.read.beginnings import in_order
from verifier.read.claimed import Candidate
from verifier.read.doubts import (
    doubted,
    guessed,
    merged,
    only_bounded,
    refuse_conventions,
    refuse_entries,
    refuse_prints,
    refuse_scripts,
)
from verifier.read.drafted import Drafted, Layers, Theorem
from verifier.read.environment import environment, read_in, with_local
from verifier.read.gather import Gathered, Note, Section
from verifier.read.identity import has_identity
from verifier.read.infer import InferenceError, shapes_among
from verifier.read.paper import Formula
from verifier.read.recursion import Recursion, at_start, in_layers
from verifier.read.stated import Settled, Stated, settle, within
from verifier.read.tails import check_quantified, counted, of_tails
from verifier.read.told import Environment, Told, Unreadable
from verifier.read.trees import indices_of, names_in, nodes_of, reached

GROWTH = ("O", "Omega", "Theta")


@dataclass(frozen=True)
class _Ready:
    """A candidate that was read, and what is known where it stands; the letter that counts the steps of a
    sequence in it, and the sequence."""

    candidate: Candidate
    stated: Stated
    known: Environment
    layer: tuple[str, Recursion] | None = None


@dataclass(frozen=True)
class _Reading:
    """A section with the candidates that could be read."""

    first: Theorem
    ready: tuple[_Ready, ...] = ()


def theorems(found: Gathered) -> list[Theorem]:
    """Every section, in order; where letters of one mean different things, in several parts."""
    readings = [_reading(section, found) for section in found.sections]
    ready = [item for reading in readings for item in reading.ready]
    shared = across(
        (item.known.declared for item in ready),
        (tree for item in ready for tree in item.stated.statements),
        (name for item in ready for name in item.known.lets),
    )
    return [theorem for reading in readings for theorem in _theorems(reading, shared)]


def _reading(section: Section, found: Gathered) -> _Reading:
    notes = list(section.notes)
    try:
        known = environment(section, found)
    except Unreadable as error:
        return _Reading(Theorem(section, notes=(*notes, *_all(section, str(error)))))
    if section.blocked is not None:
        return _Reading(Theorem(section, notes=(*notes, *_all(section, section.blocked))))
    doubts = doubted(found.doubts[: section.doubted])
    ready: list[_Ready] = []
    for candidate in section.candidates:
        try:
            ready += _read(candidate, known, doubts, section)
        except ExprError as error:
            notes.append(_note(candidate.formula, error.message, error.hint))
        except Unreadable as error:
            notes.append(_note(candidate.formula, str(error)))
    return _Reading(Theorem(section, notes=tuple(notes)), tuple(ready))


def _theorems(reading: _Reading, shared: Mapping[str, str]) -> list[Theorem]:
    """With the shapes that the whole paper gives to letters; without them where more can be read so."""
    first, ready = reading.first, reading.ready
    if not ready:
        return [first]
    found: list[Theorem] = []
    for table in (shared, {}):
        try:
            found.append(_settled(first, [_sharing(item, table) for item in ready]))
        except (InferenceError, Unreadable):
            continue
    if found:
        return [max(found, key=lambda theorem: len(theorem.claims))]
    return [first, *(_alone(first.section, item) for item in ready)]


def _sharing(item: _Ready, shared: Mapping[str, str]) -> _Ready:
    used = {name for tree in item.stated.trees for name in names_in(tree)}
    used -= {name for tree in item.stated.trees for name in indices_of(tree)}
    known = item.known
    taken = {
        name: Told(says, "", 0, WHY)
        for name, says in shared.items()
        if name in used and name not in known.symbols and name not in known.lets and name not in known.met
    }
    return replace(item, known=replace(known, symbols={**known.symbols, **taken}))


def _all(section: Section, reason: str) -> list[Note]:
    return [_note(candidate.formula, reason) for candidate in section.candidates]


def _note(formula: Formula, reason: str, hint: str | None = None) -> Note:
    return Note(formula.line, f"${formula.latex}$", reason, hint)


def _read(
    candidate: Candidate, known: Environment, doubts: Mapping[str, object], section: Section
) -> list[_Ready]:
    known = with_local(known, candidate.said)
    # Of a sequence x, x_0 and x_k are no entries.
    declared = {name: says for name, says in known.declared.items() if name not in known.recursions}
    stated = read_in(known, candidate.formula.latex, declared)
    shapes = shapes_among(known.declared)
    for function in (known.functions[name] for name in sorted(stated.written_out)):
        for name, shape in function.shapes.items():
            if shapes.get(name, shape) != shape:
                raise Unreadable(
                    f"{name} is of another shape here than in the definition in line {function.line}"
                )
    if stated.is_definition:
        raise Unreadable("it defines something: that is no claim")
    stated, layer = in_layers(stated, known.recursions)
    from_0 = False
    if layer is not None:
        known, from_0 = counted(known, layer[0])
    known = of_tails(stated, candidate.formula, known)
    refuse_scripts(stated, known)
    refuse_prints(stated, known)
    refuse_conventions(stated, known, section)
    fixed = sorted(stated.paired & set(candidate.over))
    if fixed:
        raise Unreadable(f"{fixed[0]} runs below a sum, and `for all {fixed[0]}` is said of it too")
    check_quantified((name for name in candidate.over if name in known.symbols), known)
    own = {item.name for item in (*section.declared, *candidate.said)}
    letters = {"I"} if has_identity(stated.trees) else set[str]()
    if letters & known.met.keys():
        raise Unreadable(f"I stands in line {known.met['I']}, and what it is was not understood there")
    # What is said of X is said of M = X^T X too.
    behind = {name: part.stated.statements[0] for name, part in known.lets.items()}
    steps = layer[1].step.trees if layer is not None else ()
    letters |= reached({name for tree in (*stated.trees, *steps) for name in names_in(tree)}, behind)
    letters -= {name for tree in stated.trees for name in indices_of(tree)}
    for name in sorted(letters - own):
        if name in doubts:
            line = getattr(doubts[name], "line", 0)
            raise Unreadable(f"line {line} says something of {name} that was not understood")
        if name in known.waiting:
            reason = f"line {known.waiting[name]} assumes something of {name}: whether here too is not said"
            raise Unreadable(reason)
    if not all(isinstance(tree, S.Compare) for tree in stated.statements):
        raise Unreadable("it states nothing: no relation")
    if layer is None:
        return [_Ready(candidate, stated, known)]
    whole = _Ready(candidate, stated, known, layer)
    return [whole, replace(whole, stated=at_start(stated, layer[0]))] if from_0 else [whole]


def _alone(section: Section, item: _Ready) -> Theorem:
    first = Theorem(section)
    try:
        return _settled(first, [item])
    except InferenceError as error:
        return replace(first, notes=(_note(item.candidate.formula, error.message, error.hint),))
    except Unreadable as error:
        return replace(first, notes=(_note(item.candidate.formula, str(error)),))


# --- shapes, and the text of everything ----------------------------------------------------------------


def _settled(first: Theorem, ready: Sequence[_Ready]) -> Theorem:
    """One theorem of all that was read; raises InferenceError or Unreadable where things do not fit."""
    known = merged([item.known for item in ready])
    used = _reached(ready, known)
    for name in sorted(used):
        for part in (name, name.partition("_")[0]):  # of a sequence x, x_k is not known either
            if part in known.spoiled:
                raise Unreadable(known.spoiled[part])
    lets = in_order({name: part for name, part in known.lets.items() if name in used})
    conditions = {name: part for name, part in known.assumptions.items()
                  if _shares(part.stated, used)}  # fmt: skip
    sequences = {
        (depth, item.printed): (depth, item) for depth, item in (part.layer for part in ready if part.layer)
    }
    if len(sequences) > 1:
        raise Unreadable("two sequences, or two letters that count their steps")
    layer = next(iter(sequences.values()), None)
    refuse_entries([*lets.values(), *conditions.values()], known)
    stated = [*(part.stated for part in lets.values()), *(part.stated for part in conditions.values())]
    stated += [layer[1].step] if layer is not None else []
    trees = {name: part.stated.statements[0] for name, part in lets.items()}
    everything = [*stated, *(item.stated for item in ready)]
    declared = {name: told.says for name, told in known.symbols.items() if name in used}
    drawn = {} if layer is None else dict(layer[1].drawn)
    lost = drawn.keys() & {name for part in [*stated[:-1], *(item.stated for item in ready)]
                           for tree in part.trees for name in names_in(tree)}  # fmt: skip
    if lost:
        raise Unreadable(f"{min(lost)} is drawn in every step, and stands outside of them too")
    declared |= drawn
    steps = {} if layer is None else {layer[1].state: layer[1].step.statements[0]}
    found = settle(everything, declared, trees, steps)
    texts = _texts(found, len(stated))
    let_texts = dict(zip(lets, texts, strict=False))
    condition_texts = dict(zip(conditions, texts[len(lets) :], strict=False))
    layers = None if layer is None else _layers(*layer, texts[-1])
    extra: dict[str, Told] = {}
    claims: list[Drafted] = []
    notes = list(first.notes)
    for at, item in enumerate(ready, start=len(stated)):
        says = found.statements[at]
        if isinstance(says, ExprError):
            notes.append(_note(item.candidate.formula, says.message, says.hint))
            continue
        tails = {f"tail-{at}-{count}": Told(text, item.candidate.formula.latex, item.candidate.formula.line)
                 for count, text in enumerate(found.conditions[at], start=1)}  # fmt: skip
        extra |= tails
        mine = _reached([item], item.known)
        reason = guessed(item.known, mine, found.inference, first.section.is_text)
        reason = reason or only_bounded(item.stated, item.known, found.inference)
        if reason is not None:
            notes.append(_note(item.candidate.formula, reason))
            continue
        under = [name for name in conditions if name in item.known.assumptions]
        under = [name for name in under if _shares(conditions[name].stated, mine)] + list(tails)
        claims += _claims(item, says, tuple(under), notes)
    inferred = {
        symbol.name: Told(symbol.says, "", 0, symbol.why)
        for symbol in found.inference.symbols
        if symbol.name not in declared and (layer is None or symbol.name != layer[0])
    }
    assumed = {name: replace(conditions[name].told, says=text) for name, text in condition_texts.items()}
    return Theorem(
        first.section,
        {**{name: told for name, told in known.symbols.items() if name in used - drawn.keys()}, **inferred},
        {name: replace(lets[name].told, says=text) for name, text in let_texts.items()},
        {**assumed, **extra},
        {**_spelled(ready), **known.names},
        tuple(claims),
        tuple(notes),
        layers,
    )


def _spelled(ready: Sequence[_Ready]) -> dict[str, str]:
    """The letters of formulas that are called otherwise than they are printed: D, which is no derivative."""
    letters = {name: latex for item in ready for name, latex in item.stated.letters.items()}
    return {latex: name for name, latex in letters.items() if name == f"{latex}_"}


def _layers(depth: str, recursion: Recursion, text: str) -> Layers:
    """The equation of a step as the language has it."""
    return Layers(
        recursion.state, depth, text.partition(" == ")[2], recursion.line, recursion.printed, recursion.drawn
    )


def _claims(item: _Ready, says: tuple[str, ...], under: tuple[str, ...], notes: list[Note]) -> list[Drafted]:
    formula, stated = item.candidate.formula, item.stated
    growth = any(isinstance(part, S.Call) and part.function in GROWTH for tree in stated.statements
                 for part in nodes_of(tree))  # fmt: skip
    growing = f"{stated.growing} -> oo" if stated.growing else item.known.growing
    if growing and not growth:
        notes.append(_note(formula, f"it is said as {growing}: that goes with O(...) alone, or with a limit"))
        return []
    if growth and item.candidate.is_after_growth and stated.growing is None:
        notes.append(_note(formula, "what grows is said of the formula before it, and of this one it is not"))
        return []
    functions = [item.known.functions[name] for name in sorted(stated.written_out)]
    words = [f"line {function.line}: ${function.printed}$" for function in functions]
    if item.layer is not None:
        words.append(f"line {item.layer[1].line}: ${item.layer[1].printed}$")
    words += [
        f"the rows of {of}: ${name}_i$"
        for name, (of, _) in item.known.rows.items()
        if name in item.stated.rows
    ]
    words += ["$I$: the identity matrix of the size that its place needs"] * has_identity(stated.statements)
    first = Drafted(formula, says, stated.is_chain, under, growing, written_out=tuple(words))
    between = within(says) if stated.is_chain else None
    if between is not None:
        return [replace(first, says=(between,), is_chain=False)]
    if stated.is_chain:
        return [first]
    return [replace(first, says=(text,), part=part) for part, text in enumerate(says)]


def _reached(ready: Sequence[_Ready], known: Environment) -> set[str]:
    """The names of the claims, and all that these rest on."""
    todo = [name for item in ready for tree in item.stated.trees for name in names_in(tree)]
    todo += [
        name for item in ready if item.layer for tree in item.layer[1].step.trees for name in names_in(tree)
    ]
    found: set[str] = set()
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        if name in known.lets:
            todo += names_in(known.lets[name].stated.statements[0])
        if name in known.symbols:
            todo += names_in(S.parse(known.symbols[name].says))
        for condition in known.assumptions.values():
            inside = [other for tree in condition.stated.trees for other in names_in(tree)]
            todo += inside if name in inside else []
    return found


def _shares(stated: Stated, names: set[str]) -> bool:
    return any(name in names for tree in stated.trees for name in names_in(tree))


def _texts(found: Settled, count: int) -> list[str]:
    """The texts of `let` names and conditions; raises Unreadable where one is ambiguous."""
    texts: list[str] = []
    for says in found.statements[:count]:
        if isinstance(says, ExprError):
            raise Unreadable(says.message)
        if len(says) != 1:
            raise Unreadable("a chain where one relation is expected")
        texts.append(says[0])
    return texts
