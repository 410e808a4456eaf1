"""E over declared random symbols: their laws in the terms of the frame."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from verifier.expr import nodes as N
from verifier.expr import symbols as S
from verifier.prove.forms.declared_tensors import sides
from verifier.prove.forms.labels import slot
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.splice import replaced
from verifier.prove.forms.workspace import Workspace, constant, is_constant
from verifier.prove.integrate.expectation_rules import through_functions
from verifier.prove.lower.independence import Apart
from verifier.prove.networks import (
    Arbitrary,
    Coefficient,
    Iid,
    Law,
    Normal,
    Rademacher,
    Sum,
    Tensor,
    Uniform,
    expectation,
)

# A mask's moments are all equal: E(x**k) = p. So many of them are stated.
_MASK_ORDERS = 65


@dataclass(eq=False)
class Integrator:
    """Laws of the claim's random symbols, made when they are first needed.

    values: what a mean or a covariance matrix stands for, entered after the contraction.
    """

    space: Workspace
    lower: Callable[[N.Node], Form] | None
    record: bool = False
    values: dict[str, Sum] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    _laws: dict[str, Law] = field(default_factory=dict)

    def expect(self, value: Sum, given: frozenset[str]) -> Sum:
        """E over every random symbol inside that is not given."""
        claim = self.space.claim
        inside = self.space.depends(value)
        random = {name for name in inside if name in claim.random} - given
        stuck = {
            name
            for tensor in value.tensors()
            if tensor in self.space.opaque
            for name in self.space.opaque[tensor].depends & random
        }
        if any(name.startswith("_let_") for name in inside):
            raise Refusal("an expectation of a name whose value is held")
        found = self._factorised(value, random - stuck)
        if stuck:
            found = through_functions(self, found, frozenset(stuck))
            if self.space.means is None:
                self._refuse_functions(found, stuck)
        for name, entry in self.values.items():
            found = replaced(found, name, entry)
        return found

    def _factorised(self, value: Sum, random: set[str]) -> Sum:
        """independent(f, g): E(f**a g**b) = E(f**a) E(g**b), the other symbols integrated first."""
        for apart in self._apart():
            if not apart.together <= random:
                continue
            inner = self.integrated(value, random - apart.together)
            found = apart.mean(self.space, inner, partial(self.integrated, random=set(apart.together)))
            if found is not None:
                return found
            # What the assumption would make of this is not known: the declared laws can prove, not refute.
            self.space.bent = True
        return self.integrated(value, random)

    def _apart(self) -> list[Apart]:
        stated = [f for a in self.space.claim.assumptions if (f := a.independence) is not None]
        made = (Apart.of(self.space, fact, lambda node: self._form(node).value) for fact in stated)
        return [apart for apart in made if apart is not None]

    def integrated(self, value: Sum, random: set[str]) -> Sum:
        """E over these symbols, none of them inside a function."""
        laws = {name: self.law(self.space.claim.symbols[name]) for name in sorted(random)}
        result = expectation(value, laws, record=self.record)
        if result.derivation is not None:
            self.lines += result.derivation.lines()
        return result.value

    def _refuse_functions(self, value: Sum, stuck: set[str]) -> None:
        for tensor in value.tensors():
            opaque = self.space.opaque.get(tensor)
            if opaque is not None and opaque.depends & stuck:
                raise Refusal(
                    f"the expectation of {opaque.function} of {', '.join(sorted(opaque.depends & stuck))}"
                )
        if left := value.tensors() & stuck:
            raise Refusal(f"an expectation over {', '.join(sorted(left))}")

    def law(self, declared: S.Declared) -> Law:
        if declared.name not in self._laws:
            self._laws[declared.name] = self._law(declared)
        return self._laws[declared.name]

    def _law(self, declared: S.Declared) -> Law:
        match declared.kind:
            case S.Normal(mean, std, row_corr, cov):
                return self._normal(declared, mean, std, row_corr, cov)
            case S.Rademacher():
                return Rademacher()
            case S.Bernoulli(chance):
                share = self._coefficient(chance)
                return Iid(share, share - share * share, dict.fromkeys(range(3, _MASK_ORDERS), share))
            case S.Uniform(low, high):
                return Uniform(self._coefficient(low), self._coefficient(high))
            case S.Iid(mean, var):
                return Iid(self._moment(declared, mean, 1), self._moment(declared, var, 2))
            case S.AnyLaw(mean):
                return Arbitrary(self._mean(declared, mean), self._second(declared, mean))
        raise Refusal(f"the law of {declared.name}")

    def _normal(
        self, declared: S.Declared, mean: N.Node, std: N.Node, row_corr: N.Node | None, cov: N.Node | None
    ) -> Normal:
        first = 0 if declared.copies is None else 1
        rows, _ = sides(self.space, declared.name, declared.shape.rows, declared.shape.cols)
        centre = self._mean(declared, mean)
        scale = self._coefficient(std)
        if row_corr is not None and rows:
            if len(rows) > 1:
                raise Refusal(f"correlated rows of {declared.name} as pairs of indices")
            return Normal(scale, centre, row_corr=self._coefficient(row_corr), row_axis=first)
        if cov is not None and rows:
            if len(rows) > 1:
                raise Refusal(f"a covariance of {declared.name} over pairs of indices")
            return Normal(scale, centre, cov=self._named(f"_cov_{declared.name}", cov, True), cov_axis=first)
        if cov is not None:
            raise Refusal(f"the variance of the scalar {declared.name} as a matrix")
        return Normal(scale, centre)

    def _mean(self, declared: S.Declared, mean: N.Node | None) -> Coefficient | str:
        if mean is None:
            name = f"_mean_{declared.name}"
            rows, cols = sides(self.space, declared.name, declared.shape.rows, declared.shape.cols)
            family = () if declared.copies is None else (self.space.space(declared.copies),)
            self.space.declare(Tensor(name, family + rows + cols))
            return name
        form = self._form(mean)
        if form.is_scalar and is_constant(form.value):
            return constant(form.value)
        if form.is_scalar:
            raise Refusal(f"the mean of {declared.name}")
        family = () if declared.copies is None else (self.space.space(declared.copies),)
        return self._named(f"_mean_{declared.name}", mean, False, family)

    def _second(self, declared: S.Declared, mean: N.Node | None) -> str | None:
        """The second moments of a vector, where an assumption states E(x @ x.T) or, of mean 0, Cov(x, x)."""
        rows, cols = sides(self.space, declared.name, declared.shape.rows, declared.shape.cols)
        if declared.copies is not None or len(rows) != 1 or cols:
            return None
        vector = N.Symbol(declared.name, declared.shape)
        outer = N.MatMul(vector, N.Transpose(vector))
        for assumption in self.space.claim.assumptions:
            match assumption.fact:
                case N.Relation("==", N.Expectation(body, ()), value) if body == outer:
                    return self._named(f"_second_{declared.name}", value, True)
                case N.Relation("==", N.Covariance(left, right), value) if left == right == vector:
                    if mean == N.Number(Fraction(0)):
                        return self._named(f"_second_{declared.name}", value, True)
        return None

    def _moment(self, declared: S.Declared, node: N.Node | None, order: int) -> Coefficient:
        """A stated moment, or a generator that stands for it and is reported as missing."""
        if node is not None:
            return self._coefficient(node)
        name = f"{'E' if order == 1 else 'Var'}({declared.name}[i,j])"
        made = self.space.generator(("moment", name), N.Symbol(name))
        self.space.unknown[made] = name
        stated = [x for x in vars(declared.kind).values() if isinstance(x, N.Node)]
        if stated:  # a law that moves may move its other moments too
            self.space.note(made, name, self._coefficient(stated[0]))
        return self.space.ring[made]

    def _named(self, name: str, node: N.Node, symmetric: bool, family: tuple[str, ...] = ()) -> str:
        """A matrix as a tensor of its own, whose value enters afterwards; the same for all of a family."""
        form = self._form(node)
        labels = {label: slot(k) for k, label in enumerate(form.labels, start=len(family))}
        self.space.declare(Tensor(name, family + form.spaces, symmetric=symmetric))
        self.values[name] = form.value.rename(labels)
        return name

    def _coefficient(self, node: N.Node) -> Coefficient:
        form = self._form(node)
        if not form.is_scalar or not is_constant(form.value):
            raise Refusal("a law whose parameters are not plain scalars")
        return constant(form.value)

    def _form(self, node: N.Node) -> Form:
        assert self.lower is not None
        return self.lower(node)
