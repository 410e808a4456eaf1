r"""Productions for sentences that set a scene: what there is, in words that add nothing to the formulas.

`Consider a sequence of $n$ tokens of dimension $d$, collected in the rows of $X \in \mathbb{R}^{n \times d}$,
and weights $W \in \mathbb{R}^{d \times d}$.` Only words that restrict nothing are known here, and between two
formulas only such as tell what a thing is for: `the rows of` would say how the two hang together."""

from verifier.read.prose.build import both
from verifier.read.prose.grammar import Mismatch, Production
from verifier.read.prose.values import Facts, Is, Letter, Number, Space

P = Production

_PLAIN = (
    "weight|weights|input|inputs|output|outputs|token|tokens|feature|features|label|labels|target|targets|data|"
    "parameter|parameters|matrix|matrices|vector|vectors|query|queries|key|keys|value|values|embedding|"
    "embeddings|dataset|design|response|responses|hidden|layer"
)
_SCENE = (
    f"{_PLAIN}|a|an|the|of|in|with|by|to|sequence|sequences|sample|samples|row|rows|column|columns|stacked|"
    "collected|arranged|dimension|length|size|width|network|model|layers|attention|head|heads|self|single|block|"
    "neural|linear|regression|transformer|problem|points|examples|observations|whose|are|consisting|as|acting|on|"
    "deep|residual|feedforward|fully|connected|fixed|agents|nodes|workers|samples|hold|holding|numbers|units|applied|"
    "least|squares|logistic|ridge|classification|supervised"
)


def _in_scene(letters: tuple[Letter, ...], facts: Facts) -> Facts:
    """Bare letters are sizes of what follows."""
    sizes = {size for fact in facts if isinstance(fact, Is) and isinstance(fact.attribute, Space)
             for size in fact.attribute.sizes}  # fmt: skip
    if not {letter.name for letter in letters} <= sizes:
        raise Mismatch
    return facts


def _listed(member: tuple[tuple[Letter, ...], Facts], *more: Facts | None) -> Facts:
    return both(member[1], *more)


_W = r"$W \in \mathbb{R}^{m \times n}$"
_MN = ("W: matrix(m, n)", "m: dimension", "n: dimension")
_MORE = "$member [,] [and] [PLAINWORD] [PLAINWORD] SCENEMEMBERS"

SCENE = frozenset(
    {
        "SCENE → SCENEWORD SCENEWORD* SCENEMORE",
        "SCENE → $letters SCENEWORD SCENEWORD* [,] SCENEWORD* SCENEMORE",
    }
)

SCENES = (
    P("LET", "[we] [let] [us] consider|given|study SCENE", tuple,
      r"Consider a sequence of $n$ tokens in the rows of $X \in \mathbb{R}^{n \times d}$.",
      ("n: dimension", "X: matrix(n, d)", "d: dimension")),
    P("SCENE", "SCENEWORD SCENEWORD* SCENEMORE", lambda word, facts: facts,
      f"Consider a network with weights {_W}.", _MN),
    P("SCENE", "$letters SCENEWORD SCENEWORD* [,] SCENEWORD* SCENEMORE",
      lambda letters, word, facts: _in_scene(letters, facts),
      r"We consider $n$ tokens, stacked in $X \in \mathbb{R}^{n \times d}$.",
      ("X: matrix(n, d)", "d: dimension", "n: dimension")),
    P("SCENEMORE", "$letters SCENEWORD* [,] SCENEWORD* SCENEMORE", _in_scene,
      r"Consider a sequence of $n$ tokens, collected in the rows of $X \in \mathbb{R}^{n \times d}$.",
      ("n: dimension", "X: matrix(n, d)", "d: dimension")),
    P("SCENEMORE", "depth $letter SCENEWORD* [,] SCENEWORD* SCENEMORE", lambda depth, facts: (Is(depth,
      Number("dimension")), *facts),
      r"We consider a network of depth $L$ acting on an input $x \in \mathbb{R}^n$.",
      ("L: dimension", "n: dimension", "x: vector(n)")),
    P("SCENEMORE", "$member", _listed, f"Consider a network with weights {_W}.", _MN),
    P("SCENEMORE", _MORE, lambda member, one, two, more: _listed(member, more),
      rf"Consider a network with weights {_W} and inputs $x \in \mathbb{{R}}^n$.", (*_MN, "x: vector(n)")),
    P("SCENEMEMBERS", "$member", _listed,
      rf"Consider a network with weights {_W} and $x \in \mathbb{{R}}^n$.", (*_MN, "x: vector(n)")),
    P("SCENEMEMBERS", _MORE, lambda member, one, two, more: _listed(member, more),
      rf"Consider a network with weights {_W}, $x \in \mathbb{{R}}^n$, and targets $y \in \mathbb{{R}}^m$.",
      (*_MN, "x: vector(n)", "y: vector(m)")),
    P("SCENEWORD", _SCENE, tuple, f"Consider a network with weights {_W}.", _MN),
    P("PLAINWORD", _PLAIN, tuple, rf"Consider a network with weights {_W} and inputs $x \in \mathbb{{R}}^n$.",
      (*_MN, "x: vector(n)")),
)  # fmt: skip
