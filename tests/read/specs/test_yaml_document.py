"""YAML as data with positions: every style of scalar, and nothing but data."""

import pytest

from tests.read.specs.marks import accepted, marked, one_problem
from verifier.claim.problems import SpecError
from verifier.read.specs.yaml_document import MAX_CHARACTERS, MAX_DEPTH, Items, Table, Text, read_documents


def read(text: str) -> Table:
    (document,) = read_documents(text, "spec")
    assert isinstance(document, Table)
    return document


def scalar(text: str) -> Text:
    _, value = read(text).entries["k"]
    assert isinstance(value, Text)
    return value


def refusal(text: str) -> SpecError:
    with pytest.raises(SpecError) as caught:
        list(read_documents(text, "spec"))
    return caught.value


# The mark stands before the character whose place is asked for.
@pytest.mark.parametrize(
    "text",
    [
        "k: a + ¤q",
        "k:    ¤q + a",
        "k: 'a + ¤q'",
        "k: 'a ''b'' ¤q'",
        'k: "a + ¤q"',
        'k: "a \\"b\\" ¤q"',
        'k: "a \\t ¤q"',
        "k: a\n  + ¤q",
        "k: 'a\n\n   + ¤q'",
        'k: "a \\\n   + ¤q"',
        "k: >\n  a\n  + ¤q\n",
        "k: >-\n  a\n  + ¤q\n",
        "k: |\n  a\n  + ¤q\n",
        "k: |-\n\n    a\n    ¤q\n",
        "k: | # a remark, with a q\n  a + ¤q\n",
        "k: |2\n    a + ¤q\n",
        "k: &anchor a + ¤q",
        "x: 1\nk:\n  ¤q",
        "{x: 1, k: ¤q}",
        "{x: 1, k: 'a ¤q'}",
        "# a remark\n\nk: ¤q  # another q",
        "é: 1\nk: é + ¤q",
        "k: α + ¤q",
    ],
)
def test_places_inside_scalars(text: str) -> None:
    clean, [place] = marked(text)
    found = scalar(clean)
    position = found.position(found.value.rindex("q"))
    assert (position.line, position.column) == place


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    text = end.join(["x: 1", "k: >", "  a", "  + q", "y: 2"])
    found = scalar(text)
    position = found.position(found.value.index("q"))
    assert (position.line, position.column) == (4, 5)


def test_slices_keep_their_places() -> None:
    found = scalar("k: |\n  ab\n  cd\n")
    piece = found.slice(1, 5)
    assert piece.value == "b\ncd"
    places = [piece.position(at) for at in (0, 2, 3)]
    assert [(place.line, place.column) for place in places] == [(2, 4), (3, 3), (3, 4)]


@pytest.mark.parametrize(
    "word", ["1", "0.10", "yes", "null", "~", "2001-01-01", "1e3", "0x1F", "on", "1_000"]
)
def test_scalars_stay_as_written(word: str) -> None:
    assert scalar(f"k: {word}").value == word


def test_sequences_and_tables() -> None:
    table = read("k: [a, {b: c}]\n")
    _, items = table.entries["k"]
    assert isinstance(items, Items)
    assert [type(value) for value in items.values] == [Text, Table]
    assert (items.position.line, items.position.column) == (1, 4)


def test_aliases_stand_for_what_they_name() -> None:
    table = read("a: &x [1, 2]\nb: *x\n")
    assert table.entries["a"][1] == table.entries["b"][1]


def test_several_documents() -> None:
    documents = list(read_documents("a: 1\n---\nb: 2\n---\n---\nc: 3\n...\n", "spec"))
    assert [list(document.entries) for document in documents if isinstance(document, Table)] == [
        ["a"],
        ["b"],
        ["c"],
    ]


def test_anchors_end_with_their_document() -> None:
    assert "unknown alias" in refusal("a: &x 1\n---\nb: *x\n").problem.message


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("a: 1\nb: 2\n¤a: 3\n", "duplicate-key", "line 1"),
        ("a: ¤!!python/object/apply:os.system [id]\n", "yaml-tag", "remove the tag"),
        ("a: ¤!x 1\n", "yaml-tag", "remove the tag"),
        ("¤!!set {a, b}\n", "yaml-tag", "remove the tag"),
        ("a: ¤*b\n", "yaml", "unknown alias"),
        ("a: &a [¤*a]\n", "yaml", "unknown alias"),
        ("? ¤[a, b]\n: 1\n", "yaml", "plain text"),
        ("a: [1, 2\nb¤: 3\n", "yaml", "expected"),
        ("a: b¤: c\n", "yaml", "quote"),
        ("a:\n¤\tb: 1\n", "yaml", "spaces"),
        ("a: ¤@b\n", "yaml", "quote"),
        ("a: 1\nb: ¤\x00\n", "character", "U+0000"),
        ("a: \x41¤\x1b[31m\n", "character", "U+001B"),
        ("a: " + "[" * MAX_DEPTH + "¤[" + "\n", "too-deep", "levels"),
        ("a:\n  - - - - - - - - - - - - ¤1\n", "too-deep", "levels"),
    ],
)
def test_refusals(text: str, code: str, words: str) -> None:
    clean, [place] = marked(text)
    problem = refusal(clean).problem
    assert problem.code == code
    assert words in f"{problem.message} {problem.hint}"
    assert (problem.position.line, problem.position.column) == place


def test_sizes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal("k: " + "a" * MAX_CHARACTERS).problem.code == "too-long"
    monkeypatch.setattr("verifier.read.specs.yaml_document.MAX_NODES", 500)
    assert refusal("k: [" + "1," * 500 + "]").problem.code == "too-long"
    assert len(list(read_documents("k: [" + "1," * 400 + "]", "spec"))) == 1


def test_aliases_count_as_often_as_they_are_named() -> None:
    lines = ["a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]")
    problem = refusal("\n".join(lines)).problem
    assert (problem.code, problem.position.line) == ("too-long", 5)


def test_merge_keys_are_ordinary_keys() -> None:
    problem = one_problem("""
        theorem: a/b
        ¤<<: {symbols: 1}
        claims: {c: {says: 1 == 1}}
        """)
    assert problem.code == "unknown-key"


def test_a_byte_order_mark_takes_no_column() -> None:
    loaded = accepted("\ufefftheorem: a/b\nclaims: {c: {says: 1 == 1}}\n")
    assert loaded.claims[0].position.column == 10
