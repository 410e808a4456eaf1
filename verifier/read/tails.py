"""What stands behind a formula: for which values it is said, and how far its indices run."""

from collections.abc import Iterable
from dataclasses import replace

from verifier.expr import syntax as S
from verifier.expr.tex.plain import to_source
from verifier.read.environment import with_local
from verifier.read.infer import kinds_among
from verifier.read.paper import Formula, Passage
from verifier.read.prose import Declared, declarations
from verifier.read.prose.formulas import read_mathematics
from verifier.read.stated import Stated
from verifier.read.told import Environment, Told, Unreadable
from verifier.read.trees import names_in


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


def counted(known: Environment, depth: str) -> tuple[Environment, bool]:
    """Without the letter that counts steps: it is the depth of the layers, from 1 on. Whether it is said to
    begin with 0; raises Unreadable where something else is said of it."""
    told = known.symbols.get(depth)
    says = None if told is None else told.says
    conditions = {name: part for name, part in known.assumptions.items()
                  if any(depth in names_in(tree) for tree in part.stated.trees)}  # fmt: skip
    texts = {_written(part.stated) for part in conditions.values()}
    if says not in (None, "integer", "dimension", "interval(0, oo)") or len(texts) > 1:
        raise Unreadable(f"{depth} counts the steps of a sequence, and something else is said of it")
    if texts - {f"{depth} >= 0", f"{depth} >= 1"} or (says == "integer" and not texts):
        raise Unreadable(f"from which {depth} on the steps are meant is not said")
    symbols = {name: part for name, part in known.symbols.items() if name != depth}
    assumptions = {name: part for name, part in known.assumptions.items() if name not in conditions}
    from_0 = says != "dimension" and texts != {f"{depth} >= 1"}
    return replace(known, symbols=symbols, assumptions=assumptions), from_0


def _written(stated: Stated) -> str:
    tree = stated.statements[0]
    plain = (
        isinstance(tree, S.Compare) and isinstance(tree.left, S.Name) and isinstance(tree.right, S.Literal)
    )
    return to_source(tree) if plain else stated.latex
