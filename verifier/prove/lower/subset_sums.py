"""Sums over pairings and over subsets, where one of the sizes is a number.

haf(C) over 1..n          = sum over j of C[1, j] haf(C without 1 and j)
e_p(x_1, ..., x_n)        = (1/p) sum over k = 1..p of (-1)**(k-1) e_{p-k} sum_i x_i**k     (Newton)

Newton's identities leave n a symbol; where n is a number and p is large, the subsets are gone through.
"""

from collections.abc import Sequence
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.walk import substitute
from verifier.prove.forms import matrix_forms as F
from verifier.prove.forms.labels import col, renamed, row
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.refusal import Refusal
from verifier.prove.lower.entry_sums import Indexing
from verifier.prove.lower.lowering import rational
from verifier.prove.networks import Sum

MAX_PAIRED = 8
MAX_ORDER = 8


class Combinations(Indexing):
    """hafnian(C) of a matrix of concrete size, esum(...) over sets of concrete size."""

    def hafnian(self, node: N.Hafnian) -> Form:
        size = node.arg.shape.rows.replace(self.space.dims).constant
        if size is None or size > MAX_PAIRED:
            raise Refusal(f"a closed form of the sum over all pairings of {node.arg.shape.rows} indices")
        if size % 2:
            return F.scalar(self.space.scalar(0))
        form = self.value(node.arg)
        if len(form.rows) > 1 or len(form.cols) > 1:
            raise Refusal("a sum over the pairings of pairs of indices")
        entries = {
            (i, j): renamed(form.value, {row(0): str(i), col(0): str(j)})
            for i in range(1, size + 1)
            for j in range(i + 1, size + 1)
        }
        return F.scalar(self._paired(tuple(range(1, size + 1)), entries, {(): self.space.scalar(1)}))

    def _paired(
        self,
        rest: tuple[int, ...],
        entries: dict[tuple[int, int], Sum],
        known: dict[tuple[int, ...], Sum],
    ) -> Sum:
        if rest not in known:
            self.clock.check()
            first, others = rest[0], rest[1:]
            total = self.space.scalar(0)
            for at, other in enumerate(others):
                left = self._paired(others[:at] + others[at + 1 :], entries, known)
                total = total + entries[first, other] * left
            known[rest] = total
        return known[rest]

    def subset_sum(self, node: N.SubsetSum) -> Form:
        order = rational(self.value(node.order).value)
        if order is None or order.denominator != 1 or not 0 <= order <= MAX_ORDER:
            raise Refusal("a closed form of the sum over all sets of a symbolic number of indices")
        span = node.range
        values = self.few_values(span)
        if values is not None and len(values) <= order:
            terms = [
                self.value(substitute(node.body, {N.Index(span.index): N.Number(Fraction(value))})).value
                for value in values
            ]
            return F.scalar(self._elementary(terms, int(order)))
        return F.scalar(self._newton(node.body, span, int(order)))

    def _elementary(self, values: Sequence[Sum], order: int) -> Sum:
        """e_p(x_1, ..., x_n) = e_p(x_1, ..., x_{n-1}) + x_n e_{p-1}(x_1, ..., x_{n-1})"""
        sums = [self.space.scalar(1), *(self.space.scalar(0) for _ in range(order))]
        for value in values:
            for size in range(order, 0, -1):
                sums[size] = sums[size] + value * sums[size - 1]
        return sums[order]

    def _newton(self, body: N.Node, span: N.Range, order: int) -> Sum:
        power_sums = [
            self.value(N.Sum(N.Power(body, N.Number(Fraction(k))), (span,))).value
            for k in range(1, order + 1)
        ]
        found = [self.space.scalar(1)]
        for size in range(1, order + 1):
            self.clock.check()
            total = self.space.scalar(0)
            for k in range(1, size + 1):
                total = total + found[size - k] * power_sums[k - 1] * Fraction((-1) ** (k - 1))
            found.append(total * Fraction(1, size))
        return found[order]
