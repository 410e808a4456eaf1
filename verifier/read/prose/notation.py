r"""Productions for sentences that say what notation means, where it means what it always does here.

`We write $\|A\|_F$ for the Frobenius norm of $A$` declares nothing: the notation is read so anyway. Where the
words give it another meaning, the sentence is refused."""

from verifier.read.prose.formulas import Mathematics
from verifier.read.prose.grammar import Production
from verifier.read.prose.spelling import texts, upright
from verifier.read.prose.values import Bars, Facts, Unsayable

P = Production

_NORMS = {
    "F": ("frobenius",), "fro": ("frobenius",), "2": ("spectral", "euclidean"), "op": ("spectral",),
    "1": ("sum",), r"\infty": ("largest",), "*": ("nuclear",), r"\ast": ("nuclear",),
}  # fmt: skip
_BOLD = (r"\mathbf", r"\boldsymbol", r"\mathbb", r"\mathrm")
_RANGES = tuple(
    ["=", r"\{", "1", *between, ",", dots, ","]
    for between in ([], [",", "2"])
    for dots in (r"\dots", r"\ldots")
)


def notation(read: Mathematics) -> tuple[str, ...] | None:
    r"""What \|A\|_F, A^\top, I_n, \mathbf{1}_n and [n] = \{1, \dots, n\} mean; None for other formulas."""
    marks = texts(read.tokens)
    bare = marks[1:] if marks[:1] and marks[0] in _BOLD else marks
    match bare:
        case ["I"] | ["I", "_", *_] if len(bare) <= 3:
            return ("identity",)
        case ["1"] | ["1", "_", *_] if len(bare) <= 3 and len(bare) < len(marks):
            return ("ones",)
        case ["0"] | ["0", "_", *_] if len(bare) <= 3 and len(bare) < len(marks):
            return ("zeros",)
        case ["[", size, "]", *rest] if rest[-1:] == [r"\}"] and rest[-2:-1] == [size]:
            return ("range",) if [mark for mark in rest[:-2] if mark != ":"] in _RANGES else None
    if marks[-2:] == ["^", r"\top"]:
        return ("transpose",)
    if marks[:1] == ["‖"] and marks[-1:] == ["‖"] and len(marks) == 3:
        return ("bars",)
    if marks[:1] == ["‖"] and marks.count("‖") == 2 and "_" in marks:
        return _NORMS.get(upright(read.tokens[len(marks) - marks[::-1].index("_") :]))
    return None


def _agreed_and(meant: tuple[str, ...], said: str, more: Facts) -> Facts:
    return (*_agreed(meant, said), *more)


def _agreed(meant: tuple[str, ...], said: str) -> Facts:
    if meant == ("bars",):
        if said in ("euclidean", "frobenius", "spectral"):
            return (Bars(said),)
        raise Unsayable(
            "plain bars are read as the Euclidean norm of a vector", "print the others with a mark"
        )
    if said not in meant:
        raise Unsayable(f"this is notation for {' or '.join(meant)} here", "print it otherwise")
    return ()


def _range(meant: tuple[str, ...]) -> Facts:
    return _agreed(meant, "range")


NOTATIONS = (
    P("NOTING", "$notation for NOTION", _agreed,
      r"We write $\|x\|_2$ for the Euclidean norm.", ()),
    P("NOTING", "$notation for NOTION and NOTING", _agreed_and,
      r"We write $\|A\|_F$ for its Frobenius norm and $\|A\|_2$ for its Euclidean norm.", ()),
    P("NOTING", "$notation for NOTION , NOTING", _agreed_and,
      r"We write $\|A\|_F$ for its Frobenius norm, $\|A\|_2$ for its Euclidean norm.", ()),
    P("NOTING", "$definition for NAMED", lambda facts, named: facts,
      r"We write $\|x\|_2$ for the Euclidean norm and $s = a + b$ for the score.", ("s := a + b",)),
    P("DEFINE", "[FORMATRIX] [we] write|use NOTING", lambda matrix, facts: facts,
      r"For a matrix $A$, we write $\|A\|_2$ for its Euclidean norm.", ()),
    P("DEFINE", "[we] write|use|define|denote|let $notation", _range,
      r"We write $[n] = \{1, \dots, n\}$.", ()),
    P("DEFINE", "[we] use $notation to denote NOTION", _agreed,
      r"We use $\|x\|_2$ to denote the Euclidean norm.", ()),
    P("DEFINE", "[FORMATRIX] [we] denote [by] $notation NOTION", lambda matrix, meant, said: _agreed(meant,
      said),
      r"We denote by $\|x\|_2$ the Euclidean norm.", ()),
    P("DEFINE", "[FORMATRIX] [we] denote NOTION by $notation", lambda matrix, said, meant: _agreed(meant,
      said),
      r"We denote the Euclidean norm by $\|x\|_2$.", ()),
    P("DEFINE", "let $notation be|denote NOTION", _agreed, r"Let $\|x\|_2$ denote the Euclidean norm.", ()),
    P("FACT", "$notation is|denotes NOTION", _agreed, r"Here $\|x\|_2$ denotes the Euclidean norm.", ()),
    P("FACT", "$notation is|denotes NOTION [,] and NOTED", lambda meant, said, more: _agreed_and(meant, said,
      more),
      r"Here $\|\cdot\|$ denotes the Euclidean norm and $\|\cdot\|_F$ the Frobenius norm.", ()),
    P("THING", "$notation be|denote NOTION [,] and NOTED", lambda meant, said, more: _agreed_and(meant, said,
      more),
      r"Let $\|\cdot\|$ denote the Euclidean norm and $\|\cdot\|_F$ the Frobenius norm.", ()),
    P("NOTED", "$notation NOTION", _agreed,
      r"Here $\|\cdot\|$ denotes the Euclidean norm and $\|\cdot\|_F$ the Frobenius norm.", ()),
    P("NOTED", "$notation NOTION [,] and NOTED", _agreed_and,
      r"Here $\|x\|$ denotes the Euclidean norm, and $\|A\|_F$ the Frobenius norm, and $\|A\|_2$ the "
      r"spectral norm.", ()),
    P("FORMATRIX", "for a|an|any|every|all NOUN $letters [,]", lambda noun, letters: None,
      r"For a vector $x$, we write $\|x\|_2$ for its Euclidean norm.", ()),
    P("NOTION", "the|its|their|a THEME [OFTHING]", lambda said, of: said,
      r"We write $\|x\|_2$ for the Euclidean norm of $x$.", ()),
    P("OFTHING", "of|in $expression", lambda *slots: None,
      r"We write $\|x\|_2$ for the Euclidean norm of $x$.", ()),
    P("OFTHING", "of|in $set", lambda *slots: None,
      r"We write $\|x\|_2$ for the Euclidean norm in $\mathbb{R}^n$.", ()),
    P("OFTHING", "of DET NOUN [$letter]", lambda *slots: None,
      r"We write $\|x\|_2$ for the Euclidean norm of a vector $x$.", ()),
    P("OFTHING", "of size|dimension|length|order $expression", lambda *slots: None,
      r"Let $\|x\|_2$ denote the Euclidean norm of dimension $n$.", ()),
    P("THEME", "frobenius norm", lambda: "frobenius",
      r"We write $\|x\|_2$ for the Frobenius norm.", refuses="notation for spectral or euclidean"),
    P("THEME", "euclidean|l2 norm", lambda: "euclidean", r"We write $\|x\|_2$ for the Euclidean norm.", ()),
    P("THEME", "spectral|operator norm", lambda: "spectral",
      r"We write $\|A\|_F$ for the spectral norm.", refuses="notation for frobenius"),
    P("THEME", "nuclear|trace norm", lambda: "nuclear", r"We write $\|A\|_*$ for the nuclear norm.", ()),
    P("THEME", "identity [matrix]", lambda: "identity",
      r"We write $\mathbf{1}_n$ for the identity matrix.", refuses="notation for ones"),
    P("THEME", "all ones vector", lambda: "ones",
      r"We write $I_n$ for the all-ones vector.", refuses="notation for identity"),
    P("THEME", "vector of [all] ones", lambda: "ones",
      r"We write $I_n$ for the vector of ones.", refuses="notation for identity"),
    P("THEME", "zero|null vector|matrix", lambda: "zeros",
      r"We write $I_n$ for the zero vector.", refuses="notation for identity"),
    P("THEME", "transpose", lambda: "transpose",
      r"We write $I_n$ for the transpose.", refuses="notation for identity"),
    P("THEME", "set of integers from one|1 to $expression", lambda *slots: "range",
      r"We write $I_n$ for the set of integers from one to $n$.", refuses="notation for identity"),
)  # fmt: skip
