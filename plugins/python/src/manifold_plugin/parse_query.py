"""Reads the body of /query."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, TypeVar

from .errors import malformed
from .query import (
    And,
    Bin,
    ColumnFilter,
    Filter,
    GroupLimit,
    Having,
    Leaf,
    Limit,
    Or,
    Order,
    OutputFilter,
    Query,
    QueryColumn,
    Tree,
)
from .tables import AGGREGATIONS, DATA_TYPES, LEVELS, OPERATORS, Cell

#: The depth to which filters may be nested.
DEPTH_LIMIT = 64

Item = TypeVar("Item")
Members = Mapping[str, Any]


def parse_query(body: Members) -> Query:
    """Reads the body of /query.

    Unknown members are refused, because a clause that is ignored would change the answer: the host sends only what the
    plugin promises.

    Raises PluginError PLUGIN_MALFORMED that names the first invalid member and what is allowed.
    """
    _refuse_unknown(
        body,
        "",
        ("id", "columns", "filters", "having", "order", "groupLimit", "limit", "options", "joins", "derived", "user"),
    )
    columns = tuple(_list(body, "columns", "", _column))
    options = _object(_required(body, "options", ""), "/options")
    _refuse_unknown(options, "/options", ("pushdown", "timezone_id", "query_timeout"))
    limit = body.get("limit")
    return Query(
        dataset_id=_string(_required(body, "id", ""), "/id"),
        columns=columns,
        filters=tuple(_list(body, "filters", "", _filter)),
        having=tuple(_list(body, "having", "", lambda value, at: _having(value, at, len(columns)), True)),
        order=tuple(_list(body, "order", "", lambda value, at: _order(value, at, len(columns)), True)),
        group_limit=_optional(body, "groupLimit", "", lambda value, at: _group_limit(value, at, len(columns))),
        limit=None if limit is None else _limit(limit, "/limit"),
        pushdown=_boolean(_required(options, "pushdown", "/options"), "/options/pushdown"),
        timezone_id=_string(options.get("timezone_id", "UTC"), "/options/timezone_id"),
        timeout_ms=_optional(options, "query_timeout", "/options", _number),
    )


def _column(value: object, at: str) -> QueryColumn:
    members = _object(value, at)
    _refuse_unknown(members, at, ("column_id", "level", "bin", "aggregation", "fraction", "weight", "other", "type"))
    fraction = _optional(members, "fraction", at, _number)
    if fraction is not None and not 0 <= fraction <= 1:
        raise malformed(f"{at}/fraction must be from 0 to 1")
    return QueryColumn(
        column_id=_string(_required(members, "column_id", at), f"{at}/column_id"),
        level=_optional(members, "level", at, lambda each, place: _one_of(each, place, LEVELS)),
        bin=_optional(members, "bin", at, _bin),
        aggregation=_optional(members, "aggregation", at, lambda each, place: _one_of(each, place, AGGREGATIONS)),
        fraction=fraction,
        weight=_optional(members, "weight", at, _string),
        other=_optional(members, "other", at, _string),
        type=_optional(members, "type", at, lambda each, place: _one_of(each, place, DATA_TYPES)),
    )


def _bin(value: object, at: str) -> Bin:
    members = _object(value, at)
    _refuse_unknown(members, at, ("width", "origin"))
    width = _number(_required(members, "width", at), f"{at}/width")
    if width <= 0:
        raise malformed(f"{at}/width must be greater than 0")
    return Bin(width, _number(_required(members, "origin", at), f"{at}/origin"))


def _filter(value: object, at: str) -> Filter:
    return _tree(value, at, 1, _column_filter)


def _having(value: object, at: str, column_count: int) -> Having:
    return _tree(value, at, 1, lambda members, place: _output_filter(members, place, column_count))


def _tree(value: object, at: str, depth: int, leaf: Callable[[Members, str], Leaf]) -> Tree[Leaf]:
    if depth > DEPTH_LIMIT:
        raise malformed(f"filters must not be nested deeper than {DEPTH_LIMIT} levels")
    members = _object(value, at)
    for name in ("and", "or"):
        if name not in members:
            continue
        _refuse_unknown(members, at, (name,))
        inner = tuple(_list(members, name, at, lambda each, place: _tree(each, place, depth + 1, leaf)))
        return And(inner) if name == "and" else Or(inner)
    return leaf(members, at)


def _column_filter(members: Members, at: str) -> ColumnFilter:
    _refuse_unknown(members, at, ("column_id", "expression", "value", "level"))
    operator, values = _test(members, at)
    return ColumnFilter(
        column_id=_string(_required(members, "column_id", at), f"{at}/column_id"),
        operator=operator,
        values=values,
        level=_optional(members, "level", at, lambda each, place: _one_of(each, place, LEVELS)),
    )


def _output_filter(members: Members, at: str, column_count: int) -> OutputFilter:
    _refuse_unknown(members, at, ("column", "expression", "value"))
    operator, values = _test(members, at)
    return OutputFilter(_index(_required(members, "column", at), f"{at}/column", column_count), operator, values)


def _test(members: Members, at: str) -> Tuple[str, Tuple[Cell, ...]]:
    operator = _one_of(_required(members, "expression", at), f"{at}/expression", tuple(OPERATORS))
    values = tuple(_list(members, "value", at, _cell, True))
    count = OPERATORS[operator]
    if count == "one" and len(values) != 1:
        raise malformed(f"{at}/value must be a list with one value for the operator {operator}, not {len(values)}")
    if count == "none" and values:
        raise malformed(f"{at}/value must be absent for the operator {operator}")
    if count == "list" and "value" not in members:
        raise malformed(f"{at}/value must be a list for the operator {operator}")
    return operator, values


def _order(value: object, at: str, column_count: int) -> Order:
    members = _object(value, at)
    _refuse_unknown(members, at, ("column", "order"))
    direction = _one_of(_required(members, "order", at), f"{at}/order", ("asc", "desc"))
    return Order(_index(_required(members, "column", at), f"{at}/column", column_count), direction == "desc")


def _limit(value: object, at: str) -> Limit:
    members = _object(value, at)
    _refuse_unknown(members, at, ("by", "offset"))
    return Limit(
        by=_whole(_required(members, "by", at), f"{at}/by"),
        offset=_whole(members.get("offset", 0), f"{at}/offset"),
    )


def _group_limit(value: object, at: str, column_count: int) -> GroupLimit:
    members = _object(value, at)
    _refuse_unknown(members, at, ("columns", "by", "offset"))
    columns = tuple(_list(members, "columns", at, lambda each, place: _index(each, place, column_count)))
    if not columns:
        raise malformed(f"{at}/columns must list at least one column")
    return GroupLimit(
        columns=columns,
        by=_whole(_required(members, "by", at), f"{at}/by"),
        offset=_whole(members.get("offset", 0), f"{at}/offset"),
    )


def _required(members: Members, name: str, at: str) -> object:
    if name not in members:
        raise malformed(f"{at}/{name} is required")
    return members[name]


def _optional(members: Members, name: str, at: str, read: Callable[[object, str], Item]) -> Optional[Item]:
    return None if name not in members else read(members[name], f"{at}/{name}")


def _list(
    members: Members, name: str, at: str, read: Callable[[object, str], Item], is_optional: bool = False
) -> Sequence[Item]:
    if is_optional and name not in members:
        return ()
    value = _required(members, name, at)
    if not isinstance(value, list):
        raise malformed(f"{at}/{name} must be an array, not {_kind(value)}")
    return [read(each, f"{at}/{name}/{index}") for index, each in enumerate(value)]


def _object(value: object, at: str) -> Members:
    if not isinstance(value, dict):
        raise malformed(f"{at} must be an object, not {_kind(value)}")
    return value


def _string(value: object, at: str) -> str:
    if not isinstance(value, str):
        raise malformed(f"{at} must be a string, not {_kind(value)}")
    return value


def _boolean(value: object, at: str) -> bool:
    if not isinstance(value, bool):
        raise malformed(f"{at} must be true or false, not {_kind(value)}")
    return value


def _number(value: object, at: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise malformed(f"{at} must be a number, not {_kind(value)}")
    return value


def _whole(value: object, at: str) -> int:
    number = _number(value, at)
    if number != int(number) or number < 0:
        raise malformed(f"{at} must be a whole number of at least 0")
    return int(number)


def _index(value: object, at: str, column_count: int) -> int:
    index = _whole(value, at)
    if index >= column_count:
        raise malformed(f"{at} must be an index of the query's {column_count} columns, counted from 0, not {index}")
    return index


def _cell(value: object, at: str) -> Cell:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise malformed(f"{at} must be a string, a number or null, not {_kind(value)}")
    return value


Name = TypeVar("Name", bound=str)


def _one_of(value: object, at: str, names: Sequence[Name]) -> Name:
    for name in names:
        if value == name:
            return name
    raise malformed(f"{at} must be one of {', '.join(names)}")


def _refuse_unknown(members: Members, at: str, known: Sequence[str]) -> None:
    for name in members:
        if name not in known:
            raise malformed(f"{at or '/'} has the unknown member {_quoted(name)}; known are {', '.join(known)}")


def _quoted(name: str) -> str:
    return json.dumps(name[:100])


_KINDS: Dict[type, str] = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a number")
