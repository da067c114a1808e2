"""JSON Schemas of files, for editors, and of every JSON answer, for programs that read them.

They are generated from the models into `schemas/<kind>.schema.json` and `schemas/answers/<name>.schema.json` by
`python -m simulator.formats.schema`; `simulator schema` prints them. The schema of a file checks keys, types and
ranges; whether a place is on the board is checked by the loader only. To use one, begin a file with
`# yaml-language-server: $schema=<its folder>/squares.schema.json`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from simulator.errors import BoardError
from simulator.formats.answers import ANSWERS, FORMAT, answer_model
from simulator.formats.board_models import BoardFile, FileModel
from simulator.formats.dots_models import DotsFile
from simulator.formats.faults import no_such
from simulator.formats.scenario_models import ScenarioFile
from simulator.formats.squares_models import SquaresFile
from simulator.formats.sweep_models import PLANS, SweepFile
from simulator.formats.table_models import TableFile
from simulator.writing import make_folder, write_whole

MODELS: dict[str, type[BoardFile]] = {"squares": SquaresFile, "dots": DotsFile, "table": TableFile}
SCENARIO = "scenario"
SWEEP = "sweep"
#: The kinds of files that are no boards, each with its title and its model.
_OTHERS: dict[str, tuple[str, type[FileModel]]] = {
    SCENARIO: ("Scenario file", ScenarioFile),
    SWEEP: ("Plan of a sweep", SweepFile),
}
#: Every kind of file that has a schema.
KINDS: tuple[str, ...] = (*MODELS, *_OTHERS)
FOLDER = Path(__file__).parent / "schemas"
#: The folder of the schemas of answers in it.
ANSWER_FOLDER = "answers"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of one kind of file: a board of squares, dots or table, a scenario, or a plan."""
    if kind not in KINDS:
        raise BoardError(no_such(kind, KINDS, "kind of file"))
    title, model = _OTHERS[kind] if kind in _OTHERS else (f"Board file: {kind}", MODELS[kind])
    made = _of_plans() if kind == SWEEP else _tidied(model.model_json_schema(by_alias=True))
    return {"$schema": DIALECT, "title": title, **made}


def _of_plans() -> dict[str, Any]:
    """Return the schema of every kind of plan: a chain of conditions, so that complaints are about the kind meant."""
    made = {
        kind: _tidied(model.model_json_schema(by_alias=True, ref_template="#/$defs/{model}"))
        for kind, model in PLANS.items()
    }
    definitions: dict[str, Any] = {}
    for one in made.values():
        definitions |= one.pop("$defs", {})
    definitions |= {PLANS[kind].__name__: one for kind, one in made.items()}
    games, *others = PLANS
    chosen: dict[str, Any] = {"$ref": f"#/$defs/{PLANS[games].__name__}"}
    for kind in others:
        is_meant = {"properties": {"sweep": {"const": kind}}, "required": ["sweep"]}
        chosen = {"if": is_meant, "then": {"$ref": f"#/$defs/{PLANS[kind].__name__}"}, "else": chosen}
    known = {"description": "What is swept.", "enum": list(PLANS)}
    return {"$defs": definitions, "type": "object", "properties": {"sweep": known}, "required": ["sweep"], **chosen}


def schema_text(kind: str) -> str:
    """Return the JSON Schema of one kind of file as text."""
    return json.dumps(json_schema(kind), indent=2, sort_keys=True) + "\n"


def answer_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of an answer of `formats.answers`."""
    if name not in ANSWERS:
        raise BoardError(no_such(name, ANSWERS, "answer"))
    made = _untitled(answer_model(name).json_schema())
    return {
        "$schema": DIALECT,
        "$id": f"urn:simulator:answer:{name}:{FORMAT}",
        "title": f"Answer: {name}",
        "$comment": ANSWERS[name].about,
        **made,
    }


def answer_schema_text(name: str) -> str:
    """Return the JSON Schema of an answer as text."""
    return json.dumps(answer_schema(name), indent=2, sort_keys=True) + "\n"


def write_schemas(folder: Path = FOLDER) -> list[Path]:
    """Write the schemas of all files and answers into a folder and return the files."""
    make_folder(folder / ANSWER_FOLDER)
    texts = {f"{kind}.schema.json": schema_text(kind) for kind in KINDS}
    texts |= {f"{ANSWER_FOLDER}/{name}.schema.json": answer_schema_text(name) for name in ANSWERS}
    for name, text in texts.items():
        write_whole(folder / name, text.encode())
    return [folder / name for name in texts]


def _untitled(schema: Any) -> Any:
    """Remove titles that only repeat a key, the default of a field that may be absent, and a word of OpenAPI."""
    if isinstance(schema, list):
        return [_untitled(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: part for key, part in schema.items() if not (key == "title" and isinstance(part, str))}
    if kept.get("default", "") is None:
        del kept["default"]
    kept.pop("discriminator", None)
    return {
        key: {name: _untitled(inner) for name, inner in part.items()} if key == "properties" else _untitled(part)
        for key, part in kept.items()
    }


def _tidied(schema: Any) -> Any:
    """Remove titles that only repeat a key, and null: a file leaves a key out instead."""
    if isinstance(schema, list):
        return [_tidied(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    tidy = {key: _tidied(part) for key, part in schema.items() if not (key == "title" and isinstance(part, str))}
    choices = [choice for choice in tidy.get("anyOf", ()) if choice != {"type": "null"}]
    if choices and len(choices) < len(tidy["anyOf"]):
        tidy["anyOf"] = choices
    if len(choices) == 1:
        tidy = {**choices[0], **{key: part for key, part in tidy.items() if key != "anyOf"}}
    if "patternProperties" in tidy:
        tidy["additionalProperties"] = False
    if tidy.get("default", "") is None:
        del tidy["default"]
    return tidy


if __name__ == "__main__":
    write_schemas()
