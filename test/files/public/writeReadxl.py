"""Writes readxl.json: what openpyxl reads from the workbooks in ../shared/files/readxl.

The rules of docs/connectors/files.md are implemented here a second time, without any code of the readers.
Run it with openpyxl 3.1 after the collection changes: python3 test/files/public/writeReadxl.py
"""

import datetime
import json
import pathlib
import re
import warnings

import openpyxl

root = pathlib.Path(__file__).parent
collection = root / "../../../../shared/files/readxl"
most_rows = 20
iso = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?")


def text_of(value):
    """Returns a value as a column of text contains it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime.datetime):
        if value.time() == datetime.time():
            return value.date().isoformat()
        return value.isoformat(timespec="milliseconds") + "Z"
    if isinstance(value, datetime.time):
        return value.isoformat(timespec="milliseconds").replace(".000", "")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_date(value):
    if isinstance(value, datetime.datetime):
        return True
    return isinstance(value, str) and iso.fullmatch(value.strip()) is not None


def describe(rows):
    rows = [row for row in rows if any(value is not None for value in row)]
    if not rows:
        return {"columns": [], "rows": [], "rowCount": 0}
    header, *rows = rows
    width = max(index + 1 for index, value in enumerate(header) if value is not None)
    columns = []
    for index in range(width):
        values = [row[index] for row in rows if row[index] is not None]
        if values and all(is_number(value) for value in values):
            columns.append("number")
        elif values and all(is_date(value) for value in values):
            columns.append("datetime")
        else:
            columns.append("text")

    def cell(value, kind):
        if value is None or kind == "number":
            return value
        if kind == "text" or isinstance(value, str):
            return text_of(value)
        return value.isoformat() + "Z"

    beyond = [row for row in rows if any(value is not None for value in row[width:])]
    if beyond:
        return {"refused": "has no name in row"}
    return {
        "columns": columns,
        "rows": [[cell(row[i], columns[i]) for i in range(width)] for row in rows[:most_rows]],
        "rowCount": len(rows),
    }


warnings.simplefilter("ignore")
books = {}
for path in sorted(collection.glob("*.xlsx")):
    book = openpyxl.load_workbook(path, data_only=True)
    books[path.name] = {
        sheet.title: describe([[cell.value for cell in row] for row in sheet.iter_rows(min_row=1, min_col=1)])
        for sheet in book.worksheets
    }
lines = [f"{json.dumps(name)}: {json.dumps(sheets, ensure_ascii=False)}" for name, sheets in books.items()]
(root / "readxl.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
