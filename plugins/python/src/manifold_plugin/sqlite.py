"""SQLite as a source: the dialect, and connections that have its functions."""

from __future__ import annotations

import sqlite3
import unicodedata
from pathlib import Path
from typing import Union

from .errors import PluginError
from .sql import Dialect, Fragment
from .tables import LEVELS, Cell, DataType

_LARGEST = "1.7976931348623157e308"


class SqliteDialect(Dialect):
    """SQLite. Connections need the functions that ``connect`` adds.

    Numbers in text columns are read as text, and text in numeric columns as null. Datetime columns contain text that
    SQLite reads: ``2024-01-05``, ``2024-01-05 09:30:00``, or ISO 8601 with a zone; other values are read as null. For
    numbers, give an expression: ``Table(dataset, expressions={"at": "datetime(at, 'unixepoch')"})``.
    """

    text_is_exact = True
    levels = LEVELS
    # Case folding in Python is full folding, and the protocol's is simple: every string that the protocol finds is
    # found, and also "ß" for "ss". The host tests the strings again.
    searches = ("like", "starts with", "ends with")

    def read(self, kind: DataType, column: str) -> str:
        if kind == "numeric":
            # `+ 0.0` makes doubles of integers, because SQLite compares large integers more exactly than the host does.
            number = f"({column} + 0.0)"
            return (
                f"(case when typeof({column}) in ('integer', 'real') and abs({number}) <= {_LARGEST}"
                f" then {number} end)"
            )
        if kind == "datetime":
            # A date without this test could be a number of days, or the word `now`.
            return (
                f"(case when typeof({column}) = 'text' and {column} glob '[0-9][0-9][0-9][0-9]-*'"
                f" then strftime('%Y-%m-%dT%H:%M:%fZ', {column}) end)"
            )
        # The result of `case` has no collation, so that strings compare by code point.
        return (
            f"(case typeof({column}) when 'text' then {column} when 'blob' then hex({column})"
            f" else cast({column} as text) end)"
        )

    def search(self, expression: Fragment, operator: str, value: Cell) -> Fragment:
        return "manifold_search(" + expression + f", '{operator}', " + Fragment.bound(value) + ")"

    def aggregate(self, aggregation: str, expression: Fragment) -> Fragment:
        result = super().aggregate(aggregation, expression)
        if aggregation not in ("sum", "average"):
            return result
        # A sum beyond the range of doubles is null.
        return "(case when abs(" + result + f") <= {_LARGEST} then " + result + " end)"

    def period(self, expression: Fragment, level: str) -> Fragment:
        text = expression
        if level == "millisecond":
            return text
        if level == "year":
            return "(substr(" + text + ", 1, 4) || '-01-01T00:00:00.000Z')"
        if level == "quarter":
            month = "substr(" + text + ", 6, 2)"
            first = "case when " + month + " < '04' then '01' when " + month + " < '07' then '04' when " + month
            return "(substr(" + text + ", 1, 5) || " + first + " < '10' then '07' else '10' end || '-01T00:00:00.000Z')"
        if level == "week":
            # The Monday on or before the day: the first Monday from six days earlier on.
            return "strftime('%Y-%m-%dT00:00:00.000Z', " + text + ", '-6 days', 'weekday 1')"
        length, rest = _PERIODS[level]
        return "(substr(" + text + f", 1, {length}) || '{rest}')"


_PERIODS = {
    "month": (7, "-01T00:00:00.000Z"),
    "day": (10, "T00:00:00.000Z"),
    "hour": (13, ":00:00.000Z"),
    "minute": (16, ":00.000Z"),
    "second": (19, ".000Z"),
}

#: The dialect of SQLite.
SQLITE = SqliteDialect()


def connect(path: Union[str, Path]) -> sqlite3.Connection:
    """Opens a database file for reading, with the functions that the dialect's statements call.

    Open one connection per call, and close it afterwards: ``with contextlib.closing(connect(path)) as connection``.

    Raises PluginError PLUGIN_SOURCE_FAILED if the file cannot be opened.
    """
    try:
        connection = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as failure:
        raise PluginError("PLUGIN_SOURCE_FAILED", f"SQLite: {failure}") from failure
    add_functions(connection)
    return connection


def add_functions(connection: sqlite3.Connection) -> None:
    """Adds the functions that the dialect's statements call."""
    connection.create_function("manifold_search", 3, _search, deterministic=True)


def _search(text: object, operator: object, part: object) -> bool:
    """Returns whether a string may contain, begin or end with another when case is ignored."""
    if not isinstance(text, str) or not isinstance(part, str):
        return False
    one, other = text.casefold(), part.casefold()
    if operator == "starts with":
        found = one.startswith(other)
    elif operator == "ends with":
        found = one.endswith(other)
    else:
        found = other in one
    return found or _may_fold_otherwise(text) or _may_fold_otherwise(part)


def _may_fold_otherwise(text: str) -> bool:
    """Returns whether a string has characters that are newer than Python's Unicode, whose case Python does not know."""
    return not text.isascii() and any(unicodedata.category(letter) == "Cn" for letter in text)
