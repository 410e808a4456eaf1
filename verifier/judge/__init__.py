"""From evidence to verdicts: the one room that says `holds`.

`from verifier import judge` is also a public function, and the room and the function share their name: the
room can be called, and what is called is `verifier.api.judge`.
"""

import importlib
import sys
from types import ModuleType
from typing import Any

JUDGE = "verifier.api"


class _Callable(ModuleType):
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """`verifier.api.judge`, asked for by name: the judge knows nothing of those who ask it."""
        return importlib.import_module(JUDGE).judge(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable
