"""The engine before the first."""

from tests.faults.acts import zeroth as examine

__all__ = ["examine"]
