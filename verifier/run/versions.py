"""Versions of what the verdicts rest on, read without importing it."""

from importlib.metadata import PackageNotFoundError, version


def versions() -> dict[str, str]:
    found = {}
    for name in ("verify-claims", "sympy", "python-flint", "torch", "numpy"):
        try:
            found[name] = version(name)
        except (PackageNotFoundError, OSError):
            continue
    return found
