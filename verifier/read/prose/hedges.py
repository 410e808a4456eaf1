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
_HEDGED_PAIRS = frozenset(
    {("loss", "generality"), ("in", "general"), ("for", "example"), ("for", "instance"),
     ("at", "least"), ("at", "most"), ("up", "to"), ("as", "if"), ("on", "average")}
)  # fmt: skip

_MOST_WORDS = 12
_CHANCES = frozenset({("bernoulli with", ""), ("variables with", ""), ("variable with", "")})

# Words that declare, and words that do so right before a formula.
_DECLARING = frozenset(
    [
        "let",
        "assume",
        "suppose",
        "iid",
        "independent",
        "independently",
        "rademacher",
        "gaussian",
        "normal",
        "uniform",
        "uniformly",
        "haar",
        "assumed",
        "denote",
        "denotes",
        "define",
        "write",
        "convex",
        "smooth",
        "lipschitz",
        "differentiable",
        "drawn",
        "sampled",
        "distributed",
        "stochastic",
        "throughout",
    ]
)
_TAKING = frozenset({"let", "fix", "given", "consider", "assume", "suppose", "lipschitz"})
_ANY = frozenset({"any", "every", "all", "each", "arbitrary"})
_BEFORE_FORMULA = frozenset(
    [
        "where",
        "for",
        "all",
        "every",
        "any",
        "each",
        "fix",
        "consider",
        "define",
        "set",
        "given",
        "with",
        "such",
        "as",
        "if",
    ]
)


def hedge(tokens: Sequence[Token]) -> str | None:
    """The first word or pair of words that makes what is said doubtful."""
    words = [token.text if isinstance(token, Word) else "" for token in tokens]
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        before = " ".join(words[max(at - 2, 0) : at])
        if word in HEDGES and not _is_allowed(word, before, following):
            return word
        if (word, following) in _HEDGED_PAIRS:
            return f"{word} {following}"
        if words[at : at + 4] == ["if", "and", "only", "if"]:
            return "if and only if"
    return None


def _is_allowed(word: str, before: str, following: str) -> bool:
    """A probability vector is no doubt, and Bernoulli entries with probability p are none either."""
    if word == "probability":
        return following in ("vector", "vectors", "distribution") or (before, following) in _CHANCES
    return False


def restated(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Suppose that attention is uniform, i.e. $A = ...$: words without a formula, and the formula that says
    the same. The words are left out, unless one of them is a hedge."""
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
