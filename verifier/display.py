"""How a value shows itself: as text where one prints it, as HTML where a notebook displays it.

Verdicts and broken claims are made in rooms that know nothing of reports. They ask for their display by
name, as runs ask for their engines, and only when somebody looks.
"""

import importlib
from typing import Any, Protocol, cast

DISPLAY = "verifier.report.card"


def _display() -> Any:
    return importlib.import_module(DISPLAY)


class Printer(Protocol):
    """IPython's pretty printer, as far as it is used."""

    indentation: int

    def text(self, words: str) -> None: ...


class Shown:
    """`str(value)` is a few lines of text, `value._repr_html_()` a piece of a page with its own style."""

    def in_one_line(self) -> str:
        """What its `repr` says of it."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.in_one_line()}>"

    def __str__(self) -> str:
        return cast(str, _display().text(self))

    def _repr_html_(self) -> str:
        return cast(str, _display().html(self))

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """The plain form in IPython: a few lines, or one where it stands inside a list."""
        printer.text(repr(self) if cycle or printer.indentation else str(self))
