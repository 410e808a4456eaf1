r"""A formula of a paper as statements of the claim language, once it is known what its letters are.

    $\mathbb{E}\|Wx\|^2 = m \sigma^2 \|x\|^2$  →  E(norm(W @ x)**2) == m * sigma**2 * norm(x)**2

Print leaves out what shapes say: which product, which power, which bars. The reading before that is
`verifier.expr.tex.untyped`; here its marks are settled with the shapes that are declared or inferred.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError, Span
from verifier.expr.tex.forms import EXPECTATION_OVER
from verifier.expr.tex.open import APPLIED
from verifier.expr.tex.plain import applied, plain, rebuilt, to_source
from verifier.expr.tex.sums import EXTENT
from verifier.expr.tex.untyped import Quantified, Untyped, read_untyped
from verifier.read.applied import Function, inlined
from verifier.read.identity import refuse_identities
from verifier.read.infer import UNSAID, Inference, infer, kinds_among, shapes_among
from verifier.read.trees import average_in, names_in, nodes_of, reached

_DELIMITERS = (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"))


@dataclass(frozen=True)
class Stated:
    """What a formula says, with products, powers and bars still to be settled."""

    latex: str
    statements: tuple[S.Syntax, ...]
    is_chain: bool
    is_definition: bool
    conditions: tuple[S.Syntax, ...] = ()
    ranges: Mapping[str, S.Syntax] = field(default_factory=dict)  # i: up to n
    memberships: tuple[Quantified, ...] = ()  # \forall x \in \mathbb{R}^d: for the reader of sentences
    letters: Mapping[str, str] = field(default_factory=dict)
    growing: str | None = None
    transposed_by_letter: bool = False
    scripts: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # x_1: the letter x, below it 1
    paired: frozenset[str] = frozenset()  # indices i and j of \sum_{i \ne j}: both run
    rows: frozenset[str] = frozenset()  # letters of rows of matrices that stood here
    written_out: frozenset[str] = frozenset()  # functions of the paper whose values are written out

    @property
    def trees(self) -> tuple[S.Syntax, ...]:
        return (*self.statements, *self.conditions, *self.ranges.values())


def inside_delimiters(text: str) -> str | None:
    """What stands between dollars or their kin; None where the text is not LaTeX."""
    text = text.strip()
    for begin, end in _DELIMITERS:
        if text.startswith(begin) and text.endswith(end) and len(text) >= len(begin) + len(end):
            return text[len(begin) : len(text) - len(end)]
    return None


def read_stated(
    latex: str,
    declared: Mapping[str, str],
    names: Mapping[str, str] | None = None,
    defined: Mapping[str, Function] | None = None,
    shaped: AbstractSet[str] = frozenset(),
) -> Stated:
    """The statements of a formula; raises ExprError for what cannot be read, or means too little alone. The
    names in `shaped` stand for vectors and matrices."""
    defined = defined or {}
    kinds = kinds_among(declared)
    functions = frozenset(name for name, kind in kinds.items() if kind == "function") | defined.keys()
    shapes = shapes_among(declared)
    entries = shaped | frozenset(name for name, shape in shapes.items() if shape != "real")
    numbers = frozenset(name for name, shape in shapes.items() if shape == "real") - functions
    names = {**({"I": "I"} if "I" in declared else {}), **(names or {})}
    found = read_untyped(latex, names, functions, entries, numbers)
    if found.continues is not None:
        raise ExprError("latex", "this line continues another", found.statements[0].span)
    held = sorted(found.paired & (declared.keys() | {name for tail in found.over for name in tail.names}))
    if held:
        hint = r"write \sum_{i=1}^{n} \sum_{j \ne i}"
        raise ExprError("latex", f"{held[0]} runs below a sum, or is held?", found.statements[0].span, hint)
    _refuse_values(found, functions | declared.keys())
    _refuse_constants(found, declared.keys() | set(names.values()))
    fixed = frozenset(name for name, kind in kinds.items() if kind != "random")
    statements = tuple(
        inlined(_plain_marks(tree, functions, declared), defined, fixed) for tree in found.statements
    )
    conditions, ranges, memberships = _tails(found)
    used = {part.function.partition("_prime")[0] for tree in found.statements for part in nodes_of(tree)
            if isinstance(part, S.Call)} & defined.keys()  # fmt: skip
    return Stated(
        latex,
        statements,
        found.is_chain,
        found.is_definition,
        tuple(inlined(_plain_marks(tree, functions, declared), defined, fixed) for tree in conditions),
        ranges,
        memberships,
        found.letters,
        found.growing,
        found.transposed_by_letter,
        found.scripts,
        found.paired,
        written_out=frozenset(used),
    )


def _refuse_values(found: Untyped, known: AbstractSet[str]) -> None:
    """f(x) may be a value or a product: f is declared, or stands alone elsewhere as what is multiplied."""
    for part in (part for tree in found.statements for part in nodes_of(tree)):
        if not isinstance(part, S.Call) or part.function != APPLIED:
            continue
        head = part.args[0]
        name = head.arg if isinstance(head, S.Subscript) else head
        if not isinstance(name, S.Name) or name.name in known:
            continue
        if not any(mentions(other, {name.name}) for other in _arguments(found.statements)):
            message = f"{name.name}(...) may be a value of a function or a product"
            hint = f"declare {name.name}, or print the product with \\cdot"
            raise ExprError("latex", message, head.span, hint)


def _refuse_constants(found: Untyped, declared: AbstractSet[str]) -> None:
    r"""Letters that papers use for a thing of their own and for a constant alike: \phi, I, e."""
    for part in (part for tree in found.statements for part in nodes_of(tree)):
        match part:
            case S.Call(span, "phi" | "Phi" as name, _, _, _) if name not in declared:
                message = f"\\{name}(...) may be the normal law's or a function of the paper"
                hint = r"declare the function, or write the density out"
                raise ExprError("latex", message, span, hint)
            case S.Name(span, "E_") if "E_" not in declared:
                raise ExprError(
                    "latex", "E may be the expectation", span, r"print \mathbb{E}[...], or declare E"
                )
            case S.Name(span, "e") if "e" not in declared:
                hint = r"print \exp, or declare e"
                raise ExprError("latex", "e may be Euler's number", span, hint)


def _arguments(statements: Sequence[S.Syntax]) -> Iterator[S.Syntax]:
    """Every part but the letters that stand before brackets."""
    todo = list(statements)
    while todo:
        node = todo.pop()
        if isinstance(node, S.Name):
            yield node
        is_applied = isinstance(node, S.Call) and node.function == APPLIED
        heads = S.Name | S.Subscript
        todo += S.parts(node)[1:] if is_applied and isinstance(S.parts(node)[0], heads) else S.parts(node)


def _plain_marks(tree: S.Syntax, functions: AbstractSet[str], declared: Mapping[str, str]) -> S.Syntax:
    return _averaged(applied(tree, functions), declared)


def _tails(found: Untyped) -> tuple[list[S.Syntax], dict[str, S.Syntax], tuple[Quantified, ...]]:
    """Conditions, ranges of indices, and what a letter is a member of."""
    conditions: list[S.Syntax] = []
    ranges: dict[str, S.Syntax] = {}
    memberships: list[Quantified] = []
    for tail in found.over:
        if tail.word == "where":
            raise ExprError("latex", "a letter is defined after the formula", found.statements[0].span,
                            "define it before")  # fmt: skip
        if tail.low is not None and tail.high is not None:
            if not isinstance(tail.low, S.Literal) or tail.low.text != "1":
                raise ExprError("latex", "an index that does not start at 1", tail.low.span)
            ranges |= dict.fromkeys(tail.names, tail.high)
        elif tail.relation is not None:
            conditions.append(tail.relation)
        else:
            memberships.append(tail)
    return conditions, ranges, tuple(memberships)


def _averaged(tree: S.Syntax, declared: Mapping[str, str]) -> S.Syntax:
    r"""\mathbb{E}_{W} is E where W is all that is random inside."""
    inner = rebuilt(tree, lambda part: _averaged(part, declared))
    if not isinstance(inner, S.Call) or inner.function != EXPECTATION_OVER:
        return inner
    whole, *over = inner.args
    kinds = kinds_among(declared)
    random = {name for name in names_in(whole) if kinds.get(name) == "random"}
    if {name for part in over for name in names_in(part)} != random:
        said = ", ".join(sorted(random)) or "nothing that is declared"
        hint = f"the claim language averages over all that is random inside: {said}"
        raise ExprError("latex", "the expectation is over something else", tree.span, hint)
    return whole


# --- settled -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Settled:
    """Formulas in the claim language's own words, each a tuple of statements; what was inferred for them."""

    inference: Inference
    statements: tuple[tuple[str, ...] | ExprError, ...]
    conditions: tuple[tuple[str, ...], ...]
    ranges: tuple[Mapping[str, str], ...]


def settle(
    formulas: Sequence[Stated],
    declared: Mapping[str, str],
    lets: Mapping[str, S.Syntax] | None = None,
    steps: Mapping[str, S.Syntax] | None = None,
) -> Settled:
    """All of them together: a letter is the same in each; `steps` are those of sequences. A formula that
    print leaves ambiguous has its
    error; raises InferenceError where no shapes fit, with the number of a tree among those of all."""
    found, formulas, unsaid = _with_extents(formulas, declared, lets or {})
    flat = [tree for formula in formulas for tree in formula.trees]
    open_ = {place.formula: place.span for place in found.undecided}
    statements: list[tuple[str, ...] | ExprError] = []
    conditions, ranges = [], []
    at = 0
    for formula in formulas:
        trees = range(at, at + len(formula.trees))
        at += len(formula.trees)
        try:
            _refuse_unsaid(formula, unsaid, found)
            for number in trees:
                _refuse_matrix_functions(flat[number], found)
                _refuse_open(flat[number], open_.get(number), declared, {**(lets or {}), **(steps or {})})
            statements.append(tuple(_source(tree, found) for tree in formula.statements))
            conditions.append(tuple(_source(tree, found) for tree in formula.conditions))
            ranges.append({name: _source(tree, found) for name, tree in formula.ranges.items()})
        except ExprError as error:
            del statements[len(conditions) :]
            statements.append(error)
            conditions.append(())
            ranges.append({})
    return Settled(found, tuple(statements), tuple(conditions), tuple(ranges))


def _source(tree: S.Syntax, found: Inference) -> str:
    return to_source(plain(tree, found.form))


# Of a square matrix these may be meant entry by entry, or as a function of the matrix.
_OF_MATRICES = ("exp", "log", "sqrt", "sin", "cos")


def _refuse_matrix_functions(tree: S.Syntax, found: Inference) -> None:
    for part in nodes_of(tree):
        if (
            isinstance(part, S.Call)
            and part.function in _OF_MATRICES
            and found.form(part.args[0]) == "matrix"
        ):
            hint = "say that it is applied entrywise, or write its entries"
            raise ExprError(
                "latex", f"{part.function} of a matrix: of each entry, or of the matrix?", part.span, hint
            )


def _refuse_open(
    tree: S.Syntax, place: Span | None, declared: Mapping[str, str], lets: Mapping[str, S.Syntax]
) -> None:
    if place is not None:
        hint = "declare its factors: which are numbers, which are matrices or vectors"
        raise ExprError("latex", "this product may scale or be one of matrices", place, hint)
    average = average_in(tree)
    kinds = kinds_among(declared)
    if average is not None and "random" not in {kinds.get(name) for name in reached(names_in(tree), lets)}:
        hint = "say what is random, and its law"
        raise ExprError("no-law", f"{average.function} is over nothing that is random", average.span, hint)


def _with_extents(
    formulas: Sequence[Stated], declared: Mapping[str, str], lets: Mapping[str, S.Syntax]
) -> tuple[Inference, Sequence[Stated], AbstractSet[str]]:
    """Sums without ends run over the size of what their index picks; sizes first, then those sums."""
    found = infer([tree for formula in formulas for tree in formula.trees], declared, lets)
    if not found.extents:
        return found, formulas, frozenset()
    sizes = {name for says in declared.values() for name in names_in(S.parse(says))} | declared.keys()
    for formula in formulas:
        for tree in formula.trees:
            refuse_identities(tree, found.extents, sizes)
    replaced = [
        replace(formula, statements=tuple(_ended(tree, found.extents) for tree in formula.statements))
        for formula in formulas
    ]
    again = infer([tree for formula in replaced for tree in formula.trees], declared, lets)
    said = {
        name for formula in formulas for tree in formula.trees for name in names_in(tree)
    } | declared.keys()
    ends = {name for text in found.extents.values() for name in names_in(S.parse(text))}
    return again, replaced, frozenset(ends - said)


def _refuse_unsaid(formula: Stated, ends: AbstractSet[str], found: Inference) -> None:
    """A sum without an end, over something whose size nobody names, beside a letter that nobody explains:
    that letter may be the size."""
    used = {name for tree in formula.trees for name in names_in(tree)}
    silent = sorted(item.name for item in found.symbols if item.why == UNSAID and item.name in used)
    if ends & used and silent:
        message = f"how far the sum runs is not said, and {silent[0]} may be its end"
        hint = rf"print \sum_{{i=1}}^{{{silent[0]}}}, or declare {silent[0]}"
        raise ExprError("latex", message, formula.statements[0].span, hint)


def _ended(tree: S.Syntax, extents: Mapping[int, str]) -> S.Syntax:
    if isinstance(tree, S.Call) and tree.function == EXTENT:
        return S.parse(extents[id(tree)])
    return rebuilt(tree, lambda part: _ended(part, extents))


def mentions(tree: S.Syntax, names: AbstractSet[str]) -> bool:
    return any(isinstance(part, S.Name) and part.name in names for part in nodes_of(tree))


def as_steps(statements: Sequence[str]) -> str:
    """The relations of a chain as the lines of `steps`: each begins where the one before ends."""
    lines: list[str] = []
    for statement in statements:
        tree = S.parse(statement)
        assert isinstance(tree, S.Compare)
        lines += [] if lines else [to_source(tree.left)]
        lines.append(f"{tree.op} {to_source(tree.right)}")
    return "\n".join(lines)


def within(statements: Sequence[str]) -> str | None:
    """a <= x <= b as `x in [a, b]`; None for any other chain."""
    first, last = (S.parse(text) for text in (statements[0], statements[-1]))
    if len(statements) != 2 or not isinstance(first, S.Compare) or not isinstance(last, S.Compare):
        return None
    if (first.op, last.op) not in (("<=", "<="), (">=", ">=")):
        return None
    low, high = (first.left, last.right) if first.op == "<=" else (last.right, first.left)
    return f"{to_source(first.right)} in [{to_source(low)}, {to_source(high)}]"
