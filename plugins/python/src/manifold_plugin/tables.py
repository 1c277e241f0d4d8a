"""The names of the protocol: types, levels, operators and aggregations."""

from __future__ import annotations

from typing import Dict, Iterable, Literal, Optional, Set, Tuple, Union

#: A logical type: ``numeric`` for numbers, ``datetime`` for instants and dates, ``hierarchy`` for text.
DataType = Literal["numeric", "datetime", "hierarchy"]

#: The logical types.
DATA_TYPES: Tuple[DataType, ...] = ("numeric", "datetime", "hierarchy")

#: The levels to which datetimes are truncated, coarsest first. Weeks start on Monday.
LEVELS = ("year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond")

#: How many values each operator takes.
OPERATORS: Dict[str, Literal["none", "one", "list"]] = {
    "=": "one",
    "!=": "one",
    "<": "one",
    "<=": "one",
    ">": "one",
    ">=": "one",
    "in": "list",
    "not in": "list",
    "like": "one",
    "not like": "one",
    "starts with": "one",
    "not starts with": "one",
    "ends with": "one",
    "not ends with": "one",
    "is null": "none",
    "is not null": "none",
}

#: The aggregations.
AGGREGATIONS = (
    "sum",
    "min",
    "max",
    "count",
    "distinctcount",
    "average",
    "median",
    "percentile",
    "stddev",
    "corr",
    "weightedaverage",
    "cumulativesum",
)

#: A cell on the wire: a number, a string or None. A datetime is an ISO 8601 instant in UTC.
Cell = Union[str, int, float, None]


def first_repeated(names: Iterable[str]) -> Optional[str]:
    """Returns the first name that occurs a second time. None if all names differ."""
    seen: Set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
