"""Answers to queries, and their form on the wire."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Dict, Iterable, List, Optional, Sequence

from .datasets import Dataset
from .errors import PluginError
from .instants import read_instant
from .query import Query, QueryColumn
from .tables import Cell, DataType

#: One row. A numeric cell is an int, float or Decimal; a datetime cell is a datetime, date or ISO 8601 string (UTC if it
#: names no zone); a text cell is a str, int, float or bool. Any cell may be None.
Row = Sequence[object]


@dataclass(frozen=True)
class Answer:
    """The rows that answer a query, and which filters were applied exactly."""

    #: One cell per column of the query in each row, in that order.
    rows: Iterable[Row]
    #: Indexes into ``Query.filters``. None: the filters that the capabilities promise exactly.
    applied: Optional[Sequence[int]] = None


def columnar(types: Sequence[DataType], names: Sequence[str], rows: Iterable[Row]) -> Dict[str, object]:
    """Returns rows in the form of the protocol, column by column.

    Raises PluginError PLUGIN_BAD_ANSWER that names the row and column of the first wrong cell.
    """
    received: List[Row] = []
    for row in rows:
        if len(row) != len(types):
            raise _wrong(f"row {len(received)} has {len(row)} cells; it must have one per column, {len(types)}")
        received.append(row)
    columns = zip(*received) if received else [()] * len(types)
    return {
        "rowCount": len(received),
        # `type` precedes `values`, because the host reads an answer as it arrives.
        "columns": [
            {"type": kind, "values": _wire_cells(kind, name, cells)}
            for kind, name, cells in zip(types, names, columns)
        ],
    }


def types_of(query: Query, dataset: Dataset) -> List[DataType]:
    """Returns the type of each column of an answer: numeric under every aggregation other than min and max."""
    return [_answer_type(column, dataset) for column in query.columns]


def _answer_type(column: QueryColumn, dataset: Dataset) -> DataType:
    if column.aggregation is not None and column.aggregation not in ("min", "max"):
        return "numeric"
    return dataset.column(column.column_id).type


def _wire_cells(kind: DataType, name: str, cells: Sequence[object]) -> List[Cell]:
    """Returns the cells of one column. The common types take no call per cell, because answers may be long."""
    if kind == "hierarchy":
        return [
            cell if cell is None or type(cell) is str else _wire_cell(kind, cell, row, name)
            for row, cell in enumerate(cells)
        ]
    if kind == "numeric":
        return [
            # The difference of a number that is not finite with itself is not 0.
            cell if cell is None or type(cell) is float and cell - cell == 0 else _wire_cell(kind, cell, row, name)
            for row, cell in enumerate(cells)
        ]
    # Datetimes often repeat, and reading one takes longer than looking it up.
    known: Dict[object, Cell] = {}
    values: List[Cell] = []
    for row, cell in enumerate(cells):
        is_known = type(cell) is str and cell in known
        value = known[cell] if is_known else _wire_cell(kind, cell, row, name)
        if type(cell) is str and len(known) < _KNOWN_INSTANTS:
            known[cell] = value
        values.append(value)
    return values


#: Number of different strings of one column that are read only once.
_KNOWN_INSTANTS = 10_000


def _wire_cell(kind: DataType, cell: object, row: int, name: str) -> Cell:
    if cell is None:
        return None
    if kind == "numeric":
        if isinstance(cell, Decimal):
            cell = float(cell)
        if isinstance(cell, int) and not isinstance(cell, bool) and abs(cell) < 2**1023:
            return cell
        if isinstance(cell, float) and math.isfinite(cell):
            return cell
        raise _wrong_cell(row, name, "a finite number", cell)
    if kind == "datetime":
        instant = read_instant(cell)
        if instant is None:
            raise _wrong_cell(row, name, "a datetime, a date or an ISO 8601 string", cell)
        return instant
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, (int, Decimal)) or (isinstance(cell, float) and math.isfinite(cell)):
        return str(cell)
    if isinstance(cell, (datetime, date)):
        return read_instant(cell)
    raise _wrong_cell(row, name, "a string", cell)


def _wrong_cell(row: int, name: str, expected: str, cell: object) -> PluginError:
    what = "a number that is not finite" if isinstance(cell, float) else type(cell).__name__
    return _wrong(f"row {row} of column {json.dumps(name[:200])} must be {expected}, not {what}")


def _wrong(detail: str) -> PluginError:
    return PluginError("PLUGIN_BAD_ANSWER", detail)
