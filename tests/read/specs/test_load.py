"""Files and folders: one wrong file, theorem or claim never hides the others."""

from pathlib import Path

import pytest

from tests.read.specs.marks import accepted, problems_of, refused
from verifier.read.specs.load import load_paths, load_text
from verifier.read.specs.loaded import Broken, Loaded, Ready
from verifier.read.specs.spec_files import MAX_BYTES

GOOD = "theorem: {name}\nsymbols: {{x: real}}\nclaims:\n  c: {{says: x == x}}\n"


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def ids(loaded: Loaded) -> list[str]:
    return [claim.id for claim in loaded.claims]


def test_a_folder_is_walked_in_order(tmp_path: Path) -> None:
    write(
        tmp_path,
        b_yaml=GOOD.format(name="a/b"),
        a_yml=GOOD.format(name="a/a"),
        c__d_md=f"Text\n\n```claim\n{GOOD.format(name='a/d')}```\n",
        c__e_tex="%%claim\n"
        + "".join(f"% {line}\n" for line in GOOD.format(name="a/e").splitlines())
        + "%%end\n",
        z_txt="not a claim",
    )
    write(tmp_path / ".hidden", f_yaml=GOOD.format(name="a/f"))
    loaded = load_paths([tmp_path])
    assert ids(loaded) == ["a/a#c", "a/b#c", "a/d#c", "a/e#c"]
    assert loaded.problems == ()
    assert loaded.claims[0].position.file == str(tmp_path / "a.yml")


def test_a_file_given_twice_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, a_yaml=GOOD.format(name="a/a"))
    loaded = load_paths([tmp_path, tmp_path / "a.yaml", tmp_path / "." / "a.yaml"])
    assert ids(loaded) == ["a/a#c"]
    assert problems_of(loaded) == []


def test_wrong_files_do_not_hide_the_others(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_yaml="theorem: [",
        b_yaml=GOOD.format(name="a/b"),
        c_yaml="claims: just words",
        d_yaml=GOOD.format(name="a/d").replace("x == x", "x == y"),
        e_yaml=GOOD.format(name="a/e"),
    )
    (tmp_path / "f.yaml").write_bytes(b"theorem: a/f\nnote: caf\xe9\n")
    (tmp_path / "g.yaml").write_bytes(b"theorem: a/g\nnote: \x00\n")
    loaded = load_paths([tmp_path])
    assert ids(loaded) == ["a/b#c", "a/e#c"]
    assert {(Path(p.position.file).name, p.code, p.position.line) for p in problems_of(loaded)} == {
        ("a.yaml", "yaml", 1),
        ("c.yaml", "missing-key", 1),
        ("c.yaml", "structure", 1),
        ("d.yaml", "unknown-name", 4),
        ("f.yaml", "encoding", 2),
        ("g.yaml", "character", 2),
    }


def test_bytes_that_are_not_utf8_are_shown(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes("theorem: a/f\nnote: café ".encode() + b"\xff\n")
    (problem,) = load_paths([tmp_path / "a.yaml"]).problems
    assert (problem.position.line, problem.position.column) == (2, 12)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("missing.yaml", "no-such-path"),
        ("missing", "no-such-path"),
        ("x" * 5_000, "no-such-path"),
        ("a\0b", "no-such-path"),
    ],
)
def test_paths_that_are_not_there(tmp_path: Path, path: str, code: str) -> None:
    write(tmp_path, b_yaml=GOOD.format(name="a/b"))
    loaded = load_paths([tmp_path / path, tmp_path / "b.yaml"])
    assert [problem.code for problem in loaded.problems] == [code]
    assert ids(loaded) == ["a/b#c"]


def test_a_folder_without_claim_files(tmp_path: Path) -> None:
    (problem,) = load_paths([tmp_path]).problems
    assert problem.code == "nothing-collected"


def test_a_file_of_another_sort(tmp_path: Path) -> None:
    path = tmp_path / "claims.json"
    path.write_text("{}")
    (problem,) = load_paths([path]).problems
    assert problem.code == "suffix"
    assert ".yaml" in (problem.hint or "")


def test_a_file_that_is_too_long_is_not_parsed(tmp_path: Path) -> None:
    path = tmp_path / "long.yaml"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    (problem,) = load_paths([path]).problems
    assert problem.code == "too-long"


def test_a_file_that_may_not_be_opened(tmp_path: Path) -> None:
    path = tmp_path / "loop.yaml"
    path.symlink_to(path)
    (problem,) = load_paths([path]).problems
    assert problem.code == "no-such-path"


def test_ids_are_unique_over_files(tmp_path: Path) -> None:
    write(tmp_path, a_yaml=GOOD.format(name="a/a"), b_yaml=GOOD.format(name="a/a"))
    loaded = load_paths([tmp_path])
    first, second = loaded.entries
    assert isinstance(first, Ready)
    assert isinstance(second, Broken)
    (problem,) = second.problems
    assert problem.code == "duplicate-id"
    assert f"{tmp_path / 'a.yaml'}:4:3" in problem.message
    assert problem.position.file == str(tmp_path / "b.yaml")


def test_ids_are_unique_in_a_text() -> None:
    text = GOOD.format(name="a/a")
    loaded = load_text(f"{text}---\n{text}")
    assert [type(entry) for entry in loaded.entries] == [Ready, Broken]


def test_the_same_slug_in_two_theorems_is_fine() -> None:
    loaded = accepted(f"{GOOD.format(name='a/a')}---\n{GOOD.format(name='a/b')}")
    assert ids(loaded) == ["a/a#c", "a/b#c"]


def test_documents_after_a_wrong_one_are_read() -> None:
    good = [GOOD.format(name=f"a/{at}") for at in range(4)]
    text = "---\n".join(
        [good[0], "theorem: [1, 2\n", good[1], "a: 1\na: 2\n", good[2], "- a list\n", "k: !tag 1\n", good[3]]
    )
    loaded = load_text(text)
    assert ids(loaded) == ["a/0#c", "a/1#c", "a/2#c", "a/3#c"]
    assert [problem.code for problem in loaded.problems] == ["yaml", "duplicate-key", "structure", "yaml-tag"]


def test_problems_of_one_file_are_bounded() -> None:
    loaded = load_text("---\na: [\n" * 500)
    assert 0 < len(loaded.problems) <= 40


def test_an_empty_file_has_no_claims() -> None:
    assert load_text("") == Loaded()
    assert load_text("# only a remark\n---\n---\n") == Loaded()


def test_broken_claims_know_what_was_expected() -> None:
    loaded = load_text("theorem: a/b\ntitle: T\nclaims: {c: {says: 1 == q, expect: fails}}")
    (entry,) = loaded.entries
    assert isinstance(entry, Broken)
    assert (entry.id, entry.title, entry.expect) == ("a/b#c", "T", ("fails",))


def test_a_wrong_each_breaks_each_of_its_claims() -> None:
    (problem,) = set(refused("theorem: a/b\nclaims: {c: {says: p == ¤q, each: {p: [1, 2]}}}"))
    loaded = load_text("theorem: a/b\nclaims: {c: {says: p == q, each: {p: [1, 2]}}}")
    assert [entry.id for entry in loaded.entries if isinstance(entry, Broken)] == ["a/b#c[p=1]", "a/b#c[p=2]"]
    assert problem.code == "unknown-name"
