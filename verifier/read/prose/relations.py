r"""Relations inside sentences, chains taken apart: `0 < p < 1` is two."""

from collections.abc import Sequence
from dataclasses import dataclass

from verifier.expr.tex.stream import shown
from verifier.expr.tex.tokens import Token
from verifier.read.prose.brackets import CLOSING, OPENING
from verifier.read.prose.values import Unsayable

OPERATORS = {
    "=": "==", r"\le": "<=", r"\ge": ">=", "<": "<", ">": ">", r"\ne": "!=", r"\coloneqq": ":=",
    r"\triangleq": ":=", r"\eqdef": ":=", r"\succeq": "psd", r"\succ": "pd",
    r"\preceq": "psd of", r"\prec": "pd of",
}  # fmt: skip
_FOREIGN = frozenset(
    f"\\{name}"
    for name in [
        "approx",
        "simeq",
        "cong",
        "equiv",
        "propto",
        "lesssim",
        "gtrsim",
        "ll",
        "gg",
        "asymp",
        "mapsto",
        "implies",
        "iff",
        "mid",
        "subset",
        "subseteq",
        "supset",
        "notin",
        "nleq",
        "ngeq",
        "leftrightarrow",
        "Rightarrow",
        "Leftrightarrow",
        "lor",
        "land",
        "neg",
    ]
)


@dataclass(frozen=True)
class Relation:
    """left op right, as printed; `:=` defines."""

    left: tuple[Token, ...]
    op: str
    right: tuple[Token, ...]

    @property
    def latex(self) -> str:
        printed = {op: sign for sign, op in reversed(OPERATORS.items())}
        return f"{shown(list(self.left))} {printed[self.op]} {shown(list(self.right))}"


def split_relations(tokens: Sequence[Token]) -> tuple[list[list[Token]], list[str]]:
    """The sides and the relations between them that stand in no bracket."""
    sides: list[list[Token]] = [[]]
    ops: list[str] = []
    depth = 0
    at = 0
    while at < len(tokens):
        token = tokens[at]
        depth += (token.text in OPENING) - (token.text in CLOSING)
        follows = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if depth == 0 and token.text in _FOREIGN:
            raise Unsayable(f"{token.text} is not a relation of the claim language")
        if depth == 0 and token.text == ":" and follows == "=":
            ops.append(":=")
            sides.append([])
            at += 2
        elif depth == 0 and token.text in OPERATORS:
            ops.append(OPERATORS[token.text])
            sides.append([])
            at += 1
        else:
            sides[-1].append(token)
            at += 1
    return sides, ops


def relations(tokens: Sequence[Token]) -> tuple[Relation, ...]:
    """All relations of a chain; none where there is no relation, or a side is missing."""
    sides, ops = split_relations(tokens)
    if not ops or not all(sides):
        return ()
    return tuple(
        Relation(tuple(left), op, tuple(right))
        for left, op, right in zip(sides[:-1], ops, sides[1:], strict=True)
    )
