"""The gallery: each notebook of docs/notebooks, run now, as one page with what its cells display."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

_SECONDS = 120


def run_notebook(path: Path, folder: Path) -> NotebookNode:
    """Return a notebook with what its cells display when it is run in a folder; a cell that fails is an error."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=_SECONDS, resources={"metadata": {"path": str(folder)}})
    client.create_kernel_manager().transport = "ipc"  # no port is opened
    client.execute()
    return notebook


def notebook_pages(root: Path) -> dict[str, str]:
    """Return the page of all notebooks, and the drawings on it by file."""
    made: dict[str, str] = {}
    lines = ["# Notebooks", "", "They are in `docs/notebooks/` of the repository, and were run for this page.", ""]
    for path in sorted((root / "docs" / "notebooks").glob("*.ipynb")):
        for number, cell in enumerate(run_notebook(path, root).cells):
            lines += [_source_of(cell), ""]
            for drawn, text in _shown(cell.get("outputs", ())):
                if drawn:
                    uri = f"pictures/notebook_{path.stem}_{number}.svg"
                    made[uri] = text
                    lines += [f"![What cell {number} of {path.name} displays]({uri})", ""]
                else:
                    lines += [f"```text\n{text.rstrip()}\n```", ""]
    return {"notebooks.md": "\n".join(lines), **made}


def _source_of(cell: NotebookNode) -> str:
    if cell.cell_type == "code":
        return f"```python\n{cell.source}\n```"
    return "\n".join(_lower_headings(cell.source.split("\n")))


def _lower_headings(lines: list[str]) -> Iterator[str]:
    """Yield the lines of a page that is now a section."""
    yield from (f"#{line}" if line.startswith("#") else line for line in lines)


def _shown(outputs: Iterable[NotebookNode]) -> Iterator[tuple[bool, str]]:
    """Yield what a cell displays: drawings, marked as such, and texts; what it prints line by line is one text."""
    data = (output.get("data", {"text/plain": output.get("text", "")}) for output in outputs)
    for drawn, several in groupby(data, key=lambda each: "image/svg+xml" in each):
        if drawn:
            yield from ((True, each["image/svg+xml"].strip()) for each in several)
        else:
            yield False, "".join(each["text/plain"] for each in several)
