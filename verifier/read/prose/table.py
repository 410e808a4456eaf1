r"""The grammar of sentences that declare: every production, and the sentences that they make.

A sentence is a list of declaring phrases, or a claim with declaring phrases before and after it. A claim
itself declares nothing: its words are glue, its formulas are read elsewhere. A word that is in no production
leaves the whole sentence unread."""

from dataclasses import dataclass, replace

from verifier.read.prose.build import (
    as_before,
    both,
    bound,
    entrywise_function,
    means,
    named_so,
    nothing,
    stated,
)
from verifier.read.prose.claiming import CLAIMS
from verifier.read.prose.clauses import QUANTIFIERS, STATES, THINGS
from verifier.read.prose.draws import ENTRIES, INDEPENDENCE, LAWS, MOMENTS
from verifier.read.prose.grammar import Grammar, Mismatch, Production
from verifier.read.prose.matrix_rows import ROWS
from verifier.read.prose.notation import NOTATIONS
from verifier.read.prose.nouns import MATRICES, NUMBERS
from verifier.read.prose.phrases import FUNCTIONS, PHRASES, SUBJECTS
from verifier.read.prose.scenes import SCENES
from verifier.read.prose.sets import NONZERO
from verifier.read.prose.shapes import SHAPES
from verifier.read.prose.values import Fact, Facts, Family, Form, Is, Means, Number, Space

P = Production


@dataclass(frozen=True)
class Said:
    """What a sentence declares, and whether it claims something too."""

    facts: Facts
    claims: bool = False


def _declared(*parts: Facts | None) -> Said:
    return Said(both(*parts))


def _claimed(*parts: Facts | None) -> Said:
    return Said(both(*parts), claims=True)


def of_arguments(over: Facts, named: Facts | None, facts: Facts) -> Facts:
    """For $x \\in \\mathbb{R}$, define $f(x) = ...$: what is said of x is of which shape it is."""
    made = [fact for fact in facts if isinstance(fact, Means)]
    arguments = {letter for fact in made for letter in fact.arguments}
    kept: list[Fact] = []
    for fact in over:
        if not isinstance(fact, Is) or fact.letter not in arguments:
            raise Mismatch
        is_shape = isinstance(fact.attribute, Space | Form) or fact.attribute in (Number("real"), NONZERO)
        if not is_shape and not isinstance(fact.attribute, Family):
            raise Mismatch
        kept += [] if is_shape else [replace(fact, bound=False)]
    return (*kept, *facts)


def _of_letters(over: Facts, facts: Facts) -> Facts:
    """For $x, y \\in \\mathbb{R}^n$, let ...: x and y are declared so."""
    if not all(isinstance(fact, Is) and isinstance(fact.attribute, Space | Form | Family) for fact in over):
        raise Mismatch
    if any(isinstance(fact, Means) and fact.arguments for fact in facts):
        raise Mismatch
    return (*(replace(fact, bound=False) for fact in over if isinstance(fact, Is)), *facts)


_N = ("n: dimension",)

# What a formula that defines a letter may be called: names that add nothing to the formula.
_NAMES = (
    "sum|mean|average|total|error|errors|loss|residual|residuals|score|scores|output|outputs|activation|activations|pre|"
    "preactivation|preactivations|sample|empirical|covariance|gram|kernel|matrix|vector|feature|features|state|states|"
    "hidden|layer|network|model|prediction|predictions|estimate|estimator|gap|ratio|product|difference|norm|logits|"
    "attention|map|output|signal|step|update|iterate|quantity|number|scale|width|variance|entropy|effective|"
    "dimension|objective|function|risk|energy|potential|centred|centered|centring|centering|weights|weight|token|"
    "iterates|iterate|sequence|recursion|trajectory|least|squares|quadratic|learning|rate|rates|size|sizes|stepsize|buffer|momentum|batch|objective|jacobian|gradient|hessian|"
    "softplus|logistic|squared|square|rescaled|scaled|logit|input|average|row|rows"
)

DECLARATIONS = (
    P("LET", "let [us] THINGS", tuple, r"Let $x \in \mathbb{R}^n$.", (*_N, "x: vector(n)")),
    P("LET", "[we] [now] fix|consider THINGS [,] and CALLED $definition", both,
      r"Consider $x \in \mathbb{R}^n$ and the quantity $s = \|x\|^2$.", (*_N, "s := norm(x)**2",
      "x: vector(n)")),
    P("LET", "[we] [now] fix|consider THINGS", tuple, r"Fix $x \in \mathbb{R}^n$.", (*_N, "x: vector(n)")),
    P("LET", "given THINGS", tuple, r"Given $x \in \mathbb{R}^n$, let $s = \|x\|^2$.",
      (*_N, "s := norm(x)**2", "x: vector(n)")),
    P("ASSUME", "[we] [further|also|now] assume|suppose [further|also] [that] STATES", tuple,
      r"We further assume that $n \ge 2$.", ("n >= 2",)),
    P("DEFINE", "[let] [us] [we] define|set|put|write|denote DEFS", tuple, r"We define $s = a + b$.",
      ("s := a + b",)),
    P("DEFINE", "CALLED is|are defined|given [as|by] DEFS", lambda named, facts: facts,
      r"The score is defined as $s = a + b$.", ("s := a + b",)),
    P("DEFINE", "[scaled] [dot] [product] [softmax|self] attention is defined|given [as|by] DEFS", tuple,
      r"Attention is defined as $s = a + b$.", ("s := a + b",)),
    P("DEFINE", "[we] write $letter for $expression", means, r"We write $s$ for $a + b$.", ("s := a + b",)),
    P("DEFINE", "[we] denote $expression by $letter", lambda formula, letter: means(letter, formula),
      r"Denote $a + b$ by $s$.", ("s := a + b",)),
    P("DEFINE", "[we] denote by DEFS", tuple, r"Denote by $s = a + b$.", ("s := a + b",)),
    P("DEFINE", "[we] denote by $definition CALLED [,] and by $definition CALLED",
      lambda first, name, last, other: both(first, last),
      r"We denote by $s = a + b$ the sum and by $t = a - b$ the gap.", ("s := a + b", "t := a - b")),
    P("DEFINE", "[we] denote by $definition CALLED", lambda facts, named: facts,
      r"We denote by $s = a + b$ the total score.", ("s := a + b",)),
    P("DEFINE", "[we] denote by $definition NAMED of WHO", lambda facts, named, who: both(facts, who[1]),
      r"Denote by $m = \frac{1}{n} \sum_{i=1}^n x_i$ the mean of $x_1, \dots, x_n \in \mathbb{R}^d$.",
      ("d: dimension", "m := 1/n*sum(x[i], i, 1, n)", *_N, "x: vector(d, copies=n)")),
    P("DEFINE", "FOR [,] [we] define|set|let [CALLED] $definition", of_arguments,
      r"For $x \in \mathbb{R}$, define the score $s(x) = x^2$.", ("s := x^2",)),
    P("DEFINE", "[let] [us] [we] define|set|generate CALLED by|as|through DEFS", lambda named, facts: facts,
      r"We define the score by $s = a + b$.", ("s := a + b",)),
    P("DEFINE", "[let] [us] [we] consider|study|minimize CALLED $definition", lambda named, facts: facts,
      r"We consider the loss $s = a + b$.", ("s := a + b",)),
    P("DEFS", "CALLED $definition", lambda named, facts: facts, r"Define the score $s = a + b$.",
      ("s := a + b",)),
    P("DEFINE", "[we] define|set|write|denote $definition for|as CALLED", lambda facts, named: facts,
      r"We write $s = a + b$ for the score.", ("s := a + b",)),
    P("LET", "let $definition be applied ENTRYWISE", entrywise_function,
      r"Let $s(t) = \max(t, 0)$ be applied entrywise.", (r"s := \max(t,0)",)),
    P("ENTRYWISE", "entrywise|elementwise|componentwise|coordinatewise", nothing,
      r"Let $s(t) = \max(t, 0)$ be applied entrywise.", (r"s := \max(t,0)",)),
    P("ENTRYWISE", "entry|element|component|coordinate wise", nothing,
      r"Let $s(t) = \max(t, 0)$ be applied entry-wise.", (r"s := \max(t,0)",)),
    P("LET", "let $definition be|denote CALLED", lambda facts, named: facts,
      r"Let $s = a + b$ be the average error.", ("s := a + b",)),
    P("SENTENCE", "[LEAD] CALLED [OFLETTER] is|reads $definition [,] [WHERE]",
      lambda lead, named, of, facts, more: Said(both(named_so(facts), more)),
      r"The score is $s = a + b$.", ("s := a + b",)),
    P("SENTENCE",
      "[LEAD] a|an|the|each|our @name ANYNAME* computes|outputs|returns|produces $definition [,] [WHERE]",
      lambda lead, facts, more: Said(both(named_so(facts), more)),
      r"A residual block computes $s = a + b$.", ("s := a + b",)),
    P("SENTENCE", "[LEAD] CALLED [OFLETTER] is|reads $definition [,] for|if|whenever $nonzero",
      lambda lead, named, of, facts, nonzero: Said(named_so(facts)),
      r"The ratio is $s(a) = 1/a$ for $a \ne 0$.", ("s := 1/a",)),
    P("SENTENCE", "[LEAD] CALLED of WHO is|reads $definition [,] [WHERE]",
      lambda lead, named, who, facts, more: Said(both(who[1], named_so(facts), more)),
      r"The score of a unit vector $x \in \mathbb{R}^n$ is $s(x) = x$.", ("norm(x) == 1", *_N, "s := x",
      "x: vector(n)")),
    P("SENTENCE", "[LEAD] FOR [,] CALLED [OFLETTER] is $definition",
      lambda lead, over, named, of, facts: Said(of_arguments(over, None, named_so(facts))),
      r"For $x \in \mathbb{R}$, the score is $s(x) = x^2$.", ("s := x^2",)),
    P("OFLETTER", "of|at|between LETTERS", nothing, r"The score of $a$ is $s = a + b$.", ("s := a + b",)),
    P("WHEREP", "$definition is|denotes CALLED", lambda facts, named: facts,
      r"Then $f \le s$, where $s = a + b$ is the total loss.", ("s := a + b",)),
    P("CALLED", "NAMED", nothing, r"Let $s = a + b$ be a sample mean.", ("s := a + b",)),
    P("CALLED", "the|its|their|our @name ANYNAME* OFNAME*", nothing,
      r"Let $s = a + b$ be the grand total of the books.", ("s := a + b",)),
    P("ANYNAME", "@name", nothing, r"Let $s = a + b$ be the grand total.", ("s := a + b",)),
    P("OFNAME", "of|for|in|at|on|onto|over|to|between [the|a|an|all|each|its|their] @name ANYNAME*", nothing,
      r"Let $s = a + b$ be the total of all books.", ("s := a + b",)),
    P("NAMED", "the|a|an|its|their NAMEWORD NAMEWORD*", nothing,
      r"Let $s = a + b$ be the sample mean.", ("s := a + b",)),
    P("NAMEWORD", _NAMES, nothing, r"Let $s = a + b$ be the residual.", ("s := a + b",)),
    P("NAMEWORD", "stochastic gradient|gradients [estimate|estimator|noise]", nothing,
      r"Let $s = a + b$ be the stochastic gradient.", ("s := a + b",)),
    P("NAMEWORD", "gaussian|rbf|polynomial kernel", nothing,
      r"Let $s = a + b$ be the Gaussian kernel.", ("s := a + b",)),
    P("NAMEWORD", "relative|cross|shannon entropy", nothing,
      r"Let $s = a + b$ be the relative entropy.", ("s := a + b",)),
    P("DEFS", "$definition", tuple, r"Set $s := a + b$.", ("s := a + b",)),
    P("DEFS", "$definitions", tuple, r"Set $s = a + b, \; t = a b$.", ("s := a + b", "t := ab")),
    P("DEFS", "$definition [,] and DEFS", both, r"Set $s = a + b$ and $t = a b$.",
      ("s := a + b", "t := ab")),
    P("DEFS", "$definition , DEFS", both, r"Set $s = a + b$, $t = a b$.", ("s := a + b", "t := ab")),
    P("WHERE", "where|here [,] [we] [define|set|write] WHERES", tuple, r"Then $f \le s$, where $s = a + b$.",
      ("s := a + b",)),
    P("WHERES", "WHEREP", tuple, r"Then $f \le s$ where $s := a + b$.", ("s := a + b",)),
    P("WHERES", "WHEREP [,] and [where] WHERES", both, r"Then $f \le s t$ where $s = a + b$ and $t > 0$.",
      ("s := a + b", "t: positive")),
    P("WHERES", "WHEREP , WHERES", both, r"Then $f \le s t$ where $s = a + b$, $t > 0$.",
      ("s := a + b", "t: positive")),
    P("WHEREP", "we [have] used [that|the] [fact] [that] $any", nothing,
      r"Then $f \le t$ where $t \ge 0$ and we used $a = b$.", ("t: interval(0, oo)",)),
    P("WHEREP", "$given", tuple, r"Then $f \le t$ where $t \ge 0$.", ("t: interval(0, oo)",)),
    P("WHEREP", "FACT", tuple, r"Then $f \le t$ where $t$ is a positive number.", ("t: positive",)),
)  # fmt: skip

_LEADS = (
    "then|moreover|furthermore|further|additionally|also|finally|now|next|first|second|hence|thus|therefore|"
    "consequently|similarly|again|and"
)

SENTENCES = (
    P("SENTENCE", "[LEAD] DECLS", _declared, r"Moreover, let $x \in \mathbb{R}^n$.", (*_N, "x: vector(n)")),
    P("SENTENCE", "[LEAD] DECLS [,|;|:] GLUE ASSERTED", _claimed,
      r"Let $x \in \mathbb{R}^n$, then $\|x\| \ge 0$.", (*_N, "x: vector(n)")),
    P("SENTENCE", "[LEAD] DECLS [,] [then] QUANTS [,] ASSERTED", _claimed,
      r"Let $x \in \mathbb{R}^n$, then for all $y \in \mathbb{R}^n$, $\|x + y\| \ge 0$.",
      (*_N, "x: vector(n)", "y: vector(n)")),
    P("SENTENCE", "[LEAD] DECLS : $claim CLAIMED* [TAILS]", _claimed,
      r"Let $x \in \mathbb{R}^n$: $\|x\|^2 \ge \|x\| - 1$.", (*_N, "x: vector(n)")),
    P("SENTENCE", "[LEAD] QUANTS [,|:] ASSERTED", _claimed,
      r"For all $x \in \mathbb{R}^n$, we have $\|x\| \ge 0$.",
      (*_N, "x: vector(n)")),
    P("SENTENCE", "[LEAD] ASSERTED", _claimed, r"Then $\|x\| \ge 0$ for all $x \in \mathbb{R}^n$.",
      (*_N, "x: vector(n)")),
    P("SENTENCE", "[STATING] FACTS [TAILS]", lambda lead, facts, tails: Said(both(stated(facts), tails)),
      r"The entries of $x \in \mathbb{R}^n$ are i.i.d. standard normal.", (*_N, "x: normal(n)")),
    P("SENTENCE", "for [all|any|every|each] $range [,] LET", _declared,
      r"For $i = 1, \dots, n$, let $x_i \in \mathbb{R}^d$.",
      ("d: dimension", *_N, "x: vector(d, copies=n)")),
    P("SENTENCE", "STANDING FACTS [TAILS]", _declared,
      r"Throughout, $x \in \mathbb{R}^n$ is a unit vector.", (*_N, "x: vector(n)", "norm(x) == 1")),
    P("SENTENCE", "STANDING $condition and FACTS", lambda lead, first, facts: Said(both(first, facts)),
      r"In what follows $n \ge 2$ and $x \in \mathbb{R}^n$ is a unit vector.",
      (*_N, "n >= 2", "norm(x) == 1", "x: vector(n)")),
    P("SENTENCE", "STANDING $member", lambda lead, member: Said(member[1]),
      r"Throughout, $x \in \mathbb{R}^n$.", (*_N, "x: vector(n)")),
    P("SENTENCE", "STANDING FACTS [,] and DECLS", lambda lead, facts, decls: Said(both(facts, decls)),
      r"Throughout, $x \in \mathbb{R}^n$ is a unit vector, and we write $s = \|x\|^2$.",
      (*_N, "norm(x) == 1", "s := norm(x)**2", "x: vector(n)")),
    P("SENTENCE", "STANDING DECLS", _declared, r"Throughout, let $n \ge 2$.", ("n >= 2",)),
    P("SENTENCE", "STATING DECLS", _declared, r"Recall, let $x \in \mathbb{R}^n$.", (*_N,
      "x: vector(n)")),
    P("SENTENCE", "DECLS , [and] FACTS", lambda first, facts: Said(both(first, stated(facts))),
      r"Let $x \in \mathbb{R}^n$, and the entries of $x$ are i.i.d. standard normal.", (*_N, "x: normal(n)")),
    P("SENTENCE", "WHERE [TAILS]", _declared, r"Where $s = a + b$.", ("s := a + b",)),
    P("ASSERTED", "CALLED $definition [OFANY] satisfies|obeys ASSERTED",
      lambda named, facts, over, claim: both(facts, over, claim),
      r"The total score $s = a + b$ satisfies $s^2 \ge 0$.", ("s := a + b",)),
    P("ASSERTED", "NAMED [$letter] [OFANY] satisfies|obeys ASSERTED",
      lambda named, letter, over, claim: both(over, claim),
      r"The output $x$ of every input $x \in \mathbb{R}^n$ satisfies $\|x\| \ge 0$.", (*_N, "x: vector(n)")),
    P("OFANY", "of|for any|all|every|each OVER", bound,
      r"The norm $s = \|x\|$ of any $x \in \mathbb{R}^n$ satisfies $s \ge 0$.",
      (*_N, "s := norm(x)", "x: vector(n)")),
    P("STANDING", "at initialization|init [,]", nothing,
      r"At initialization, the entries of $x \in \mathbb{R}^n$ are i.i.d. standard normal.", (*_N,
      "x: normal(n)")),
    P("LEAD", f"{_LEADS} [,] [that]", nothing, r"Moreover, let $n \ge 2$.", ("n >= 2",)),
    P("LEAD", "in addition|particular [,]", nothing, r"In addition, assume $n \ge 2$.", ("n >= 2",)),
    P("STATING", "here and in the following|sequel [,]", nothing,
      r"Here and in the following, $W$ and $V$ are independent.", ("independent: W, V",)),
    P("STATING", "here|recall [,] [that]", nothing, r"Recall that $W$ and $V$ are independent.",
      ("independent: W, V",)),
    P("STANDING", "throughout [,]", nothing, r"Throughout, $W$ and $V$ are independent.",
      ("independent: W, V",)),
    P("STANDING", "throughout this|the section|paper|note|article [,]", nothing,
      r"Throughout this section, we assume $n \ge 2$.", ("n >= 2",)),
    P("STANDING", "in this section|paper|note [,]", nothing,
      r"In this section we assume $n \ge 2$.", ("n >= 2",)),
    P("STANDING", "in the sequel|following [,]", nothing,
      r"In the sequel, assume $n \ge 2$.", ("n >= 2",)),
    P("STANDING", "in what follows [,]", nothing, r"In what follows, assume $n \ge 2$.", ("n >= 2",)),
    P("DECLS", "DECL", tuple, r"Assume $n \ge 2$.", ("n >= 2",)),
    P("DECLS", "DECL [,|;] [and] DECLMORE", both,
      r"Let $n$ be a positive integer, and assume that $n \ge 2$.",
      (*_N, "n >= 2")),
    P("DECLMORE", "DECLS", tuple, r"Let $k$ be an integer and assume that $k \ge 2$.", ("k: dimension",
      "k >= 2")),
    P("DECLMORE", "WHERE [DECLMORE]", both, r"Let $x \in \mathbb{R}^n$, where $n \ge 2$.",
      (*_N, "x: vector(n)", "n >= 2")),
    P("DECLMORE", "with CONDITIONS [DECLMORE]", both,
      r"Assume $m = 2n$, with $A \in \mathbb{R}^{m \times n}$.", ("A: matrix(m, n)", "m: dimension", *_N,
      "m == 2*n")),
    P("DECLMORE", "with WHOS as before", lambda who: as_before(who),
      r"Let $s = a + b$, with $a$ as in (1).", ("s := a + b", "taken: a")),
    P("DECLMORE", "FOR [,] [DECLMORE]", both, r"Let $x_i \in \mathbb{R}^d$ for $i = 1, \dots, n$.",
      ("d: dimension", *_N, "x: vector(d, copies=n)")),
    P("DECL", "LET", tuple, r"Let $k$ be an integer.", ("k: integer",)),
    P("DECL", "FOR [,] LET", _of_letters,
      r"For two vectors $x, y \in \mathbb{R}^n$, let $s = \|x\|^2$.", (*_N, "s := norm(x)**2",
      "x: vector(n)", "y: vector(n)")),
    P("DECL", "ASSUME", tuple, r"Suppose $n \ge 2$.", ("n >= 2",)),
    P("DECL", "DEFINE", tuple, r"Define $s = a + b$.", ("s := a + b",)),
    P("QUANTS", "QUANT", tuple, r"For all $t > 0$, $t + 1 > 1$.", ("t: positive",)),
    P("QUANTS", "QUANT [,] [and] QUANTS", both, r"For all $t > 0$ and for all $s > 0$, $t + s > 0$.",
      ("s: positive", "t: positive")),
    P("QUANT", "FOR", tuple, r"For every $t > 0$ it holds that $t + 1 > 1$.", ("t: positive",)),
    P("QUANT", "WITHIN", tuple, r"With $n \ge d$, it holds that $n + 1 \ge d$.", ("n >= d",)),
    P("QUANT", "IF", tuple, r"If $n \ge 2$, then $n > 1$.", ("n >= 2",)),
    P("QUANT", "GROW", tuple, r"As $n \to \infty$, we have $f = O(n)$.", ("n -> oo",)),
    P("TAILS", "[,|;] TAIL", tuple, r"Then $n > 1$, if $n \ge 2$.", ("n >= 2",)),
    P("TAILS", "[,|;] TAIL TAILS", both, r"Then $f = O(n)$ as $n \to \infty$, where $f > 0$.", ("f: positive",
      "n -> oo")),
    P("TAILS", "[,|;] TAIL and TAILS", both, r"Then $t + s > 0$ for all $t > 0$ and for all $s > 0$.",
      ("s: positive", "t: positive")),
    P("TAIL", "FOR", tuple, r"Then $t + 1 > 1$ for any $t > 0$.", ("t: positive",)),
    P("TAIL", "IF", tuple, r"Then $n > 1$ whenever $n \ge 2$.", ("n >= 2",)),
    P("TAIL", "GROW", tuple, r"Then $f = O(n)$ as $n$ tends to infinity.", ("n -> oo",)),
    P("TAIL", "WHERE", tuple, r"Then $n > 1$, where $n \ge 2$.", ("n >= 2",)),
    P("TAIL", "WITH", tuple, r"Then $n > 1$ with $n \ge 2$.", ("n >= 2",)),
)  # fmt: skip

PRODUCTIONS = (
    *SENTENCES,
    *CLAIMS,
    *DECLARATIONS,
    *NOTATIONS,
    *SCENES,
    *QUANTIFIERS,
    *THINGS,
    *STATES,
    *ROWS,
    *SUBJECTS,
    *PHRASES,
    *FUNCTIONS,
    *MATRICES,
    *NUMBERS,
    *LAWS,
    *INDEPENDENCE,
    *MOMENTS,
    *ENTRIES,
)
GRAMMAR = Grammar(PRODUCTIONS, SHAPES)
