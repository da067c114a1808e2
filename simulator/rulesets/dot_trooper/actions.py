"""The actions by name, each with the rule that plays it."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.engine.ruleset import ActionRule
from simulator.rulesets.dot_trooper import other_actions
from simulator.rulesets.dot_trooper.drive import crash_boxed_in, drive
from simulator.rulesets.dot_trooper.flight import fly
from simulator.rulesets.dot_trooper.foot import walk

RULES: Mapping[str, ActionRule] = {
    "foot_move": walk,
    "activate_jet_pack": fly,
    "remove_jet_pack": other_actions.change_jet_pack,
    "equip_jet_pack": other_actions.change_jet_pack,
    "exchange_jet_pack": other_actions.exchange,
    "mount": other_actions.mount,
    "dismount": other_actions.dismount,
    "turn_on": other_actions.switch,
    "turn_off": other_actions.switch,
    "drive": drive,
    "crash": crash_boxed_in,
    "crawl_out": other_actions.crawl_out,
    "lift_vehicle": other_actions.lift,
    "give_arcs": other_actions.give_arcs,
    "standard_fire": other_actions.standard_fire,
}
