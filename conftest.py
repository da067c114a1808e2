"""Examples in the documentation and in docstrings run as tests."""

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser

_markdown = Sybil(parsers=[PythonCodeBlockParser()], patterns=["*.md"])
_docstrings = Sybil(parsers=[DocTestParser()], patterns=["*.py"], excludes=["tests/*", "benchmarks/*", "conftest.py"])

pytest_collect_file = (_markdown + _docstrings).pytest()
