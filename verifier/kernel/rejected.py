"""Why the kernel refuses."""

from typing import Literal, get_args

Reason = Literal[
    "outside",  # something that no rule of the kernel speaks of
    "too-large",  # more terms than the kernel is willing to write
    "premises",  # another number of premises, or premises that say something else
    "condition",  # a side condition that does not hold, or that nobody showed
    "no-mean",  # a mean that is not known to exist
    "differs",  # the two sides have different normal forms
    "not-false",  # the point does not break the statement
    "not-allowed",  # the point is none that the assumptions allow
    "undefined",  # a side has no value
    "data",  # the data of a step are not of the form that its rule needs
    "statement",  # a proof of something else than what the author states
    "unknown-rule",
    "trusted",  # a step that only its engine answers for
]
REASONS: tuple[Reason, ...] = get_args(Reason)


class Rejected(Exception):
    """A proof that is none, or a step beyond the kernel: `reason` for programs, `words` for people."""

    def __init__(self, reason: Reason, words: str) -> None:
        super().__init__(words)
        self.reason: Reason = reason
        self.words = words
