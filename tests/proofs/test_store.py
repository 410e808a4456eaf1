"""Files of proofs: names that lead nowhere else, and contents that may be anybody's."""

import json
from pathlib import Path

import pytest

from tests.proofs.examples import assumed, claims, put
from verifier.proofs import store
from verifier.proofs.store import Missing, Unreadable, name_of, parsed, read

IDS = ["toy/a#b", "toy/a#b[n=1]", "../../etc/passwd", "/etc/passwd", "..", ".", "", ".hidden", "a\x00b",
       "a\nb", "-rf", "x" * 5_000, "CON", "ä/ö#ü", "toy/a#b[x=1/2,y=-3]", "~", "a b", "\\..\\a"]  # fmt: skip


@pytest.mark.parametrize("name", IDS, ids=range(len(IDS)))
def test_no_name_leads_out_of_its_folder(name: str, tmp_path: Path) -> None:
    file = name_of(name)
    path = tmp_path / file
    assert path.resolve().parent == tmp_path.resolve()
    assert file.isascii()
    assert len(file) <= 120
    assert not file.startswith(".")
    path.write_text("x", encoding="utf-8")


def test_names_are_kept_apart() -> None:
    alike = ["toy/a#b", "toy/a-b", "toy#a/b", "toy/a#b ", "TOY/a#b", *IDS]
    assert len({name_of(name).lower() for name in alike}) == len(set(alike))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    claim = claims()["chain"]
    put(tmp_path, claim, assumed(claim), None, verdict="inconclusive")
    found = read(tmp_path, claim.id)
    assert (found.claim, found.verdict) == (claim.id, "inconclusive")
    assert found.statement["says"] == ["a**2 < b", "b <= b + 3**(3/4)/4 - b/(1 + b**4)"]
    assert found.statement["under"] == {"below": "a**2 < b"}
    assert found.statement["symbols"] == {"a": "any real number", "b": "any real number"}
    assert found.statement["let"] == {}
    assert [step is None for step in found.steps] == [False, True]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Missing):
        read(tmp_path, "toy/a#b")


HOSTILE = {
    "empty": "",
    "truncated": '{"schema": 1, "claim": "toy/proofs#strict", "verdict": "holds", "steps": [',
    "deep lists": "[" * 100_000,
    "deep mappings": '{"a":' * 100_000,
    "deep and closed": "[" * 3_000 + "]" * 3_000,
    "brackets in words": '{"schema": "[[[[", "steps": "' + "[" * 1_000 + '"}',
    "a list": "[]",
    "a number": "3",
    "nothing": "null",
    "no numbers": '{"schema": NaN}',
    "endless": '{"schema": Infinity}',
    "floating": '{"schema": 1.0}',
    "long number": '{"schema": ' + "9" * 10_000 + "}",
    "twice": '{"schema": 1, "schema": 1}',
    "an open word": '{"schema": "',
    "a schema": '{"schema": 2, "claim": "toy/proofs#strict", "verdict": "", "statement": {}, "steps": []}',
    "other claim": '{"schema": 1, "claim": "toy/proofs#weak", "verdict": "", "statement": {}, "steps": []}',
    "missing keys": '{"schema": 1, "claim": "toy/proofs#strict"}',
    "steps that are none": '{"schema": 1, "claim": "c", "verdict": "holds", "statement": {}, "steps": ["x"]}',
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_told_and_no_more(content: str, tmp_path: Path) -> None:
    (tmp_path / name_of("toy/proofs#strict")).write_text(content, encoding="utf-8")
    with pytest.raises(Unreadable) as told:
        read(tmp_path, "toy/proofs#strict")
    assert str(told.value)
    assert not isinstance(told.value, Missing)


def test_what_is_no_text_or_no_file(tmp_path: Path) -> None:
    path = tmp_path / name_of("toy/proofs#strict")
    path.write_bytes(b"\xff\xfe{")
    with pytest.raises(Unreadable):
        read(tmp_path, "toy/proofs#strict")
    path.unlink()
    path.mkdir()
    with pytest.raises(Unreadable):
        read(tmp_path, "toy/proofs#strict")
    path.rmdir()
    path.symlink_to("/dev/zero")
    with pytest.raises(Unreadable):
        read(tmp_path, "toy/proofs#strict")


def test_sizes_are_bounded(tmp_path: Path) -> None:
    claim = claims()["strict"]
    path = put(tmp_path, claim, assumed(claim))
    size = len(path.read_text(encoding="utf-8"))
    assert read(tmp_path, claim.id, most=size)
    with pytest.raises(Unreadable, match="more than"):
        read(tmp_path, claim.id, most=size - 1)
    assert parsed(json.dumps([[1]] * 5))
    with pytest.raises(ValueError, match="deep"):
        parsed("[" * (store.DEEPEST + 1) + "]" * (store.DEEPEST + 1))
