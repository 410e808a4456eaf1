"""Pictures: what is chosen, what it says in words, and that it says so in black and white too."""

import re
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.report.examples import example_claims, example_run
from verifier.evidence import Counterexample, Curve, Finding, Sample
from verifier.judge.verdict import StepVerdict, Verdict
from verifier.report.decimals import decimals
from verifier.report.markup import read
from verifier.report.pictures import MOST_PICTURES, Picture, pictures_of

STEP = next(item for item in example_run().verdicts if isinstance(item, Verdict)).steps[0]
Curves, Samples, Pictures = tuple[Curve, ...], tuple[Sample, ...], tuple[Picture, ...]
NAMES = frozenset({"n", "d", "sigma", "X"})


def drawn(*, curves: tuple[Curve, ...] = (), samples: tuple[Sample, ...] = ()) -> tuple[Picture, ...]:
    finding = Finding("numeric", "unknown", curves=curves, samples=samples)
    step: StepVerdict = replace(STEP, findings=(finding,))
    return pictures_of(step, "picture", NAMES)


def swept(n: int, claimed: float) -> Sample:
    return Sample(
        {"n": n, "d": 2, "p": n % 7, "fixed": "X ones, u integers"}, 2.0 * n, 1.5 * n, 2.5 * n, claimed, 64
    )


def test_a_sweep_is_drawn_over_the_swept_symbol_against_the_claim() -> None:
    samples = tuple(swept(n, n**2) for n in (2, 4, 8))
    (picture,) = drawn(samples=samples)
    assert picture.caption == (
        "Estimates with their intervals, and what is claimed, over n. Here d = 2, X ones."
    )
    assert picture.header == ("n", "estimate", "claimed")
    assert picture.rows[1] == ("4", "8 [6, 10]", "16")


def test_points_that_share_nothing_are_shown_relative_to_the_claim() -> None:
    samples = (
        Sample({"n": 2, "d": 3}, 4.0, 3.0, 5.0, 2.0, 64),
        Sample({"n": 5, "d": 2}, -6.0, -9.0, -3.0, -3.0, 64),
    )
    (picture,) = drawn(samples=samples)
    assert [row[1] for row in picture.rows] == ["2 [1.5, 2.5]", "2 [1, 3]"]
    assert picture.rows[0][0] == "point 1: n = 2, d = 3"


def test_growth_tells_the_exponents() -> None:
    sizes = tuple(float(2**k) for k in range(8))
    lines = {"left side": tuple(x**1.5 for x in sizes), "right side": sizes}
    (picture,) = drawn(curves=(Curve("growth", "n", sizes, lines),))
    assert "Exponents between the last two sizes: left side 1.5, right side 1." in picture.caption


def test_a_range_tells_both_ranges_and_the_lines_differ_in_more_than_colour() -> None:
    bands = {"claimed": (0.8, 3.6), "true": (-0.129, 1.129)}
    (picture,) = drawn(
        curves=(Curve("function", "x", (0.0, 1.0, 2.0), {"left side": (0.5, 1.0, 0.9)}, bands),)
    )
    assert "the claimed range [0.8, 3.6] and the true range [-0.129, 1.129]" in picture.caption
    assert "<pattern" in picture.svg
    sides = {"left side": (1.0, 2.0, 3.0), "right side": (2.0, 3.0, 5.0)}
    (picture,) = drawn(curves=(Curve("function", "x", (0.0, 1.0, 2.0), sides),))
    assert "stroke-dasharray" in picture.svg


def failing(op: str, *, found: Counterexample, curves: Curves = (), samples: Samples = ()) -> Pictures:
    fact = replace(STEP.fact, op=op)
    finding = Finding("numeric", "false", curves=curves, samples=samples)
    step = replace(STEP, fact=fact, verdict="fails", findings=(finding,), counterexample=found)
    return pictures_of(step, "picture", NAMES)


BELOW = (
    Sample({"n": 2, "d": 3}, 1.0, 0.5, 1.5, 2.0, 64),
    Sample({"n": 5, "d": 2}, 1.0, 0.5, 1.5, 3.0, 64),
)
FALLING = Curve("ratio", "n", (1.0, 2.0, 4.0), {"left side": (0.9, 0.5, 0.2)}, held="d = 1")


def test_the_point_that_breaks_a_bound_is_in_the_picture() -> None:
    (picture,) = failing("<=", found=Counterexample({"n": 2, "d": 1}, 35 / 8, 3.0), samples=BELOW)
    assert "The counterexample is none of these points: there the ratio is 1.458." in picture.caption
    assert "counterexample: 1.458" in picture.svg
    (picture,) = failing("<=", found=Counterexample({"n": 2, "d": 1}, 3.0, 2.0), curves=(FALLING,))
    assert "The cross is the counterexample, at n = 2." in picture.caption


def test_a_picture_of_a_failure_that_shows_none_is_left_out() -> None:
    elsewhere = Counterexample({"n": 2, "d": 7}, 3.0, 2.0)
    assert failing("<=", found=elsewhere, curves=(FALLING,)) == ()
    assert failing("<=", found=Counterexample({"n": 2}, None, None), samples=BELOW) == ()
    assert len(failing(">=", found=elsewhere, curves=(FALLING,))) == 1
    assert len(failing("==", found=elsewhere, curves=(FALLING,))) == 1


def test_the_ends_of_a_range_are_where_they_are_reached() -> None:
    bands = {"claimed": (0.8, 3.6), "true": (0.5, 1.0)}
    lines = {"left side": (0.5, 1.0, 0.9)}
    (picture,) = drawn(curves=(Curve("function", "x", (0.0, 1.0, 2.0), lines, bands),))
    assert "It is least near x = 0. It is largest near x = 1." in picture.caption
    (picture,) = drawn(curves=(Curve("function", "x", (0.0, 1.0, 2.0), lines, {"true": (0.0, 2.0)}),))
    assert "near" not in picture.caption


def test_an_interval_that_widens_has_a_reason() -> None:
    narrowing = ((64, 1.0, 0.0, 2.0), (128, 1.0, 0.5, 1.5), (256, 1.0, 0.6, 1.4))
    widening = ((64, 1.0, 0.8, 1.2), (128, 1.0, 0.5, 1.5), (256, 1.0, 0.6, 1.4))
    for path, widens in ((narrowing, False), (widening, True)):
        (picture,) = drawn(samples=(Sample({"n": 2}, 1.0, 0.6, 1.4, None, 256, path=path),))
        assert ("Where it widens" in picture.caption) == widens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1/2 - exp(-1)/sqrt(pi) - erf(1)/2, 1/2 + exp(-1)/sqrt(pi) + erf(1)/2]", "≈ [-0.1289, 1.1289]"),
        ("2**(1/2) * Phi(0)", "≈ 0.70711"),
        ("log(2) - 3/4", "≈ -0.056853"),
        ("[0, 1]", None),
        ("n**2", None),
        ("1/0", None),
        ("7", None),
    ],
)
def test_decimals_stand_beside_closed_forms(text: str, expected: str | None) -> None:
    assert decimals(read(example_claims()["growth"], text)) == expected


def test_a_picture_takes_the_colours_of_the_page_and_nothing_from_outside() -> None:
    (picture,) = drawn(curves=(Curve("ratio", "n", (1.0, 2.0, 4.0), {"left side": (1.0, 0.5, 0.2)}),))
    assert not re.search(
        r"#[0-9a-fA-F]{6}\b|style=|<style|<script|xlink|https?:(?!//www\.w3\.org)", picture.svg
    )
    assert "currentColor" in picture.svg
    assert 'role="img"' in picture.svg
    assert len(picture.svg) < 20_000


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e300, None])
def test_values_that_no_axis_holds_are_left_out(value: float | None) -> None:
    line = {"left side": (1.0, value, 2.0, 3.0)}
    (picture,) = drawn(curves=(Curve("ratio", "n", (1.0, 2.0, 3.0, 4.0), line),))
    assert len(picture.rows) == 4
    assert drawn(curves=(Curve("ratio", "n", (1.0, 2.0), {"left side": (value, value)}),)) == ()


def test_a_page_has_only_so_many() -> None:
    one = Curve("ratio", "n", (1.0, 2.0, 4.0), {"left side": (1.0, 0.5, 0.2)})
    assert len(drawn(curves=(one,) * 9)) == MOST_PICTURES


def test_the_plotting_library_is_loaded_only_to_draw() -> None:
    code = "import sys, verifier.report.html; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
