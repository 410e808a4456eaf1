"""Expectations, variances and covariances of forms."""

from dataclasses import replace

from verifier.expr import nodes as N
from verifier.prove.forms import matrix_forms as F
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.refusal import Refusal
from verifier.prove.lower.lowering import Reader, walked


class Averaging(Reader):
    """E, Var and Cov."""

    def settled_body(self, body: N.Node) -> Form:
        """The body of an expectation: a derivative by a scalar outside sees it with all values entered."""
        if not self.inside:
            return self.value(body)
        assumed = [a.assumed_value[0] for a in self.space.claim.assumptions if a.assumed_value is not None]
        held = {x.name for let in assumed for x in walked(let.body) if isinstance(x, N.Symbol | N.Let)}
        if self.varied & held or self.symbols & held:
            raise Refusal("a derivative of an expectation, by a name that an assumed value depends on")
        return replace(self, inside=False, varied=frozenset()).value(body)

    def expected(self, form: Form, given: tuple[N.Node, ...]) -> Form:
        known: set[str] = set()
        partly: set[str] = set()
        for node in given:
            names = {x.name for x in walked(node) if isinstance(x, N.Symbol | N.Member)}
            (known if isinstance(node, N.Symbol) else partly).update(names & self.space.claim.random)
        value = self.integrator.expect(form.value, frozenset(known | partly))
        if self.space.depends(value) & (partly - known):
            raise Refusal("an expectation given a part of a random symbol")
        return replace(form, value=value)

    def covariance(self, left: Form, right: Form) -> Form:
        """Cov(f, g) = E(f g') - E f E g'"""
        both = self.expected(F.matmul(left, F.transpose(right)), ())
        means = F.matmul(self.expected(left, ()), F.transpose(self.expected(right, ())))
        return replace(both, value=both.value - means.value)

    def variance(self, form: Form) -> Form:
        """Var(f) = E(f**2) - (E f)**2, entry by entry"""
        mean = self.expected(form, ()).value
        square = self.expected(replace(form, value=F.times(form.value, form.value)), ()).value
        return replace(form, value=square - F.times(mean, mean))
