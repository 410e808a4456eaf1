"""The search as a tree of lines: what was found, what was not, and what it cost."""

from verifier.evidence import Attempt
from verifier.report.searched import WIDTH, search_tree

RULES = Attempt("rules", "nothing", "missing: a bound", 0.02)
PROVED = Attempt("symbolic", "proved", "both sides have the same closed form", 0.31)
SILENT = (Attempt("means", "nothing", work=0.01), Attempt("assumptions", "nothing", work=0.02))
PASSED = Attempt("search, numeric", "not asked", "it is decided")


def test_who_found_something_has_a_line_with_its_cost_and_why() -> None:
    rules, *symbolic = search_tree([RULES, PROVED])
    assert rules.split() == ["rules", "0.02", "s", "nothing:", "missing:", "a", "bound"]
    words = "symbolic 0.31 s proved: both sides have the same closed form"
    assert " ".join(symbolic).split() == words.split()


def test_what_came_to_nothing_is_folded_and_its_cost_added_up() -> None:
    (line,) = search_tree(SILENT)
    assert line == "nothing came of (0.03 s): means, assumptions"


def test_who_was_not_asked_comes_last_with_the_reason() -> None:
    lines = list(search_tree([PASSED, RULES]))
    assert lines[-1] == "not asked, since it is decided: search, numeric"
    assert lines[0].startswith("rules")


def test_what_is_asked_on_the_way_stands_under_who_asks_and_is_counted() -> None:
    inner = Attempt("rules", "proved", "", 0.5, times=14)
    outer, under = search_tree([Attempt("a smaller right side", "told", "loose", 0.6, inside=(inner,))])
    assert outer.startswith("a smaller right side ")
    assert under.startswith("    rules, 14 times ")
    assert outer.index("found") == under.index("proved")


def test_a_limit_is_said_and_a_word_from_elsewhere_stays_in_its_line() -> None:
    (line,) = search_tree([Attempt("search", "cut", "nothing at\n8 sizes", 2.5)])
    assert "cut by its limit: nothing at 8 sizes" in line


def test_no_line_is_longer_than_a_terminal_is_wide() -> None:
    long = Attempt("a way with a name that is rather long", "nothing", "words " * 60, 12.0, inside=(PROVED,))
    lines = list(search_tree([long, Attempt(", ".join(["way"] * 40), "not asked", "so it is")]))
    assert max(map(len, lines)) <= WIDTH
    assert sum(line.lstrip().startswith("words") or "words" in line for line in lines) == 2
