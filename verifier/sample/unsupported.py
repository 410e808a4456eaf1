"""What this engine cannot compute, said in a few plain words."""


class RefusedError(Exception):
    """A node, law or assumption that cannot be sampled. `engine.examine` turns it into a Finding."""

    def __init__(self, missing: str) -> None:
        super().__init__(missing)
        self.missing = missing


class UndefinedError(Exception):
    """A point at which the claim says nothing: a law or a size that does not exist there."""
