"""The picture of docs/tutorial_house_rule.md: the ground that a longer move gains."""

from __future__ import annotations

import re
from pathlib import Path

from simulator import parse_scenario
from simulator.views.reach_picture import draw_comparison

PAGE = Path(__file__).resolve().parents[1] / "tutorial_house_rule.md"


def pictures() -> dict[str, str]:
    """Return each picture's file name and text; the position is the one that the page tells to save."""
    found = re.search(r"^```yaml courtyard\.yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    if found is None:
        raise ValueError(f"{PAGE.name} has no courtyard.yaml")
    longer = parse_scenario(found[1]).start().compare("ana", figures={"inches.standing": 4})
    return {"house_rule.svg": draw_comparison(longer, title="ana with 4 inches for an AP instead of 3")}
