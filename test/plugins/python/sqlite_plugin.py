"""A plugin over an SQLite file whose rows are in a JSON file: python3 sqlite_plugin.py TABLES.json.

The file contains a list of tables, each `{"id", "columns": [{"id", "type"}], "rows"}`. The plugin promises everything
that the SDK's dialect of SQLite carries out.
"""

import contextlib
import json
import os
import sqlite3
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "plugins/python/src"))

from manifold_plugin import Column, Dataset, Plugin, serve  # noqa: E402
from manifold_plugin.sql import Table, select  # noqa: E402
from manifold_plugin.sqlite import SQLITE, connect  # noqa: E402

TYPES = {"numeric": "real", "datetime": "text", "hierarchy": "text collate nocase"}


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


with open(sys.argv[1], encoding="utf-8") as file:
    tables = json.load(file, parse_int=float)

folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "tables.sqlite"
with contextlib.closing(sqlite3.connect(path)) as database:
    for table in tables:
        columns = ", ".join(f"{quoted(each['id'])} {TYPES[each['type']]}" for each in table["columns"])
        database.execute(f"create table {quoted(table['id'])} ({columns})")
        marks = ", ".join("?" for _ in table["columns"])
        database.executemany(f"insert into {quoted(table['id'])} values ({marks})", table["rows"])
    database.commit()

datasets = [
    Dataset(table["id"], [Column(each["id"], each["type"]) for each in table["columns"]]) for table in tables
]


def answer(call, dataset, query):
    with contextlib.closing(connect(path)) as connection:
        return connection.execute(*select(query, Table(dataset), SQLITE).render()).fetchall()


plugin = Plugin(datasets=datasets, query=answer, capabilities=SQLITE.capabilities())
try:
    serve(plugin, secret=os.environ.get("SECRET") or None)
finally:
    folder.cleanup()
