"""A query, as a plugin receives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Iterator, Optional, Tuple, TypeVar, Union

from .tables import Cell, DataType


@dataclass(frozen=True)
class ColumnFilter:
    """A test of one column, before grouping."""

    #: Id of a column of the dataset.
    column_id: str
    #: The operator, such as ``=`` or ``not in``.
    operator: str
    #: The values with which the operator compares; empty for ``is null`` and ``is not null``. A datetime is the string
    #: that the host sent, such as ``2024-01-31T00:00:00.000Z``: pass it and the cell to ``read_instant``, whose results
    #: compare like the instants.
    values: Tuple[Cell, ...] = ()
    #: The level to which the datetime is truncated before the test. None: it is not truncated.
    level: Optional[str] = None


@dataclass(frozen=True)
class OutputFilter:
    """A test of one column of the answer, after grouping."""

    #: Index into ``Query.columns``.
    column: int
    #: The operator, such as ``=`` or ``not in``.
    operator: str
    #: The values with which the operator compares; empty for ``is null`` and ``is not null``. A datetime is the string
    #: that the host sent, such as ``2024-01-31T00:00:00.000Z``: pass it and the cell to ``read_instant``, whose results
    #: compare like the instants.
    values: Tuple[Cell, ...] = ()


Leaf = TypeVar("Leaf", ColumnFilter, OutputFilter)


@dataclass(frozen=True)
class And(Generic[Leaf]):
    """A group that passes if all members pass. An empty group passes everything."""

    members: Tuple["Tree[Leaf]", ...]


@dataclass(frozen=True)
class Or(Generic[Leaf]):
    """A group that passes if any member passes. An empty group passes nothing."""

    members: Tuple["Tree[Leaf]", ...]


#: A tree of tests, nested to any depth.
Tree = Union[Leaf, And[Leaf], Or[Leaf]]
#: A tree of tests of columns.
Filter = Union[ColumnFilter, And[ColumnFilter], Or[ColumnFilter]]
#: A tree of tests of answer columns.
Having = Union[OutputFilter, And[OutputFilter], Or[OutputFilter]]


def leaves(tree: Tree[Leaf]) -> Iterator[Leaf]:
    """Lists the tests in a tree, in order."""
    if isinstance(tree, (And, Or)):
        for member in tree.members:
            yield from leaves(member)
    else:
        yield tree


@dataclass(frozen=True)
class Bin:
    """Bins of equal width. Each number is replaced by the start of its bin."""

    width: float
    origin: float


@dataclass(frozen=True)
class QueryColumn:
    """One column of the answer."""

    #: Id of a column of the dataset. ``*`` with the aggregation ``count`` counts rows.
    column_id: str
    #: The level to which a datetime is truncated. None: it is not truncated.
    level: Optional[str] = None
    #: None: the number is not binned.
    bin: Optional[Bin] = None
    #: None: the column is a group key or, without ``pushdown``, a plain column.
    aggregation: Optional[str] = None
    #: The fraction of the aggregation ``percentile``, from 0 to 1.
    fraction: Optional[float] = None
    #: Id of the column with the weights of the aggregation ``weightedaverage``.
    weight: Optional[str] = None
    #: Id of the other column of the aggregation ``corr``.
    other: Optional[str] = None
    #: Logical type of the column. None if the host does not know it.
    type: Optional[DataType] = None


@dataclass(frozen=True)
class Order:
    """A sort key. Nulls sort last in both directions; text sorts by code point."""

    #: Index into ``Query.columns``.
    column: int
    descending: bool = False


@dataclass(frozen=True)
class Limit:
    """The part of the rows that the answer contains. It is applied last."""

    #: Maximum number of rows.
    by: int
    #: Number of rows to skip first.
    offset: int = 0


@dataclass(frozen=True)
class GroupLimit:
    """A limit for each set of rows with equal values in some columns. It is applied before ``limit``; null equals null."""

    #: Indexes into ``Query.columns``, of columns without an aggregation.
    columns: Tuple[int, ...]
    #: Maximum number of rows for each combination of values, in the order of the answer.
    by: int
    #: Number of rows of each combination to skip first.
    offset: int = 0


@dataclass(frozen=True)
class Query:
    """A query of one dataset. Clauses that the plugin does not promise are absent, because the SDK refuses them."""

    #: Id of the dataset.
    dataset_id: str
    #: The columns of the answer. A row of the answer has one cell for each, in this order.
    columns: Tuple[QueryColumn, ...]
    #: Filters on rows, joined by AND.
    filters: Tuple[Filter, ...] = ()
    #: Filters on groups, joined by AND.
    having: Tuple[Having, ...] = ()
    #: The sort keys, most significant first.
    order: Tuple[Order, ...] = ()
    #: None: the answer contains all rows with equal values.
    group_limit: Optional[GroupLimit] = None
    #: None: the answer contains all rows.
    limit: Optional[Limit] = None
    #: Whether rows are grouped by the columns without aggregation. False: plain rows.
    pushdown: bool = False
    #: IANA name of the time zone in which datetimes are truncated.
    timezone_id: str = "UTC"
    #: Milliseconds for which the host waits. None if they are not known.
    timeout_ms: Optional[float] = None
