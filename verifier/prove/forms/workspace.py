"""The frame that both sides of a relation are written in: generators, spaces, tensors.

Scalars that are no polynomials are generators with a relation:

    1/p         inv * p == 1, for each irreducible factor p
    sqrt(p)     root**2 == p
    f(p)        no relation
"""

from dataclasses import dataclass, field
from fractions import Fraction

from flint import fmpq_mpoly

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import Declared, Dimension, FixedMatrix, Interval, Positive
from verifier.prove.forms.labels import abstracted, key
from verifier.prove.forms.opaque_functions import Mean, Opaque
from verifier.prove.forms.refusal import Exhausted, Refusal
from verifier.prove.networks import Coefficient, Factor, Frame, Index, Network, Ring, Sum, Tensor
from verifier.prove.networks.ring import to_fraction

_SPARE, _PLACE = "__g", "__place"  # no declared name begins with two underscores
HERE = N.Index("__here")  # the index that a weight is a function of


@dataclass(eq=False)
class Workspace:
    """Grows while trees are lowered; nothing in it is ever taken back.

    meaning: what each generator stands for, as a tree.
    split: axes of declared matrices that are read as pairs of indices: (name, side) -> dimensions.
    means: where a dictionary, slopes of activations and means of one variable are kept as they are.
    weights: tensors of one axis whose entries are known, as trees in HERE: an index itself, 2**i.
    bent: whether a mean was taken by the declared laws although an assumption says otherwise.
    """

    claim: Claim
    scalar_tensors: frozenset[str]
    dims: dict[str, Dim]
    split: dict[tuple[str, str], tuple[Dim, ...]]
    spare: int
    frame: Frame = field(init=False)
    meaning: dict[str, N.Node] = field(init=False, default_factory=dict)
    opaque: dict[str, Opaque] = field(init=False, default_factory=dict)
    nonnegative: set[str] = field(init=False, default_factory=set)
    positive: set[str] = field(init=False, default_factory=set)
    nonnegative_tensors: set[str] = field(init=False, default_factory=set)
    unknown: dict[str, str] = field(init=False, default_factory=dict)
    exponents: dict[str, Coefficient] = field(init=False, default_factory=dict)
    weights: dict[str, N.Node] = field(init=False, default_factory=dict)
    means: dict[str, Mean] | None = field(init=False, default=None)
    bent: bool = field(init=False, default=False)
    space_dims: dict[str, Dim] = field(init=False, default_factory=dict)
    _tensors: dict[str, Tensor] = field(init=False, default_factory=dict)
    _sizes: dict[str, Coefficient] = field(init=False, default_factory=dict)
    _keys: dict[tuple[object, ...], str] = field(init=False, default_factory=dict)
    _definitions: dict[str, tuple[str, Coefficient]] = field(init=False, default_factory=dict)
    _used: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        names = [d.name for d in self.claim.symbols.values() if self._is_generator(d)]
        names += sorted({x for d in self.dims.values() for x in d.names} - set(names))
        ring = Ring((*names, *(f"{_SPARE}{i}" for i in range(self.spare))))
        for name in names:
            self.meaning[name] = N.Symbol(name)
            self._note_sign(name)
        self._sizes["E"] = ring(1)
        self.frame = Frame(ring, self._sizes, self._tensors)

    def _is_generator(self, declared: Declared) -> bool:
        fixed = not declared.is_random and declared.shape.is_scalar
        is_matrix = isinstance(declared.kind, FixedMatrix)
        return fixed and not is_matrix and declared.name not in self.scalar_tensors

    def _note_sign(self, name: str) -> None:
        declared = self.claim.symbols.get(name)
        match declared.kind if declared else None:
            case Dimension() | Positive() | None:
                self.positive.add(name)
                self.nonnegative.add(name)
            case Interval(N.Number(low), _) if low >= 0:
                self.nonnegative.add(name)

    # --- spaces and tensors -------------------------------------------------------------------

    @property
    def ring(self) -> Ring:
        return self.frame.ring

    def size(self, dim: Dim) -> Coefficient:
        """A dimension as a polynomial of the ring."""
        total = self.ring(0)
        for monomial, coefficient in dim.replace(self.dims).terms:
            term = self.ring(coefficient)
            for name, power in monomial:
                term = term * self.ring[name] ** power
            total = total + term
        return total

    def space(self, dim: Dim) -> str:
        """The space of indices 1..dim."""
        dim = dim.replace(self.dims)
        name = str(dim)
        if name not in self._sizes:
            self._sizes[name] = self.size(dim)
            self.space_dims[name] = dim
        return name

    def spaces(self, dim: Dim) -> tuple[str, ...]:
        """The axes of a side of this size: none where it is 1."""
        dim = dim.replace(self.dims)
        return () if dim.constant == 1 else (self.space(dim),)

    def declare(self, tensor: Tensor) -> str:
        """Make a tensor known to the frame."""
        if tensor.name not in self._tensors:
            self._tensors[tensor.name] = tensor
            if tensor.has_rules:
                object.__setattr__(self.frame, "ruled", self.frame.ruled | {tensor.name})
        return tensor.name

    def factor(self, tensor: str, labels: tuple[str, ...]) -> Sum:
        """One tensor at open indices."""
        spaces = self._tensors[tensor].spaces
        indices = tuple(Index(x, s, open=True) for x, s in zip(labels, spaces, strict=True))
        return Sum.of(self.frame, Network((Factor(tensor, indices),)))

    def scalar(self, value: Coefficient | Fraction | int) -> Sum:
        return Sum.scalar(self.frame, value)

    # --- generators ---------------------------------------------------------------------------

    def context_zero(self) -> Coefficient:
        return self.ring.context.constant(0)

    def generator(self, what: tuple[object, ...], meaning: N.Node) -> str:
        """The generator that stands for `what`, made at the first call."""
        if what not in self._keys:
            if self._used == self.spare:
                raise Exhausted
            name = f"{_SPARE}{self._used}"
            self._used += 1
            self._keys[what] = name
            self.meaning[name] = meaning
        return self._keys[what]

    def is_made(self, what: tuple[object, ...]) -> bool:
        """Whether a generator stands for `what` already."""
        return what in self._keys

    def place(self, k: int) -> Coefficient:
        """A generator that means nothing: it keeps the k-th of several arguments apart from the others."""
        return self.ring[self.generator(("place", k), N.Symbol(f"{_PLACE}{k}"))]

    def is_place(self, name: str) -> bool:
        match self.meaning.get(name):
            case N.Symbol(meaning):
                return meaning.startswith(_PLACE)
        return False

    def relate(self, relation: Coefficient) -> None:
        """relation == 0 from now on."""
        try:
            object.__setattr__(self.frame, "ring", self.ring.modulo(relation))
        except ValueError as error:
            raise Refusal(f"scalars whose relations are too entangled ({error})") from None

    def define(self, kind: str, base: Coefficient, meaning: N.Node) -> Coefficient:
        """inv(base) or root(base) as a generator with its relation."""
        known = (kind, str(base)) in self._keys
        name = self.generator((kind, str(base)), meaning)
        found = self.ring[name]
        if not known:
            self._definitions[name] = (kind, base)
            self.relate(found * base - 1 if kind == "inv" else found * found - base)
            if self.is_positive(base):
                self.positive.add(name)
            if kind == "root" or self.is_positive(base):
                self.nonnegative.add(name)
        return found

    def note(self, name: str, function: str, base: Coefficient) -> None:
        """Remember what a generator is a function of, for derivatives."""
        self._definitions[name] = (function, base)

    def definition(self, name: str) -> tuple[str, Coefficient] | None:
        """(function, of what) for a generator made by `define`, as inv or root, or told of by `note`."""
        return self._definitions.get(name)

    def is_positive(self, value: Coefficient) -> bool:
        """Whether the signs of its coefficients and generators, or the ranges of its symbols, show
        value > 0."""
        if self._signed(value, self.positive) and not value.is_zero():
            return True
        least = self._least(value)
        return least is not None and least > 0

    def is_nonnegative(self, value: Coefficient) -> bool:
        if self._signed(value, self.nonnegative):
            return True
        least = self._least(value)
        return least is not None and least >= 0

    def _least(self, value: Coefficient) -> Fraction | None:
        """The least value of a + b x + c y + ... over the declared ranges of x, y, ..."""
        total = Fraction(0)
        for exponents, slope in value.to_dict().items():
            if sum(exponents) > 1:
                return None
            end: Fraction | None = Fraction(1)
            if any(exponents):
                end = self._end(self.ring.names[exponents.index(1)], slope > 0)
            if end is None:
                return None
            total += to_fraction(slope) * end
        return total

    def _end(self, name: str, lowest: bool) -> Fraction | None:
        """The lowest or the highest value of a declared scalar."""
        declared = self.claim.symbols.get(name)
        match declared.kind if declared else None:
            case Interval(N.Number(low), _) if lowest:
                return low
            case Interval(_, N.Number(high)) if not lowest:
                return high
            case Dimension() if lowest:
                return Fraction(1)
        return None

    def _signed(self, value: Coefficient, names: set[str]) -> bool:
        """Every term has a positive coefficient and generators of known sign, or even powers."""
        strict = names is self.positive
        for exponents, coefficient in value.to_dict().items():
            if coefficient <= 0:
                return False
            for generator, power in zip(self.ring.names, exponents, strict=True):
                even = power % 2 == 0 and not strict
                if power and generator not in names and not even:
                    return False
        return True

    # --- functions ----------------------------------------------------------------------------

    def function(self, name: str, argument: Sum, last: tuple[str, ...] = ()) -> Sum:
        """name(argument), entry by entry, as a tensor at the argument's open indices.

        With `last`, a function of whole rows whose entries sum to one, along the indices named."""
        body, labels, spaces = abstracted(argument, last)
        what = (name, key(body), spaces, len(last))
        if what not in self._keys:
            made = f"_{name}_{len(self.opaque) + 1}"
            axes = range(len(spaces) - len(last), len(spaces)) if len(last) == 1 else ()
            self.declare(Tensor(made, spaces, unit_sum=tuple(axes)))
            self.opaque[made] = Opaque(made, name, body, spaces, self.depends(body), len(last))
            self._keys[what] = made
        return self.factor(self._keys[what], tuple(label.partition("@")[0] for label in labels))

    def power_name(self, exponent: Coefficient) -> str:
        """The name of the function x -> x ** exponent."""
        what = ("exponent", str(exponent))
        self._keys.setdefault(what, f"power{len(self.exponents) + 1}")
        self.exponents[self._keys[what]] = exponent
        return self._keys[what]

    def weight(self, tree: N.Node, axis: str) -> str:
        """The name of the tensor whose entry at an index is the tree there."""
        what = ("weight", tree, axis)
        if what not in self._keys:
            self._keys[what] = self.declare(Tensor(f"_weight_{len(self.weights) + 1}", (axis,)))
            self.weights[self._keys[what]] = tree
        return self._keys[what]

    def is_weight(self, name: str) -> bool:
        """Whether nothing but indices and scalars decides its entries."""
        if name in self.opaque:
            return bool(self.opaque[name].depends) and self.opaque[name].depends <= self.weights.keys()
        return name in self.weights

    def depends(self, value: Sum) -> frozenset[str]:
        """The declared tensors that a sum holds, also inside functions."""
        found: set[str] = set()
        for name in value.tensors():
            found |= self.opaque[name].depends if name in self.opaque else {name}
        return frozenset(found)


def is_constant(value: Sum) -> bool:
    """Whether a sum is an element of the ring: no tensor in it."""
    return all(not monomial for monomial in value.terms)


def constant(value: Sum) -> Coefficient:
    assert is_constant(value)
    found: fmpq_mpoly = value.terms.get(frozenset(), value.frame.ring(0))
    return found
