"""A matrix expression as a sum of networks with open indices.

The rows of a form are a tuple of indices, and so are its columns: the rows of kron(A, B) are pairs.
A side of size 1 has no index. Row axis k is open at the label row(k), column axis k at col(k), so that
two forms meet entry by entry by just multiplying their sums.
"""

from dataclasses import dataclass

from verifier.expr.dims import Dim
from verifier.prove.forms.labels import col, open_labels, renamed, row, summed
from verifier.prove.forms.refusal import OutOfTime, Refusal
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Index, Network, Sum
from verifier.prove.networks.network_sums import arrange, collect, flatten

Spaces = tuple[str, ...]
_MOST_PAIRS = 20_000


@dataclass(frozen=True, eq=False)
class Form:
    """value[rows, cols], each side a tuple of indices."""

    value: Sum
    rows: Spaces = ()
    cols: Spaces = ()

    @property
    def is_scalar(self) -> bool:
        return not self.rows and not self.cols

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(map(row, range(len(self.rows)))) + tuple(map(col, range(len(self.cols))))

    @property
    def spaces(self) -> Spaces:
        return self.rows + self.cols


def scalar(value: Sum) -> Form:
    return Form(value)


def times(left: Sum, right: Sum) -> Sum:
    """The product, unless it would be too large to be of use."""
    if len(left.terms) * len(right.terms) > _MOST_PAIRS:
        raise OutOfTime
    return left * right


def _shift(side: str, count: int, by: int) -> dict[str, str]:
    make = row if side == "row" else col
    return {make(k): make(k + by) for k in range(count)}


def transpose(form: Form) -> Form:
    """B[j, i] = A[i, j]"""
    swap = {row(k): col(k) for k in range(len(form.rows))}
    swap |= {col(k): row(k) for k in range(len(form.cols))}
    return Form(renamed(form.value, swap), form.cols, form.rows)


def total(form: Form) -> Sum:
    """The sum of all entries."""
    return summed(form.value, form.labels, form.spaces)


def inner(left: Form, right: Form) -> Sum:
    """sum_ij A[i, j] B[i, j]"""
    return summed(times(left.value, right.value), left.labels, left.spaces)


def matmul(left: Form, right: Form) -> Form:
    """sum_k A[i, k] B[k, j]"""
    middle = [f"_m{k}" for k in range(len(left.cols))]
    first = renamed(left.value, {col(k): m for k, m in enumerate(middle)})
    second = renamed(right.value, {row(k): m for k, m in enumerate(middle)})
    return Form(summed(times(first, second), middle, left.cols), left.rows, right.cols)


def trace(form: Form) -> Sum:
    """sum_i A[i, i]"""
    joined = renamed(form.value, {col(k): row(k) for k in range(len(form.cols))})
    return summed(joined, [row(k) for k in range(len(form.rows))], form.rows)


def kron(left: Form, right: Form) -> Form:
    """kron(A, B)[(i, k), (j, l)] = A[i, j] B[k, l]"""
    shift = _shift("row", len(right.rows), len(left.rows)) | _shift("col", len(right.cols), len(left.cols))
    value = times(left.value, renamed(right.value, shift))
    return Form(value, left.rows + right.rows, left.cols + right.cols)


def vec(form: Form) -> Form:
    """vec_r(A)[(i, j)] = A[i, j]"""
    down = {col(k): row(len(form.rows) + k) for k in range(len(form.cols))}
    return Form(renamed(form.value, down), form.rows + form.cols)


def delta(space: Workspace, pairs: list[tuple[str, str, str]]) -> Sum:
    """The product of identities delta(a, b) over (a, b, space)."""
    equal = tuple((Index(a, s, open=True), Index(b, s, open=True)) for a, b, s in pairs)
    return Sum.of(space.frame, Network(equal=equal))


def diag_matrix(space: Workspace, form: Form) -> Form:
    """diag(v)[i, j] = v[i] delta(i, j)"""
    joints = [(row(k), col(k), s) for k, s in enumerate(form.rows)]
    return Form(form.value * delta(space, joints), form.rows, form.rows)


def diag_part(form: Form) -> Form:
    """diag(A)[i] = A[i, i]"""
    return Form(renamed(form.value, {col(k): row(k) for k in range(len(form.cols))}), form.rows)


def nested(form: Form, label: str, space: Workspace, size: str) -> Form:
    """blockdiag: the index `label` becomes the first of rows and columns, joined by an identity."""
    shift = _shift("row", len(form.rows), 1) | _shift("col", len(form.cols), 1)
    value = renamed(form.value, shift | {label: row(0)})
    joint = delta(space, [(row(0), col(0), size)])
    return Form(value * joint, (size, *form.rows), (size, *form.cols))


# --- sides written as different tuples -----------------------------------------------------------


class NeedsSplit(Exception):
    """A declared matrix must be read with a pair of indices: (tensor, axis, dimensions)."""

    def __init__(self, tensor: str, axis: int, dims: tuple[Dim, Dim]) -> None:
        super().__init__(tensor)
        self.tensor, self.axis, self.dims = tensor, axis, dims


def align(space: Workspace, left: Form, left_side: str, right: Form, right_side: str) -> tuple[Form, Form]:
    """Both forms with the named sides written as the same tuple: n*m meets (n, m) as (n, m)."""
    while True:
        first = left.rows if left_side == "row" else left.cols
        second = right.rows if right_side == "row" else right.cols
        if first == second:
            return left, right
        axis = next(k for k, (a, b) in enumerate(zip((*first, ""), (*second, ""), strict=False)) if a != b)
        if axis == len(first) or axis == len(second):
            raise Refusal("sides whose factors do not match")
        big, small = space.space_dims[first[axis]], space.space_dims[second[axis]]
        if (rest := _quotient(big, small)) is not None:
            left = _split(space, left, left_side, axis, (small, rest))
        elif (rest := _quotient(small, big)) is not None:
            right = _split(space, right, right_side, axis, (big, rest))
        else:
            raise Refusal(f"a side of size {big} against one of size {small}")


def _quotient(big: Dim, small: Dim) -> Dim | None:
    """big / small for two products of symbols, if it is one too."""
    if len(big.terms) != 1 or len(small.terms) != 1:
        return None
    (top, a), (bottom, b) = big.terms[0], small.terms[0]
    powers = dict(top)
    for name, power in bottom:
        powers[name] = powers.get(name, 0) - power
    if a % b or any(power < 0 for power in powers.values()):
        return None
    return Dim(((tuple(sorted((n, p) for n, p in powers.items() if p)), a // b),))


def _split(space: Workspace, form: Form, side: str, axis: int, dims: tuple[Dim, Dim]) -> Form:
    """One axis written as two, together with every axis that an identity joins to it."""
    make = row if side == "row" else col
    linked = _linked(form, make(axis))
    names = (space.space(dims[0]), space.space(dims[1]))
    pairs = {label: (f"{label}_s0", f"{label}_s1") for label in linked}
    terms = []
    for monomial, coefficient in form.value.terms.items():
        factors = []
        for name, labels in flatten(monomial):
            hit = [k for k, x in enumerate(labels) if x in linked]
            if not hit:
                factors.append((name, labels))
            elif name.startswith("delta:"):
                for half in (0, 1):
                    factors.append((f"delta:{names[half]}", tuple(pairs[str(x)][half] for x in labels)))
            else:
                raise NeedsSplit(name, hit[0], dims)
        found = arrange(space.frame, factors, (), {})
        assert found is not None
        terms.append((found[0], found[1] * coefficient))
    return _renumbered(form, collect(space.frame, terms), pairs, names)


def _linked(form: Form, label: str) -> set[str]:
    found = {label}
    for monomial in form.value.terms:
        for flat, _ in monomial:
            if flat[0][0].startswith("delta:") and found & set(map(str, flat[0][1])):
                found |= {x for x in flat[0][1] if isinstance(x, str)}
    return found


def _renumbered(form: Form, value: Sum, pairs: dict[str, tuple[str, str]], names: Spaces) -> Form:
    """The axes counted anew, two for each that was split."""
    move: dict[str, str] = {}
    sides: list[Spaces] = []
    for make, spaces in ((row, form.rows), (col, form.cols)):
        made: list[str] = []
        for k, old in enumerate(spaces):
            for label, name in zip(
                pairs.get(make(k), (make(k),)), names if make(k) in pairs else (old,), strict=True
            ):
                move[label] = make(len(made))
                made.append(name)
        sides.append(tuple(made))
    if unknown := set(pairs) - {
        make(k) for make, s in ((row, form.rows), (col, form.cols)) for k in range(len(s))
    }:
        raise Refusal(f"an index {sorted(unknown)[0]} over pairs")
    return Form(renamed(value, {a: b for a, b in move.items() if a in open_labels(value)}), *sides)
