"""No explicit sequence breaks a rule, and what no rule gives is broken by one."""

from fractions import Fraction
from itertools import product

from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR
from verifier.kernel.sequences.modes import PLACE, Chance, Mode, Moment, Sums, Surely, Vanishes
from verifier.kernel.sequences.theorems import covers, follows, needs_positive
from verifier.prove.sequences.explicit_sequences import World
from verifier.prove.sequences.spikes import library

GAP = N.Member("Y", SCALAR, PLACE)
HALF, ONE, TWO = (N.Number(Fraction(value)) for value in ("1/2", "1", "2"))
CHANCES = [
    Chance(GAP, None),
    *(Chance(GAP, above, strict=strict) for above in (HALF, ONE) for strict in (True, False)),
]
MOMENTS = [Moment(GAP, Fraction(power)) for power in (1, 2, 4)]
MOMENTS += [Moment(GAP, Fraction(power), signed=True) for power in (1, 3)]
MODES: list[Mode] = [
    Surely(GAP),
    *(Sums(size, start) for size in (*CHANCES, *MOMENTS) for start in (0, 1)),
    *(Vanishes(size) for size in (*CHANCES, *MOMENTS)),
]
WORLD = World("Y", {}, Fraction(0))


def breaks(known: Mode, wanted: Mode) -> bool:
    for spike in library([Fraction(1, 2), Fraction(1)]):
        held, asked = WORLD.truth(known, spike), WORLD.truth(wanted, spike)
        if held is not None and asked is not None and held[0] and not asked[0]:
            return True
    return False


def test_no_sequence_breaks_a_rule() -> None:
    pairs = [(known, wanted) for known, wanted in product(MODES, MODES) if follows(known, wanted) is not None]
    assert len(pairs) > 100
    assert not [pair for pair in pairs if breaks(*pair)]


def test_what_no_rule_gives_is_broken() -> None:
    """But for signs, starts and other thresholds, of which the rules know less than is true."""
    for known, wanted in product(MODES, MODES):
        if follows(known, wanted) is None and not breaks(known, wanted):
            signed = any(getattr(_size(mode), "signed", False) for mode in (known, wanted))
            earlier = getattr(known, "start", 0) > getattr(wanted, "start", 0)
            fixed = [_threshold(mode) is not None for mode in (known, wanted)]
            assert signed or earlier or all(fixed), (known, wanted)


def _threshold(mode: Mode) -> N.Node | None:
    size = _size(mode)
    return size.above if isinstance(size, Chance) else None


def _size(mode: Mode) -> Chance | Moment | None:
    return None if isinstance(mode, Surely) else mode.size


def test_another_sequence_is_another_sequence() -> None:
    other = N.Member("W", SCALAR, PLACE)
    assert follows(Surely(GAP), Surely(other)) is None
    assert follows(Sums(Moment(GAP, Fraction(2)), 0), Surely(other)) is None


def test_thresholds() -> None:
    weak, strong = Chance(GAP, ONE), Chance(GAP, ONE, strict=False)
    assert covers(strong, weak)
    assert not covers(weak, strong)
    assert not covers(weak, Chance(GAP, TWO))
    assert not covers(weak, Chance(GAP, ONE, norm="oo"))
    assert covers(Chance(GAP, None), strong)


def test_where_a_threshold_must_be_positive() -> None:
    zero = Vanishes(Chance(GAP, N.Number(Fraction(0))))
    assert needs_positive(Surely(GAP), zero)
    assert needs_positive(Sums(Chance(GAP, None), 0), zero)
    assert needs_positive(Sums(Moment(GAP, Fraction(2)), 0), zero)
    assert not needs_positive(Sums(Chance(GAP, N.Number(Fraction(0))), 0), zero)
    assert not needs_positive(Surely(GAP), Surely(GAP))
