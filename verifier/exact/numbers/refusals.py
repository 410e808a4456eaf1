"""Why a value could not be computed. Raised inside the package, turned into outcomes at its edge."""


class Refusal(Exception):
    """The evaluation ended without a value; `reason` says why in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Undefined(Refusal):
    """The expression has no value here: a division by zero, a logarithm of a negative number."""


class Imprecise(Refusal):
    """The enclosure is too wide to go on; more bits may help."""


class Unsupported(Refusal):
    """Nothing here computes this; `reason` names what is missing."""
