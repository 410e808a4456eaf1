"""A preamble for a whole document: what theorems take from it, what wins, and what is said of its errors."""

from pathlib import Path

import pytest

from verifier.read.specs.load import load_paths, load_text
from verifier.read.specs.loaded import Broken, Loaded, Ready

PREAMBLE = """\
symbols:
  n: dimension
  x: vector(n)
  s: positive
  W: normal(n, n, std=s)
let: {r: norm(x)}
assumptions: {unit: norm(x) == 1}
names: {'\\sigma': s}
"""
THEOREM = "theorem: a/b\nclaims: {c: {says: 'E(norm(W @ x)**2) == n * s**2 * r**2'}}\n"


def written(folder: Path, **files: str) -> Loaded:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_yaml", ".yaml").replace("_md", ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return load_paths([folder])


def commented(text: str) -> str:
    return "".join(f"% {line}\n" for line in text.splitlines())


def only(loaded: Loaded) -> Ready:
    assert loaded.problems == ()
    (entry,) = loaded.entries
    assert isinstance(entry, Ready), entry
    return entry


def test_of_a_folder(tmp_path: Path) -> None:
    claim = only(written(tmp_path, preamble_yaml=PREAMBLE, one_yaml=THEOREM)).claim
    assert claim.random == {"W"}
    assert [let.name for let in claim.lets] == ["r"]
    assert claim.assumptions == ()
    assert claim.origins["W"].position.file.endswith("preamble.yaml")


def test_not_of_its_subfolders(tmp_path: Path) -> None:
    loaded = written(tmp_path, preamble_yaml=PREAMBLE, below__one_yaml=THEOREM)
    assert [type(entry) for entry in loaded.entries] == [Broken]


def test_a_folder_with_a_preamble_alone_lacks_nothing(tmp_path: Path) -> None:
    loaded = written(tmp_path, preamble_yaml=PREAMBLE)
    assert (loaded.entries, loaded.problems) == ((), ())


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".md", f"```preamble\n{PREAMBLE}```\nwords\n```claim\n{THEOREM}```\n"),
        (".md", f"```{{preamble}}\n{PREAMBLE}```\n```{{claim}}\n{THEOREM}```\n"),
        (
            ".tex",
            f"%%preamble\n{commented(PREAMBLE)}%%end\nwords\n%%claim\n{commented(THEOREM)}%%end\n",
        ),
        (
            ".yaml",
            "preamble:\n" + "".join(f"  {line}\n" for line in PREAMBLE.splitlines()) + f"---\n{THEOREM}",
        ),
    ],
)
def test_of_a_write_up_and_of_a_claim_file(suffix: str, text: str) -> None:
    assert only(load_text(text, "paper", suffix)).claim.random == {"W"}


def test_only_after_it() -> None:
    loaded = load_text(f"```claim\n{THEOREM}```\n```preamble\n{PREAMBLE}```\n", "paper.md", ".md")
    assert [type(entry) for entry in loaded.entries] == [Broken]


def test_what_a_theorem_declares_comes_first() -> None:
    own = "theorem: a/b\nsymbols: {x: 'vector(3)', W: 'rademacher(2, 3)'}\n"
    own += "claims: {c: {says: 'norm(W @ x) <= 9 * r'}}"
    claim = only(load_text(f"```preamble\n{PREAMBLE}```\n```claim\n{own}\n```\n", "p.md", ".md")).claim
    assert str(claim.lets[0].body.shape) == "1-by-1"
    assert str(claim.symbols["x"].shape) == "3-by-1"
    assert "s" not in claim.symbols
    assert "n" not in claim.symbols


@pytest.mark.parametrize(
    ("under", "names"),
    [("", ["own"]), (", under: [unit]", ["unit"]), (", under: [own, unit]", ["own", "unit"])],
)
def test_its_assumptions_are_in_force_only_where_they_are_named(under: str, names: list[str]) -> None:
    own = f"theorem: a/b\nassumptions: {{own: s < 1}}\nclaims: {{c: {{says: s * r <= 1{under}}}}}"
    claim = only(load_text(f"```preamble\n{PREAMBLE}```\n```claim\n{own}\n```\n", "p.md", ".md")).claim
    assert sorted(item.name for item in claim.assumptions) == sorted(names)


def test_an_assumption_that_nobody_offers_is_unknown() -> None:
    own = "theorem: a/b\nclaims: {c: {says: s * r <= 1, under: [united]}}"
    (entry,) = load_text(f"```preamble\n{PREAMBLE}```\n```claim\n{own}\n```\n", "p.md", ".md").entries
    assert isinstance(entry, Broken)
    assert entry.problems[0].code == "unknown-assumption"


def test_an_error_is_said_once_and_spares_those_who_do_not_need_it(tmp_path: Path) -> None:
    claims = "theorem: a/b\nclaims: {c: {says: norm(W @ x) >= 0}, d: {says: r >= 0}, e: {says: tr(W) >= 0}}\n"
    loaded = written(tmp_path, preamble_yaml=PREAMBLE.replace("std=s", "st=s"), one_yaml=claims)
    (problem,) = loaded.problems
    assert (problem.code, problem.position.line) == ("declaration", 5)
    assert problem.line_text is not None
    kinds = {entry.id: type(entry) for entry in loaded.entries}
    assert kinds == {"a/b#c": Broken, "a/b#d": Ready, "a/b#e": Broken}
    told = [entry.problems[0].code for entry in loaded.entries if isinstance(entry, Broken)]
    assert told == ["preamble", "preamble"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("vector(n)", "vector(n, n)"), "arity"),
        (("norm(x)}", "norm(x}"), "syntax"),
        (("r: norm(x)", "r: x @ x"), "shape"),
        (("unit: norm(x) == 1", "unit: norm(x == 1"), "syntax"),
        (("symbols:", "symbol:"), "unknown-key"),
        (("x: vector(n)", "norm: vector(n)"), "reserved"),
    ],
)
def test_what_is_wrong_with_it_is_found_without_any_theorem(
    tmp_path: Path, change: tuple[str, str], code: str
) -> None:
    loaded = written(tmp_path, preamble_yaml=PREAMBLE.replace(*change))
    assert code in {problem.code for problem in loaded.problems}


def test_a_name_that_only_the_theorem_knows_is_no_error_of_the_preamble() -> None:
    text = "preamble:\n  symbols: {x: vector(k)}\n  let: {y: c * x}\n---\n"
    text += (
        "theorem: a/b\nsymbols: {k: dimension, c: real}\nclaims: {d: {says: 'norm(y) == abs(c) * norm(x)'}}\n"
    )
    assert set(only(load_text(text)).claim.symbols) == {"x", "k", "c"}


def test_letters_of_the_write_up_come_from_it() -> None:
    text = f"```preamble\n{PREAMBLE}```\n$$s^2 \\ge 0$$ {{#eq-1}}\n"
    claim = "theorem: a/b\nclaims: {c: {says: s**2 >= 0, latex: '\\sigma^2 \\ge 0'}}"
    ready = only(load_text(f"{text}```claim\n{claim}\n```\n", "p.md", ".md"))
    assert ready.claim.printed is not None
    assert ready.claim.printed.status == "same"
    other = load_text(f"{text}```claim\n{claim.replace('sigma', 'tau')}\n```\n", "p.md", ".md").entries[0]
    assert isinstance(other, Broken)


def test_a_preamble_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside.yaml", tmp_path / "claims"
    outside.write_text(PREAMBLE, encoding="utf-8")
    inside.mkdir()
    (inside / "preamble.yaml").symlink_to(outside)
    (inside / "one.yaml").write_text(THEOREM, encoding="utf-8")
    loaded = load_paths([inside / "one.yaml"])
    assert [problem.code for problem in loaded.problems] == ["link"]
    assert [type(entry) for entry in loaded.entries] == [Broken]


def test_many_wrong_declarations_are_told_in_time() -> None:
    symbols = "".join(f"    x{at}: vector(x{at + 1}, 1)\n" for at in range(900))
    loaded = load_text(f"preamble:\n  symbols:\n{symbols}---\n{THEOREM}")
    assert loaded.problems
