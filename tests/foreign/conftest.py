"""The sample maps, all written for these tests, and the words with which to convert them."""

import shutil
from pathlib import Path

import pytest

from simulator.formats.foreign import read_map

SAMPLES = Path(__file__).with_name("samples")


@pytest.fixture
def sample(tmp_path):
    """Converts a sample, or a copy of it with parts of its text replaced."""

    def convert(name, *changes, kind=None, **words):
        for each in SAMPLES.iterdir():
            shutil.copy(each, tmp_path / each.name)
        text = (tmp_path / name).read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, f"nothing to change: {old!r}"
            text = text.replace(old, new, 1)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return read_map(tmp_path / name, kind, **words)

    return convert
