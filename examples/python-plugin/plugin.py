"""A plugin in Python, on the library for authors in Python.

Start it with `PORT=7072 SECRET=change-me python3 plugin.py`.
"""

import os
import sys
from pathlib import Path

# In the repository and in the npm package, the library is next to the examples. Elsewhere, install it with pip and
# remove these lines.
ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder / "src") for folder in ("plugins/python", "python")]

from manifold_plugin import Column, Dataset, Plugin, serve  # noqa: E402

TRIPS = Dataset(
    "trips",
    [
        Column("city", "hierarchy", name="City"),
        Column("km", "numeric", name="Km"),
        Column("day", "datetime", name="Day", subtype="date"),
    ],
    name="Trips",
)
ROWS = [
    ["Ghent", 3.5, "2024-01-05"],
    ["ghent", -1, "2024-02-01"],
    ["Mons ", 5, None],
    [None, None, "1969-07-20"],
]

# The clauses that `query` carries out. The host carries out everything else itself.
CAPABILITIES = {
    "projection": True,
    "filters": {"operators": {"in": ["hierarchy", "numeric"], "is null": ["hierarchy", "numeric", "datetime"]}},
    "limit": True,
}


def query(call, dataset, query):
    """Returns the rows that pass all filters, with the columns of the query."""
    ids = [column.id for column in dataset.columns]

    def passes(row, test):
        cell = row[ids.index(test.column_id)]
        return cell is None if test.operator == "is null" else cell in test.values

    rows = [row for row in ROWS if all(passes(row, test) for test in query.filters)]
    if query.limit:
        rows = rows[query.limit.offset : query.limit.offset + query.limit.by]
    return [[row[ids.index(column.column_id)] for column in query.columns] for row in rows]


if __name__ == "__main__":
    plugin = Plugin(datasets=[TRIPS], query=query, capabilities=CAPABILITIES)
    serve(plugin, port=int(os.environ.get("PORT", "0")), secret=os.environ.get("SECRET") or None)
