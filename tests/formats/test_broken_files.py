"""Broken files, one for each mistake, and the exact words that each is answered with.

`broken/expected.txt` holds the faults of every file in `broken/`, in the order of the file. After a change on purpose,
`python tests/formats/test_broken_files.py` rewrites it: read the difference before you commit it.
"""

from pathlib import Path

import pytest
from told_faults import check_place, expected_in

from simulator.errors import FileError
from simulator.formats.boards import check_board, load_board

BROKEN = Path(__file__).parent / "broken"
EXPECTED = BROKEN / "expected.txt"


def said(path):
    """The faults of a file as they are shown, with its bare name."""
    return [str(fault).replace(str(path), path.name, 1) for fault in check_board(path)]


def expected():
    return expected_in(EXPECTED)


FILES = sorted(BROKEN.glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_broken_file_is_answered_with_all_its_faults(path):
    assert said(path) == expected()[path.name]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_fault_has_a_place_within_the_file(path):
    for fault in check_board(path):
        check_place(fault, path)


def test_no_expectation_is_left_over():
    assert sorted(expected()) == [path.name for path in FILES]
    assert len(FILES) >= 60


def test_what_is_no_file(tmp_path):
    for path, reason in ((tmp_path / "none.yaml", "No such file or directory"), (tmp_path, "Is a directory")):
        with pytest.raises(FileError, match=f"^{path}: cannot be read: {reason}$"):
            load_board(path)
    with pytest.raises(FileError, match="embedded null byte"):
        load_board("a\0b")


if __name__ == "__main__":
    EXPECTED.write_text("\n\n".join("\n".join([path.name, *said(path)]) for path in FILES) + "\n", encoding="utf-8")
