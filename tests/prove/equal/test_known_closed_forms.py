"""Closed forms are worked out once, and never for another claim."""

from dataclasses import replace

from tests.prove.scalars.helpers import claim
from verifier.expr import nodes as N
from verifier.prove.equal.known_closed_forms import Memory

S = {"n": "dimension", "s": "positive", "W": "normal(n, n, std=s)", "i": "index(n)", "j": "index(n)"}
NODE = N.Symbol("s")


def entry(made, row, col):
    return N.Entry(N.Symbol("W", made.symbols["W"].shape), N.Symbol(row), N.Symbol(col))


def remembered(memory, made, node):
    """The answer, and whether it had to be worked out."""
    asked = []

    def work():
        asked.append(node)
        return node

    return memory.recall(made, node, work), bool(asked)


def test_the_same_question_is_asked_once():
    memory, made = Memory(), claim("s == s", S)
    assert remembered(memory, made, NODE) == (NODE, True)
    assert remembered(memory, made, NODE) == (NODE, False)
    assert remembered(memory, replace(made, id="other", title="other"), NODE) == (NODE, False)


def test_other_assumptions_are_another_question():
    memory = Memory()
    remembered(memory, claim("s == s", S), NODE)
    assert remembered(memory, claim("s == s", S, ("s == 1",)), NODE)[1]
    assert remembered(memory, claim("s == s", {**S, "s": "real"}), NODE)[1]


def test_an_index_is_remembered_by_its_place():
    memory, made = Memory(), claim("s == s", S)
    remembered(memory, made, entry(made, "i", "j"))
    assert remembered(memory, made, entry(made, "j", "i")) == (entry(made, "j", "i"), False)
    assert remembered(memory, made, entry(made, "i", "i")) == (entry(made, "i", "i"), True)
    apart = claim("s == s", S, ("i != j",))
    remembered(memory, apart, entry(apart, "i", "j"))
    assert remembered(memory, apart, entry(apart, "j", "i"))[1]
