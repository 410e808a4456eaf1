"""What makes a reading doubtful though every word of it was read: then it is refused."""

import re
from collections.abc import Sequence
from dataclasses import replace

from verifier.expr import syntax as S
from verifier.expr.tex.tokens import tokenize
from verifier.read.conventions import touched
from verifier.read.environment import plain
from verifier.read.formulas import letters_in
from verifier.read.gather import Section
from verifier.read.infer import UNSAID, Inference
from verifier.read.prose import Refused
from verifier.read.prose.spelling import FONTS
from verifier.read.stated import Stated, mentions
from verifier.read.told import Defined, Environment, Unreadable
from verifier.read.trees import is_constant, names_in, reached


def refuse_scripts(stated: Stated, known: Environment) -> None:
    """x_1 may be an entry of x or a letter of its own, and a ^T a power where T is a letter."""
    if stated.transposed_by_letter and ("T" in known.symbols or "T" in known.lets or "T" in known.met):
        raise Unreadable("^T may be a power or a transpose: T is a letter of the paper")
    for name, (base, _) in stated.scripts.items():
        alone = any(mentions(tree, {base}) for tree in stated.trees)
        if name not in known.symbols and name not in known.lets and (base in known.symbols or alone):
            raise Unreadable(f"{name} may be an entry of {base} or a letter of its own: declare it")


def refuse_entries(parts: Sequence[Defined], known: Environment) -> None:
    """What is assumed of x_1, or defined by it, where x is a vector: an entry of it, or another letter?"""
    for part in parts:
        for name in sorted({name for tree in part.stated.trees for name in names_in(tree)}):
            base, mark, script = name.rpartition("_")
            is_shaped = base in known.symbols and known.symbols[base].says not in ("real", "positive")
            if (
                mark
                and script.isdigit()
                and is_shaped
                and name not in known.symbols
                and name not in known.lets
            ):
                raise Unreadable(f"{name} may be an entry of {base} or a letter of its own: declare it")


def refuse_prints(stated: Stated, known: Environment) -> None:
    r"""x where \mathbf{x} is declared may be another letter; x_i is an entry of it."""
    tokens = [token.text for token in tokenize(stated.latex)]
    for name, printed in stated.letters.items():
        declared = known.prints.get(name)
        if declared is None or plain(declared) == plain(printed) or name not in {*known.symbols, *known.lets}:
            continue
        marks = [token.text for token in tokenize(printed)]
        places = (at for at in range(len(tokens)) if tokens[at : at + len(marks)] == marks)
        for at in places:
            before, behind = tokens[at - 1 : at], tokens[at + len(marks) : at + len(marks) + 1]
            if behind != ["_"] and not (before and before[0] in FONTS):
                raise Unreadable(f"{printed} may be another letter than {declared}, and is not declared")


def refuse_conventions(stated: Stated, known: Environment, section: Section) -> None:
    """Notation that the paper gives a meaning of its own is not read as what it is elsewhere."""
    if not section.conventions:
        return
    vectors = {name for name, told in known.symbols.items() if told.says.startswith(("vector(", "simplex("))}
    lets = {name: part.stated.statements[0] for name, part in known.lets.items()}
    names = reached({name for tree in stated.trees for name in names_in(tree)}, lets)
    for tree in (*stated.trees, *(lets[name] for name in sorted(names & lets.keys()))):
        for kind in touched(tree, vectors):
            if kind in section.conventions:
                line = section.conventions[kind]
                raise Unreadable(f"line {line} says what {kind} are in this paper, in a way that is not read")


def doubted(doubts: Sequence[Refused]) -> dict[str, Refused]:
    """The letters of which the running text says something that was not understood."""
    found: dict[str, Refused] = {}
    for item in doubts:
        for formula in item.formulas:
            # Of `x \in S` it is x of which something is said.
            subject = re.split(r"\\(?:in|sim|subset|subseteq)(?![A-Za-z])", formula.latex)[0]
            for name in letters_in(subject):
                found.setdefault(name, item)
    return found


def guessed(known: Environment, used: set[str], found: Inference, is_text: bool = False) -> str | None:
    """A letter that is inferred though the text before speaks of it: what it says was not understood."""
    sizes = ("dimension", "index")
    for symbol in found.symbols:
        if is_text and symbol.name in used and not symbol.says.startswith(sizes):
            return f"it stands in the running text, where {symbol.name} is not declared"
        if symbol.name in used and symbol.name in known.met and not symbol.says.startswith(sizes):
            line = known.met[symbol.name]
            return f"{symbol.name} stands in line {line}, and what it is was not understood there"
        if symbol.name in used and symbol.name in known.theirs and symbol.name not in known.recursions:
            line = known.theirs[symbol.name]
            return f"line {line} says what {symbol.name} is in another theorem: whether here too is not said"
    return None


def only_bounded(stated: Stated, known: Environment, found: Inference) -> str | None:
    """`y >= 0`, where nothing says what y is: one that there is, or any?"""
    assumed = {
        name for part in known.assumptions.values() for tree in part.stated.trees for name in names_in(tree)
    }
    silent = {symbol.name for symbol in found.symbols if symbol.why == UNSAID} - assumed
    for tree in stated.statements:
        if isinstance(tree, S.Compare):
            for side, other in ((tree.left, tree.right), (tree.right, tree.left)):
                if isinstance(side, S.Name) and side.name in silent and is_constant(other):
                    return f"{side.name} is not declared: any, or one that there is?"
    return None


def merged(places: Sequence[Environment]) -> Environment:
    """What all of them know; raises Unreadable where one letter means different things."""
    known = places[0]
    for item in places[1:]:
        for name, told in item.symbols.items():
            if name in known.symbols and known.symbols[name].says != told.says:
                raise Unreadable(f"{name} is declared in two ways")
        for name, part in item.assumptions.items():
            if name in known.assumptions and known.assumptions[name].stated.latex != part.stated.latex:
                raise Unreadable("two sentences assume different things")
        for name, part in item.lets.items():
            if name in known.lets and known.lets[name].stated.latex != part.stated.latex:
                raise Unreadable(f"{name} is defined in two ways")
        known = replace(
            known,
            symbols={**known.symbols, **item.symbols},
            lets={**known.lets, **item.lets},
            assumptions={**known.assumptions, **item.assumptions},
            names={**known.names, **item.names},
            spoiled={**known.spoiled, **item.spoiled},
        )
    return known
