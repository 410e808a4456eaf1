"""What labels, sizes and axes of networks are called in the language."""

from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.expr.dims import ONE as UNIT
from verifier.expr.dims import Dim, Shape
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.small_trees import number
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks.network_tensors import Label


@dataclass(frozen=True, eq=False)
class Naming:
    """The names of one workspace."""

    space: Workspace

    def index(self, label: Label) -> N.Node:
        if isinstance(label, int):
            return N.Index(self.bound(label))
        position, _, space = label.partition("@")
        if space:
            return number(int(position))
        if label.startswith("_last_"):
            return N.Symbol(label.removeprefix("_last_"))
        return N.Symbol(label)

    def bound(self, label: Label) -> str:
        """a_, b_, ...: no declared name."""
        assert isinstance(label, int)
        names = (f"{chr(ord('a') + k % 26)}{'_' * (1 + k // 26)}" for k in range(26 * 40))
        free = (name for name in names if name not in self.space.claim.symbols)
        return next(name for k, name in enumerate(free) if k == label)

    def label_dim(self, label: Label) -> Dim:
        assert isinstance(label, str)
        _, _, space = label.partition("@")
        if space:
            return self.space.space_dims[space]
        declared = self.space.claim.symbols.get(label)
        size = getattr(declared.kind, "size", None) if declared is not None else None
        if size is None:
            raise Refusal("an identity between indices, as text")
        assert isinstance(size, Dim)
        return size

    def shape(self, form: Form) -> Shape:
        rows = self.space.space_dims[form.rows[0]] if form.rows else UNIT
        cols = self.space.space_dims[form.cols[0]] if form.cols else UNIT
        return Shape(rows, cols)

    def dim(self, dim: Dim) -> Dim:
        return dim.replace(self.space.dims)
