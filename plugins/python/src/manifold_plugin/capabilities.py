"""What a plugin promises, as the protocol writes it."""

from __future__ import annotations

from typing import List, Mapping, Sequence, TypedDict

from .tables import AGGREGATIONS, DATA_TYPES, LEVELS, OPERATORS

#: The column types on which each operator works.
OperatorTypes = Mapping[str, Sequence[str]]


class FilterCapabilities(TypedDict, total=False):
    """Which filters a plugin applies to rows, and how exactly."""

    #: The column types on which each operator works exactly as the protocol defines it.
    operators: OperatorTypes
    #: The column types on which an operator passes all matching rows, and possibly others. The host tests them again.
    superset: OperatorTypes
    #: Whether filters may be nested groups of ``and`` and ``or``.
    nested: bool
    #: Whether filters may truncate a datetime to one of the levels of ``grouping``.
    levels: bool
    #: Maximum number of values in the list of ``in`` or ``not in``. Absent: no limit.
    listLength: int


class GroupingCapabilities(TypedDict, total=False):
    """How a plugin groups rows. Rows with a null key form a group of their own."""

    #: The aggregations that the plugin computes.
    aggregations: Sequence[str]
    #: The levels to which the plugin truncates a datetime that is a group key. Weeks start on Monday.
    levels: Sequence[str]
    #: Whether the plugin truncates in any IANA time zone. Otherwise it truncates in UTC only.
    timezones: bool


class Capabilities(TypedDict, total=False):
    """The clauses of a query that a plugin carries out. Absent means no; ``{}`` is a basic plugin.

    The SDK refuses every other clause with PLUGIN_NOT_OFFERED before ``query`` is called, and the host carries it out.
    """

    #: Whether the plugin returns only the columns of the query. All other capabilities need this one.
    projection: bool
    filters: FilterCapabilities
    grouping: GroupingCapabilities
    #: Whether the plugin also truncates datetimes in plain rows, and before it aggregates them.
    levelsAnywhere: bool
    #: Whether the plugin bins numbers, with a whole width and the origin 0.
    bins: bool
    #: Whether bins may have any width and origin. Needs ``bins``.
    decimalBins: bool
    #: Whether the plugin filters groups by the cells of the answer.
    having: bool
    #: Whether the plugin sorts rows, with nulls last in both directions and text by code point.
    order: bool
    #: Whether the plugin limits the rows of each group, in the order of the answer. Needs ``order`` and ``grouping``.
    groupLimit: bool
    #: Whether the plugin applies limit and offset.
    limit: bool


_KNOWN = tuple(Capabilities.__annotations__)
_KNOWN_OF_FILTERS = tuple(FilterCapabilities.__annotations__)
_KNOWN_OF_GROUPING = tuple(GroupingCapabilities.__annotations__)


def check_capabilities(capabilities: Capabilities) -> None:
    """Raises ValueError if capabilities have an unknown name, such as a misspelt one, or lack one that others need."""
    _check_names("capabilities", capabilities, _KNOWN)
    filters = capabilities.get("filters", {})
    _check_names("capabilities.filters", filters, _KNOWN_OF_FILTERS)
    for member in ("operators", "superset"):
        types: OperatorTypes = filters.get(member, {})  # type: ignore[assignment]
        _check_names(f"capabilities.filters.{member}", types, tuple(OPERATORS))
        for operator, names in types.items():
            _check_names(f"capabilities.filters.{member}[{operator!r}]", names, DATA_TYPES)
    grouping = capabilities.get("grouping", {})
    _check_names("capabilities.grouping", grouping, _KNOWN_OF_GROUPING)
    _check_names("capabilities.grouping.aggregations", grouping.get("aggregations", ()), AGGREGATIONS)
    _check_names("capabilities.grouping.levels", grouping.get("levels", ()), LEVELS)
    others: List[str] = [name for name in capabilities if name != "projection"]
    if others and not capabilities.get("projection"):
        raise ValueError(f"capabilities.{others[0]} needs capabilities.projection")
    if capabilities.get("groupLimit") and not (capabilities.get("order") and "grouping" in capabilities):
        raise ValueError("capabilities.groupLimit needs capabilities.order and capabilities.grouping")


def _check_names(where: str, names: object, known: Sequence[str]) -> None:
    if not isinstance(names, (Mapping, list, tuple)):
        raise ValueError(f"{where} must be a mapping or a list, not {type(names).__name__}")
    for name in names:
        if name not in known:
            raise ValueError(f"{where} has the unknown name {name!r}; known are {', '.join(known)}")


def complete(capabilities: Capabilities) -> Mapping[str, object]:
    """Returns capabilities in the form that the protocol requires, with the members that it does not allow to be absent."""
    wire = dict(capabilities)
    if "filters" in capabilities:
        wire["filters"] = {"operators": {}, **capabilities["filters"]}
    if "grouping" in capabilities:
        wire["grouping"] = {"aggregations": [], "levels": [], **capabilities["grouping"]}
    return wire
