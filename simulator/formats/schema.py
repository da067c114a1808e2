"""JSON Schemas of the board files, for editors that complete and check while one types.

They are made from the models and ship as `schemas/<kind>.schema.json`; `python -m simulator.formats.schema` writes
them anew. A schema knows keys, types and ranges; whether a place is on the board only the loader knows. To use one,
begin a board file with `# yaml-language-server: $schema=<where it lies>/squares.schema.json`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from simulator.errors import BoardError
from simulator.formats.board_models import BoardFile, DotsFile, SquaresFile, TableFile
from simulator.formats.faults import no_such

MODELS: dict[str, type[BoardFile]] = {"squares": SquaresFile, "dots": DotsFile, "table": TableFile}
FOLDER = Path(__file__).parent / "schemas"


def json_schema(kind: str) -> dict[str, Any]:
    """Make the JSON Schema of one kind of board file: squares, dots or table."""
    if kind not in MODELS:
        raise BoardError(no_such(kind, MODELS, "kind of board"))
    made = _tidied(MODELS[kind].model_json_schema(by_alias=True))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Board file: {kind}", **made}


def schema_text(kind: str) -> str:
    """Give the JSON Schema of one kind of board file as it ships."""
    return json.dumps(json_schema(kind), indent=2, sort_keys=True) + "\n"


def write_schemas(folder: Path = FOLDER) -> list[Path]:
    """Write the schemas of all kinds into a folder and name the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for kind in MODELS:
        path = folder / f"{kind}.schema.json"
        path.write_text(schema_text(kind), encoding="utf-8")
        written.append(path)
    return written


def _tidied(schema: Any) -> Any:
    """Take away titles that only repeat a key, and null: a file leaves a key out instead."""
    if isinstance(schema, list):
        return [_tidied(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    tidy = {key: _tidied(part) for key, part in schema.items() if not (key == "title" and isinstance(part, str))}
    choices = [choice for choice in tidy.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) == 1:
        tidy = {**choices[0], **{key: part for key, part in tidy.items() if key != "anyOf"}}
    if "patternProperties" in tidy:
        tidy["additionalProperties"] = False
    if tidy.get("default", "") is None:
        del tidy["default"]
    return tidy


if __name__ == "__main__":
    for file in write_schemas():
        print(file)
