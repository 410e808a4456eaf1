"""What Coq is asked about, read as the mathematics that it is: every theorem is true at points that satisfy
its hypotheses, and is false once a number in it is changed."""

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from tests.proofs.examples import claims, put
from verifier.cli import main
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.proofs.coq.files import text_of, write
from verifier.proofs.coq.leaf import Found, Theorem, of_claim, quoted

SPEC = """\
schema: 1
theorem: a/b
symbols: {n: dimension, m: dimension, x: vector(n), W: "normal(m, n, std=s)", s: positive, t: real, u: real}
claims:
  layer: {says: "E(norm(W @ x)**2) == m*s**2*norm(x)**2"}
  fractions: {says: "1/(1 + s) - 1/(2 + s) == 1/((1 + s)*(2 + s))"}
  root: {says: "sqrt(1 + s)*sqrt(1 + s) == 1 + s"}
  more: {says: "sum(s**k, k, 0, n) == s*sum(s**k, k, 0, n) + 1 - s**(n + 1)"}
  young: {says: "t*u <= t**2/2 + u**2/2"}
  sized: {says: "0 <= s*t**2"}
  hump: {says: "t*(1 - t) <= 1/4"}
"""
TOKEN = re.compile(r"<>|<=|[-+*/^()=<]|\w+")
Number = Fraction


class Reader:
    """Coq's terms over the reals, at rational points. Functions are none of them."""

    def __init__(self, text: str, at: Mapping[str, Number]) -> None:
        self.tokens, self.at = TOKEN.findall(text), at
        assert "".join(self.tokens) == re.sub(r"\s+", "", text), "every character is read"

    def said(self) -> bool:
        """A chain of relations between sums."""
        value, truth = self.sum(), True
        while self.tokens:
            relation, other = self.tokens.pop(0), None
            other = self.sum()
            truth &= {"=": value == other, "<=": value <= other, "<": value < other, "<>": value != other}[
                relation
            ]
            value = other
        return truth

    def sum(self) -> Number:
        value = self.product()
        while self.tokens and self.tokens[0] in "+-":
            sign = 1 if self.tokens.pop(0) == "+" else -1
            value += sign * self.product()
        return value

    def product(self) -> Number:
        value = self.power()
        while self.tokens and self.tokens[0] in "*/":
            value = value * self.power() if self.tokens.pop(0) == "*" else value / self.power()
        return value

    def power(self) -> Number:
        token = self.tokens.pop(0)
        if token == "-":
            return -self.power()
        if token == "/":
            return 1 / self.power()
        if token == "(":
            value = self.sum()
            assert self.tokens.pop(0) == ")"
        else:
            value = Fraction(token) if token.isdigit() else self.at[token]
        if self.tokens and self.tokens[0] == "^":
            self.tokens.pop(0)
            value **= int(self.tokens.pop(0))
        return value


def points(theorem: Theorem) -> list[dict[str, Number]]:
    """Points that satisfy its hypotheses; the value of a variable may be an equation's other side."""
    found = []
    for start in range(1, 6):
        at = {name: Fraction(start + 2 * k, 3 + k) for k, name in enumerate(theorem.variables)}
        for label, text in theorem.hypotheses:
            if label.startswith("R"):  # x ^ 2 = base: the other way round, where that is a variable
                root, _, base = text.partition(" = ")
                if base in at:
                    at[base] = Reader(root, at).sum()
                else:  # x ^ 2 = 1 + y
                    name = next(name for name in theorem.variables if name in base)
                    at[name] += Reader(root, at).sum() - Reader(base, at).sum()
        assert all(Reader(text, at).said() for _, text in theorem.hypotheses), "the point is one"
        found.append(at)
    return found


def theorems(name: str, *proofs: Proof, folder: Path) -> Found:
    claim = claims(SPEC)[name]
    folder.mkdir(exist_ok=True)
    put(folder, claim, *(proofs or (Proof("contract", Holds(claim.steps[0].fact)),)))
    return of_claim(claim, folder)


@pytest.mark.parametrize("name", ["layer", "fractions", "root"])
def test_equations_are_identities_of_a_field(name: str, tmp_path: Path) -> None:
    found = theorems(name, folder=tmp_path)
    (theorem,) = found.theorems
    assert (theorem.kind, found.missing) == ("ring", 0)
    for at in points(theorem):
        assert Reader(theorem.conclusion, at).said()
        assert not Reader(theorem.conclusion + " + 1 / 1000", at).said()


def test_the_two_sides_are_as_the_author_wrote_them(tmp_path: Path) -> None:
    (theorem,) = theorems("fractions", folder=tmp_path).theorems
    left, _, right = theorem.conclusion.partition(" = ")
    assert left.count("/") == 2
    assert right.count("/") == 1
    nonzero = [text for label, text in theorem.hypotheses if label.startswith("N")]
    assert [Reader(text.removesuffix("<> 0"), {"x1": Fraction(3)}).sum() for text in nonzero] == [4, 5]


def test_what_needs_more_than_a_field_is_left_to_the_kernel(tmp_path: Path) -> None:
    """A sum that telescopes: its theorem about two unknown sums would be false."""
    found = theorems("more", folder=tmp_path)
    assert (found.theorems, found.missing) == ((), 1)


def test_signs_have_what_the_kernel_knows_as_hypotheses(tmp_path: Path) -> None:
    claim = claims(SPEC)["sized"]
    (theorem,) = theorems("sized", Proof("sign", Holds(claim.steps[0].fact)), folder=tmp_path).theorems
    assert [text for label, text in theorem.hypotheses if label.startswith("S")] == ["0 <= x1"]
    assert "x1 is s" in theorem.comments, "t stands there squared, and needs no sign"
    for at in points(theorem):
        assert Reader(theorem.conclusion, at).said()
    assert not Reader(theorem.conclusion, {"x1": Fraction(-1), "x2": Fraction(2)}).said()


def test_combinations_are_identities_too(tmp_path: Path) -> None:
    """(t - u)**2/2 >= 0 gives t*u <= t**2/2 + u**2/2, with the factor 1/2 and no other."""
    claim = claims(SPEC)["young"]
    square = claims(SPEC.replace('"t*u <= t**2/2 + u**2/2"', '"0 <= (t - u)**2"'))["young"].steps[0].fact
    step = Proof("combine", Holds(claim.steps[0].fact), (Proof("sign", Holds(square)),), {"factors": ["1/2"]})
    combined, sign = theorems("young", step, folder=tmp_path).theorems
    assert (combined.rule, sign.rule) == ("combine", "sign")
    gap = re.search(r"from_gap _ _ \((.*)\)\);", combined.tactic)
    assert gap is not None
    small, _, large = combined.conclusion.partition(" <= ")
    for at in points(combined):
        assert Reader(combined.conclusion, at).said()
        assert Reader(f"{large} - {small} = {gap[1]}", at).said()
        assert not Reader(f"{large} - {small} = {gap[1].replace('1 / 2', '1 / 3')}", at).said()


def test_boxes_lie_where_the_cover_puts_them(tmp_path: Path) -> None:
    claim = claims(SPEC.replace("t: real", "t: 'interval(0, 1)'"))["hump"]
    cover = ["bound", "bound"]
    step = Proof("cover", Holds(claim.steps[0].fact), (), {"cover": [{"split": ["t", "1/4"]}, *cover]})
    put(tmp_path, claim, step)
    first, second = of_claim(claim, tmp_path).theorems
    assert [theorem.hypotheses for theorem in (first, second)] == [
        (("B1", "0 <= x1 <= (1 / 4)"),),
        (("B1", "(1 / 4) <= x1 <= 1"),),
    ]
    for at in (Fraction(1, 8), Fraction(1, 4)):
        assert Reader(first.hypotheses[0][1], {"x1": at}).said()
        assert Reader(first.conclusion.removeprefix("0 <= "), {"x1": at}).sum() == Fraction(1, 4) - at * (
            1 - at
        )


def test_no_tactic_searches(tmp_path: Path) -> None:
    text = text_of("a/b#c", Found((*theorems("layer", folder=tmp_path).theorems,), 0))
    assert not re.search(r"\b(lra|nra|psatz|nsatz|auto|eauto|lia|firstorder|admit|Admitted|Axiom)\b", text)


@pytest.mark.parametrize("line", ["x *) Axiom f : False. (*", '"', "(* (*", "\u2202", "a\nb"])
def test_a_comment_stays_one(line: str) -> None:
    inside = quoted(line)
    assert "*)" not in inside
    assert "(*" not in inside
    assert '"' not in inside
    assert inside.isascii()
    assert inside.isprintable()


def test_files_have_names_that_coq_takes(tmp_path: Path) -> None:
    found = theorems("layer", folder=tmp_path)
    path = write(tmp_path / "out", "../../a/b#c d", found)
    assert path.parent == tmp_path / "out"
    assert path.stem.isidentifier()


def test_the_command_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text(SPEC)
    theorems("layer", folder=tmp_path / "proofs")
    status = main(
        ["check", str(tmp_path / "proofs"), str(tmp_path / "a.yaml"), "--coq", str(tmp_path / "coq")]
    )
    assert status == 1, "the other claims have no proof"
    assert "1 theorems for Coq in 1 files" in capsys.readouterr().err
    (path,) = (tmp_path / "coq").iterdir()
    assert "Theorem leaf_1" in path.read_text()


def test_a_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text(SPEC)
    (tmp_path / "taken").write_text("")
    theorems("layer", folder=tmp_path / "proofs")
    words = ["check", str(tmp_path / "proofs"), str(tmp_path / "a.yaml"), "--coq", str(tmp_path / "taken")]
    assert main(words) == 2
    assert "cannot be written" in capsys.readouterr().err
