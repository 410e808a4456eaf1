"""Why a relation is not decided here. Raised inside the package, turned into a Finding at its edge."""


class Refusal(Exception):
    """Nothing here computes this: `missing` names what would be needed, in a few plain words."""

    def __init__(self, missing: str) -> None:
        super().__init__(missing)
        self.missing = missing


class Exhausted(Exception):
    """The workspace has no generator left: start again with a larger one."""


class OutOfTime(Exception):
    """The budget ended."""
