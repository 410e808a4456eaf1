"""Upper bounds of a nonnegative monomial by other monomials, one component at a time.

norm(A B)**2        <= norm(A)**2 norm(B)**2
norm(A' v)**2       <= norm(A)**2 norm(v)**2
(v' A w)**2         <= norm(v)**2 norm(A w)**2
tr(A B)**2          <= norm(A)**2 norm(B)**2
w**2                <= w, for a weight w in [0, 1]
abs(tr(A B))        <= (norm(A)**2 + norm(B)**2)/2
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from verifier.prove.forms.component_signs import is_nonnegative, is_square
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Monomial, Sum
from verifier.prove.networks.network_sums import arrange, collect
from verifier.prove.networks.network_tensors import Flat, Label, Occurrence
from verifier.prove.networks.skeleton import Skeleton, Word, read, reverse


def majorants(space: Workspace, monomial: Monomial) -> Iterator[Sum]:
    """Sums that are at least the monomial wherever its other components are not negative."""
    for component, power in monomial:
        others = [(c, p) for c, p in monomial if c != component]
        if not all(p % 2 == 0 or is_square(space, c) for c, p in others):
            continue
        rest = Sum(space.frame, {frozenset(others): space.ring(1)})
        alone = _one(space, component)
        if is_square(space, component):
            for bound in _of_square(space, component):
                yield rest * alone ** (power - 1) * bound
        if power % 2 == 0 or (power > 2 and is_square(space, component)):
            for bound in _of_squared(space, component):
                yield rest * alone ** (power - 2) * bound


def absolute(space: Workspace, monomial: Monomial) -> Iterator[Sum]:
    """Sums that are at least the absolute value of a monomial of either sign: abs(f g) <= (f**2 + g**2)/2"""
    odd = [(c, p) for c, p in monomial if p % 2 and not is_square(space, c)]
    even = [(c, p) for c, p in monomial if (c, p) not in odd]
    rest = Sum(space.frame, {frozenset(even): space.ring(1)})
    for component, power in odd:
        rest = rest * _one(space, component) ** (power - 1)
    half = Fraction(1, 2)
    if len(odd) == 2:
        yield rest * (_one(space, odd[0][0]) ** 2 + _one(space, odd[1][0]) ** 2) * half
    if len(odd) == 1:
        for first, second in _split(space, odd[0][0]):
            yield rest * (first + second) * half


def _of_square(space: Workspace, component: Flat) -> Iterator[Sum]:
    yield from _lighter(space, component)
    if not component[0][1] or component[0][0].startswith("delta:"):
        return
    shape = read(space.frame, component)
    if isinstance(shape, Skeleton):
        yield from _of_path(space, shape)
        return
    half = len(shape) // 2
    for turn in range(len(shape)):
        word = shape[turn:] + shape[:turn]
        if len(shape) % 2 == 0 and word[half:] == reverse(space.frame, word[:half]):
            for cut in range(1, half):
                yield norm(space, word[:cut]) * norm(space, word[cut:half])


def _of_path(space: Workspace, shape: Skeleton) -> Iterator[Sum]:
    """norm(W' v)**2 for a word W and a vector v"""
    if shape.hyper or len(shape.vertices) != 2 or len(shape.edges) != 1:
        return
    (first, left, loops), (second, right, more) = shape.vertices
    word = shape.edges[0][2]
    half = len(word) // 2
    if first or second or loops or more or left != right or len(left) > 1 or len(word) % 2:
        return
    if word[half:] != reverse(space.frame, word[:half]):
        return
    for cut in range(1, half + 1):
        end = _path(space, left, word[:cut])
        yield end * (norm(space, word[cut:half]) if cut < half else space.scalar(1))
        if cut == half:
            yield _vector(space, left, word[0]) * norm(space, word[:half])


def _of_squared(space: Workspace, component: Flat) -> Iterator[Sum]:
    """(v' A w)**2 and tr(A B)**2, by Cauchy and Schwarz"""
    for first, second in _split(space, component):
        yield first * second


def _split(space: Workspace, component: Flat) -> Iterator[tuple[Sum, Sum]]:
    """Ways to write a component as inner(F, G), as norm(F)**2 and norm(G)**2."""
    if not component[0][1] or component[0][0].startswith("delta:"):
        return
    shape = read(space.frame, component)
    if not isinstance(shape, Skeleton):
        for turn in range(len(shape)):
            word = shape[turn:] + shape[:turn]
            for cut in range(1, len(word)):
                yield norm(space, word[:cut]), norm(space, word[cut:])
            yield norm(space, word), _vector(space, (), word[0])  # inner(W, 1)
        return
    if shape.hyper or any(loops or label for label, _, loops in shape.vertices):
        return
    if len(shape.vertices) == 1 and not shape.edges and len(shape.vertices[0][1]) == 2:
        a, b = shape.vertices[0][1]
        yield _two(space, a), _two(space, b)
    if len(shape.vertices) == 1 and not shape.edges and len(shape.vertices[0][1]) == 1:
        (a,) = shape.vertices[0][1]
        yield _two(space, a), space.scalar(space.frame.sizes[space.frame.spaces(a)[0]])
    if len(shape.vertices) == 2 and len(shape.edges) == 1:
        (_, left, _), (_, right, _) = shape.vertices
        word = shape.edges[0][2]
        if len(left) < 2 and len(right) < 2:
            back = reverse(space.frame, word)
            yield _vector(space, left, word[0]), _path(space, right, back)
            yield _vector(space, right, back[0]), _path(space, left, word)
            for cut in range(1, len(word)):
                yield _path(space, left, word[:cut]), _path(space, right, reverse(space.frame, word[cut:]))


def _one(space: Workspace, component: Flat) -> Sum:
    return Sum(space.frame, {frozenset([(component, 1)]): space.ring(1)})


def norm(space: Workspace, word: Word) -> Sum:
    """norm(W)**2 = tr(W W')"""
    labels = list(range(len(word) + 1))
    factors = [_matrix(x, labels[i], labels[i + 1]) for i, x in enumerate(word)]
    mirrored: list[Label] = [labels[0], *range(len(word) + 1, 2 * len(word)), labels[-1]]
    factors += [_matrix(x, mirrored[i], mirrored[i + 1]) for i, x in enumerate(word)]
    return _sum(space, factors)


def _path(space: Workspace, vectors: Word, word: Word) -> Sum:
    """norm(W' v)**2, with v all ones where no vector is named"""
    factors: list[Occurrence] = []
    size = len(word) + 1
    for copy in (0, size):
        labels: list[Label] = [*range(copy, copy + len(word)), 2 * size]
        factors += [(v, (labels[0],)) for v in vectors]
        factors += [_matrix(x, labels[i], labels[i + 1]) for i, x in enumerate(word)]
    return _sum(space, factors)


def _vector(space: Workspace, vectors: Word, letter: str) -> Sum:
    """norm(v)**2; for all ones the size"""
    if vectors:
        return _two(space, vectors[0])
    backwards = letter.endswith("'")
    spaces = space.frame.spaces(letter[:-1] if backwards else letter)
    return space.scalar(space.frame.sizes[spaces[1] if backwards else spaces[0]])


def _two(space: Workspace, vector: str) -> Sum:
    return _sum(space, [(vector, (0,)), (vector, (0,))])


def _matrix(letter: str, start: Label, end: Label) -> Occurrence:
    return (letter[:-1], (end, start)) if letter.endswith("'") else (letter, (start, end))


def _sum(space: Workspace, factors: list[Occurrence]) -> Sum:
    found = arrange(space.frame, factors, (), {})
    return collect(space.frame, [found] if found is not None else [])


def _lighter(space: Workspace, component: Flat) -> Iterator[Sum]:
    """A weight in [0, 1] left out of a product of factors that are not negative."""
    seen: set[Occurrence] = set()
    for position, factor in enumerate(component):
        if factor in seen or not _is_weight(space, factor[0]):
            continue
        seen.add(factor)
        rest = component[:position] + component[position + 1 :]
        alive: dict[Label, str] = dict(zip(factor[1], space.frame.spaces(factor[0]), strict=True))
        if not _pointwise(space, rest):
            continue
        found = arrange(space.frame, list(rest), (), alive)
        if found is not None:
            yield collect(space.frame, [found])


def _pointwise(space: Workspace, factors: Flat) -> bool:
    """Whether the product is not negative at every single value of the indices."""
    return all(times % 2 == 0 or is_nonnegative(space, name) for (name, _), times in Counter(factors).items())


def _is_weight(space: Workspace, name: str) -> bool:
    """Entries that are not negative and sum to one along an axis are at most one."""
    tensor = space.frame.tensors.get(name)
    opaque = space.opaque.get(name)
    signed = name in space.nonnegative_tensors or (opaque is not None and opaque.function == "softmax")
    return (tensor is not None and bool(tensor.unit_sum) and signed) or (
        opaque is not None and opaque.function in ("sigmoid", "Phi")
    )
