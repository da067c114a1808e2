"""The version of the package, in one place."""

__version__ = "0.1.0"
