"""Pictures for dark pages, from every command that draws."""

import pytest
from click.testing import CliRunner

from simulator.cli import cli
from simulator.views.dark import in_the_dark

COMMANDS = [
    "show boards/market_square.yaml",
    "show scenarios/skirmish/mad_dash.yaml",
    "walk boards/market_square.yaml --from 9,8 --budget 2",
    "walk boards/orchard.yaml --from 3,3 --budget 2",
    "reach scenarios/grid_runner/market_chase.yaml kit",
    "path scenarios/grid_runner/market_chase.yaml kit 9,8",
    "threats scenarios/grid_runner/market_chase.yaml hunters",
    "diff scenarios/grid_runner/market_chase.yaml kit --option diagonal_corners=free",
    "exposed scenarios/grid_runner/market_chase.yaml kit 9,8",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_same_picture_is_drawn_for_a_dark_page(request, monkeypatch, tmp_path, command):
    monkeypatch.chdir(request.config.rootpath)
    drawn = {}
    for name, more in (("light", []), ("dark", ["--dark"])):
        file = tmp_path / f"{name}.svg"
        answer = CliRunner().invoke(cli, [*command.split(), "--svg", str(file), *more])
        assert answer.exit_code == 0, answer.output
        drawn[name] = file.read_text(encoding="utf-8")
    assert drawn["dark"] == in_the_dark(drawn["light"])
    assert drawn["dark"] != drawn["light"]
