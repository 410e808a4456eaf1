"""Points: a statement is false where one allowed point breaks it."""

from verifier.kernel.rules import Rule

RULES: tuple[Rule, ...] = ()
