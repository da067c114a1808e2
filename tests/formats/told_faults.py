"""What tests of broken files share: the expected answers, places inside a file, and trees as plain values."""


def expected_in(file):
    """The answers that a file of expectations holds: for each broken file the lines that it is answered with."""
    answers = {}
    for block in file.read_text(encoding="utf-8").split("\n\n"):
        name, *lines = block.strip().split("\n")
        answers[name] = lines
    return answers


def check_place(fault, path):
    """Assert that a fault lies within the file that it names."""
    lines = path.read_bytes().decode("utf-8", "replace").split("\n")
    assert 0 <= fault.line <= len(lines)
    assert (fault.column == 0) == (fault.line == 0)
    if fault.line:
        assert fault.column <= len(lines[fault.line - 1]) + 1


def plain(node):
    """The value of a tree without its places."""
    if isinstance(node.value, list):
        return [plain(item) for item in node.value]
    if isinstance(node.value, dict):
        return {key: plain(item) for key, item in node.value.items()}
    return node.value
