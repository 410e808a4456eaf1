"""Keys and values of the right sort; what each slip is told."""

from fractions import Fraction

import pytest

from tests.read.specs.marks import accepted, one_problem, refused

CLAIM = """
    theorem: a/b
    symbols: {{x: real, n: dimension}}
    claims:
      c:
        says: x == x
        {line}
    """


def claim(line: str) -> str:
    return CLAIM.format(line=line)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("¤claims: {c: {says: 1 == 1}}", "missing-key", "theorem"),
        ("¤theorem: a/b", "missing-key", "claims"),
        ("theorem: ¤lemma\nclaims: {c: {says: 1 == 1}}", "theorem", "document/slug"),
        ("theorem: ¤a b/c\nclaims: {c: {says: 1 == 1}}", "theorem", "document/slug"),
        ("theorem: ¤a/b#c\nclaims: {c: {says: 1 == 1}}", "theorem", "document/slug"),
        ("¤theorem: [a, b]\nclaims: {c: {says: 1 == 1}}", "structure", "text"),
        ("theorem: a/b\nschema: ¤2\nclaims: {c: {says: 1 == 1}}", "schema", "schema: 1"),
        ("theorem: a/b\n¤clams: {c: {says: 1 == 1}}\nclaims: {c: {says: 1 == 1}}", "unknown-key", "'claims'"),
        ("theorem: a/b\n¤zzz: 1\nclaims: {c: {says: 1 == 1}}", "unknown-key", "known here: schema"),
        (
            "theorem: a/b\nsource: {¤place: x}\nclaims: {c: {says: 1 == 1}}",
            "unknown-key",
            "document, locator",
        ),
        ("theorem: a/b\nclaims: ¤[1]", "structure", "mapping"),
        ("theorem: a/b\nclaims: {c: ¤1 == 1}", "structure", "`says`"),
        ("theorem: a/b\nclaims: {¤c d: {says: 1 == 1}}", "claim-name", "blanks"),
        ("theorem: a/b\nclaims: {¤c: {title: nothing said}}", "claim", "`says` or `steps`"),
        ("theorem: a/b\nclaims: {¤c: {says: 1 == 1, steps: 1}}", "claim", "`says` or `steps`"),
        ("theorem: a/b\nclaims: {c: {¤says: [1, 2]}}", "structure", "quote"),
        ('theorem: a/b\nclaims: {c: {¤says: ""}}', "structure", "text"),
        ("theorem: a/b\nclaims: {c: {¤say: 1 == 1}}", "unknown-key", "'says'"),
        ("theorem: a/b\nclaims: {c: {says: norm(1, ¤2) == 1}}", "unknown-key", "quote"),
        ("theorem: a/b\nsymbols: {¤2x: real}\nclaims: {c: {says: 1 == 1}}", "name", "letters"),
        ("theorem: a/b\nsymbols: {¤norm: real}\nclaims: {c: {says: 1 == 1}}", "reserved", "another name"),
        ("theorem: a/b\nlet: {¤E: 1}\nclaims: {c: {says: 1 == 1}}", "reserved", "another name"),
        ("theorem: a/b\nlet: {¤__x: 1}\nclaims: {c: {says: 1 == 1}}", "reserved", "another name"),
        ("theorem: a/b\nlet: {¤x: [1]}\nclaims: {c: {says: 1 == 1}}", "structure", "text"),
        ("theorem: a/b\nlayers: ¤{next: 1}\nclaims: {c: {says: 1 == 1}}", "missing-key", "state"),
    ],
)
def test_slips_in_a_theorem(text: str, code: str, words: str) -> None:
    problem = one_problem(text)
    assert problem.code == code
    assert words in f"{problem.message} {problem.hint}"


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("expect: ¤hold", "expect", "did you mean 'holds'"),
        ("expect: ¤error", "expect", "one of holds"),
        ("expect: [holds, ¤maybe]", "expect", "one of"),
        ("¤expect: []", "expect", "leave"),
        ("¤expect: {holds: 1}", "structure", "list"),
        ("severity: ¤fatal", "severity", "error, warning, note"),
        ("¤severity: [error]", "structure", "text"),
        ("where: {n: ¤two}", "number", "write 3"),
        ("where: {n: ¤1/0}", "number", "write 3"),
        ("where: {n: ¤0x10}", "number", "write 3"),
        ("where: {n: ¤nan}", "number", "write 3"),
        ("where: {n: ¤1e999}", "number", "write 3"),
        ("where: {¤n: [1]}", "structure", "number"),
        ("where: ¤[n]", "structure", "mapping"),
        ("each: {¤p: []}", "structure", "no values"),
        ("sweep: {n: [1, ¤x]}", "number", "write 3"),
        ("¤under: {a: 1}", "structure", "list"),
        ("¤undr: []", "unknown-key", "'under'"),
    ],
)
def test_slips_in_a_claim(line: str, code: str, words: str) -> None:
    problem = one_problem(claim(line))
    assert problem.code == code
    assert words in f"{problem.message} {problem.hint}"


def test_all_slips_at_once() -> None:
    problems = refused("""
        theorem: ¤lemma
        ¤clams: 1
        schema: ¤7
        symbols: {¤E: real}
        let: {¤2: 1}
        claims:
          good: {says: 1 == 1}
        """)
    assert {problem.code for problem in problems} == {"theorem", "unknown-key", "schema", "reserved", "name"}


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("3", Fraction(3)),
        ("-0.5", Fraction(-1, 2)),
        ("+.25", Fraction(1, 4)),
        ("1e-3", Fraction(1, 1000)),
        ("2.5E2", Fraction(250)),
        ("1/3", Fraction(1, 3)),
        ("0.1 / 4", Fraction(1, 40)),
        ("0.1", Fraction(1, 10)),
    ],
)
def test_numbers_are_exact(word: str, value: Fraction) -> None:
    loaded = accepted(claim(f"where: {{x: {word}}}"))
    assert loaded.claims[0].where == {"x": value}


def test_defaults() -> None:
    (only,) = accepted("theorem: a/b\nclaims: {c: {says: 1 == 1}}").claims
    assert only.title == "a/b"
    assert (only.expect, only.severity, only.note, only.latex) == (None, "error", None, None)
    assert only.source.document is None


def test_everything_that_may_be_said() -> None:
    loaded = accepted("""
        schema: 1
        theorem: a/b
        title: A theorem
        source: {document: Notes, locator: "Eq. 3"}
        note: shared
        symbols: {x: real, n: dimension}
        claims:
          c:
            title: A claim
            says: x == x
            latex: x = x
            expect: [holds, loose]
            severity: note
            note: its own
            where: {n: 2}
            sweep: {x: [0, 1/2]}
          d: {says: n == n, as: n -> oo}
        """)
    first, second = loaded.claims
    assert (first.title, second.title) == ("A claim", "A theorem")
    assert (first.note, second.note) == ("its own", "shared")
    assert first.latex == "x = x"
    assert first.expect == ("holds", "loose")
    assert first.severity == "note"
    assert (first.source.document, first.source.locator) == ("Notes", "Eq. 3")
    assert first.sweep == {"x": (Fraction(0), Fraction(1, 2))}
    assert [symbol.name for symbol in second.growing] == ["n"]


def test_a_source_may_be_one_text() -> None:
    (only,) = accepted("theorem: a/b\nsource: Notes, p. 3\nclaims: {c: {says: 1 == 1}}").claims
    assert only.source.document == "Notes, p. 3"


def test_too_many_names() -> None:
    names = "\n".join(f"  x{at}: real" for at in range(1_001))
    problem = one_problem(f"theorem: a/b\n¤symbols:\n{names}\nclaims: {{c: {{says: 1 == 1}}}}\n")
    assert problem.code == "too-long"


def test_very_long_words_are_cut_in_messages() -> None:
    problem = one_problem(f"theorem: a/b\n¤{'k' * 900}: 1\nclaims: {{c: {{says: 1 == 1}}}}\n")
    assert len(problem.message) < 400
