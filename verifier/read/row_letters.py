r"""Letters for the rows of a matrix: `where $x_i^\top$ is the $i$-th row of $X$`.

x_i is then the column X[i].T. Where it is not said whether a row is written as a column, that matters for all
but its norm and its inner products, and the rest is refused."""

from collections.abc import Mapping
from dataclasses import replace

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.tex.plain import rebuilt
from verifier.expr.tex.untyped import PLAIN_NORM
from verifier.read.stated import Stated
from verifier.read.trees import names_in

Rows = Mapping[str, tuple[str, bool]]  # x: the matrix X, and whether x_i is a column
_EITHER_WAY = ("norm", "inner", PLAIN_NORM)


def with_rows(stated: Stated, rows: Rows) -> Stated:
    """The formula with rows of matrices for their letters; raises ExprError where that cannot be done."""
    if not rows:
        return stated
    scripts = stated.scripts
    met: set[str] = set()

    def changed(tree: S.Syntax, plain: bool = False) -> S.Syntax:
        found = _picked(tree, scripts, rows)
        if found is not None:
            of, is_column = rows[found[0]]
            met.add(found[0])
            if not (is_column or plain):
                hint = r"print x_i^\top for the row, or say `as a column vector`"
                raise ExprError("latex", f"{found[0]}_i is a row or a column?", tree.span, hint)
            row = S.Subscript(tree.span, S.Name(tree.span, of), (found[1],))
            return S.Transposed(tree.span, row)
        inside = isinstance(tree, S.Call) and tree.function in _EITHER_WAY
        return rebuilt(tree, lambda part: changed(part, inside))

    def whole(tree: S.Syntax) -> S.Syntax:
        made = changed(tree)
        lost = next((name for name in names_in(made) if name in rows), None)
        if lost is not None:
            raise ExprError("latex", f"{lost} without the number of a row", tree.span)
        return made

    statements, conditions = tuple(map(whole, stated.statements)), tuple(map(whole, stated.conditions))
    return replace(
        stated,
        statements=statements,
        conditions=conditions,
        rows=frozenset(met),
        scripts={name: parts for name, parts in scripts.items() if parts[0] not in rows},
    )


def _picked(
    tree: S.Syntax, scripts: Mapping[str, tuple[str, str]], rows: Rows
) -> tuple[str, S.Syntax] | None:
    """The letter and the number of a row, printed as a name or as an entry."""
    match tree:
        case S.Subscript(_, S.Name(_, name), (index,)) if name in rows:
            return name, index
        case S.Name(span, name) if name in scripts and scripts[name][0] in rows:
            base, script = scripts[name]
            return base, S.Literal(span, script) if script.isdigit() else S.Name(span, script)
    return None
