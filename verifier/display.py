"""How a value shows itself: as text where one prints it, as HTML where a notebook displays it.

Verdicts and broken claims are made in rooms that know nothing of reports. They ask for their display by
name, as runs ask for their engines, and only when somebody looks.
"""

import importlib
from typing import Any, cast

DISPLAY = "verifier.report.card"


def _display() -> Any:
    return importlib.import_module(DISPLAY)


class Shown:
    """`str(value)` is a few lines of text, `value._repr_html_()` a piece of a page with its own style."""

    def __str__(self) -> str:
        return cast(str, _display().text(self))

    def _repr_html_(self) -> str:
        return cast(str, _display().html(self))
