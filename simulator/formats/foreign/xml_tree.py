"""A reader of XML for foreign maps: elements with their lines and columns, from a parser that defuses attacks.

Entities are refused, and files that a document type names are not read; size, depth and number of elements are limited.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler, feature_external_ges
from xml.sax.xmlreader import AttributesImpl, Locator

from simulator.errors import Fault, FileError, LimitReached
from simulator.formats import limits
from simulator.reading import read_whole


@dataclass(slots=True)
class XmlElement:
    """An element: its attributes, the elements inside it, and its text."""

    name: str
    line: int
    column: int
    attributes: dict[str, str]
    children: list[XmlElement] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text of the element itself."""
        return "".join(self.pieces)

    def first(self, name: str) -> XmlElement | None:
        """Return the first element of a name inside it."""
        return next((child for child in self.children if child.name == name), None)

    def named(self, name: str) -> list[XmlElement]:
        """Return all elements of a name inside it."""
        return [child for child in self.children if child.name == name]


def load_xml(path: FilePath) -> XmlElement:
    """Read an XML file; raise FileError with line and column of a fault."""
    return parse_xml(read_whole(path, limits.FILE_BYTES.most), str(path))


def parse_xml(data: bytes, file: str = "<text>") -> XmlElement:
    """Read the bytes of an XML file.

    >>> parse_xml(b'<map width="3"><layer/></map>').first("layer").column
    16
    """
    from defusedxml import DefusedXmlException
    from defusedxml.sax import make_parser

    builder = _Builder(file)
    parser = make_parser()
    parser.setContentHandler(builder)
    # Old maps name a document type, which the parser of Python passes over unless this is set.
    parser.forbid_external = False
    parser.setFeature(feature_external_ges, False)
    try:
        parser.parse(io.BytesIO(data))
    except SAXParseException as error:
        line, column = error.getLineNumber() or 1, error.getColumnNumber() or 0
        raise FileError([Fault(file, line, column + 1, "", f"not valid XML: {error.getMessage()}")]) from None
    except DefusedXmlException:
        raise FileError(
            [builder.fault("an entity is not allowed here: delete <!ENTITY and write out what it means")]
        ) from None
    except (ValueError, LookupError) as error:  # an encoding that Python does not know
        raise FileError([builder.fault(f"not valid XML: {error}")]) from None
    if builder.root is None:
        raise FileError([Fault(file, 1, 1, "", "the file is empty")])
    return builder.root


class _Builder(ContentHandler):
    """Builds the tree of elements from the events of the parser."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.root: XmlElement | None = None
        self.open: list[XmlElement] = []
        self.nodes = 0
        self.locator: Locator | None = None

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802 - the name is that of the interface
        """Keep the object that knows where the parser is."""
        self.locator = locator

    def fault(self, message: str) -> Fault:
        """Return a fault at the place where the parser is."""
        return Fault(self.file, *self._place(), "", message)

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        """Begin an element."""
        self.nodes += 1 + len(attrs)
        if self.nodes > limits.NODES.most:
            raise LimitReached([self.fault(limits.NODES.reached(self.nodes))])
        if len(self.open) >= limits.NESTING.most:
            raise LimitReached([self.fault(limits.NESTING.reached(len(self.open) + 1))])
        element = XmlElement(name, *self._place(), dict(attrs.items()))
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802
        """End an element."""
        self.open.pop()

    def skippedEntity(self, name: str) -> None:  # noqa: N802
        """Refuse an entity that only an unread document type could explain."""
        if name != "[dtd]":
            raise FileError([self.fault(f"the entity &{name}; has no meaning here: write out what it means")])

    def characters(self, content: str) -> None:
        """Add to the text of the element that is open."""
        if self.open:
            self.open[-1].pieces.append(content)

    def _place(self) -> tuple[int, int]:
        if self.locator is None:
            return 1, 1
        return self.locator.getLineNumber() or 1, (self.locator.getColumnNumber() or 0) + 1
