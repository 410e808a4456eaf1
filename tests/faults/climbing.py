"""The engine that searches."""

from tests.faults.acts import climbing as examine

__all__ = ["examine"]
