"""What rulebooks have against drafts of orders, found sooner than all reasons, decides the same."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from simulator import load_scenario
from simulator.engine.drafts import AgainstDraft
from simulator.engine.errors import Breach
from simulator.engine.ruleset import reasons_against

ROOT = Path(__file__).parents[2] / "scenarios"
SCENARIOS = [
    f"{path.parent.name}/{path.stem}"
    for book in ("mecha", "combined_arms", "skirmish")
    for path in (ROOT / book).iterdir()
]

#: Those in whose first orders something stays wrong however short legs are.
STAYING = [
    *("mecha/two_guards", "mecha/battle_of_the_quarry", "mecha/over_the_bank", "mecha/ferry_at_the_ford"),
    *("combined_arms/main_street", "combined_arms/east_bank", "combined_arms/river_crossing"),
    "skirmish/mad_dash",
]


class TestAgainstDraft:
    def test_what_names_a_place_or_what_is_left_depends_on_the_way(self):
        way = [Breach("ME-41", "in the way", place=(1, 2)), Breach("ME-10", "too dear", 8, 0)]
        assert AgainstDraft(way).depends_on_the_way
        assert not AgainstDraft([*way, Breach("ME-77", "nobody aboard")]).depends_on_the_way

    def test_the_least_share_counts(self):
        dear = [Breach("ME-10", "too dear", 8, 4), Breach("ME-50", "too near", 5, 1), Breach("ME-2", "phase", 1, 1)]
        assert AgainstDraft(dear).share == 0.2
        assert AgainstDraft(dear[2:]).share is None

    @pytest.mark.parametrize("name", sorted(SCENARIOS))
    def test_the_drafts_of_a_game_fare_as_if_all_reasons_were_known(self, name, monkeypatch):
        game, rng = load_scenario(ROOT / f"{name}.yaml").start(seed=3), Random(name)
        book, seen = type(game.ruleset), []
        sooner = book.against_draft

        def both(ruleset, table, order):
            found, whole = sooner(ruleset, table, order), AgainstDraft(reasons_against(ruleset, table, order))
            seen.append(bool(whole.reasons))
            assert bool(found.reasons) == bool(whole.reasons), order
            if not order.args:
                assert found.depends_on_the_way == whole.depends_on_the_way, order
            if whole.depends_on_the_way and not found.stays:
                assert found.share == whole.share, order
            return found

        monkeypatch.setattr(book, "against_draft", both)
        plies = 0
        while len(seen) < 12 and plies < 30 and not game.is_over:
            game.step(game.legal().sample(rng))
            plies += 1
        assert seen

    @pytest.mark.parametrize("name", STAYING)
    def test_what_stays_is_still_wrong_with_shorter_legs(self, name, monkeypatch):
        game, rng = load_scenario(ROOT / f"{name}.yaml").start(seed=4), Random(name)
        book, stayed = type(game.ruleset), []
        sooner = book.against_draft

        def watched(ruleset, table, order):
            found = sooner(ruleset, table, order)
            if found.stays:
                stayed.append(order)
                legs = [one for one in order.elements if "inches" in one.args]
                for share in (Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000)) if legs else ():
                    shorter = replace(order, elements=[_shortened(one, share) for one in order.elements])
                    whole = AgainstDraft(reasons_against(ruleset, table, shorter))
                    assert whole.reasons
                    assert order.args or whole.depends_on_the_way == found.depends_on_the_way
            return found

        monkeypatch.setattr(book, "against_draft", watched)
        for _ in range(12):
            game.step(game.legal().sample(rng))
        assert stayed


def _shortened(element, share):
    if "inches" not in element.args:
        return element
    return type(element)(element.name, {**element.args, "inches": element["inches"] * share})
