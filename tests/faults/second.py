"""The second engine, a witness."""

from tests.faults.acts import second as examine

__all__ = ["examine"]
