"""Compares a query with what the plugin promises."""

from __future__ import annotations

from typing import List, Literal, Mapping, Optional

from .capabilities import Capabilities
from .datasets import Column, Dataset
from .errors import not_offered
from .query import ColumnFilter, Filter, Query, leaves
from .tables import OPERATORS

#: How a plugin carries out a filter: exactly, with possibly more rows, or not at all.
Pushdown = Literal["exact", "superset", "none"]


def check_promised(query: Query, dataset: Dataset, capabilities: Capabilities) -> None:
    """Refuses clauses that the plugin does not promise, because it would ignore them silently.

    Raises PluginError PLUGIN_NOT_OFFERED that names the clause, or PLUGIN_UNKNOWN_COLUMN.
    """
    grouping = capabilities.get("grouping")
    if query.having and not capabilities.get("having"):
        raise not_offered("having")
    if query.order and not capabilities.get("order"):
        raise not_offered("order")
    if query.group_limit and not capabilities.get("groupLimit"):
        raise not_offered("groupLimit")
    if query.limit and not capabilities.get("limit"):
        raise not_offered("limit")
    if query.pushdown and grouping is None:
        raise not_offered("grouping")
    for filter_ in query.filters:
        if filter_pushdown(filter_, query, dataset, capabilities) == "none":
            raise not_offered(_refused(filter_, dataset, capabilities))
    for column in query.columns:
        found = _column_of(dataset, column.column_id, column.aggregation)
        if column.bin and not capabilities.get("bins"):
            raise not_offered("bins")
        if column.bin and not capabilities.get("decimalBins"):
            if column.bin.width != int(column.bin.width) or column.bin.origin != 0:
                raise not_offered("bins whose width is not a whole number or whose origin is not 0")
        if column.aggregation and column.aggregation not in (grouping or {}).get("aggregations", ()):
            raise not_offered(f"the aggregation {column.aggregation}")
        for second in (column.weight, column.other):
            if second is not None:
                dataset.column(second)
        narrowed = (found.narrowed or {}) if found else {}
        if query.pushdown and not column.aggregation and narrowed.get("grouping") is False:
            raise not_offered(f"grouping by {column.column_id}")
        if column.level is None:
            continue
        is_key = query.pushdown and not column.aggregation
        if column.level not in (grouping or {}).get("levels", ()):
            raise not_offered(f"the level {column.level}")
        if not is_key and not capabilities.get("levelsAnywhere"):
            raise not_offered(f"the level {column.level} in this column")
        if query.timezone_id != "UTC" and not (grouping or {}).get("timezones"):
            raise not_offered(f"levels in the time zone {query.timezone_id}")


def exact_filters(query: Query, dataset: Dataset, capabilities: Capabilities) -> List[int]:
    """Lists the indexes of the filters that the plugin promises to apply exactly."""
    return [
        index
        for index, filter_ in enumerate(query.filters)
        if filter_pushdown(filter_, query, dataset, capabilities) == "exact"
    ]


def filter_pushdown(filter_: Filter, query: Query, dataset: Dataset, capabilities: Capabilities) -> Pushdown:
    """Returns how the plugin carries out a filter. A group is carried out like its least exact member."""
    filters = capabilities.get("filters")
    tests = list(leaves(filter_))
    columns = [dataset.column(test.column_id) for test in tests]
    if filters is None:
        return "none"
    if not isinstance(filter_, ColumnFilter) and not filters.get("nested"):
        return "none"
    found = [_test_pushdown(test, column, query, capabilities) for test, column in zip(tests, columns)]
    if "none" in found:
        return "none"
    return "superset" if "superset" in found else "exact"


def _test_pushdown(test: ColumnFilter, column: Column, query: Query, capabilities: Capabilities) -> Pushdown:
    filters = capabilities.get("filters", {})
    grouping = capabilities.get("grouping", {})
    is_exact = column.type in filters.get("operators", {}).get(test.operator, ())
    if not is_exact and column.type not in filters.get("superset", {}).get(test.operator, ()):
        return "none"
    if test.level is not None:
        if not filters.get("levels") or test.level not in grouping.get("levels", ()):
            return "none"
        if query.timezone_id != "UTC" and not grouping.get("timezones"):
            return "none"
    longest = filters.get("listLength")
    if OPERATORS[test.operator] == "list" and longest is not None and len(test.values) > longest:
        return "none"
    narrowed = (column.narrowed or {}).get("filters")
    word = narrowed.get(test.operator) if isinstance(narrowed, Mapping) else None
    if word == "none":
        return "none"
    return "exact" if is_exact and word is None else "superset"


def _refused(filter_: Filter, dataset: Dataset, capabilities: Capabilities) -> str:
    """Names the part of a filter that the plugin does not promise."""
    filters = capabilities.get("filters")
    if filters is None:
        return "filters"
    if not isinstance(filter_, ColumnFilter):
        return "nested filters" if not filters.get("nested") else "every test of this group of filters"
    kind = dataset.column(filter_.column_id).type
    level = "" if filter_.level is None else f" at the level {filter_.level}"
    return f"the operator {filter_.operator} on {kind} columns{level}"


def _column_of(dataset: Dataset, column_id: str, aggregation: Optional[str]) -> Optional[Column]:
    """Returns a column of the dataset. None for ``*``, which stands for rows."""
    return None if column_id == "*" and aggregation == "count" else dataset.column(column_id)
