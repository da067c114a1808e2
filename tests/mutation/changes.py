"""Mutants: the small changes that mutmut makes to a function, each ready to take its place in a running program."""

from __future__ import annotations

import ast
import difflib
import importlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType

import libcst
from mutmut.mutation.file_mutation import create_mutations, deep_replace

#: What may stand above a function that is changed all the same: it stays as it is in the running program.
_MARKS = ("clause", "kept", "property", "cached_property")


@dataclass(frozen=True)
class Mutant:
    """One function with one change."""

    module: str
    name: str  #: module, function and number; the same as long as the module stays as it is
    file: str
    holder: str  #: the class of a method
    function: str
    line: int  #: of the file, where the function begins, marks included
    text: str  #: of the changed function
    changed: tuple[str, ...]  #: the lines that differ
    reached_by: frozenset[int]  #: lines of the statement that is changed: who runs none of them cannot notice

    @property
    def of(self) -> str:
        """The function that is changed."""
        return self.name.partition("#")[0]

    def put_into(self, module: ModuleType, function: FunctionType) -> None:
        """Let a function of the running program do what the mutant does."""
        tree = ast.parse("from __future__ import annotations\n" + self.text)
        if self.holder:
            inside = ast.ClassDef(self.holder, bases=[], keywords=[], body=[tree.body.pop()], decorator_list=[])
            tree.body.append(ast.fix_missing_locations(inside))
        names = dict(vars(module))
        exec(compile(tree, self.file, "exec"), names)
        changed = vars(names[self.holder])[self.function] if self.holder else names[self.function]
        changed = getattr(changed, "__func__", changed)
        function.__code__ = changed.__code__
        function.__defaults__, function.__kwdefaults__ = changed.__defaults__, changed.__kwdefaults__


def mutants_of(file: Path, name: str) -> list[Mutant]:
    """Return the mutants of a module that is called so, in the order of its lines."""
    text = _without_marks(file.read_text(encoding="utf-8"))
    lines, tree = text.splitlines(), ast.parse(text)
    places = {(holder, node.name): node for holder, node in _functions(tree)}
    marked = {(holder, node.name): node for holder, node in _functions(ast.parse(file.read_text(encoding="utf-8")))}
    module, mutations, _, _ = create_mutations(str(file), text)
    holders = dict(_holders(module))
    found, numbers = [], dict.fromkeys(places, 0)
    for mutation in mutations:
        function = mutation.contained_by_top_level_function
        if function is None or function not in holders:
            continue
        key = holders[function], function.name.value
        numbers[key] += 1
        replaced = deep_replace(function, mutation.original_node, mutation.mutated_node)
        assert isinstance(replaced, libcst.FunctionDef)
        changed = libcst.Module([replaced]).code
        original, node = libcst.Module([function]).code, places[key]
        difference = list(difflib.ndiff(original.splitlines(), changed.splitlines()))
        first = next(at for at, (one, two) in enumerate(zip(*_even(original, changed), strict=True)) if one != two)
        # The text of a function may begin with comments above it.
        offset = next(at for at, line in enumerate(original.splitlines()) if line.lstrip().startswith("def "))
        found.append(
            Mutant(
                name,
                f"{name}.{'.'.join(filter(None, key))}#{numbers[key]}",
                str(file),
                *key,
                _first_line(marked[key]),
                changed,
                tuple(line for line in difference if line[0] in "+-"),
                _statement(node, min(node.lineno + first - offset, len(lines))),
            )
        )
    return sorted(found, key=lambda mutant: (mutant.line, int(mutant.name.partition("#")[2])))


def functions_in(file: str, among: Iterable[object]) -> dict[int, list[FunctionType]]:
    """Return the functions of a file among the objects of the running program, by the line where each begins."""
    found: dict[int, list[FunctionType]] = {}
    for one in among:
        if isinstance(one, FunctionType) and one.__code__.co_filename == file:
            found.setdefault(one.__code__.co_firstlineno, []).append(one)
    return found


def module_of(file: Path, root: Path) -> ModuleType:
    """Return the module of a file."""
    return importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))


def _without_marks(text: str) -> str:
    """Take the marks above functions away and keep the lines: mutmut leaves functions with decorators alone."""
    lines = text.splitlines()
    for _, node in _functions(ast.parse(text)):
        if all(ast.unparse(mark).partition("(")[0] in _MARKS for mark in node.decorator_list):
            for mark in node.decorator_list:
                lines[mark.lineno - 1 : mark.end_lineno] = [""] * ((mark.end_lineno or 0) - mark.lineno + 1)
    return "\n".join([*lines, ""])


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a module and the methods of its classes, each with the name of its class."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            yield from ((node.name, inner) for inner in node.body if isinstance(inner, ast.FunctionDef))


def _holders(module: libcst.Module) -> Iterator[tuple[libcst.CSTNode, str]]:
    for node in module.body:
        if isinstance(node, libcst.FunctionDef):
            yield node, ""
        elif isinstance(node, libcst.ClassDef):
            yield from ((inner, node.name.value) for inner in node.body.body if isinstance(inner, libcst.FunctionDef))


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(mark.lineno for mark in node.decorator_list)])


def _even(one: str, other: str) -> tuple[list[str], list[str]]:
    """The lines of two texts, as many of each."""
    first, second = one.splitlines(), other.splitlines()
    most = max(len(first), len(second))
    return first + [""] * (most - len(first)), second + [""] * (most - len(second))


def _statement(function: ast.FunctionDef, line: int) -> frozenset[int]:
    """The lines of the innermost statement around a line; all lines for what stands before the first."""
    best = range(function.lineno, (function.end_lineno or function.lineno) + 1)
    for node in ast.walk(function):
        if isinstance(node, ast.stmt) and node is not function:
            inner = [one.lineno for one in ast.walk(node) if isinstance(one, ast.stmt) and one is not node]
            # Of a statement with others inside only its head counts.
            end = min(inner) - 1 if inner else (node.end_lineno or node.lineno)
            own = range(node.lineno, max(end, node.lineno) + 1)
            if line in own and len(own) <= len(best):
                best = own
    return frozenset(best)
