"""What mkdocs asks while it builds the site: pages that are made, pages from outside docs/, dark pictures."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from clause_pages import clause_pages, with_anchors
from markdown_forms import for_the_site, in_light_and_dark, linked_files, relinked
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from notebook_pages import notebook_pages
from reference_pages import public_names, rulebook_names, schema_files, schema_page
from source_pages import source_page, uri_of_line

from simulator.views import in_the_dark

ROOT = Path(__file__).resolve().parents[2]
#: Pages outside docs/, with their place on the site.
_OUTSIDE = {
    "README.md": "index.md",
    **{name: name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/RESULTS.md")},
}
_DRAWINGS = ("docs/pictures", "benchmarks/pictures")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add all that is not in docs/, or is only made now."""
    sources: set[str] = set()

    def link(file: str, line: int) -> str:
        sources.add(file)
        return f"../{uri_of_line(file, line)}"

    made: dict[str, str | bytes] = {
        "reference/names.md": public_names(),
        "reference/rulebook.md": rulebook_names(),
        "reference/schemas.md": schema_page(),
        **notebook_pages(ROOT),
        **{f"clauses/{name}.md": text for name, text in clause_pages(link).items()},
        **{f"schemas/{uri}": path.read_bytes() for uri, path in schema_files().items()},
        **{uri: (ROOT / page).read_text(encoding="utf-8") for page, uri in _OUTSIDE.items()},
    }
    for folder in _DRAWINGS:
        for path in sorted((ROOT / folder).glob("*.svg")):
            made[_uri_of(path.relative_to(ROOT).as_posix())] = path.read_text(encoding="utf-8")
    for uri, drawing in [each for each in made.items() if each[0].endswith(".svg")]:
        made[f"{_dark(uri.removesuffix('.svg'))}.svg"] = in_the_dark(str(drawing))
    for page in (*_OUTSIDE, *(f"docs/{file.src_uri}" for file in files.documentation_pages())):
        text = (ROOT / page).read_text(encoding="utf-8")
        sources |= {file for file in linked_files(text, page) if _uri_of(file).startswith("source/")}
    made |= {uri_of_line(file): source_page(ROOT, file) for file in sorted(sources) if (ROOT / file).is_file()}
    for uri, content in made.items():
        if (known := files.get_file_from_path(uri)) is not None:
            files.remove(known)
        files.append(File.generated(config, uri, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return the text of a page as the site reads it."""
    del config, files
    uri = page.file.src_uri
    home = next((page for page, there in _OUTSIDE.items() if there == uri), f"docs/{uri}")
    if (ROOT / home).is_file():
        markdown = relinked(markdown, home, uri, _uri_of)
        if uri.startswith("rules/"):
            markdown = with_anchors(markdown, PurePosixPath(uri).stem)
        markdown = for_the_site(markdown)
    return in_light_and_dark(markdown, _dark)


def _uri_of(file: str) -> str:
    """Return the place on the site of a file of the repository."""
    if file in _OUTSIDE:
        return _OUTSIDE[file]
    if file.startswith("docs/"):
        return file.removeprefix("docs/")
    if str(PurePosixPath(file).parent) in _DRAWINGS:
        return file
    return uri_of_line(file)


def _dark(drawing: str) -> str:
    path = PurePosixPath(drawing)
    return str(path.parent / "dark" / path.name)
