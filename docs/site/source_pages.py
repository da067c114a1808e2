"""Files of the repository that pages link to, as pages of their own with a link to each line."""

from __future__ import annotations

from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound

#: The folder of the site for them.
FOLDER = "source"
_STYLE = "<style>:target{background:#fff3b0}@media(prefers-color-scheme:dark){html{filter:invert(.9)}}</style>"


def uri_of_line(file: str, line: int = 0) -> str:
    """Return the address of a line, or of the file, from the root of the site."""
    return f"{FOLDER}/{file}.html" + (f"#line-{line}" if line else "")


def source_page(root: Path, file: str) -> str:
    """Return a file as an HTML page."""
    try:
        lexer = get_lexer_for_filename(file)
    except ClassNotFound:
        lexer = TextLexer()
    form = HtmlFormatter(full=True, title=file, linenos="inline", linespans="line", anchorlinenos=False)
    page = highlight((root / file).read_text(encoding="utf-8"), lexer, form)
    return page.replace("</head>", f"{_STYLE}</head>")
