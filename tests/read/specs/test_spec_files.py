"""Which files are read: regular ones, of a sensible size, below what was asked for."""

import os
from pathlib import Path

import pytest

from verifier.read.specs.load import load_paths
from verifier.read.specs.loaded import Broken
from verifier.read.specs.spec_files import MAX_BYTES, TooLong, content_of, holds_claims, strays_of

SPEC = "theorem: a/{}\nsymbols: {{x: real}}\nclaims: {{c: {{says: x == x}}}}\n"
SECRET = "token: correct-horse"


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """One that is asked for, and one beside it."""
    inside, outside = tmp_path / "claims", tmp_path / "other"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "plain.yaml").write_text(SPEC.format(folder.name))
    (outside / "secret.yaml").write_text(SECRET)
    return inside, outside


def test_a_link_out_of_the_folder_is_not_followed(folders: tuple[Path, Path]) -> None:
    inside, outside = folders
    link = inside / "link.yaml"
    link.symlink_to(outside / "secret.yaml")
    loaded = load_paths([inside])
    assert [claim.id for claim in loaded.claims] == ["a/claims#c"]
    (problem,) = loaded.problems
    assert (problem.code, problem.position.file) == ("link", str(link))
    assert SECRET not in str(problem)
    assert strays_of([inside]) == {link: outside / "secret.yaml"}


def test_a_link_that_stays_inside_is_the_file_itself(folders: tuple[Path, Path]) -> None:
    inside, outside = folders
    (inside / "again.yaml").symlink_to(inside / "plain.yaml")
    (inside / "beside.yaml").symlink_to(outside / "plain.yaml")
    (outside / "secret.yaml").unlink()
    loaded = load_paths([inside, outside])
    assert not loaded.problems
    assert sorted(claim.id for claim in loaded.claims) == ["a/claims#c", "a/other#c"]


def test_a_link_that_is_given_by_name_was_meant(folders: tuple[Path, Path]) -> None:
    inside, outside = folders
    link = inside / "beside.yaml"
    link.symlink_to(outside / "plain.yaml")
    assert [claim.id for claim in load_paths([link]).claims] == ["a/other#c"]


@pytest.mark.parametrize(
    "text",
    [
        "name: paper\ndependencies:\n  - python=3.11\n",
        "repos: []\n",
        "- run: make\n",
        "steps: {a: 1}\n",
        "just words",
    ],
)
def test_yaml_of_somebody_else_is_left_alone_in_a_folder_and_read_by_name(
    folders: tuple[Path, Path], text: str
) -> None:
    inside, _ = folders
    other = inside / "environment.yml"
    other.write_text(text)
    loaded = load_paths([inside])
    assert (len(loaded.claims), loaded.problems) == (1, ())
    assert load_paths([other]).problems
    other.unlink()
    (inside / "plain.yaml").write_text(text)
    (problem,) = load_paths([inside]).problems
    assert problem.code == "nothing-collected"


@pytest.mark.parametrize(
    ("before", "after"),
    [("theorem:", "theorm:"), ("claims:", "claim:"), ("symbols:", "symbol:"), ("theorem:", "{theorem:")],
)
def test_a_claim_file_with_a_slip_is_not_taken_for_somebody_elses(
    folders: tuple[Path, Path], before: str, after: str
) -> None:
    inside, _ = folders
    (inside / "slip.yaml").write_text(SPEC.format("slip").replace(before, after))
    loaded = load_paths([inside])
    wrong = [*loaded.problems, *(entry for entry in loaded.entries if isinstance(entry, Broken))]
    assert wrong


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    no_paths = Path("a\0b"), Path("a\ud800")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path, tmp_path / "nowhere", *no_paths):
        with pytest.raises(OSError, match=r"\w"):
            content_of(path)


def test_what_is_too_long_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "long.yaml"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES)
    assert len(content_of(path)) == MAX_BYTES
    with path.open("ab") as file:
        file.truncate(2**40)
    with pytest.raises(TooLong):
        content_of(path)
    assert not holds_claims(path)


@pytest.mark.parametrize("target", ["/dev/zero", "pipe.tex", "/proc/self/environ", ".", r"a\0b.tex"])
def test_a_write_up_is_a_regular_file(tmp_path: Path, target: str) -> None:
    os.mkfifo(tmp_path / "pipe.tex")
    text = SPEC.format("b").replace("says", "label: 'eq:1', says")
    (tmp_path / "spec.yaml").write_text(f'source: {{file: "{target}"}}\n{text}')
    loaded = load_paths([tmp_path / "spec.yaml"])
    (entry,) = loaded.entries
    assert [problem.code for problem in entry.problems] == ["label"]  # type: ignore[union-attr]
