"""Jacobians: derivatives first, then the values that assumptions give."""

from dataclasses import replace

from verifier.expr import nodes as N
from verifier.expr.walk import same
from verifier.prove.forms import matrix_forms as F
from verifier.prove.forms.declared_tensors import matrix, sides
from verifier.prove.forms.functions_of_sums import reapplied
from verifier.prove.forms.labels import by, col, renamed, row, slot
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.opaque_functions import Opaque
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.splice import replaced
from verifier.prove.lower.entry_sums import Indexing
from verifier.prove.lower.interchange import has_mean, inward, is_touched
from verifier.prove.lower.lowering import walked
from verifier.prove.lower.network_derivatives import Derivation, slope, softmax_slope
from verifier.prove.networks import Sum


class Jacobians(Indexing):
    """D(of, by)."""

    def derivative(self, of: N.Node, variable: N.Node) -> Form:
        """Derivatives first, with assumed names and substituted symbols held; then their values."""
        if has_mean(of) and is_touched(self.space.claim, of, variable):
            moved = None if self.inside else inward(self.space.claim, of, variable)
            if moved is None:
                raise Refusal("a derivative of an expectation, by a name that an assumed value depends on")
            return self.value(moved)
        name, at, rows, cols, varied = self._variable(variable)
        symbols = self.symbols | {x.name for x in walked(variable) if isinstance(x, N.Symbol | N.Member)}
        inner = replace(self, inside=True, varied=self.varied | varied, symbols=symbols)
        form = inner.value(of)
        made = Derivation(self.space, name, at, lambda tensor, d: inner.assumed_slope(tensor, d, of))
        value = made.of(form.value)
        down = {col(k): row(len(form.rows) + k) for k in range(len(form.cols))}
        across = {by(k): col(k) for k in range(len(rows + cols))}
        result = Form(renamed(value, down | across), form.rows + form.cols, rows + cols)
        return result if self.inside else replace(result, value=self._entered(result.value, of, variable))

    def _variable(self, node: N.Node) -> tuple[str, tuple[str, ...], F.Spaces, F.Spaces, frozenset[str]]:
        """The tensor that is varied, where its axes stand, the axes left, and the `let` name it is."""
        match node:
            case N.Symbol(name):
                if name in self.space.dims:
                    raise Refusal(f"a derivative by the dimension {name}")
                if name in self.space.ring.names:
                    return name, (), (), (), frozenset()
                if name not in self.space.claim.symbols or self.space.claim.symbols[name].copies is not None:
                    raise Refusal(f"a derivative by {name}")
                form = matrix(self.space, name, self.space.claim.symbols[name], node.shape)
                tensor = self.space.frame.tensors[name]
                if tensor.has_rules or tensor.symmetric:
                    # Its identities are already used, and they hold for no single moved entry.
                    raise Refusal(f"a derivative by {name}, whose entries are not free")
                rows, cols = form.rows, form.cols
                return name, tuple(by(k) for k in range(len(rows + cols))), rows, cols, frozenset()
            case N.Let(name):
                made = f"_let_{name}"
                rows, cols = sides(self.space, made, node.shape.rows, node.shape.cols)
                return made, tuple(by(k) for k in range(len(rows + cols))), rows, cols, frozenset({name})
            case N.Member(name, shape, index):
                declared = self.space.claim.symbols[name]
                assert declared.copies is not None
                rows, cols = sides(self.space, name, shape.rows, shape.cols)
                head = self.label(index, self.space.space(declared.copies))
                return name, (head, *(by(k) for k in range(len(rows + cols)))), rows, cols, frozenset()
            case N.Entry(arg, i, j):
                name, at, rows, cols, varied = self._variable(arg)
                places = self.places(i, rows, row) | self.places(j, cols, col)
                order = [row(k) for k in range(len(rows))] + [col(k) for k in range(len(cols))]
                fixed = tuple(places[label] for label in order)
                return name, at[: len(at) - len(fixed)] + fixed, (), (), varied
        raise Refusal("a derivative by something that is no symbol, entry or let name")

    def assumed_slope(self, tensor: str, derivation: Derivation, of: N.Node) -> Sum | None:
        """The derivative of the function that made an assumed name, at the value assumed."""
        if not tensor.startswith("_let_") or tensor == derivation.tensor:
            return None
        name = tensor.removeprefix("_let_")
        if name in self.varied:
            return None  # held
        let = next(x for x in walked(of) if isinstance(x, N.Let) and x.name == name)
        body = let.body
        while isinstance(body, N.Let) and self.assumed(body.name) is None:
            body = body.body
        if isinstance(body, N.RowWise) and body.function == "softmax":
            argument = self.value(body.arg)
            labels = {label: slot(k) for k, label in enumerate(argument.labels)}
            inner = derivation.of(renamed(argument.value, labels))
            value = self.space.factor(tensor, tuple(slot(k) for k in range(len(argument.spaces))))
            shape = Opaque(tensor, "softmax", value, argument.spaces, frozenset(), len(argument.cols))
            return softmax_slope(value, inner, shape)
        if isinstance(body, N.Apply) and len(body.args) == 1:
            return self._slope_of_a_value(name, tensor, body.function, body.args[0], derivation)
        form = self.value(body)
        slopes = derivation.of(renamed(form.value, {label: slot(k) for k, label in enumerate(form.labels)}))
        if any(name in self.space.opaque for name in slopes.tensors()):
            raise Refusal(f"the derivative of {name} at its assumed value: it is no softmax")
        return slopes

    def _slope_of_a_value(
        self, name: str, tensor: str, function: str, arg: N.Node, derivation: Derivation
    ) -> Sum:
        """f'(f^-1(value)) d arg. Where the value is the argument itself, relu and abs are on the branch on
        which they are their argument, of slope 1."""
        form = self.value(arg)
        inner = derivation.of(renamed(form.value, {label: slot(k) for k, label in enumerate(form.labels)}))
        assumed = self.assumed(name)
        if not inner or (function in ("relu", "abs") and assumed is not None and same(assumed, arg)):
            return inner
        if function not in ("exp", "tanh", "sigmoid"):
            raise Refusal(f"the derivative of {name} at its assumed value: it is no softmax")
        value = self.space.factor(tensor, tuple(slot(k) for k in range(len(form.spaces))))
        return slope(self.space, function, value, value) * inner

    def _entered(self, value: Sum, of: N.Node, variable: N.Node) -> Sum:
        """Assumed values and substitutions, once all derivatives are taken."""
        for _ in range(256):
            name = next((x for x in sorted(value.tensors()) if self._is_waiting(x, of, variable)), None)
            if name is None:
                return value
            value = replaced(value, name, self._entry(name, of, variable))
        raise Refusal("assumed values that refer to each other")

    def _is_waiting(self, name: str, of: N.Node, variable: N.Node) -> bool:
        """Whether a tensor holds, or is, a name whose value is still to enter."""
        if name in self.space.opaque:
            return any(self._is_waiting(x, of, variable) for x in self.space.opaque[name].depends)
        return self._replacement(name, of, variable) is not None

    def _entry(self, name: str, of: N.Node, variable: N.Node) -> Sum:
        opaque = self.space.opaque.get(name)
        if opaque is None:
            found = self._replacement(name, of, variable)
            assert found is not None
            return found
        return reapplied(self.space, opaque, self._entered(opaque.argument, of, variable))

    def _replacement(self, name: str, of: N.Node, variable: N.Node) -> Sum | None:
        """What a held tensor stands for outside the derivative, over its slots."""
        if name.startswith("_let_"):
            let = next(
                x
                for part in (of, variable)
                for x in walked(part)
                if isinstance(x, N.Let) and x.name == name.removeprefix("_let_")
            )
            form = self.value(let)
        elif name in self.space.claim.symbols and self.substitution(name) is not None:
            declared = self.space.claim.symbols[name]
            form = self.value(N.Symbol(name, declared.shape))
        else:
            return None
        return renamed(form.value, {label: slot(k) for k, label in enumerate(form.labels)})
