"""Compiles queries to SQL with bound values, for databases with a DB-API driver.

``where`` compiles filters only, and ``select`` a whole statement. Both call a ``Dialect``, which writes what differs
between databases. Values never become part of the text of a statement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, Iterable, List, Literal, Mapping, Optional, Sequence, Tuple, Union

from .capabilities import Capabilities
from .datasets import Dataset
from .errors import PluginError, not_offered
from .instants import read_instant
from .query import And, ColumnFilter, Leaf, Or, OutputFilter, Query, QueryColumn, Tree
from .tables import DATA_TYPES, Cell, DataType

#: How a driver marks values in a statement (PEP 249).
Paramstyle = Literal["qmark", "numeric", "named", "format", "pyformat"]

#: The values of a statement: a tuple or, for the styles ``named`` and ``pyformat``, a dict.
Parameters = Union[Tuple[Cell, ...], Dict[str, Cell]]


@dataclass(frozen=True)
class _Bound:
    """A value in a statement."""

    value: Cell


@dataclass(frozen=True)
class Fragment:
    """A piece of a statement: SQL text and the values in it. Fragments are joined with ``+``."""

    parts: Tuple[Union[str, _Bound], ...] = ()

    @staticmethod
    def sql(text: str) -> "Fragment":
        """Returns trusted SQL text as a fragment. Never pass it a value or a name that a caller sent."""
        return Fragment((text,))

    @staticmethod
    def bound(value: Cell) -> "Fragment":
        """Returns a value as a fragment."""
        return Fragment((_Bound(value),))

    def __add__(self, other: Union["Fragment", str]) -> "Fragment":
        return Fragment(self.parts + ((other,) if isinstance(other, str) else other.parts))

    def __radd__(self, other: str) -> "Fragment":
        return Fragment((other, *self.parts))

    @staticmethod
    def join(separator: str, fragments: Iterable["Fragment"]) -> "Fragment":
        """Joins fragments, with a separator between them."""
        joined: List[Union[str, _Bound]] = []
        for index, fragment in enumerate(fragments):
            if index > 0:
                joined.append(separator)
            joined.extend(fragment.parts)
        return Fragment(tuple(joined))

    @property
    def values(self) -> Tuple[Cell, ...]:
        """The values, in the order of the text."""
        return tuple(part.value for part in self.parts if isinstance(part, _Bound))

    def render(self, paramstyle: Paramstyle = "qmark") -> Tuple[str, Parameters]:
        """Returns the text and the values for ``cursor.execute(*fragment.render(driver.paramstyle))``."""
        text: List[str] = []
        count = 0
        doubles_percent = paramstyle in ("format", "pyformat")
        for part in self.parts:
            if isinstance(part, str):
                text.append(part.replace("%", "%%") if doubles_percent else part)
                continue
            count += 1
            text.append(_PLACEHOLDERS[paramstyle].replace("#", str(count)))
        if paramstyle in ("named", "pyformat"):
            return "".join(text), {f"p{index + 1}": value for index, value in enumerate(self.values)}
        return "".join(text), self.values


_PLACEHOLDERS: Mapping[Paramstyle, str] = {
    "qmark": "?",
    "numeric": ":#",
    "named": ":p#",
    "format": "%s",
    "pyformat": "%(p#)s",
}


class Dialect:
    """What differs between databases. The methods of this class are standard SQL; override them in a subclass.

    The defaults compare text with the column's own collation. Many collations ignore case or trailing blanks, so
    ``text_is_exact`` is False, and filters on text are promised as ``superset`` only if ``=`` passes every equal string.
    """

    #: Whether text compares by code point: case and blanks matter. Grouping by text and ordering by it need this.
    text_is_exact = False
    #: The levels that ``period`` writes.
    levels: Sequence[str] = ()
    #: The operators of ``search``.
    searches: Sequence[str] = ()
    #: Maximum number of values in one statement.
    most_values = 30_000
    #: Maximum number of values in the list of a filter.
    list_length = 1000

    def quote(self, name: str) -> str:
        """Quotes the name of a table or column."""
        return '"' + name.replace('"', '""') + '"'

    def read(self, kind: DataType, column: str) -> str:
        """Returns an expression that reads a column as its type. A datetime becomes text or a type of the database."""
        return column

    def value(self, kind: DataType, value: Cell) -> Cell:
        """Returns a value in the form that the driver binds, to compare it with ``read``."""
        if value is None:
            return None
        if kind == "numeric" and not isinstance(value, str):
            return float(value)
        if kind == "hierarchy" and isinstance(value, str):
            return value
        instant = read_instant(value) if kind == "datetime" else None
        if instant is None:
            raise PluginError("PLUGIN_INVALID", f"a {kind} column cannot be compared with this value")
        return instant

    def search(self, expression: Fragment, operator: str, value: Cell) -> Fragment:
        """Returns a test that passes at least the strings that ``like``, ``starts with`` or ``ends with`` passes."""
        raise not_offered(f"the operator {operator}")

    def period(self, expression: Fragment, level: str) -> Fragment:
        """Returns the start of the period of a datetime in UTC."""
        raise not_offered(f"the level {level}")

    def aggregate(self, aggregation: str, expression: Fragment) -> Fragment:
        """Returns the aggregation of a column. Every result is null over no values, other than counts."""
        function = _AGGREGATIONS.get(aggregation)
        if function is None:
            raise not_offered(f"the aggregation {aggregation}")
        return function[0] + expression + function[1]

    def capabilities(self) -> Capabilities:
        """Returns what ``select`` carries out in this dialect."""
        others: List[str] = [kind for kind in DATA_TYPES if kind != "hierarchy"]
        exact: List[str] = list(DATA_TYPES) if self.text_is_exact else others
        comparisons = ("=", "!=", "<", "<=", ">", ">=", "in", "not in")
        superset: Dict[str, Sequence[str]] = {operator: ["hierarchy"] for operator in self.searches}
        if not self.text_is_exact:
            superset.update({"=": ["hierarchy"], "in": ["hierarchy"]})
        promised = Capabilities(
            projection=True,
            filters={
                "operators": {
                    **{operator: exact for operator in comparisons},
                    "is null": list(DATA_TYPES),
                    "is not null": list(DATA_TYPES),
                },
                "superset": superset,
                "nested": True,
                "levels": bool(self.levels),
                "listLength": self.list_length,
            },
            limit=True,
        )
        if self.text_is_exact:
            promised["grouping"] = {
                "aggregations": list(_AGGREGATIONS),
                "levels": list(self.levels),
            }
            promised["levelsAnywhere"] = bool(self.levels)
            promised["having"] = True
            promised["order"] = True
        return promised


@dataclass(frozen=True)
class Table:
    """Where the columns of a dataset are in the database."""

    dataset: Dataset
    #: The table as trusted SQL, such as ``public.trips`` or ``(select ...)``. None: the quoted id of the dataset.
    source: Optional[str] = None
    #: Trusted SQL expressions by column id, for columns that are not stored under their id.
    expressions: Optional[Mapping[str, str]] = None

    def column(self, column_id: str, dialect: Dialect) -> Tuple[Fragment, DataType]:
        """Returns the expression and the type of a column.

        Raises PluginError PLUGIN_UNKNOWN_COLUMN.
        """
        kind = self.dataset.column(column_id).type
        own = (self.expressions or {}).get(column_id)
        return Fragment.sql(dialect.read(kind, f"({own})" if own else dialect.quote(column_id))), kind

    def name(self, dialect: Dialect) -> str:
        """Returns the table as it is written after ``from``."""
        return self.source or dialect.quote(self.dataset.id)


def where(filters: Sequence[Tree[ColumnFilter]], table: Table, dialect: Dialect) -> Fragment:
    """Returns the test of a list of filters, joined by AND, for the clause ``where``. It is never empty.

    The test passes exactly the rows that match, except for the operators that ``dialect.capabilities()`` promises as
    ``superset``: for these it may pass more rows, which the host tests again.
    """

    def test(leaf: ColumnFilter) -> Fragment:
        expression, kind = table.column(leaf.column_id, dialect)
        read = expression if leaf.level is None else dialect.period(expression, leaf.level)
        return _test(read, kind, leaf.operator, leaf.values, dialect)

    return _all([_tree(each, test) for each in filters])


def select(query: Query, table: Table, dialect: Dialect) -> Fragment:
    """Returns the statement that answers a query, with one column per column of the query.

    It expects a query that ``dialect.capabilities()`` promises, as the SDK passes it to ``query`` of a plugin.

    Raises PluginError PLUGIN_NOT_OFFERED if the statement needs more values than the database accepts.
    """
    columns = [_output(column, table, dialect) for column in query.columns]
    types = [_output_type(column, table) for column in query.columns]
    named = [output + f" as c{index}" for index, output in enumerate(columns)]
    # A statement needs a column even if the query has none.
    is_counted = query.pushdown and not columns
    listed = Fragment.join(", ", named or [Fragment.sql("count(*) as c0" if is_counted else "1 as c0")])
    statement = "select " + listed + f" from {table.name(dialect)} where " + where(query.filters, table, dialect)
    keys = [column for index, column in enumerate(columns) if query.columns[index].aggregation is None]
    if query.pushdown and keys:
        statement += " group by " + Fragment.join(", ", keys)
    if query.having or query.order or query.limit:
        statement = "select * from (" + statement + ") as answer"
        statement += " where " + _having(query, types, dialect)
        # The other columns follow the sort keys, so that pages of an answer do not overlap.
        sorted_by = [(each.column, each.descending) for each in query.order]
        sorted_by += [(index, False) for index in range(len(columns)) if index not in {at for at, _ in sorted_by}]
        if sorted_by:
            keys_of_order = [f"c{at} is null, c{at} {'desc' if descending else 'asc'}" for at, descending in sorted_by]
            statement += " order by " + ", ".join(keys_of_order)
        if query.limit:
            most = 2**63 - 1
            statement += " limit " + Fragment.bound(min(query.limit.by, most))
            statement += " offset " + Fragment.bound(min(query.limit.offset, most))
    if len(statement.values) > dialect.most_values:
        raise not_offered(f"queries with more than {dialect.most_values} values")
    return statement


def _output(column: QueryColumn, table: Table, dialect: Dialect) -> Fragment:
    if column.column_id == "*":
        return Fragment.sql("count(*)")
    expression, kind = table.column(column.column_id, dialect)
    read = expression if column.level is None else dialect.period(expression, column.level)
    if column.aggregation is None:
        return read
    if column.aggregation in ("sum", "average") and kind != "numeric":
        raise PluginError("PLUGIN_INVALID", f"the aggregation {column.aggregation} needs a numeric column")
    return dialect.aggregate(column.aggregation, read)


_AGGREGATIONS: Mapping[str, Tuple[str, str]] = {
    "sum": ("sum(", ")"),
    "count": ("count(", ")"),
    "min": ("min(", ")"),
    "max": ("max(", ")"),
    "average": ("avg(", ")"),
    "distinctcount": ("count(distinct ", ")"),
}


def _output_type(column: QueryColumn, table: Table) -> DataType:
    if column.aggregation not in (None, "min", "max"):
        return "numeric"
    return table.dataset.column(column.column_id).type


def _having(query: Query, types: Sequence[DataType], dialect: Dialect) -> Fragment:
    def test(leaf: OutputFilter) -> Fragment:
        column = Fragment.sql(f"c{leaf.column}")
        return _test(column, types[leaf.column], leaf.operator, leaf.values, dialect)

    return _all([_tree(each, test) for each in query.having])


def _tree(tree: Tree[Leaf], test: Callable[[Leaf], Fragment]) -> Fragment:
    if isinstance(tree, And):
        return _all([_tree(member, test) for member in tree.members])
    if isinstance(tree, Or):
        return _any([_tree(member, test) for member in tree.members])
    return test(tree)


def _all(tests: Sequence[Fragment]) -> Fragment:
    return "(" + Fragment.join(" and ", tests) + ")" if tests else Fragment.sql("(1 = 1)")


def _any(tests: Sequence[Fragment]) -> Fragment:
    return "(" + Fragment.join(" or ", tests) + ")" if tests else Fragment.sql("(1 = 0)")


def _test(
    read: Fragment, kind: DataType, operator: str, values: Sequence[Cell], dialect: Dialect
) -> Fragment:
    """Returns a test that is never null where null passes, because negative operators pass null."""
    if operator == "is null":
        return read + " is null"
    if operator == "is not null":
        return read + " is not null"
    if operator in ("in", "not in"):
        return _list_test(read, kind, operator == "not in", values, dialect)
    (value,) = values
    if value is None:
        # Nothing compares with null, so its complement passes everything.
        return _all([]) if operator.startswith(("!", "not ")) else _any([])
    if operator == "!=":
        return "(" + read + " is null or " + read + " <> " + Fragment.bound(dialect.value(kind, value)) + ")"
    if operator in ("=", "<", "<=", ">", ">="):
        return read + f" {operator} " + Fragment.bound(dialect.value(kind, value))
    return dialect.search(read, operator, dialect.value(kind, value))


def _list_test(
    read: Fragment, kind: DataType, is_negative: bool, values: Sequence[Cell], dialect: Dialect
) -> Fragment:
    known = [Fragment.bound(dialect.value(kind, value)) for value in values if value is not None]
    has_null = len(known) < len(values)
    listed = read + (" not in (" if is_negative else " in (") + Fragment.join(", ", known) + ")"
    if is_negative:
        tests = ([listed] if known else []) + ([read + " is not null"] if has_null else [])
        passed = _all(tests)
        return passed if has_null or not tests else _any([read + " is null", passed])
    return _any(([listed] if known else []) + ([read + " is null"] if has_null else []))
