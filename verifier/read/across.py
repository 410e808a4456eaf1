"""Shapes across a whole paper: a letter that one theorem leaves open is what the others make of it.

Only shapes are shared, never laws or conditions, and only of letters that the whole paper uses in one way: a
letter that is declared with two shapes is shared by nobody.
"""

from collections.abc import Iterable, Mapping

from verifier.expr import syntax as S
from verifier.read.infer import UNSAID, InferenceError, infer, shapes_among

WHY = "as elsewhere in the paper"
MAX_TREES = 3_000


def across(
    declared: Iterable[Mapping[str, str]], trees: Iterable[S.Syntax], defined: Iterable[str]
) -> dict[str, str]:
    """What letters are that some theorem does not declare: name to `vector(n)` or `matrix(n, m)`.

    `declared` is what each theorem declares, `trees` are all statements, and `defined` are names that stand
    for expressions somewhere."""
    found: dict[str, set[str]] = {}
    for table in declared:
        for name, shape in shapes_among(table).items():
            found.setdefault(name, set()).add(shape)
    gone = set(defined)
    agreed = {name: min(shapes) for name, shapes in found.items() if len(shapes) == 1 and name not in gone}
    known = {name: says for name, says in agreed.items() if says.startswith(("vector", "matrix"))}
    disputed = {name for name, shapes in found.items() if len(shapes) > 1} | gone
    try:
        inferred = infer(list(trees)[:MAX_TREES], known).symbols
    except InferenceError:
        return known
    for item in inferred:
        if item.says.startswith(("vector", "matrix")) and item.why != UNSAID and item.name not in disputed:
            known.setdefault(item.name, item.says)
    return known
