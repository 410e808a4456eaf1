r"""Productions for the sentences by which a theorem claims: words that are glue, formulas, reasons.

A claim declares nothing of its own: what is read are the conditions around it."""

from verifier.read.prose.build import both, nothing
from verifier.read.prose.grammar import Production

P = Production

_N = ("n: dimension",)

_CLAIM_WORDS = (
    "then|we|have|has|it|holds|hold|that|the|following|inequality|bound|identity|equality|estimate|relation|is|true|"
    "satisfies|satisfy|one|also|moreover|furthermore|hence|thus|therefore|so|consequently|get|obtain|there|follows|"
    "easy|clear|to|see|check|verify|note|observe|immediate|classical|elementary|cauchy|schwarz|triangle|young|jensen|"
    "shows|gives|yields|conclude|obeys|obey|readily|compute|calculate|deduce|indeed|finally"
)
CLAIMS = (
    P("ASSERTED", "CLAIM [TAILS]", both, r"Then $n > 1$ when $n \ge 2$.", ("n >= 2",)),
    P("MADE", "$asserted CLAIMED*", nothing,
      r"Then $\|x\| \ge 0$ for all $x \in \mathbb{R}^n$, and $a + b = b + a$.",
      (*_N, "x: vector(n)")),
    P("MADE", "BEGUN MADE", nothing,
      r"Then $\|x\| \ge 0$ for all $x \in \mathbb{R}^n$, and $a + b = b + a$.",
      (*_N, "x: vector(n)")),
    P("ASSERTED", "CLAIMWORD CLAIMWORD* [,] QUANTS [,] MADE [TAILS]",
      lambda word, quants, made, tails: both(quants, tails),
      r"Note that for all $x \in \mathbb{R}^n$ we have $\|x\| \ge 0$.", (*_N, "x: vector(n)")),
    P("CLAIMWORD", _CLAIM_WORDS, nothing, r"We then have, for all $x \in \mathbb{R}^n$, $\|x\| \ge 0$.",
      (*_N, "x: vector(n)")),
    P("ASSERTED", "MADE TAILS and|, [and] NEXT", both,
      r"Then $\|x\| \ge 0$ for all $x \in \mathbb{R}^n$, and $a + b = b + a$.", (*_N, "x: vector(n)")),
    P("ASSERTED", "CLAIM TAILS : $asserted CLAIMED*", lambda claim, tails, formula: both(claim, tails),
      r"The following holds for all $x \in \mathbb{R}^n$: $\|x\| \ge 0$.", (*_N, "x: vector(n)")),
    P("ASSERTED", "the gradient|derivative of $definition is|equals ASSERTED", both,
      r"The gradient of $f(x) = \|x\|^2$ is $\nabla f(x) = 2 x$ for all $x \in \mathbb{R}^n$.",
      (r"f := \|x\|^2", *_N, "x: vector(n)")),
    P("ASSERTED", "the gradient|derivative|hessian [of] [$letter] is given by ASSERTED",
      lambda letter, claim: claim,
      r"The gradient is given by $\nabla f(x) = 2 x$ for all $x \in \mathbb{R}^n$.", (*_N, "x: vector(n)")),
    P("ASSERTED", "the gradient|derivative|hessian of $letter is|equals|satisfies ASSERTED",
      lambda letter, claim: claim,
      r"The gradient of $f$ is $\nabla f(x) = 2 x$ for all $x \in \mathbb{R}^n$.", (*_N, "x: vector(n)")),
    P("NEXT", "$claim CLAIMED* [TAILS]", both,
      r"Then $n > 1$ as $m \to \infty$, and $a + b = b + a$ for all $a \in \mathbb{R}$.", ("a: real",
      "m -> oo")),
    P("NEXT", "$claim CLAIMED* TAILS and|, [and] NEXT", both,
      r"Then $n > 1$ as $m \to \infty$, and $a + b = b + a$ for all $a \in \mathbb{R}$, and $s + t = t + s$.",
      ("a: real", "m -> oo")),
    P("CLAIM", "BEGUN CLAIMED*", nothing, r"Then we have $n > 1$ whenever $n \ge 2$.", ("n >= 2",)),
    P("BEGUN", "$asserted", nothing, r"Then $n > 1$ if $n \ge 2$.", ("n >= 2",)),
    P("BEGUN", _CLAIM_WORDS, nothing, r"We have $n > 1$ when $n \ge 2$.", ("n >= 2",)),
    P("BEGUN", "REASON", nothing, r"By linearity, $n > 1$ if $n \ge 2$.", ("n >= 2",)),
    P("CLAIMED", "REASON", nothing, r"We have, by Jensen's inequality, $n > 1$ if $n \ge 2$.", ("n >= 2",)),
    P("REASON", "by|using|from|via|applying|invoking [the] @reason REASONED*", nothing,
      r"By the triangle inequality, $n > 1$ if $n \ge 2$.", ("n >= 2",)),
    P("CLAIMED", "find that", nothing, r"We find that $n > 1$ if $n \ge 2$.", ("n >= 2",)),
    P("BEGUN", "a|the|this|our [direct|simple|short|straightforward|quick|similar|same] "
      "computation|calculation|argument", nothing,
      r"A direct computation shows that $n > 1$ if $n \ge 2$.", ("n >= 2",)),
    P("REASONED", "@reason", nothing, r"By the triangle inequality, $n > 1$ if $n \ge 2$.", ("n >= 2",)),
    P("REASONED", "of|and|the|for", nothing, r"By linearity of the expectation, $n > 1$ if $n \ge 2$.",
      ("n >= 2",)),
    P("CLAIMED", "( MARKER )", nothing, r"Then (a) $n > 1$, and (b) $n > 0$, if $n \ge 2$.", ("n >= 2",)),
    P("BEGUN", "( MARKER )", nothing, r"Then (a) $n > 1$, and (b) $n > 0$, if $n \ge 2$.", ("n >= 2",)),
    P("MARKER", "a|b|c|d|e|i|ii|iii|iv|v|1|2|3|4|5", nothing, r"Then (i) $n > 1$, if $n \ge 2$.",
      ("n >= 2",)),
    P("CLAIMED", "and|,|:|;", nothing, r"Then, $n > 1$ if $n \ge 2$.", ("n >= 2",)),
    P("CLAIMED", "$any", nothing, r"It holds that $n > 1$ if $n \ge 2$.", ("n >= 2",)),
    P("CLAIMED", _CLAIM_WORDS, nothing, r"We have $n > 1$ if $n \ge 2$.", ("n >= 2",)),
    P("GLUE", "then|we|it|one|there|moreover|hence|thus", nothing,
      r"Let $n \ge 2$, then $n > 1$.", ("n >= 2",)),
)  # fmt: skip
