"""Heavy packages that are imported when they are first used, not with the module that names them.

Boards of squares and dots need shapely only for outlines, and networkx only for graphs; importing both takes as long as
all else that a small query needs. Where only types are needed, `TYPE_CHECKING` does.

    if TYPE_CHECKING:
        import networkx as nx
    else:
        nx = Later("networkx")
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any


class Later(ModuleType):
    """A package that is imported at the first use of one of its names.

    >>> json = Later("json")
    >>> json.loads("[1, 2]")
    [1, 2]
    """

    def __getattr__(self, name: str) -> Any:
        found = getattr(import_module(self.__name__), name)
        setattr(self, name, found)  # from now on it is found as fast as in the package itself
        return found
