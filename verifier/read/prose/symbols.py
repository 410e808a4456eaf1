"""All that is said of one letter, put together: the symbol's declaration in the claim language.

Every attribute must find its place in the declaration. What is left over, contradicts, or is missing is
refused."""

from verifier.read.prose.attributes import Said, Symbol
from verifier.read.prose.fixed_symbols import fixed_symbol, function_symbol
from verifier.read.prose.random_symbols import random_symbol
from verifier.read.prose.values import Attribute

__all__ = ["Symbol", "symbol"]


def symbol(
    attributes: tuple[Attribute, ...], copies: str | None, known: tuple[str, ...] | None, is_size: bool
) -> Symbol | None:
    """The declaration of a letter; None where only conditions are said of one that is not declared here.

    `known` are its sizes as an earlier passage told them; `is_size`: it is the size of something."""
    found = Said()
    known = None if copies is not None else known  # x_1, ..., x_n is another x
    for item in dict.fromkeys(attributes):
        found.add(item)
    if found.functions:
        return function_symbol(found, copies)
    if found.laws or found.moments or found.independence or found.random:
        return random_symbol(found, copies, known)
    return fixed_symbol(found, copies, known, is_size)
