"""The library for authors of Manifold's plugins in Python. It needs only the standard library.

    from manifold_plugin import Column, Dataset, Plugin, serve

    airports = Dataset("airports", [Column("city", "hierarchy"), Column("passengers", "numeric")])
    serve(Plugin(datasets=[airports], rows=lambda call, dataset: [["Brussels", 23.6]]), port=7070, secret="change-me")

``manifold_plugin.sql`` compiles queries to SQL, and ``manifold_plugin.sqlite`` does so for SQLite.
"""

from .answers import Answer, Row
from .capabilities import Capabilities, FilterCapabilities, GroupingCapabilities
from .datasets import Column, Dataset, Subtype, Text
from .errors import ERRORS, PluginError
from .instants import read_instant
from .plugin import Call, Credentials, Plugin, User
from .query import (
    And,
    Bin,
    ColumnFilter,
    Filter,
    GroupLimit,
    Having,
    Limit,
    Or,
    Order,
    OutputFilter,
    Query,
    QueryColumn,
    leaves,
)
from .server import Server, open_server, serve
from .tables import AGGREGATIONS, DATA_TYPES, LEVELS, OPERATORS, Cell, DataType

__all__ = [
    "AGGREGATIONS",
    "And",
    "Answer",
    "Bin",
    "Call",
    "Capabilities",
    "Cell",
    "Column",
    "ColumnFilter",
    "Credentials",
    "DATA_TYPES",
    "DataType",
    "Dataset",
    "ERRORS",
    "Filter",
    "FilterCapabilities",
    "GroupLimit",
    "GroupingCapabilities",
    "Having",
    "LEVELS",
    "Limit",
    "OPERATORS",
    "Or",
    "Order",
    "OutputFilter",
    "Plugin",
    "PluginError",
    "Query",
    "QueryColumn",
    "Row",
    "Server",
    "Subtype",
    "Text",
    "User",
    "leaves",
    "open_server",
    "read_instant",
    "serve",
]
