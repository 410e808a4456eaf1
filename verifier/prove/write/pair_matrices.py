"""Matrices whose sides are pairs of indices as trees: Kronecker products, stacked rows, commutations.

M[(a, b), (c, d)] = P[a, c] Q[b, d]     kron(P, Q)
                    P[a, d] Q[b, c]     kron(P, Q) @ commutation(., .)
                    P[a, b] Q[c, d]     vec_r(P) @ vec_r(Q).T
                    P[a, b] [a = c, b = d]     diag(vec_r(P))

A side of one index is a pair whose other index has one value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.small_trees import product, total
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Coefficient, Monomial, Sum

ROW, COL = ("_r0", "_r1"), ("_c0", "_c1")
Weight = Callable[[Coefficient, Monomial], N.Node]
Write = Callable[[Form], N.Node]


def written_in_pairs(space: Workspace, form: Form, write: Write, weight: Weight) -> N.Node:
    """The form as a sum of such products; `write` writes plain matrices, `weight` scalars."""
    if len(form.rows) > 2 or len(form.cols) > 2:
        raise Refusal("a matrix whose rows are triples, as text")
    terms = sorted(form.value.terms.items(), key=lambda t: (len(t[0]), sorted(map(repr, t[0]))))
    if not terms:
        raise Refusal("a matrix of zeros whose rows are pairs, as text")
    return total(_Term(space, form, m, c, write, weight).node() for m, c in terms)


@dataclass(frozen=True, eq=False)
class _Term:
    space: Workspace
    form: Form
    monomial: Monomial
    coefficient: Coefficient
    write: Write
    weight: Weight

    def node(self) -> N.Node:
        joined = list(self._joined())
        scalars = frozenset(item for item in self.monomial if not self._outer(item))
        front = self.weight(self.coefficient, scalars)
        for ways in (self._kron, self._stacked, self._commuted, self._diagonal):
            found = ways(joined)
            if found is not None:
                return product([front, found])
        raise Refusal("a matrix whose rows are pairs, as text")

    def _outer(self, item: tuple[tuple[tuple[str, tuple[object, ...]], ...], int]) -> frozenset[str]:
        labels = {x for _, xs in item[0] for x in xs if isinstance(x, str)}
        return frozenset(labels & {*ROW, *COL})

    def _joined(self) -> Iterator[frozenset[str]]:
        """The sides' indices that one component joins."""
        return (outer for item in self.monomial if (outer := self._outer(item)))

    def _kron(self, joined: list[frozenset[str]]) -> N.Node | None:
        if any(not (x <= {"_r0", "_c0"} or x <= {"_r1", "_c1"}) for x in joined):
            return None
        first, second = self._matrix("_r0", "_c0"), self._matrix("_r1", "_c1")
        both = isinstance(first, N.Eye) and isinstance(second, N.Eye)
        return N.Eye(first.shape.rows * second.shape.rows) if both else N.Kron(first, second)

    def _stacked(self, joined: list[frozenset[str]]) -> N.Node | None:
        if any(not (x <= set(ROW) or x <= set(COL)) for x in joined):
            return None
        left, right = N.VecR(self._matrix(*ROW)), N.Transpose(N.VecR(self._matrix(*COL)))
        if not self.form.rows:
            return right
        return left if not self.form.cols else N.MatMul(left, right)

    def _commuted(self, joined: list[frozenset[str]]) -> N.Node | None:
        if len(self.form.rows) != 2 or len(self.form.cols) != 2:
            return None
        if any(not (x <= {"_r0", "_c1"} or x <= {"_r1", "_c0"}) for x in joined):
            return None
        first, second = self._matrix("_r0", "_c1"), self._matrix("_r1", "_c0")
        swap = N.Commutation(first.shape.cols, second.shape.cols)
        if isinstance(first, N.Eye) and isinstance(second, N.Eye):
            return swap
        return N.MatMul(N.Kron(first, second), swap)

    def _diagonal(self, joined: list[frozenset[str]]) -> N.Node | None:
        """Both indices of the row are those of the column."""
        equal = [frozenset(pair) for pair in zip(ROW, COL, strict=True)]
        rest = [x for x in joined if x not in equal]
        for side in (ROW, COL):
            if len(joined) - len(rest) == 2 and rest and all(x <= set(side) for x in rest):
                return N.DiagMatrix(N.VecR(self._matrix(*side, without=equal)))
        return None

    def _matrix(self, row: str, col: str, without: Sequence[frozenset[str]] = ()) -> N.Node:
        """The components that hold the two indices, as a matrix between them."""
        labels = (*ROW[: len(self.form.rows)], *COL[: len(self.form.cols)])
        spaces = dict(zip(labels, self.form.spaces, strict=True))
        kept = frozenset(
            item
            for item in self.monomial
            if self._outer(item) & {row, col} and self._outer(item) not in without
        )
        names = {row: "_r0", col: "_c0"}
        value = Sum(self.form.value.frame, {kept: self.space.ring(1)}).rename(names)
        rows, cols = ((spaces[x],) if x in spaces else () for x in (row, col))
        return self.write(Form(value, rows, cols))
