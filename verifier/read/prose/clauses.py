r"""Productions for clauses: of what something is said, and what is let, assumed, defined, quantified over.

`let $x$ be ...`, `assume that ...`, `where ...`, `for all ...`, `as $n \to \infty$`, `if ...`.
"""

from dataclasses import replace
from typing import Any

from verifier.read.prose.draws import along, entrywise
from verifier.read.prose.grammar import Mismatch, Production
from verifier.read.prose.nouns import joined
from verifier.read.prose.scalars import text as scalar_source
from verifier.read.prose.values import (
    Always,
    Apart,
    ApartFrom,
    Bars,
    Fact,
    Facts,
    Function,
    Grows,
    Holds,
    Independent,
    Is,
    Letter,
    Means,
    Noun,
    Ranges,
    Space,
    Unsayable,
)

P = Production
Subject = tuple[tuple[Letter, ...], Facts]


def attach(letters: tuple[Letter, ...], noun: Noun) -> Facts:
    """What a noun says, of each of the letters."""
    facts: list[Fact] = []
    for letter in letters:
        for item in noun.attributes:
            if isinstance(item, ApartFrom):
                facts.append(Apart((letter, *item.letters)))
            else:
                facts.append(Is(letter, item))
    return (*facts, *noun.facts)


def both(*parts: Facts | None) -> Facts:
    return tuple(fact for part in parts if part is not None for fact in part)


def said(subject: Subject, *nouns: Noun | None) -> Facts:
    """What is said of a subject, beside what its own formula says."""
    letters, facts = subject
    return (*facts, *attach(letters, joined(*nouns)))


def _called(det: Noun | None, mods: Noun | None, noun: Noun, subject: Subject) -> Subject:
    """the symmetric matrix $A$: what the noun says goes with the letters."""
    return subject[0], said(subject, mods, noun)


def _together(first: Subject, second: Subject) -> Subject:
    """What is said of a list is said of each in it."""
    return (*first[0], *second[0]), (*first[1], *second[1])


def _introduced(subject: Subject, posts: Noun | None) -> Facts:
    """Things that are let be what their formulas say. What follows a list may be said of the last or of all."""
    if not subject[1] and posts is None:
        raise Mismatch
    if posts is not None and posts.attributes and len(subject[0]) > 1:
        raise Unsayable("of which of these things is this said?", "write one sentence for each")
    return said(subject, posts)


def _drawn_iid(member: Subject) -> Subject:
    r"""$x_i \sim law$ i.i.d."""
    letters, facts = member
    if not all(letter.copies or letter.indices for letter in letters):
        raise Unsayable("what is i.i.d. here?", "say it of the entries, or of a family")
    return letters, (*facts, *(Is(letter, Independent(True)) for letter in letters))


def _entries_named(letters: tuple[Letter, ...], of: Subject | None) -> Subject:
    """the entries $W_{ij}$ of $W$"""
    if not all(letter.indices for letter in letters):
        raise Mismatch
    return letters, () if of is None else of[1]


def _all(subject: Subject, *nouns: Noun | None) -> Facts:
    """What is said with `are` is said of several: letters, a family, or the entries W_{ij}."""
    letters = subject[0]
    if len(letters) < 2 and not any(letter.copies or letter.indices for letter in letters):
        raise Mismatch
    return said(subject, *nouns)


def _satisfies(subject: Subject, facts: Facts) -> Facts:
    return (*subject[1], *facts)


def letters_of(*groups: tuple[Letter, ...] | None) -> tuple[Letter, ...]:
    return tuple(letter for group in groups if group for letter in group)


def stated(facts: Facts) -> Facts:
    """What a bare sentence says: it may be a claim, and is held apart until that is known."""
    return tuple(replace(fact, stated=True) if isinstance(fact, Is) else fact for fact in facts)


def bound(facts: Facts | None) -> Facts:
    """What is true inside one sentence only."""
    return tuple(
        replace(fact, bound=True) if isinstance(fact, Is | Holds | Ranges) else fact for fact in facts or ()
    )


def _means(letter: Letter, formula: str) -> Facts:
    return (Means(letter, letter.latex, formula, sure=True),)


def _flag(text: str) -> Any:
    """What is said of a function, with the number in it."""
    return lambda *slots: Noun((Function(None, (text.format(*(scalar_source(slot) for slot in slots)),)),))


def _grow(letters: tuple[Letter, ...], loosely: bool = False) -> Facts:
    return tuple(Grows(letter, loosely) for letter in letters)


def _apart(*groups: tuple[Letter, ...]) -> Facts:
    letters = letters_of(*groups)
    if len(letters) < 2:
        raise Unsayable("independent of what?", "name both: $X$ and $Y$ are independent")
    if len(groups) == 1 or (len(groups[0]) == len(groups[1]) == 1):
        return (Apart(letters),)
    return tuple(Apart((one, other)) for one in groups[0] for other in groups[1])


_MN = ("m: dimension", "n: dimension")
_N = ("n: dimension",)
_X = r"$x \in \mathbb{R}^n$"

PHRASES = (
    P("NP", "[DET] [MODS] NOUN [POSTS]", lambda det, *nouns: joined(*nouns),
      r"Let $x$ be a vector of length $n$.", (*_N, "x: vector(n)")),
    P("DET", "a|an|any|the|two|three|both", Noun, r"Let $x, y$ be two vectors in $\mathbb{R}^n$.",
      (*_N, "x: vector(n)", "y: vector(n)")),
    P("MODS", "MOD [,|and] [MODS]", joined, r"Let $A$ be a fixed symmetric $n \times n$ matrix.",
      ("A: symmetric(n)", *_N)),
    P("MODS", "RMOD [,|and] [MODS]", joined, r"Let $g$ be a standard Gaussian vector in $\mathbb{R}^n$.",
      ("g: normal(n)", *_N)),
    P("ADJS", "ADJ", joined, r"Let $A \in \mathbb{R}^{n \times n}$ be orthogonal.", ("A: orthogonal(n)", *_N)),
    P("ADJS", "ADJ [,] and|, ADJS", joined, r"Let $A \in \mathbb{R}^{n \times n}$ be symmetric and positive semidefinite.",
      ("A: psd(n)", *_N)),
    P("POSTS", "POST", joined, r"Let $x$ be a vector in $\mathbb{R}^n$.", (*_N, "x: vector(n)")),
    P("POSTS", "POST [and|,] POSTS", joined, r"Let $x$ be a random vector in $\mathbb{R}^n$ with mean zero.",
      (*_N, "x: random(n, mean=0)")),
    P("POST", "in|from $set", Noun, r"Let $t$ be a number in $[0, 1]$.", ("t: interval(0, 1)",)),
    P("POST", "of size|dimension|dimensions|shape|order $sizes", lambda sizes: Noun((Space(sizes),)),
      r"Let $A$ be a matrix of size $m \times n$.", ("A: matrix(m, n)", *_MN)),
    P("POST", "of size|dimension|length $number", lambda size: Noun((Space((scalar_source(size),)),)),
      r"Let $x$ be a vector of dimension $n$.", (*_N, "x: vector(n)")),
    P("POST", "with|satisfying CONDITIONS", lambda facts: Noun((), facts),
      r"Let $x$ be a vector in $\mathbb{R}^n$ with $\|x\| = 1$.", (*_N, "x: vector(n)", "norm(x) == 1")),
    P("POST", "such|so that CONDITIONS", lambda facts: Noun((), facts),
      r"Let $x$ be a vector in $\mathbb{R}^n$ such that $\|x\| = 1$.", (*_N, "x: vector(n)", "norm(x) == 1")),
    P("POST", "with unit norm", lambda: Noun((Always("norm({x}) == 1"),)),
      r"Let $x \in \mathbb{R}^n$ with unit norm.", (*_N, "x: vector(n)", "norm(x) == 1")),
    P("POST", "independent of LETTERS", lambda letters: Noun((ApartFrom(letters),)),
      r"Let $z \sim \mathcal{N}(0, 1)$ be a random variable independent of $y$.", ("z: normal()", "independent: z, y")),
    P("CONDITIONS", "$member iid|independently", lambda member: _drawn_iid(member)[1],
      r"Let $W \in \mathbb{R}^{m \times n}$ with $W_{ij} \sim \mathcal{N}(0, 1)$ i.i.d.", ("W: normal(m, n)", *_MN)),
    P("CONDITIONS", "$condition", tuple, rf"Let {_X} with $\|x\| = 1$.", (*_N, "x: vector(n)", "norm(x) == 1")),
    P("CONDITIONS", "$condition and [that] CONDITIONS", both, r"Let $a, b$ be scalars with $a < b$ and $b < 1$.",
      ("a: real", "b: real", "a < b", "b < 1")),
)  # fmt: skip

SUBJECTS = (
    P("LETTERS", "$letters", letters_of, r"Assume that $x, y$ are independent.", ("independent: x, y",)),
    P("LETTERS", "$letters and|, LETTERS", letters_of, r"Assume that $x$ and $y$ are independent.",
      ("independent: x, y",)),
    P("LETTERS", "$letters , and LETTERS", letters_of, r"Assume that $x$, $y$, and $z$ are independent.",
      ("independent: x, y, z",)),
    P("WHOS", "WHO", lambda who: who, r"Let $x$ be a unit vector in $\mathbb{R}^n$.",
      (*_N, "x: vector(n)", "norm(x) == 1")),
    P("WHOS", "WHO and|, WHOS", _together, r"Let $a$ and $b$ be positive numbers.", ("a: positive", "b: positive")),
    P("WHOS", "WHO , and WHOS", _together, r"Let $a$, $b$, and $c$ be positive numbers.",
      ("a: positive", "b: positive", "c: positive")),
    P("WHO", "$letters", lambda letters: (letters, ()), r"Let $x$ be a scalar.", ("x: real",)),
    P("WHO", "$member iid|independently", _drawn_iid, r"Let $x_1, \dots, x_n \sim \mathcal{N}(0, 1)$ i.i.d.",
      (*_N, "x: normal(n)")),
    P("WHO", "[the] entries|components|coordinates|elements|weights|variables $letters [of] [$introduced]", _entries_named,
      r"Let the entries $W_{ij}$ of $W \in \mathbb{R}^{m \times n}$ be i.i.d. standard normal.",
      ("W: normal(m, n)", *_MN)),
    P("WHO", "$introduced", lambda subject: subject, rf"Let {_X} be a unit vector.",
      (*_N, "x: vector(n)", "norm(x) == 1")),
    P("WHO", "[DET] [MODS] NOUN $letters", lambda det, mods, noun, letters: _called(det, mods, noun, (letters, ())),
      r"Let the vector $x$ be in $\mathbb{R}^n$.", (*_N, "x: vector(n)")),
    P("WHO", "[DET] [MODS] NOUN $introduced", _called, r"For every unit vector $u \in \mathbb{R}^n$, $\|u\| \le 2$.",
      (*_N, "u: vector(n)", "norm(u) == 1")),
    P("ENTRYOF", "[the] entries|components|coordinates|elements of WHOS", lambda who: who,
      rf"Let the entries of {_X} be i.i.d. Rademacher.", (*_N, "x: rademacher(n)")),
)  # fmt: skip

FUNCTIONS = (
    P("NOUN", "function|functions", lambda: Noun((Function(),)),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be a differentiable function.", ("f: function(n)", *_N)),
    P("MOD", "FLAG", joined, r"Let $f : \mathbb{R} \to \mathbb{R}$ be a differentiable function.", ("f: function()",)),
    P("FLAG", "differentiable", _flag("differentiable"), r"Assume that $f : \mathbb{R}^n \to \mathbb{R}$ is differentiable.",
      ("f: function(n)", *_N)),
    P("FLAG", "convex", _flag("convex"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be convex.", refuses="functions of a class"),
    P("FLAG", "smooth", _flag("smooth"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be smooth.", refuses="functions of a class"),
    P("FLAG", "even", _flag("even"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be even.", refuses="functions of a class"),
    P("FLAG", "increasing", _flag("increasing"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be increasing.", refuses="functions of a class"),
    P("FLAG", "strongly convex", _flag("strong"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be strongly convex.", refuses="functions of a class"),
    P("FLAG", "continuously|twice|infinitely differentiable", _flag("more differentiable"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be twice differentiable.", refuses="functions of a class"),
    P("FLAG", "continuous", _flag("continuous"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be continuous.", refuses="functions of a class"),
    P("FLAG", "$number smooth", _flag("smooth={}"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be $L$-smooth.", refuses="functions of a class"),
    P("FLAG", "$number strongly convex", _flag("strong={}"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be $\mu$-strongly convex.", refuses="functions of a class"),
    P("FLAG", "$number lipschitz [continuous]", _flag("lipschitz={}"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be $L$-Lipschitz continuous.", refuses="functions of a class"),
    P("FLAG", "lipschitz [continuous]", _flag("lipschitz"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be Lipschitz.", refuses="functions of a class"),
    P("FLAG", "lipschitz [continuous] with constant $number", _flag("lipschitz={}"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be Lipschitz with constant $L$.", refuses="functions of a class"),
    P("FLAG", "$number homogeneous", _flag("homogeneous={}"),
      r"Let $f : \mathbb{R}^n \to \mathbb{R}$ be $k$-homogeneous.", refuses="functions of a class"),
)  # fmt: skip

THINGS = (
    P("THINGS", "THING", tuple, rf"Let $x$ be a number.", ("x: real",)),
    P("THINGS", "WHOS", lambda who: _introduced(who, None), r"Let $x \in \mathbb{R}^n$ and $y \in \mathbb{R}^n$.",
      (*_N, "x: vector(n)", "y: vector(n)")),
    P("THINGS", "THING [,] and THINGS", both,
      r"Let $x \in \mathbb{R}^n$ be a unit vector and $t$ be a number.", (*_N, "t: real", "x: vector(n)", "norm(x) == 1")),
    P("THINGS", "THING , THINGS", both, r"Let $x$ be a number, $y$ be an integer.", ("x: real", "y: integer")),
    P("THING", "WHOS POSTS", _introduced, rf"Let {_X} satisfying $\|x\| \le 1$.", (*_N, "x: vector(n)", "norm(x) <= 1")),
    P("THING", "WHOS be NP", said, r"Let $x$ be a vector in $\mathbb{R}^n$.", (*_N, "x: vector(n)")),
    P("THING", "WHOS be in $set", lambda who, items: said(who, Noun(items)), r"Let $x, y$ be in $\mathbb{R}^n$.",
      (*_N, "x: vector(n)", "y: vector(n)")),
    P("THING", "WHOS be ADJS [POSTS]", said, rf"Let $A \in \mathbb{{R}}^{{n \times n}}$ be symmetric.", ("A: symmetric(n)", *_N)),
    P("THING", "WHOS be [HOW] DRAWN", said, r"Let $z$ be drawn from $\mathcal{N}(0, 1)$.", ("z: normal()",)),
    P("THING", "WHOS have ENTRIES", said, rf"Let {_X} have independent entries drawn from $\mathcal{{N}}(0, 1)$.",
      (*_N, "x: normal(n)")),
    P("THING", "ENTRYOF be DRAWN", lambda who, noun: said(who, entrywise(noun)),
      rf"Let the entries of {_X} be i.i.d. standard normal.", (*_N, "x: normal(n)")),
    P("THING", "[the] rows of WHO be DRAWN", lambda who, noun: said(who, along("rows")(noun)),
      r"Let the rows of $W \in \mathbb{R}^{m \times n}$ be i.i.d. $\mathcal{N}(0, I_n)$.",
      ("W: normal(m, n)", *_MN)),
    P("THING", "[the] columns of WHO be DRAWN", lambda who, noun: said(who, along("columns")(noun)),
      r"Let the columns of $W \in \mathbb{R}^{m \times n}$ be i.i.d. $\mathcal{N}(0, I_m)$.",
      ("W: normal(m, n)", *_MN)),
    P("THING", "WHOS be independent of LETTERS", lambda who, letters: said(who, Noun((ApartFrom(letters),))),
      r"Let $z \sim \mathcal{N}(0, 1)$ be independent of $y$.", ("z: normal()", "independent: z, y")),
    P("THING", "$letter denote $expression", _means, r"Let $S$ denote $X W$.", ("S := X W",)),
    P("THING", "$tends", tuple, r"Let $n \to \infty$.", ("n -> oo",)),
    P("THING", "LETTERS be [mutually|jointly] independent", _apart, r"Let $y$ and $z$ be independent.",
      ("independent: y, z",)),
)  # fmt: skip

STATES = (
    P("STATES", "STATE", tuple, r"Assume that $n \ge d$.", ("n >= d",)),
    P("STATES", "STATE [,] and [that] STATES", both, r"Assume that $n \ge d$ and that $d \ge 2$.", ("n >= d", "d >= 2")),
    P("STATES", "STATE , STATES", both, r"Assume that $n \ge d$, $d \ge 2$.", ("n >= d", "d >= 2")),
    P("STATE", "$condition", tuple, r"We assume $n \ge d$.", ("n >= d",)),
    P("STATE", "FACT", tuple, rf"Suppose that {_X} has i.i.d. Rademacher entries.", (*_N, "x: rademacher(n)")),
    P("FACTS", "FACT", tuple, rf"The entries of {_X} are i.i.d. Rademacher.", (*_N, "x: rademacher(n)")),
    P("FACTS", "FACT [,] and FACTS", both, r"$y$ is a standard normal random variable and $z$ is independent of $y$.",
      ("y: normal()", "independent: z, y")),
    P("FACT", "WHO is NP", said, r"Suppose that $x$ is a unit vector in $\mathbb{R}^n$.",
      (*_N, "x: vector(n)", "norm(x) == 1")),
    P("FACT", "WHO is ADJS [POSTS]", said, r"Suppose that $A \in \mathbb{R}^{n \times n}$ is symmetric.",
      ("A: symmetric(n)", *_N)),
    P("FACT", "WHO is [HOW] DRAWN", said, r"Suppose that $z$ is distributed as $\mathcal{N}(0, 1)$.",
      ("z: normal()",)),
    P("FACT", "WHO has ENTRIES", said, rf"Assume that {_X} has i.i.d. standard normal entries.",
      (*_N, "x: normal(n)")),
    P("FACT", "WHO has [a] unit norm", lambda who: said(who, Noun((Always("norm({x}) == 1"),))),
      rf"Assume that {_X} has unit norm.", (*_N, "x: vector(n)", "norm(x) == 1")),
    P("FACT", "WHOS are NP", _all, r"Suppose that $x$ and $y$ are unit vectors in $\mathbb{R}^n$.",
      (*_N, "x: vector(n)", "norm(x) == 1", "y: vector(n)", "norm(y) == 1")),
    P("FACT", "WHOS are ADJS [POSTS]", _all,
      r"Suppose that $A \in \mathbb{R}^{n \times n}$ and $B \in \mathbb{R}^{n \times n}$ are symmetric.",
      ("A: symmetric(n)", "B: symmetric(n)", *_N)),
    P("FACT", "WHOS are [HOW] DRAWN", _all, r"Suppose that $y$ and $z$ are distributed as $\mathcal{N}(0, 1)$.",
      ("y: normal()", "z: normal()")),
    P("FACT", "WHOS have ENTRIES", _all,
      r"Assume that $x \in \mathbb{R}^n$ and $y \in \mathbb{R}^n$ have i.i.d. standard normal entries.",
      (*_N, "x: normal(n)", "y: normal(n)")),
    P("FACT", "WHO satisfies CONDITIONS", _satisfies, rf"Assume that {_X} satisfies $\|x\| \le 1$.",
      (*_N, "x: vector(n)", "norm(x) <= 1")),
    P("FACT", "ENTRYOF are DRAWN", lambda who, noun: said(who, entrywise(noun)),
      rf"Assume that the entries of {_X} are i.i.d. standard normal.", (*_N, "x: normal(n)")),
    P("FACT", "[the] rows of WHO are DRAWN", lambda who, noun: said(who, along("rows")(noun)),
      r"Assume that the rows of $W \in \mathbb{R}^{m \times n}$ are i.i.d. $\mathcal{N}(0, I_n)$.",
      ("W: normal(m, n)", *_MN)),
    P("FACT", "[the] columns of WHO are DRAWN", lambda who, noun: said(who, along("columns")(noun)),
      r"Assume that the columns of $W \in \mathbb{R}^{m \times n}$ are i.i.d. $\mathcal{N}(0, I_m)$.",
      ("W: normal(m, n)", *_MN)),
    P("FACT", "LETTERS are [mutually|jointly] independent", _apart, r"Assume that $y$ and $z$ are independent.",
      ("independent: y, z",)),
    P("FACT", "LETTERS is|are independent of LETTERS", _apart, r"Assume that $y$ is independent of $z$.",
      ("independent: y, z",)),
    P("FACT", "$bars is|denotes the euclidean|l2 norm", lambda bars: (Bars("euclidean"),),
      r"Here $\|\cdot\|$ denotes the Euclidean norm.", ()),
    P("FACT", "$bars is|denotes the frobenius norm", lambda bars: (Bars("frobenius"),),
      r"Here $\|\cdot\|$ denotes the Frobenius norm.", ("norm := norm",)),
    P("FACT", "$bars is|denotes the spectral|operator norm", lambda bars: (Bars("spectral"),),
      r"Here $\|\cdot\|$ denotes the spectral norm.", refuses="plain bars"),
)  # fmt: skip

QUANTIFIERS = (
    P("FOR", "for [all|any|every|each|fixed|given|arbitrary] OVER", bound,
      r"Then $\|A x\| \ge 0$ for all $x \in \mathbb{R}^n$.", (*_N, "x: vector(n)")),
    P("OVER", "WHO [POSTS]", said, r"For all $x \in \mathbb{R}^n$ with $\|x\| = 1$, we have $\|x\| \le 2$.",
      (*_N, "x: vector(n)", "norm(x) == 1")),
    P("OVER", "WHO [POSTS] [,] and OVERMORE", lambda who, posts, more: both(said(who, posts), more),
      r"For all $x \in \mathbb{R}^n$ and $t > 0$, we have $t \|x\| \ge 0$.", (*_N, "t: positive", "x: vector(n)")),
    P("OVER", "WHO , OVERMEMBERS", lambda who, more: both(who[1], more),
      r"For all $x \in \mathbb{R}^n$, $y \in \mathbb{R}^n$, we have $\|x + y\| \ge 0$.",
      (*_N, "x: vector(n)", "y: vector(n)")),
    P("OVERMORE", "[all|any|every|each] $bounded [POSTS]", lambda facts, posts: both(facts, None if posts is None else posts.facts),
      r"For all $x > 0$ and $y > 0$, we have $x + y > 0$.", ("x: positive", "y: positive")),
    P("OVERMORE", "[all|any|every|each] [DET] [MODS] NOUN LETTERS",
      lambda det, mods, noun, letters: _called(det, mods, noun, (letters, ()))[1],
      r"For all $x > 0$ and every integer $k$, we have $x + k^2 > 0$.", ("k: integer", "x: positive")),
    P("OVERMEMBERS", "$member", lambda member: member[1], r"For all $s \in [0, 1]$, $t \in [0, 1]$, we have $s t \le 1$.",
      ("s: interval(0, 1)", "t: interval(0, 1)")),
    P("OVERMEMBERS", "$member , OVERMEMBERS", lambda member, more: both(member[1], more),
      r"For all $s \in [0, 1]$, $t \in [0, 1]$, $u \in [0, 1]$, we have $s t u \le 1$.",
      ("s: interval(0, 1)", "t: interval(0, 1)", "u: interval(0, 1)")),
    P("FOR", "for [all|any|every|each] $range", bound, r"Then $s_i \ge 0$ for $i = 1, \dots, n$.",
      ("i: index(n)", "n: dimension")),
    P("IF", "if|when|whenever CONDITION", bound, r"If $n \ge d$, then $n + 1 \ge d$.", ("n >= d",)),
    P("IF", "provided|assuming [that] CONDITION", bound, r"Then $n + 1 \ge d$ provided that $n \ge d$.", ("n >= d",)),
    P("CONDITION", "$if", tuple, r"If $n \ge d$, we have $n + 1 \ge d$.", ("n >= d",)),
    P("CONDITION", "$if and CONDITION", both, r"If $n \ge d$ and $d \ge m$, then $n \ge m$.", ("n >= d", "d >= m")),
    P("GROW", "as|when $tends", tuple, r"Then $f = O(n)$ as $n \to \infty$.", ("n -> oo",)),
    P("GROW", "as LETTERS goes|go|tends|tend|grows|grow to infinity", _grow, r"Then $f = O(n)$ as $n$ goes to infinity.",
      ("n -> oo",)),
    P("GROW", "in the limit [as|of] $tends", tuple, r"In the limit $n \to \infty$, $f = O(n)$.", ("n -> oo",)),
    P("GROW", "for [sufficiently] large [enough] LETTERS", lambda letters: _grow(letters, True),
      r"Then $f = O(n)$ for large $n$.", ("n -> oo",)),
    P("WITH", "with|satisfying CONDITIONS", bound,
      r"Then $\|A x\| \le \|A\|_F$ for all $x \in \mathbb{R}^n$, with $\|x\| = 1$.",
      (*_N, "x: vector(n)", "norm(x) == 1")),
)  # fmt: skip
