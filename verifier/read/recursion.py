r"""Sequences that a paper defines step by step: $x_{k+1} = x_k - \eta A x_k$ is a layer of the language.

The state is called x, after(x, k) is x_k, and x_0 is x itself. What has the number of the step and is one of
independent draws, W_k, is drawn afresh in each. A step in which its number stands otherwise, or that takes
another
sequence, is not read."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.tex.plain import rebuilt, to_source
from verifier.read.prose import Declared
from verifier.read.stated import Stated
from verifier.read.trees import names_in, nodes_of


@dataclass(frozen=True)
class Recursion:
    """The state, the letter that counts its steps, and the equation of one step: state == next."""

    state: str
    index: str
    step: Stated
    line: int
    printed: str
    drawn: Mapping[str, str] = field(default_factory=dict)  # what each step draws afresh
    above: str = ""  # the letter as it is printed, if its steps are numbered above it


# Laws of independent entries, with the number of arguments that are no sizes: of a column each entry is a
# draw.
_OF_ENTRIES = {"normal": 0, "rademacher": 0, "iid": 0, "bernoulli": 1, "uniform": 2}
# k, k + 1 or 0 above a letter, in braces, brackets or alone.
_ABOVE = r"\^\s*(?:\{\s*\(?\s*([A-Za-z0]|\\ell)((?:\s*[+-]\s*1)?)\s*\)?\s*\}|([A-Za-z0]|\\ell)(?![A-Za-z]))"
Read = Callable[[str], Stated]


def recursion_of(item: Declared, read: Read, families: Mapping[str, str]) -> Recursion:
    """What a sentence says of a sequence; raises ExprError where a step cannot be written as a layer. A
    member
    of one of the `families` of random symbols that has the number of the step is drawn in it."""
    assert item.name is not None
    state, index, is_back = item.name, item.arguments[0], "back" in item.arguments[1:]
    stated = read(item.formula.partition("=")[2])
    body = stated.statements[0]
    if len(stated.statements) != 1 or isinstance(body, S.Compare) or stated.conditions:
        raise ExprError("latex", f"one step of {state} is not read", body.span)
    inner = _from_before(body, state, index) if is_back else body
    if not is_back:
        inner = _replaced(inner, {(state, index): S.Name(body.span, state)})
    drawn = {name: says for name, says in families.items() if _is_drawn(inner, name, index)}
    inner = _replaced(inner, {(name, index): S.Name(body.span, name) for name in drawn})
    others = {name for name in names_in(inner) if name == index or name.rpartition("_")[2] == index}
    if others or state not in names_in(inner):
        message = (
            f"a step of {state} depends on {min(others)}" if others else f"a step of {state} without {state}"
        )
        raise ExprError("latex", message, body.span, "a layer is the same in every step")
    equation = S.Compare(body.span, "==", S.Name(body.span, state), inner)
    step = replace(stated, statements=(equation,), scripts={})
    return Recursion(
        state, index, step, item.line, item.formula, drawn, item.latex if "above" in item.arguments else ""
    )


def _from_before(tree: S.Syntax, state: str, index: str) -> S.Syntax:
    """x for x_{t-1}."""
    match tree:
        case S.Subscript(_, S.Name(span, name), (S.Binary(_, "-", S.Name(_, letter), S.Literal(_, "1")),)):
            if (name, letter) == (state, index):
                return S.Name(span, state)
    return rebuilt(tree, lambda part: _from_before(part, state, index))


def _is_drawn(tree: S.Syntax, name: str, index: str) -> bool:
    """Whether the member of a family that has the number of the step stands here."""
    return _replaced(tree, {(name, index): S.Literal(tree.span, "0")}) != tree


def copied(says: str) -> str | None:
    """What each member of a family of random symbols is; None for anything else."""
    tree = S.parse(says)
    if not isinstance(tree, S.Call):
        return None
    words = {item.name for item in tree.keywords}
    if "copies" not in words:
        count = _OF_ENTRIES.get(tree.function)
        if count is None or len(tree.args) != count + 1 or words & {"cov", "row_corr"}:
            return None
        return to_source(replace(tree, args=tree.args[1:]))
    return to_source(replace(tree, keywords=tuple(item for item in tree.keywords if item.name != "copies")))


def numbered_below(latex: str, known: Iterable[Recursion]) -> str:
    """x_k for x^k and x^{(k)}, x_0 for x^0, of the sequences that are numbered above."""
    for recursion in known:
        if recursion.above:
            letter = r"\s*".join(
                re.escape(mark) for mark in re.findall(r"\\[A-Za-z]+|\S", recursion.above) if mark not in "{}"
            )
            letter = letter.replace(r"\s*", r"\s*\{?\s*")
            latex = re.sub(
                rf"(?<![A-Za-z\\])({letter}\s*\}}?)\s*{_ABOVE}",
                lambda match: f"{match[1]}_{{{match[2] or match[4]}{match[3] or ''}}}",
                latex,
            )
    return latex


def in_layers(stated: Stated, known: Mapping[str, Recursion]) -> tuple[Stated, tuple[str, Recursion] | None]:
    """A formula with after(x, k) for x_k, and the letter that counts in it; raises ExprError where it counts
    in two ways, or a sequence stands there otherwise."""
    names = {name for tree in stated.trees for name in _all_names(tree)}
    met = {state: item for state, item in known.items() if any(_belongs(name, state) for name in names)}
    if not met:
        return stated, None
    span = stated.statements[0].span
    if len(met) > 1:
        raise ExprError("latex", "two sequences in one formula", span)
    ((state, recursion),) = met.items()
    depths = {name for tree in stated.trees for name in _depths(tree, state)}
    if len(depths) != 1:
        hint = "count the steps by one letter"
        raise ExprError("latex", f"which step of {state} is meant", span, hint)
    depth = min(depths)
    made = _mapped(
        stated, lambda tree: _stepped(_replaced(tree, {(state, "0"): S.Name(span, state)}), state, depth)
    )
    for tree in made.trees:
        if any(_belongs(name, state) and name != state for name in names_in(tree)):
            raise ExprError("latex", f"a step of {state} that is not read", span)
    return made, (depth, recursion)


def beginning(stated: Stated, state: str) -> Stated:
    """x for x_0."""
    return _mapped(stated, lambda tree: _replaced(tree, {(state, "0"): S.Name(tree.span, state)}))


def at_start(stated: Stated, depth: str) -> Stated:
    """The formula before the first step: after(x, k) is x, after(x, k + 1) is after(x, 1), and k is 0."""

    def started(tree: S.Syntax) -> S.Syntax:
        match tree:
            case S.Call(_, "after", _, (state, S.Name()), _):
                return state
            case S.Call(_, "after", _, (state, S.Binary(_, "+", _, more)), _):
                return replace(tree, args=(state, more))
            case S.Name(span, name) if name == depth:
                return S.Literal(span, "0")
        return rebuilt(tree, started)

    return _mapped(stated, started)


def _stepped(tree: S.Syntax, state: str, depth: str) -> S.Syntax:
    """after(x, k) for x_k, after(x, k + 1) for x_{k+1}."""
    match tree:
        case S.Name(span, name) if name == f"{state}_{depth}":
            return S.Call(span, "after", span, (S.Name(span, state), S.Name(span, depth)), ())
        case S.Subscript(span, S.Name(_, name), (index,)) if name == state and _counts(index, depth):
            return S.Call(span, "after", span, (S.Name(span, state), index), ())
        case S.Subscript(span, S.Name(_, name), _) if name == state:
            raise ExprError("latex", f"a step of {state} that is not read", span)
    return rebuilt(tree, lambda part: _stepped(part, state, depth))


def _counts(index: S.Syntax, depth: str) -> bool:
    """k, or k + 1."""
    match index:
        case S.Name(_, name):
            return name == depth
        case S.Binary(_, "+", S.Name(_, name), S.Literal(_, text)):
            return name == depth and text.isdigit()
    return False


def _mapped(stated: Stated, change: Callable[[S.Syntax], S.Syntax]) -> Stated:
    return replace(
        stated,
        statements=tuple(map(change, stated.statements)),
        conditions=tuple(map(change, stated.conditions)),
        scripts={},
    )


def _belongs(name: str, state: str) -> bool:
    return name == state or name.startswith(f"{state}_")


def _all_names(tree: S.Syntax) -> Iterator[str]:
    return (part.name for part in nodes_of(tree) if isinstance(part, S.Name))


def _depths(tree: S.Syntax, state: str) -> Iterator[str]:
    """The letters k of x_k; x_{k+1} and the like stay what they are, and are refused."""
    for part in nodes_of(tree):
        if isinstance(part, S.Name) and part.name.startswith(f"{state}_") and part.name != f"{state}_0":
            yield part.name.removeprefix(f"{state}_")
        elif isinstance(part, S.Subscript) and isinstance(part.arg, S.Name) and part.arg.name == state:
            yield from (name for index in part.indices for name in names_in(index))


def _replaced(tree: S.Syntax, values: Mapping[tuple[str, str], S.Syntax]) -> S.Syntax:
    """With values for x_k, printed as a name or as an entry."""
    if isinstance(tree, S.Name):
        base, mark, script = tree.name.rpartition("_")
        return values.get((base, script), tree) if mark else tree
    if isinstance(tree, S.Subscript) and isinstance(tree.arg, S.Name) and len(tree.indices) == 1:
        index = tree.indices[0]
        word = index.name if isinstance(index, S.Name) else index.text if isinstance(index, S.Literal) else ""
        if (tree.arg.name, word) in values:
            return values[tree.arg.name, word]
    return rebuilt(tree, lambda part: _replaced(part, values))
