"""The first engine."""

from tests.faults.acts import first as examine

__all__ = ["examine"]
