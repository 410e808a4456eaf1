"""What the writers of formulas ask of boxes."""

from verifier.expr.typeset.boxes import (
    Accented,
    Box,
    Digits,
    Fence,
    Indexed,
    Letter,
    Script,
    Times,
    commas,
)


def on_paper(box: Box) -> Box:
    """An entry as a base with subscripts; a base that is more than a letter gets brackets."""
    if not isinstance(box, Indexed):
        return box
    plain = isinstance(box.base, Letter | Accented | Fence)
    return Script(box.base if plain else Fence("[", box.base, "]"), below=commas(box.indices))


def under_sign(under: Box | None, such_that: tuple[Box, ...]) -> Box | None:
    """What stands below a large operator: its start, then its conditions."""
    return commas((under, *such_that)) if under is not None else None


def starts_with_digit(box: Box) -> bool:
    """Whether a factor needs a dot before it: 2 · 3, not 2 3."""
    match box:
        case Digits(text):
            return text.isascii()
        case Script(base):
            return starts_with_digit(base)
        case Times(factors):
            return starts_with_digit(factors[0])
    return False
