"""E of networks that hold activations of normal weights: one term at a time.

For each term of the sum:
1. every index gets a name; indices of independent neurons are split into equal and apart (coincide),
2. activations of one and the same variable are multiplied, correlated variables form a block,
3. entries of the weights that stand beside are removed by Stein's identity,
       E(w f(u)) = E(w) E(f(u)) + sum_i Cov(w, u_i) E(df/du_i),
4. each block is a moment (averages), with the covariances in it.
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations

import sympy as sp

from verifier.prove.forms.function_identities import settled
from verifier.prove.forms.labels import abstracted, key, open_labels, slot, summed
from verifier.prove.forms.matrix_forms import delta
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.splice import replaced
from verifier.prove.forms.workspace import Workspace
from verifier.prove.integrate.activated_factors import Active, active
from verifier.prove.integrate.activation_moments import Block, gap, mean, tie
from verifier.prove.integrate.activations import Atom
from verifier.prove.integrate.block_moments import average
from verifier.prove.integrate.equal_indices import Pair, apart, needed
from verifier.prove.integrate.held_factors import Integrator, Named, held, named
from verifier.prove.integrate.inverse_sums import divided
from verifier.prove.integrate.offsets import below
from verifier.prove.networks import Coefficient, Sum
from verifier.prove.networks.network_sums import flatten
from verifier.prove.networks.network_tensors import Occurrence

_MOST_BARE = 8
_MOST_ACTIVE = 6


@dataclass(frozen=True, eq=False)
class Variable:
    """A linear form of normal weights at named indices, and the activations of it that are multiplied."""

    form: Sum
    atoms: tuple[Atom, ...]

    @property
    def labels(self) -> frozenset[str]:
        return frozenset(open_labels(self.form))


@dataclass(frozen=True, eq=False)
class Product:
    """prod of activations * prod of bare entries, where the indices of some pairs differ."""

    variables: tuple[Variable, ...]
    bare: tuple[Sum, ...]
    apart: frozenset[Pair] = frozenset()

    def renamed(self, old: str, new: str) -> "Product":
        to = {old: new.partition("@")[0]}
        variables = tuple(replace(v, form=v.form.rename(to)) for v in self.variables)
        pairs = frozenset((new if a == old else a, new if b == old else b) for a, b in self.apart)
        return Product(variables, tuple(b.rename(to) for b in self.bare), pairs)


@dataclass(eq=False)
class Activations:
    """E over a set of normal tensors, every other tensor held."""

    integrator: Integrator
    among: frozenset[str]
    _actives: dict[str, Active | None] = field(default_factory=dict)
    _ties: dict[tuple[object, ...], Sum] = field(default_factory=dict)

    @property
    def space(self) -> Workspace:
        return self.integrator.space

    def expect(self, value: Sum) -> Sum:
        if any(a.independence is not None for a in self.space.claim.assumptions):
            raise Refusal("the expectation of activations under an assumed independence")
        for name in sorted(value.tensors()):
            self._actives[name] = active(self.space, name, self.among)
        total = self.space.scalar(0)
        for monomial, coefficient in value.terms.items():
            total = total + self._term(flatten(monomial), coefficient)
        return total

    def _term(self, factors: list[Occurrence], coefficient: Coefficient) -> Sum:
        """Summed indices are named, the random factors integrated, and the indices summed again."""
        labelled, spaces = named(self.space, factors)
        moving = [f for f in labelled if f[0] in self.among or self._actives.get(f[0]) is not None]
        still = [f for f in labelled if f not in moving]
        found = held(self.space, still) * self._split(self._product(moving)) * coefficient
        return summed(found, spaces.keys(), spaces.values())

    def _product(self, factors: list[Named]) -> Product:
        variables, bare = [], []
        for name, labels in factors:
            at = {slot(k): str(x).partition("@")[0] for k, x in enumerate(labels)}
            found = self._actives.get(name)
            if found is None:
                bare.append(self.space.factor(name, tuple(at.values())))
            else:
                variables.append(Variable(found.form.rename(at) if at else found.form, (found.atom,)))
        if len(bare) > _MOST_BARE or len(variables) > _MOST_ACTIVE:
            raise Refusal("the expectation of a product of fewer activations")
        if self.space.means is not None:
            forms = {key(v.form) for v in variables}
            variables += [Variable(b, (Atom("id", Fraction(1), 1),)) for b in bare if key(b) in forms]
            bare = [b for b in bare if key(b) not in forms]
        return Product(tuple(variables), tuple(bare))

    # --- 1. indices that are equal or apart ---------------------------------------------------

    def _split(self, product: Product) -> Sum:
        product = _merged(product)
        for first, second in combinations(product.variables, 2):
            joint = apart(self._tie(first.form, second.form), product.apart)
            pair = needed(joint, first.labels, second.labels) if joint else None
            if pair is not None:
                return self._either(product, pair, open_labels(joint)[pair[0]])
        return self._stein(product, product.bare, (0,) * len(product.variables))

    def _either(self, product: Product, pair: Pair, axis: str) -> Sum:
        first, second = pair
        labels = (first.partition("@")[0], second.partition("@")[0], axis)
        same = delta(self.space, [labels])
        equal = self._split(product.renamed(second, first))
        differ = self._split(replace(product, apart=product.apart | {pair, pair[::-1]}))
        return equal * same + differ - differ * same

    # --- 3. bare entries ----------------------------------------------------------------------

    def _stein(self, product: Product, bare: tuple[Sum, ...], orders: tuple[int, ...]) -> Sum:
        if not bare:
            return self._blocks(product, orders)
        first, *rest = bare
        total = self.space.scalar(0)
        if centre := self._mean(first):
            total = total + centre * self._stein(product, tuple(rest), orders)
        for k, other in enumerate(rest):
            if joint := apart(self._tie(first, other), product.apart):
                left = tuple(rest[:k] + rest[k + 1 :])
                total = total + joint * self._stein(product, left, orders)
        for k, variable in enumerate(product.variables):
            if joint := apart(self._tie(first, variable.form), product.apart):
                raised = (*orders[:k], orders[k] + 1, *orders[k + 1 :])
                total = total + joint * self._stein(product, tuple(rest), raised)
        return total

    # --- 4. blocks of correlated variables ----------------------------------------------------

    def _blocks(self, product: Product, orders: tuple[int, ...]) -> Sum:
        result = self.space.scalar(1)
        left = set(range(len(product.variables)))
        while left and result:
            block = self._connected(product, min(left))
            left -= block
            result = result * self._moment(product, sorted(block), orders)
        return result

    def _connected(self, product: Product, start: int) -> set[int]:
        found, todo = set[int](), [start]
        while todo:
            i = todo.pop()
            if i not in found:
                found.add(i)
                forms = [v.form for v in product.variables]
                todo += [j for j, f in enumerate(forms) if apart(self._tie(forms[i], f), product.apart)]
        return found

    def _moment(self, product: Product, block: list[int], orders: tuple[int, ...]) -> Sum:
        variables = [product.variables[i] for i in block]
        means = [self._mean(v.form) for v in variables]
        ties = [[apart(self._tie(a.form, b.form), product.apart) for b in variables] for a in variables]
        under = below(self.space, means, ties)
        asked = Block(
            tuple(v.atoms for v in variables),
            tuple(orders[i] for i in block),
            tuple(bool(m) for m in means),
            below=under,
        )
        values: dict[sp.Symbol, Sum] = {mean(k): m for k, m in enumerate(means)}
        values |= {gap(k): means[k] - means[i] for k, i in enumerate(under) if i is not None}
        values |= {tie(i, j): value for i, row in enumerate(ties) for j, value in enumerate(row)}
        return average(self.space, asked, values, _may_meet(variables))

    # --- means and covariances ----------------------------------------------------------------

    def _mean(self, form: Sum) -> Sum:
        return self._entered(self.integrator.integrated(form, set(self.among & form.tensors())))

    def _tie(self, first: Sum, second: Sum) -> Sum:
        """Cov(f, g) = E(f g) - E(f) E(g)"""
        at = tuple(sorted((key(first), key(second))))
        if at not in self._ties:
            both = first * second
            joint = self.integrator.integrated(both, set(self.among & both.tensors()))
            tie_ = self._entered(joint - self._mean(first) * self._mean(second))
            self._ties[at] = divided(self.space, settled(self.space, tie_))  # |rmsnorm(x)|**2 = n
        return self._ties[at]

    def _entered(self, value: Sum) -> Sum:
        """Means and covariance matrices by what they stand for."""
        for name, entry in self.integrator.values.items():
            value = replaced(value, name, entry)
        return value


def _merged(product: Product) -> Product:
    """f(u) g(u) is one function of u, and f(u) f(u) is its square."""
    found: dict[object, tuple[Sum, dict[tuple[str, Fraction], int]]] = {}
    for variable in product.variables:
        _, powers = found.setdefault(key(variable.form), (variable.form, {}))
        for atom in variable.atoms:
            of = (atom.function, atom.scale)
            powers[of] = powers.get(of, 0) + atom.power
    variables = (
        Variable(form, tuple(Atom(f, s, p) for (f, s), p in sorted(powers.items()) if p))
        for form, powers in found.values()
    )
    return replace(product, variables=tuple(variables))


def _may_meet(variables: list[Variable]) -> bool:
    """Whether two of the forms are the same but for the names of their indices."""
    kinds = [key(abstracted(v.form)[0]) for v in variables]
    return len(set(kinds)) < len(kinds)
