"""A plugin in Python, which needs only the standard library, because the protocol is plain HTTP and JSON.

Start it with `PORT=7072 SECRET=change-me python3 plugin.py`.
"""

import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COLUMNS = [
    {"id": "city", "name": {"en": "City"}, "type": "hierarchy"},
    {"id": "km", "name": {"en": "Km"}, "type": "numeric"},
    {"id": "day", "name": {"en": "Day"}, "type": "datetime", "subtype": "date"},
]
DATASETS = [{"id": "trips", "name": {"en": "Trips"}, "columns": COLUMNS}]
ROWS = [
    ["Ghent", 3.5, "2024-01-05T00:00:00.000Z"],
    ["ghent", -1, "2024-02-01T00:00:00.000Z"],
    ["Mons ", 5, None],
    [None, None, "1969-07-20T00:00:00.000Z"],
]

# The operations that the host may push down. It computes everything else itself.
CAPABILITIES = {
    "projection": True,
    "filters": {"operators": {"in": ["hierarchy", "numeric"], "is null": ["hierarchy", "numeric", "datetime"]}},
    "limit": True,
}

MOST_BYTES = 64 * 2**20


class PluginError(Exception):
    """An error in the form that hosts read: a status, a stable code, and a message."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


def malformed(message):
    return PluginError(400, "PLUGIN_MALFORMED", message)


def not_offered(what):
    return PluginError(501, "PLUGIN_NOT_OFFERED", f"the plugin does not offer {what}")


def index_of(dataset, column_id):
    for index, column in enumerate(COLUMNS):
        if column["id"] == column_id:
            return index
    raise PluginError(422, "PLUGIN_UNKNOWN_COLUMN", f"the dataset {dataset} has no column {json.dumps(column_id)}")


def passes(row, test, dataset):
    if "column_id" not in test:
        raise not_offered("nested filters")
    index = index_of(dataset, test["column_id"])
    operator, kind = test.get("expression"), COLUMNS[index]["type"]
    if kind not in CAPABILITIES["filters"]["operators"].get(operator, []) or "level" in test:
        raise not_offered(f"the operator {operator} on {kind}")
    if operator == "is null":
        return row[index] is None
    return row[index] in test.get("value", [])


def answer(query):
    dataset, columns = query.get("id"), query.get("columns")
    if not isinstance(dataset, str) or not isinstance(columns, list):
        raise malformed("a query has an id and columns")
    if dataset != "trips":
        raise PluginError(422, "PLUGIN_UNKNOWN_DATASET", f"there is no dataset {json.dumps(dataset)}")
    for clause in ("joins", "derived", "having", "order"):
        if query.get(clause):
            raise not_offered(clause)
    if query.get("options", {}).get("pushdown"):
        raise not_offered("grouping")
    for column in columns:
        for member in ("aggregation", "level", "bin"):
            if member in column:
                raise not_offered(member)
    shown = [index_of(dataset, column.get("column_id")) for column in columns]
    filters = query.get("filters", [])
    rows = [row for row in ROWS if all(passes(row, test, dataset) for test in filters)]
    if "limit" in query:
        start = query["limit"].get("offset", 0)
        rows = rows[start : start + query["limit"]["by"]]
    return {
        "rowCount": len(rows),
        # The host tests every filter again that is not in this list.
        "applied_filters": list(range(len(filters))),
        "columns": [{"type": COLUMNS[index]["type"], "values": [row[index] for row in rows]} for index in shown],
    }


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.respond("GET")

    def do_POST(self):
        self.respond("POST")

    def respond(self, method):
        try:
            body = self.read_body()
            secret = os.environ.get("SECRET", "")
            if secret and not hmac.compare_digest(self.headers.get("X-Secret", "").encode(), secret.encode()):
                raise PluginError(403, "PLUGIN_FORBIDDEN", "the header X-Secret is missing or wrong")
            self.send(200, self.route(method, body))
        except PluginError as error:
            self.send(
                error.status,
                {
                    "type": {"code": error.status, "description": error.code},
                    "code": error.code,
                    "message": error.message,
                },
            )
        except Exception as error:  # The caller only learns that the plugin has a bug.
            print(type(error).__name__, flush=True)
            self.send(500, {"type": {"code": 500, "description": "PLUGIN_BUG"}, "message": "the plugin failed"})

    def route(self, method, body):
        routes = {
            ("GET", "/capabilities"): lambda: CAPABILITIES,
            ("POST", "/datasets"): lambda: DATASETS,
            ("POST", "/query"): lambda: answer(body),
            ("POST", "/authorize"): lambda: {"ok": True},
            ("GET", "/health"): lambda: {"status": "ok"},
        }
        found = routes.get((method, self.path))
        if found is None:
            raise PluginError(404, "PLUGIN_INVALID", "there is nothing here")
        return found()

    def read_body(self):
        size = int(self.headers.get("Content-Length", 0))
        if size > MOST_BYTES:
            self.close_connection = True
            raise malformed(f"the body is larger than {MOST_BYTES} bytes")
        try:
            body = json.loads(self.rfile.read(size) or "{}")
        except (ValueError, RecursionError):
            raise malformed("the body is not JSON, or too deep") from None
        if not isinstance(body, dict):
            raise malformed("the body is not a JSON object")
        return body

    def send(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            pass  # The caller has disconnected.

    def log_message(self, *_):
        pass  # Logs no request lines, because they may contain secrets.


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Handler)
    print(f"The plugin listens on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
