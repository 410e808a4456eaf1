"""Sums back as trees of the language: norms, traces, products of matrices, sums over entries."""

from collections import Counter
from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.expr.dims import ONE as UNIT
from verifier.expr.dims import Dim, Shape
from verifier.expr.walk import substitute
from verifier.prove.forms.coefficients import coefficient_node, common_factor
from verifier.prove.forms.component_monomials import shared_components, without
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.small_trees import number, product, raised, scaled, size, total, turned
from verifier.prove.forms.workspace import HERE
from verifier.prove.networks import Coefficient, Monomial, Sum
from verifier.prove.networks.network_tensors import Flat, Label, derived
from verifier.prove.networks.skeleton import Skeleton, Word, read, reverse
from verifier.prove.write.label_names import Naming
from verifier.prove.write.named_functions import applied
from verifier.prove.write.pair_matrices import written_in_pairs

ONE = number(1)


@dataclass(frozen=True, eq=False)
class Writer(Naming):
    """Trees over the symbols of one workspace."""

    def form(self, form: Form) -> N.Node:
        """A scalar or a matrix."""
        if form.is_scalar:
            return self.scalar(form.value)
        if len(form.rows) > 1 or len(form.cols) > 1:
            return written_in_pairs(self.space, form, self.form, self._weight)
        terms = [self._matrix_term(form, m, c) for m, c in self._ordered(form.value)]
        if not terms:
            return N.Zeros(self.shape(form))
        return total(terms)

    def scalar(self, value: Sum) -> N.Node:
        """The sum as a tree: what all terms share in front, terms with a common coefficient gathered."""
        if not value:
            return number(0)
        shared = shared_components(value)
        content, rest = common_factor(self.space, list(value.terms.values()))
        groups: dict[str, tuple[N.Node, list[N.Node]]] = {}
        for (monomial, _), coefficient in sorted(
            zip(value.terms.items(), rest, strict=True),
            key=lambda t: (len(t[0][0]), sorted(map(repr, t[0][0]))),
        ):
            sign = -1 if coefficient.leading_coefficient() < 0 else 1
            node = coefficient_node(self.space, coefficient * sign)
            body = self._monomial(without(monomial, shared))
            signed = body if sign == 1 else N.Negate(body)
            groups.setdefault(str(coefficient * sign), (node, []))[1].append(signed)
        inside = total(scaled(node, bodies) for node, bodies in groups.values())
        return product([content, self._monomial(shared), inside])

    def _ordered(self, value: Sum) -> list[tuple[Monomial, Coefficient]]:
        return sorted(value.terms.items(), key=lambda t: (len(t[0]), sorted(map(repr, t[0]))))

    def _monomial(self, monomial: Monomial) -> N.Node:
        nodes = []
        for component, power in sorted(monomial, key=repr):
            node = self.component(component)
            if isinstance(node, N.Power) and isinstance(node.exponent, N.Number):
                nodes.append(raised(node.base, int(node.exponent.value) * power))
            else:
                nodes.append(raised(node, power))
        return product(nodes)

    # --- components ---------------------------------------------------------------------------

    def component(self, component: Flat) -> N.Node:
        """norm(A)**2, tr(A @ B), x.T @ A @ y, A[i, j], or a sum over entries."""
        name, labels = component[0]
        if name.startswith("delta:"):
            return self._delta(labels)
        if not labels:
            return self.tensor(name)
        if any(self.space.is_weight(name) for name, _ in component):
            return self._entries(component)
        if self._is_square(component):
            return N.Power(N.Norm(self._symbol(name)), number(2))
        shape = read(self.space.frame, component)
        if not isinstance(shape, Skeleton):
            return self._cycle(shape)
        found = self._path(shape)
        return found if found is not None else self._entries(component)

    def _is_square(self, component: Flat) -> bool:
        """Whether it is the sum of all squared entries of a matrix whose sides are pairs of indices."""
        name, labels = component[0]
        summed = all(isinstance(x, int) for x in labels) and len(set(labels)) == len(labels)
        return summed and component == ((name, labels),) * 2 and self._is_split(name)

    def _is_split(self, name: str) -> bool:
        return any(key[0] == name for key in self.space.split)

    def _delta(self, labels: tuple[Label, ...]) -> N.Node:
        dim = self.label_dim(labels[0])
        entries = [N.Entry(N.Eye(dim), self.index(labels[0]), self.index(x)) for x in labels[1:]]
        return product(entries)

    def _cycle(self, word: Word) -> N.Node:
        """tr(A B B' A') = norm(A B)**2"""
        for turn in range(len(word)):
            rotated = word[turn:] + word[:turn]
            half = rotated[: len(word) // 2]
            if len(word) % 2 == 0 and rotated[len(word) // 2 :] == reverse(self.space.frame, half):
                return N.Power(N.Norm(self._product(half)), number(2))
        return N.Trace(self._product(word))

    def _path(self, shape: Skeleton) -> N.Node | None:
        """A product of matrices between two ends."""
        if shape.hyper:
            return None
        if len(shape.vertices) == 1 and not shape.edges:
            return self._single(shape)
        if len(shape.vertices) != 2 or len(shape.edges) != 1 or any(loops for _, _, loops in shape.vertices):
            return None
        (first, left, _), (second, right, _) = shape.vertices
        word = shape.edges[0][2]
        if (first and left) or (second and right) or len(left) > 1 or len(right) > 1:
            return None
        if first and second:
            return N.Entry(self._product(word), self.index(first), self.index(second))
        half = word[: len(word) // 2]
        mirrored = len(word) % 2 == 0 and word[len(word) // 2 :] == reverse(self.space.frame, half)
        if not first and not second and left == right and mirrored:
            inner = self._times(self._product(reverse(self.space.frame, half)), left)
            return N.Power(N.Norm(inner), number(2))
        if first:
            return N.Entry(self._times(self._product(word), right), self.index(first), ONE)
        if second:
            turned = self._product(reverse(self.space.frame, word))
            return N.Entry(self._times(turned, left), self.index(second), ONE)
        after = self._times(self._product(word), right)
        return N.MatMul(N.Transpose(self._end(left, after.shape.rows)), after)

    def _single(self, shape: Skeleton) -> N.Node | None:
        """x.T @ y, norm(x)**2, ones(n).T @ x, x[i], diag"""
        ((label, vectors, loops),) = shape.vertices
        if loops and (len(loops) > 1 or vectors):
            return None
        if loops:
            inside = self._product(loops[0])
            if label:
                return N.Entry(inside, self.index(label), self.index(label))
            return N.Trace(inside)
        if label:
            counts = Counter(vectors)
            return product(
                raised(N.Entry(self.tensor(v), self.index(label), ONE), k) for v, k in sorted(counts.items())
            )
        if len(vectors) == 1:
            vector = self.tensor(vectors[0])
            return N.MatMul(N.Transpose(N.Ones(Shape(vector.shape.rows, UNIT))), vector)
        if len(vectors) == 2 and vectors[0] == vectors[1]:
            return N.Power(N.Norm(self.tensor(vectors[0])), number(2))
        if len(vectors) == 2:
            return N.MatMul(N.Transpose(self.tensor(vectors[0])), self.tensor(vectors[1]))
        return None

    def _times(self, matrix: N.Node, vectors: Word) -> N.Node:
        return N.MatMul(matrix, self._end(vectors, matrix.shape.cols))

    def _end(self, vectors: Word, size: Dim) -> N.Node:
        return self.tensor(vectors[0]) if vectors else N.Ones(Shape(size, UNIT))

    def _product(self, word: Word) -> N.Node:
        nodes = [
            N.Transpose(self.tensor(letter[:-1])) if letter.endswith("'") else self.tensor(letter)
            for letter in word
        ]
        result = nodes[0]
        for node in nodes[1:]:
            result = N.MatMul(result, node)
        return result

    def _entries(self, component: Flat) -> N.Node:
        """sum(X[a, b]*X[a, c], a, 1, n, ...)"""
        spaces: dict[Label, str] = {}
        counts: Counter[N.Node] = Counter()
        for name, labels in component:
            spaces.update(zip(labels, self.space.frame.spaces(name), strict=True))
            counts[self._entry(name, labels)] += 1
        body = product(raised(node, power) for node, power in counts.items())
        ranges = tuple(
            N.Range(self.bound(x), ONE, size(self.space.space_dims[s]))
            for x, s in spaces.items()
            if isinstance(x, int)
        )
        return N.Sum(body, ranges) if ranges else body

    def _entry(self, name: str, labels: tuple[Label, ...]) -> N.Node:
        declared = self.space.claim.symbols.get(name)
        indices = [self.index(x) for x in labels]
        if self.space.is_weight(name):
            return self._weight_at(name, indices)
        if declared is not None and declared.copies is not None:
            whole: N.Node = N.Member(name, declared.shape, indices.pop(0))
        else:
            whole = self.tensor(name)
        if not indices:
            return whole
        row = ONE if whole.shape.rows == UNIT else indices.pop(0)
        col = ONE if whole.shape.cols == UNIT else indices.pop(0)
        if indices:
            raise Refusal("a matrix whose rows are pairs, as text")
        return N.Entry(whole, row, col)

    def _weight_at(self, name: str, places: list[N.Node]) -> N.Node:
        """What is known of an entry: the index itself, 2**i, sqrt(i)."""
        if name in self.space.weights:
            return substitute(self.space.weights[name], {HERE: places[0]})
        opaque = self.space.opaque[name]
        slots = {f"_a{k}": place for k, place in enumerate(places)}
        if opaque.row_axes or any(isinstance(x, int) for x in _labels(opaque.argument)):
            raise Refusal(f"{opaque.function} as text")
        inside = self.scalar(opaque.argument)
        return applied(opaque, substitute(inside, {N.Symbol(slot): place for slot, place in slots.items()}))

    # --- leaves -------------------------------------------------------------------------------

    def tensor(self, name: str) -> N.Node:
        """The tree that a tensor stands for; a vector is a column."""
        opaque = self.space.opaque.get(name)
        if opaque is not None:
            return self._function(name)
        if self._is_split(name):
            raise Refusal(f"{name} with pairs of indices, as text")
        return self._symbol(name)

    def _symbol(self, name: str) -> N.Node:
        declared = self.space.claim.symbols.get(name)
        if declared is None or derived(name)[0] in ("leg", "scalar", "block"):
            raise Refusal(f"{name} as text")
        symbol = N.Symbol(name, Shape(self.dim(declared.shape.rows), self.dim(declared.shape.cols)))
        is_row = declared.shape.rows == UNIT and declared.shape.cols != UNIT
        return N.Transpose(symbol) if is_row else symbol

    def _function(self, name: str) -> N.Node:
        opaque = self.space.opaque[name]
        if len(opaque.spaces) > 2 or opaque.row_axes > 1:
            raise Refusal(f"{opaque.function} as text")
        labels = ["_r0", "_c0"][: len(opaque.spaces)]
        body = (
            opaque.argument.rename({f"_a{k}": x for k, x in enumerate(labels)}) if labels else opaque.argument
        )
        inside = self.form(Form(body, opaque.spaces[:1], opaque.spaces[1:]))
        return applied(opaque, inside)

    def _matrix_term(self, form: Form, monomial: Monomial, coefficient: Coefficient) -> N.Node:
        """scalar * matrix, the matrix being a product between the row and the column."""
        parts: dict[tuple[bool, bool], list[tuple[Flat, int]]] = {
            (a, b): [] for a in (False, True) for b in (False, True)
        }
        for component, power in sorted(monomial, key=repr):
            labels = {x for _, xs in component for x in xs}
            parts["_r0" in labels, "_c0" in labels].append((component, power))
        shape, both = self.shape(form), parts[True, True]
        left = self._column(parts[True, False], "_r0")
        right = self._column(parts[False, True], "_c0")
        scalars = self._monomial(frozenset(parts[False, False]))
        weight = product([coefficient_node(self.space, coefficient), scalars])
        if len(both) == 1 and _is_delta(both[0][0]) and (vector := left or right) is not None:
            return product([weight, N.DiagMatrix(vector)])
        if both and (left or right):
            raise Refusal("an entrywise product of matrices, as text")
        if both:
            return product([weight, *(raised(self._between(part), power) for part, power in both)])
        ends: list[N.Node] = []
        if form.rows:
            ends.append(left or N.Ones(Shape(shape.rows, UNIT)))
        if form.cols:
            across = right or N.Ones(Shape(shape.cols, UNIT))
            ends.append(turned(across))
        matrix = ends[0] if len(ends) == 1 else N.MatMul(ends[0], ends[1])
        return product([weight, matrix])

    def _weight(self, coefficient: Coefficient, scalars: Monomial) -> N.Node:
        return product([coefficient_node(self.space, coefficient), self._monomial(scalars)])

    def _between(self, component: Flat) -> N.Node:
        name, labels = component[0]
        if name.startswith("delta:"):
            if set(labels) != {"_r0", "_c0"}:
                raise Refusal("an identity over three indices, as text")
            return N.Eye(self.space.space_dims[name[6:]])
        shape = read(self.space.frame, component)
        simple = isinstance(shape, Skeleton) and len(shape.vertices) == 2 and len(shape.edges) == 1
        if (
            not isinstance(shape, Skeleton)
            or not simple
            or shape.hyper
            or any(v or x for _, v, x in shape.vertices)
        ):
            raise Refusal("an entrywise product of matrices, as text")
        node = self._product(shape.edges[0][2])
        return node if shape.vertices[0][0] == "_r0" else turned(node)

    def _column(self, parts: list[tuple[Flat, int]], label: str) -> N.Node | None:
        nodes = []
        for component, power in parts:
            node = self.component(component)
            match node:
                case N.Entry(vector, N.Symbol(name), _) if name == label and vector.shape.cols == UNIT:
                    nodes.append(raised(vector, power))
                case _:
                    raise Refusal("an entrywise product of vectors, as text")
        return product(nodes) if nodes else None


def _labels(value: Sum) -> set[Label]:
    return {
        x for monomial in value.terms for component, _ in monomial for _, labels in component for x in labels
    }


def _is_delta(component: Flat) -> bool:
    return len(component) == 1 and component[0][0].startswith("delta:") and len(component[0][1]) == 2
