"""What is told of notebooks beside their verdicts: cells at which IPython would stop."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from verifier.read.specs.notebooks import never_loaded
from verifier.read.specs.spec_files import content_of
from verifier.report.view import Json

EXTENSION = "verifier"


def stopping(claims: Iterable[Json]) -> Iterator[str]:
    """A word for each notebook of these claims that does not load the magic that it uses."""
    for file in dict.fromkeys(claim["file"] for claim in claims if Path(claim["file"]).suffix == ".ipynb"):
        try:
            line = never_loaded(content_of(file).decode("utf-8"), EXTENSION)
        except (OSError, UnicodeDecodeError):
            continue
        if line is not None:
            yield (
                f"{file}:{line}: no cell before this one has `%load_ext {EXTENSION}`: Run All stops here, "
                "unless IPython's configuration loads it"
            )
