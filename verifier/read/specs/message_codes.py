"""What each message means and how it is mended: the text behind `verify --explain CODE`.

A test reads the sources and demands that every code that can be raised stands here, and no other.
"""

from typing import NamedTuple


class Explained(NamedTuple):
    """A code in a few words, and at length."""

    title: str
    words: str


CODES: dict[str, Explained] = {
    "arity": Explained(
        "A function has the wrong arguments.",
        "Each function takes a fixed form, told in the hint: `tr(A)`, `sum(expr, i, 1, n)`. Count the "
        "arguments, and quote the expression where it stands inside { } or [ ]: YAML ends a value at a "
        "comma.",
    ),
    "as": Explained(
        "The growing symbol is not written `n -> oo`.",
        "`as:` names the symbols that grow, each written `n -> oo`. Only a free scalar symbol can grow: "
        "not a random one, not a matrix, not one that `where` fixes.",
    ),
    "bad-character": Explained(
        "A character is not part of the language.",
        "Expressions are plain ASCII: powers are `**`, products `*` or `@`, transposes `.T`. LaTeX "
        "belongs under `latex:`.",
    ),
    "character": Explained(
        "A character is not allowed in a claim.",
        "Control characters cannot stand in a YAML file, nor can those that turn the direction of a text: "
        "a person would read something else than this program does. Delete it; it usually came with a "
        "copied text.",
    ),
    "circular": Explained(
        "A symbol is declared by itself.",
        "The size or the parameters of a symbol depend on the symbol itself. Break the circle: declare "
        "one of them with a name of its own.",
    ),
    "claim": Explained(
        "A claim needs `says` or `steps`, and not both.",
        "`says` holds one relation, `steps` a chain of relations. Split a claim that has both in two.",
    ),
    "claim-name": Explained(
        "A claim's name cannot be used in an id.",
        "The name becomes part of the id `document/theorem#name`: no blanks, no `#`, no brackets, "
        "no characters that cannot be seen.",
    ),
    "declaration": Explained(
        "A symbol is declared in a way its kind does not know.",
        "See the table of kinds: `normal(n, m, std=s)`, `interval(a, b)`, `uniform(n, a, b)`. An option "
        "that a kind does not have, an empty interval and a chance outside [0, 1] are refused.",
    ),
    "derivative": Explained(
        "A derivative is not taken by a variable.",
        "In `D(Y, X)`, X is a symbol, an entry of one, or a `let` name that Y is written in.",
    ),
    "division-by-zero": Explained(
        "The expression divides by zero.",
        "A constant 0 stands below a fraction: the expression has no value anywhere.",
    ),
    "drift": Explained(
        "The write-up and the claim say different things.",
        "The formula that the write-up prints was read, and it is not the statement of the claim. One "
        "of the two was changed without the other. Make them agree; where letters differ, declare them "
        "under `names:`. Sums and products may be in another order, everything else is compared symbol "
        "by symbol.",
    ),
    "duplicate-id": Explained(
        "Two claims have the same id.",
        "An id is `document/theorem#claim` and unique in a run. Rename one of them, or give the second "
        "theorem a slug of its own.",
    ),
    "duplicate-key": Explained(
        "A key stands twice.",
        "In a mapping each key stands once; the second would silently win. Delete or rename one.",
    ),
    "encoding": Explained(
        "The file is not UTF-8.",
        "Save it as UTF-8. The place is the first byte that is not.",
    ),
    "expect": Explained(
        "`expect` is not a verdict.",
        "Expect one of holds, loose, fails, inconclusive, or a list of them. An error cannot be expected.",
    ),
    "extreme": Explained(
        "A supremum or infimum ranges over nothing fixed.",
        "`sup(expr, Z)` varies fixed symbols. Random symbols are averaged by `E`, not varied.",
    ),
    "family": Explained(
        "A family of copies is used as one matrix.",
        "A symbol with `copies=H` is a family: `W[1]` to `W[H]` are its members. Those of a `sequence()` "
        "are `Y[0]`, `Y[1]` and so on.",
    ),
    "given": Explained(
        "An expectation is conditioned on something that is no name.",
        "`E(f, given=B)` takes a symbol, an entry or a `let` name, or a list of these.",
    ),
    "growth": Explained(
        "O, Omega or Theta stands where it has no meaning.",
        "Growth stands alone on the right side of a claim: `lhs <= O(f)`, `lhs >= Omega(f)`, `lhs == "
        "Theta(f)`.",
    ),
    "index": Explained(
        "An index is outside its range.",
        "Entries and layers count from 1, the members of a sequence from 0. The range is told in the "
        "message.",
    ),
    "inference": Explained(
        "No shapes are inferred through this function.",
        "Shapes of undeclared names are worked out from what is done with them, and this function says too "
        "little about its arguments. Declare every symbol.",
    ),
    "infinity": Explained(
        "`oo` is used as a number.",
        "Infinity stands as an end of an interval, as the last value of an index in `sum(f, i, 1, oo)`, in "
        "`limit`, in `norm(v, oo)` and in `f < oo`, and nowhere else.",
    ),
    "label": Explained(
        "The write-up has no such formula.",
        "`label:` names a `\\label` of the write-up, or an anchor `{#name}` of a Markdown one, that "
        "stands at a displayed formula. It must be there once.",
    ),
    "latex": Explained(
        "A formula could not be read.",
        "The reader knows the language's own notation and nothing else, and it never guesses: a letter "
        "that is not declared, a macro, a product that may be a function, or a bar that may open or "
        "close is refused with its place. Declare letters under `names:`, add brackets, or leave "
        "`names:` and `label:` out: then the formula is shown and not compared.",
    ),
    "layers": Explained(
        "A layer's parts are used outside their meaning.",
        "What a layer draws belongs to that layer: `after(X, L)` is the state after L layers, and "
        "`layers:` must be there to say what a layer is.",
    ),
    "limit": Explained(
        "A limit is taken in something that is no scalar symbol.",
        "`limit(expr, n, oo)`: n is a declared, free scalar.",
    ),
    "line": Explained(
        "What stands beside a line is not understood.",
        "`--with` declares a symbol (`A: matrix(n, m)`), assumes a relation (`rho < 1`) or lets a symbol "
        "grow (`n -> oo`).",
    ),
    "missing-key": Explained(
        "A required key is missing.",
        "A theorem needs `theorem` and `claims`; layers need `state` and `next`.",
    ),
    "link": Explained(
        "A link leads out of the folder.",
        "Links inside a folder are followed to files below the paths that were given, and no further: what a "
        "file holds is quoted in messages, and a link may lead anywhere. Give the file that it leads to as a "
        "path too, or the folder that holds both.",
    ),
    "name": Explained(
        "A name has characters that names cannot have.",
        "Letters, digits and `_`, no digit first.",
    ),
    "names": Explained(
        "The map from LaTeX to names is wrong.",
        "`names:` maps LaTeX as the write-up prints it to a declared name: `{'\\bar{x}': xbar}`. Each "
        "name must be declared, and each piece of LaTeX be one letter with its accents, font and "
        "indices.",
    ),
    "name-taken": Explained(
        "A name is declared twice.",
        "Symbols, `let` names, layers' names and indices share one space. Choose another name.",
    ),
    "no-law": Explained(
        "A mean is over nothing.",
        "`E`, `Var`, `Cov` and `P` average over random symbols, and nothing in this one is declared as "
        "random. Declare its law: `W: normal(n, m, std=s)` under `symbols`, or with `--with` beside `-e`.",
    ),
    "no-such-path": Explained(
        "There is no such file or folder.",
        "Check the spelling, and the folder from which the command runs.",
    ),
    "norm": Explained(
        "This norm is not known.",
        "`norm(A)` is Frobenius or Euclidean, `norm(A, 2)` spectral, `norm(v, 1)` and `norm(v, oo)` of "
        "vectors.",
    ),
    "not-a-dimension": Explained(
        "A size is not built from dimensions.",
        "Sizes of matrices are dimensions and whole numbers joined by `+`, `-`, `*` and whole powers.",
    ),
    "not-a-relation": Explained(
        "The statement compares nothing.",
        "A claim is one relation: `==`, `<=`, `>=`, `<`, `>` or `in [a, b]`.",
    ),
    "notebook": Explained(
        "The file is not a notebook.",
        "A `.ipynb` file is JSON with a list of cells. Save it again with Jupyter.",
    ),
    "nothing-collected": Explained(
        "The folder holds no claim files.",
        "Folders are walked for the suffixes in the message; hidden folders are left out.",
    ),
    "number": Explained(
        "A number is expected.",
        "Write 3, -0.5, 1e-3 or 1/2; numbers are exact.",
    ),
    "order": Explained(
        "An order of magnitude is not given by numbers.",
        "`order(1e-2)`, or `order(1e-3, 1e-2)` from the smaller to the larger.",
    ),
    "paper": Explained(
        "A paper cannot be read.",
        "The file is missing, too large or no text. The message says which; the rest of the paper, if there "
        "is one, is read all the same.",
    ),
    "preamble": Explained(
        "A claim rests on a declaration of the preamble that is wrong.",
        "What is wrong with it is told once, at the preamble. Mend it there, or declare the symbol in the "
        "theorem: what a theorem declares itself comes first.",
    ),
    "quantifier": Explained(
        "`all` runs over something that has no values of its own.",
        "`all(relation, eps)` is for every value of declared fixed symbols, `all(relation, i, 1, n)` for "
        "every index.",
    ),
    "relation": Explained(
        "`!=` is claimed.",
        "`!=` stands in assumptions and in conditions of sums. A claim states an equality or a bound.",
    ),
    "reserved": Explained(
        "A name is reserved.",
        "Names of functions, `oo` and `pi` have a fixed meaning. Choose another.",
    ),
    "schema": Explained(
        "The version of the language is not known.",
        "This program reads `schema: 1`.",
    ),
    "severity": Explained(
        "`severity` is not one of its words.",
        "error, warning or note.",
    ),
    "shape": Explained(
        "Shapes do not fit.",
        "Sizes are symbolic and checked before anything runs. `@` needs equal inner sizes, `+`, `*` and "
        "relations equal shapes or a scalar. Sizes are equal if an assumption in force makes them so.",
    ),
    "steps": Explained(
        "A chain has no step.",
        "Start with an expression; then each line that begins with a relation opens a step.",
    ),
    "structure": Explained(
        "A value is of the wrong sort.",
        "A mapping, a list or a text is expected here. Quote expressions that begin with [ or {.",
    ),
    "suffix": Explained(
        "The file is neither claims nor a write-up.",
        "The suffix says how a file is read; the known ones are in the message.",
    ),
    "syntax": Explained(
        "The expression is not of the language.",
        "Python's expression syntax, a small part of it. Products are written with `*` or `@`, equality "
        "`==`.",
    ),
    "theorem": Explained(
        "A theorem is not named document/slug.",
        "Two parts or more, joined by `/`, without blanks or what cannot be seen: `paper/lemma-1`.",
    ),
    "too-deep": Explained(
        "Something is nested too deeply.",
        "Name its parts under `let`.",
    ),
    "too-large": Explained(
        "An expression expands to too many operations.",
        "`let` names that double each other grow exponentially. Split the theorem.",
    ),
    "too-long": Explained(
        "Something is longer than the program reads.",
        "Files are strangers' text, so everything is bounded. Split it; the limits are in the reference.",
    ),
    "unclosed": Explained(
        "A claim block in a LaTeX file does not end.",
        "Its lines are comments between `%%claim` and `%%end`; what follows the last comment is not read.",
    ),
    "unknown-assumption": Explained(
        "`under` names an assumption that is not there.",
        "Names under `under:` are keys of `assumptions:`.",
    ),
    "unknown-key": Explained(
        "A key is not known here.",
        "See the tables of keys. A comma inside { } ends a value: quote expressions there.",
    ),
    "unknown-kind": Explained(
        "A kind of symbol is not known.",
        "See the table of kinds: dimension, real, positive, matrix(n, m), normal(n, m, std=s), ...",
    ),
    "unknown-name": Explained(
        "A name is not declared.",
        "Every name is declared under `symbols`, `let` or `layers`, or is an index of a sum around it.",
    ),
    "unreadable": Explained(
        "The file cannot be read.",
        "The system refused: see the message, and the file's permissions.",
    ),
    "value": Explained(
        "A value is outside what its symbol may be.",
        "`where`, `each` and `sweep` respect the kind: a dimension is a whole number from 1 on.",
    ),
    "where": Explained(
        "A symbol is given twice, or is no fixed number.",
        "It stands under `where` and under `each`: keep one. Or it is the state of the layers, which every "
        "layer changes: where it starts is an assumption, as `start: m == 0`.",
    ),
    "yaml": Explained(
        "The file is not YAML.",
        "Indent with spaces, quote texts that contain `: ` or begin with a special character, and quote "
        "expressions inside { } and [ ].",
    ),
    "yaml-tag": Explained(
        "YAML tags are refused.",
        "Claim files are plain data: no `!!python/...`, no other tags.",
    ),
}
