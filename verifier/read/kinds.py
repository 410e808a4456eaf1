r"""What an environment is by its name: a theorem of some kind, a proof, mathematics, or not for reading."""

_NAMES = """
theorem lemma proposition corollary definition assumption remark example proof claim fact conjecture
observation condition hypothesis notation property problem
"""
KINDS = tuple(_NAMES.split())
_SHORT = {
    "theorem": "thm theo thrm",
    "lemma": "lem lemm",
    "proposition": "prop prp propo",
    "corollary": "cor coro corol",
    "definition": "defn def dfn defi",
    "assumption": "ass asm assum assump",
    "remark": "rem rmk rk",
    "example": "ex exm exmp exa",
    "claim": "clm",
    "conjecture": "conj",
    "observation": "obs",
    "proof": "pf sketch proofof",
}
SHORT = {short: kind for kind, names in _SHORT.items() for short in names.split()}

# Displays of one formula, of rows that are formulas, and of one formula on several rows.
SINGLE = frozenset({"equation", "displaymath", "math", "dmath"})
ROWS = frozenset({"align", "gather", "eqnarray", "alignat", "flalign", "xalignat", "IEEEeqnarray", "dgroup"})
JOINED = frozenset({"multline"})
MATH = SINGLE | ROWS | JOINED
# Environments inside a display that lay out its rows and print nothing themselves.
LAYOUT = frozenset({"split", "aligned", "alignedat", "gathered", "multlined"})

UNREAD = frozenset(
    {"figure", "table", "tikzpicture", "algorithm", "algorithmic", "thebibliography", "tabular", "wrapfigure",
     "tabularx", "longtable", "algorithm2e", "picture", "subfigure", "wraptable", "CCSXML"}
)  # fmt: skip


def kind_of(name: str, printed: str | None = None) -> str | None:
    """The kind of a theorem-like environment, by the name that it prints and then by its own."""
    for text in (printed, name):
        if text is None:
            continue
        last = (text.lower().rstrip("*.0123456789 ").split() or [""])[-1]
        if last in KINDS:
            return last
        if last in SHORT:
            return SHORT[last]
    return printed.lower() if printed else None
