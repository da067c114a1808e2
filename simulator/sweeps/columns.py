"""The columns of `games.parquet` and `units.parquet`, and how they are written: the same rows, the same bytes."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from simulator.sweeps.plan import AnyPlan, SweepPlan


class Column(NamedTuple):
    """A column: its name, its kind, and what it holds."""

    name: str
    kind: str  # "int", "float", "text", "truth", or "amounts": a number for each currency
    about: str


#: The columns that say which game a row belongs to; after them one column for each option and figure that is varied.
COORDINATES = (
    Column("run", "int", "the number of the game in the sweep, from 0"),
    Column("scenario", "text", "the scenario"),
    Column("ruleset", "text", "its rulebook"),
    Column("agent", "text", "who plays, such as `script`, or `blue=random red=greedy`"),
    Column("number", "int", "the number of the game among those with the same scenario, settings and agents"),
    Column("seed", "int", "the seed of its dice and agents; the same under other settings and with other agents"),
)
GAMES = (
    Column("outcome", "text", "`finished`, `over` by the rules, `order limit`, `time limit` or `error`"),
    Column("error", "text", "what went wrong; empty if nothing did"),
    Column("file", "text", "a scenario that replays a game that failed or was stopped"),
    Column("turns", "int", "the turn at the end"),
    Column("orders", "int", "orders carried out, without those that begin and end goes"),
    Column("refused", "int", "orders of the script that were not carried out"),
    Column("events", "int", "events"),
    Column("rolls", "int", "rolls of dice"),
    Column("choices", "int", "choices and reactions"),
    Column("expected", "int", "expectations of the scenario; none but for its script"),
    Column("met", "int", "those that were met"),
    Column("units", "int", "units of the opening"),
    Column("gone", "int", "those no longer on the table"),
    Column("moved", "float", "how far all units moved, from place to place, in units of the board"),
    Column("spent", "amounts", "what all units paid, by currency"),
    Column("nearest", "float", "the least distance between two units of different sides at the end"),
    Column("state", "text", "a hash of the table at the end: equal hashes, equal tables"),
)
UNITS = (
    Column("unit", "text", "the unit"),
    Column("place_in_file", "int", "its place among the units of the scenario, from 0"),
    Column("type", "text", "its type"),
    Column("side", "text", "its side"),
    Column("start_x", "float", "where it stood at the beginning; empty beside the table"),
    Column("start_y", "float", "the same, y"),
    Column("end_x", "float", "where it stood at the end; empty beside the table"),
    Column("end_y", "float", "the same, y"),
    Column("end_heading", "float", "its heading at the end, in degrees"),
    Column("on_table", "truth", "whether it was on the table at the end"),
    Column("orders", "int", "orders that it carried out"),
    Column("moved", "float", "how far it moved, from place to place, in units of the board"),
    Column("spent", "amounts", "what it paid, by currency"),
    Column("fields", "text", "its fields at the end, as JSON"),
)


def columns_of(plan: SweepPlan, of_file: Sequence[Column]) -> tuple[Column, ...]:
    """Return the columns of a file of a sweep."""
    return (*COORDINATES, *varied_columns(plan), *of_file)


def varied_columns(plan: AnyPlan) -> list[Column]:
    """Return a column for each option and figure that is varied."""
    return [Column(f"{one.kind}.{one.name}", "text", f"the {one.kind} {one.name}") for one in plan.varied]


def parquet(columns: Sequence[Column], rows: Iterable[Mapping[str, Any]], about: Mapping[str, str]) -> bytes:
    """Return rows as a Parquet file; the columns are described in its schema, `about` is its metadata."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {
        "int": pa.int64(),
        "float": pa.float64(),
        "text": pa.string(),
        "truth": pa.bool_(),
        "amounts": pa.map_(pa.string(), pa.float64()),
    }
    fields = [pa.field(one.name, kinds[one.kind], metadata={"about": one.about}) for one in columns]
    values: dict[str, list[Any]] = {one.name: [] for one in columns}
    for row in rows:
        for one in columns:
            value = row[one.name]
            values[one.name].append(list(value.items()) if one.kind == "amounts" and value is not None else value)
    schema = pa.schema(fields, metadata=dict(about))
    table = pa.table([pa.array(values[field.name], field.type) for field in fields], schema=schema)
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd", version="2.6", row_group_size=65_536, use_dictionary=True)
    return buffer.getvalue()


def read_parquet(data: bytes) -> list[dict[str, Any]]:
    """Return the rows of a Parquet file as plain data."""
    import pyarrow.parquet as pq

    rows: list[dict[str, Any]] = pq.read_table(io.BytesIO(data)).to_pylist(maps_as_pydicts="strict")
    return rows
