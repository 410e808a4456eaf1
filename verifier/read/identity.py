"""The identity matrix printed as I, without its size: what stands beside it tells it, or it is refused."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.tex.sums import EXTENT
from verifier.read.infer import InferenceError
from verifier.read.trees import names_in, nodes_of


def has_identity(trees: Iterable[S.Syntax]) -> bool:
    """Whether an identity matrix stands in them whose size is not printed."""
    parts = (part for tree in trees for part in nodes_of(tree))
    return any(_is_unsized_identity(part) for part in parts)


def _is_unsized_identity(tree: S.Syntax) -> bool:
    match tree:
        case S.Call(function="eye", args=(S.Call(function=size),)):
            return size == EXTENT
    return False


def refuse_identities(tree: S.Syntax, extents: Mapping[int, str], said: AbstractSet[str]) -> None:
    """I is the identity where something that is declared gives it a size; a number is none."""
    for part in nodes_of(tree):
        if not isinstance(part, S.Call) or not _is_unsized_identity(part):
            continue
        size = extents[id(part.args[0])]
        if size == "1" or not set(names_in(S.parse(size))) <= said:
            hint = "print I_n for the identity, or declare the letter"
            raise InferenceError(ExprError("latex", "I: the identity, or a number?", part.span, hint), 0)
