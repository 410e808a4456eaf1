"""Words that may take back what a sentence says, and words by which a sentence declares.

A sentence with a hedge is never read, whatever else it says.
"""

from collections.abc import Sequence

from verifier.read.prose.sentences import Mark, Math, Token, Word

# Negations, doubt, exceptions, disjunctions, one-of-many, cases and contradictions.
_HEDGES = """
not no nor neither never without unless except cannot can't don't doesn't isn't aren't needn't won't hardly
necessarily possibly perhaps maybe may might could would should potentially sometimes often usually typically
generally mostly mainly commonly frequently rarely almost nearly approximately roughly essentially
asymptotically about around informally heuristically or either otherwise instead rather alternatively but
although though however while whereas some exist exists existence universal absolute iff equivalently only
contradiction wlog eg ie approx example instance hypothetically imagine pretend conditional conditionally
conditioned probability whp wp likely """
HEDGES = frozenset(_HEDGES.split())
# Words that no name has: they join, say more of what is named, or take a part of its meaning back.
_STRUCTURAL_WORDS = """
the an its their our we us be is are was were been has have had having do does with where when whenever if
for any every each all such that so as then let denote denotes by from given both respectively resp
independent independently identically which whose who this these those it they satisfies satisfy satisfying
under over into per and iid of in at on to between among through via until while than since because holds
hold equal equals quasi pseudo semi sub super non anti un near weak weakly strong strongly strictly here
there above below assume suppose random randomly distributed drawn sampled unknown new constant constants
new other same conjecture claim conversely implies imply depends depending varies fixed tends goes grows """
_STRUCTURAL = frozenset(_STRUCTURAL_WORDS.split())
_HEDGED_PAIRS = frozenset(
    {("loss", "generality"), ("in", "general"), ("for", "example"), ("for", "instance"),
     ("at", "least"), ("at", "most"), ("up", "to"), ("as", "if"), ("on", "average"), ("there", "is"),
     ("there", "are"), ("there", "be")}
)  # fmt: skip

_MOST_WORDS = 12
_CHANCES = frozenset({("bernoulli with", ""), ("variables with", ""), ("variable with", "")})

# Words that declare, and words that do so right before a formula.
_DECLARING_WORDS = """
let assume suppose iid independent independently rademacher gaussian normal uniform uniformly haar assumed
denote denotes define write convex smooth lipschitz differentiable drawn sampled distributed stochastic
throughout """
_DECLARING = frozenset(_DECLARING_WORDS.split())
_GIVING = (["let"], ["assume"], ["suppose"], ["fix"], ["given"])
_TAKING = frozenset({"let", "fix", "given", "consider", "assume", "suppose", "lipschitz"})
_ANY = frozenset({"any", "every", "all", "each", "arbitrary"})
_BEFORE_FORMULA_WORDS = """
where for all every any each fix consider define set given with such as if """
_BEFORE_FORMULA = frozenset(_BEFORE_FORMULA_WORDS.split())


def is_name(word: str) -> bool:
    """Whether this may be a word of a name: of what a formula defines, which such words leave as it is."""
    return word.isalpha() and len(word) > 1 and word not in HEDGES | _STRUCTURAL


_CONDITIONS_WORDS = """
assumption assumptions hypothesis hypotheses condition conditions choice setting case convention taylor
expansion linearization approximation linearisation heuristic heuristics heuristically analogy limit order
leading first initialization default """
_CONDITIONS = frozenset(_CONDITIONS_WORDS.split())


# Of a property (boundedness, optimality, symmetry) it is not known whether it was read; these are of
# notation.
_OF_NOTATION = frozenset(
    {"linearity", "inequality", "identity", "equality", "subadditivity", "additivity", "submultiplicativity",
     "homogeneity", "cyclicity", "duality"}
)  # fmt: skip
_PROPERTIES = ("ing", "ness", "ity", "metry", "ization", "isation", "ance", "tropy")


def is_reason(word: str) -> bool:
    """Whether this may be a word of what a claim rests on: `by Jensen's inequality`, not `by neglecting
    terms`,
    `by assumption` or `by boundedness`."""
    word = word.removesuffix("'s").removesuffix("'")
    if not is_name(word) or word in _CONDITIONS:
        return False
    return word in _OF_NOTATION or not word.endswith(_PROPERTIES)


def hedge(tokens: Sequence[Token]) -> str | None:
    """The first word or pair of words that makes what is said doubtful."""
    words = [token.text if isinstance(token, Word) else "" for token in tokens]
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        before = " ".join(words[max(at - 2, 0) : at])
        if word in HEDGES and not _is_allowed(word, before, following):
            if word == "ie" and _restates(tokens[at + 1 :]):
                continue
            if word == "some" and _is_given(words, at, tokens[at + 1 :]):
                continue
            return word
        if (word, following) in _HEDGED_PAIRS:
            return f"{word} {following}"
        if words[at : at + 4] == ["if", "and", "only", "if"]:
            return "if and only if"
    return None


def _is_allowed(word: str, before: str, following: str) -> bool:
    """A probability vector is no doubt, and Bernoulli entries with probability p are none either."""
    if word == "probability":
        if following == "of":
            return before.split()[-1:] == ["the"]
        return following in ("vector", "vectors", "distribution") or (before, following) in _CHANCES
    return False


def _restates(behind: Sequence[Token]) -> bool:
    """`, i.e., $g \\sim ...$`: a formula that says the same once more, and no words."""
    rest = behind[1:] if behind[:1] == (Mark(","),) or behind[:1] == [Mark(",")] else behind
    return bool(rest) and isinstance(rest[0], Math)


def _is_given(words: Sequence[str], at: int, behind: Sequence[Token]) -> bool:
    """`Let $\\|x\\| \\le r$ for some $r > 0$`: what there is for a hypothesis may be any. In a claim it may
    not, and no production of claims knows the word."""
    begins = [word for word in words[:at] if word][:1]
    near = [token for token in behind[:3] if isinstance(token, Math)]
    return words[at - 1 : at] == ["for"] and begins[0:1] in _GIVING and bool(near)


_SO = (["so"], ["hence"], ["thus"], ["therefore"], ["consequently"], ["which", "means", "that"],
       ["which", "shows", "that"], ["which", "implies", "that"], ["which", "explains"], ["meaning",
       "that"])  # fmt: skip
# Words by which a consequence may say something of the claim itself.
_REACHING = frozenset(
    {
        "that",
        "if",
        "when",
        "whenever",
        "for",
        "under",
        "provided",
        "with",
        "once",
        "as",
        "where",
        "this",
        "it",
    }
)


def without_consequence(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Without what follows from the last formula, in words alone: `, so the signal is preserved`."""
    last = max((at for at, token in enumerate(tokens) if isinstance(token, Math)), default=len(tokens))
    rest = [token.text if isinstance(token, Word | Mark) else "" for token in tokens[last + 1 :]]
    begin = 1 if rest[:1] == [","] else 0
    head = next((head for head in _SO if rest[begin : begin + len(head)] == head), None)
    if head is None or (HEDGES | _REACHING).intersection(rest[begin + len(head) :]):
        return tokens
    return tokens[: last + 1]


def restated(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Suppose that attention is uniform, i.e. $A = ...$: words without a formula, and the formula that says
    the same. The words are left out, unless one of them is a hedge."""
    tokens = _as_before(_by_rows(tokens))
    words = [token.text if isinstance(token, Word) else None for token in tokens]
    if words[:1] == ["let"] and words[1:2] == [None] and words[2:3] in (["be"], ["have"]):
        return _such_that(tokens, words)
    begin = next((at for at, word in enumerate(words[:6]) if word in ("suppose", "assume")), None)
    if begin is None or None in words[:begin] or "ie" not in words:
        return tokens
    begin += 2 if words[begin + 1 : begin + 2] == ["that"] else 1
    end = words.index("ie")
    comma = end > begin and tokens[end - 1] == Mark(",")
    between = words[begin : end - comma]
    if not between or len(between) > _MOST_WORDS or any(word is None or word in HEDGES for word in between):
        return tokens
    end += 2 if tokens[end + 1 : end + 2] == (Mark(","),) else 1
    return (*tokens[:begin], *tokens[end:])


_BY_ROWS = (["applied", "row", "wise"], ["applied", "rowwise"], ["row", "wise"], ["rowwise"], ["applied",
"to", "each", "row"],
            ["applied", "row", "by", "row"], ["taken", "row", "wise"])  # fmt: skip


def _by_rows(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """`$P = \\mathrm{softmax}(S)$, applied row-wise`: as it always is here."""
    words = [token.text if isinstance(token, Word | Mark) else "" for token in tokens]
    for at in range(1, len(tokens)):
        token = tokens[at - 1]
        begin = at + (words[at] in (",", "("))
        head = next((head for head in _BY_ROWS if words[begin : begin + len(head)] == head), None)
        if head is None or not isinstance(token, Math) or "softmax" not in token.formula.latex:
            continue
        end = begin + len(head)
        end += words[at] == "(" and words[end : end + 1] == [")"]
        return (*tokens[:at], *tokens[end:])
    return tokens


_PLACES = frozenset(
    {"definition", "eq", "eqs", "equation", "lem", "lemma", "thm", "theorem", "prop", "proposition",
    "setting",
     "assumption", "section", "sec", "corollary"}
)  # fmt: skip


def _as_before(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """`as in Definition 1`, `as defined in (2)`: as before. What stands there is known by then or is not."""
    words = [token.text if isinstance(token, Word | Mark) else "" for token in tokens]
    for at in range(len(words)):
        if words[at : at + 2] == ["as", "above"]:
            return (*tokens[: at + 1], Word("before"), *tokens[at + 2 :])
        place = at + 1 + (words[at + 1 : at + 2] in (["defined"], ["given"], ["introduced"]))
        if words[at] != "as" or words[place : place + 1] not in (["in"], ["by"], ["from"]):
            continue
        named = words[place + 1 : place + 2] and words[place + 1] in _PLACES
        end = _reference_end(words, place + 1 + bool(named))
        if end:
            return (*tokens[: at + 1], Word("before"), *tokens[end:])
    return tokens


def _reference_end(words: Sequence[str], at: int) -> int:
    """Where `1.2` or `(lem:a)` that begins here ends; 0 if none does."""
    at += words[at : at + 1] in (["\\"], ["["])
    if words[at : at + 1] == ["("] and ")" in words[at : at + 12]:
        return words.index(")", at) + 1
    return at + 1 if at < len(words) and words[at][:1].isdigit() else 0


def _such_that(tokens: tuple[Token, ...], words: list[str | None]) -> tuple[Token, ...]:
    """Let $U$ have orthonormal columns, i.e. $U^\\top U = I_k$: such that the formula holds."""
    if "ie" not in words:
        return tokens
    end = words.index("ie")
    between = words[3 : end - (tokens[end - 1] == Mark(","))]
    if not between or any(word is None or word in HEDGES or word in _DECLARING for word in between):
        return tokens
    end += 2 if tokens[end + 1 : end + 2] == (Mark(","),) else 1
    return (*tokens[:2], Word("be"), Word("such"), Word("that"), *tokens[end:])


def open_constant(tokens: Sequence[Token]) -> bool:
    """`where $c$ is a constant` says that there is one; `let $c$ be a constant` and `any constant $c$` take
    any."""
    words = [token.text if isinstance(token, Word) else "" for token in tokens]
    places = [at for at, word in enumerate(words) if word in ("constant", "constants")]
    taken = all(_ANY & set(words[max(at - 2, 0) : at]) for at in places)
    return bool(places) and not taken and not _TAKING & set(words)


def declares(tokens: Sequence[Token]) -> bool:
    """Whether a sentence looks as if it declared something: then it is read whole or refused."""
    words = [token.text if isinstance(token, Word) else None for token in tokens]
    if any(word in _DECLARING for word in words):
        return True
    if any(isinstance(token, Math) and token.read.facts for token in tokens):
        return True
    for at, word in enumerate(words):
        near = tokens[at + 1 : at + 3]
        if word in _BEFORE_FORMULA and any(isinstance(token, Math) for token in near):
            return True
    return False
