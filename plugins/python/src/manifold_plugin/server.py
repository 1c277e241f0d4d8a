"""Serves a plugin over HTTP."""

from __future__ import annotations

import hashlib
import hmac
import json
import signal
import socket
import sys
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type, Union

from .errors import PluginError, malformed, not_offered
from .plugin import Call, Credentials, Plugin, User
from .read_json import read_json

#: Maximum size of a request body in bytes: 64 MiB, as the protocol defines it.
BODY_BYTES = 64 * 2**20
#: Seconds after which an idle connection or a stalled request is closed.
IDLE_SECONDS = 60
#: Bytes of a refused body that are read, so that the caller can read the answer before the connection closes.
_DRAINED_BYTES = 2**20

#: Called with unexpected exceptions. Callers never see their details.
OnError = Callable[[BaseException], None]


class Server:
    """A plugin that is being served. ``with open_server(plugin) as server:`` closes it at the end of the block."""

    def __init__(self, http: ThreadingHTTPServer) -> None:
        self._http = http
        host = str(http.server_address[0])
        name = f"[{host}]" if ":" in host else host
        #: Address of the plugin, without a trailing slash.
        self.url = f"http://{name}:{http.server_address[1]}"
        self._thread = threading.Thread(
            target=http.serve_forever, kwargs={"poll_interval": 0.1}, name="manifold-plugin", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stops listening. Running calls may finish."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def serve(
    plugin: Plugin,
    port: int = 0,
    secret: Union[str, Sequence[str], None] = None,
    *,
    host: str = "127.0.0.1",
    **options: Any,
) -> None:
    """Serves a plugin until the process receives SIGINT or SIGTERM, and prints its address.

    ``port`` 0 chooses a free port. ``secret`` is what the header X-Secret of every request must contain; a list accepts
    several, for instance the old and the new one while a secret is replaced. ``host`` is the address to listen on: with
    the default, only programs on the same machine can reach the plugin. Further options are those of ``open_server``.

    Raises OSError if the port is in use, and ValueError for a wrong option.
    """
    ended = threading.Event()
    if threading.current_thread() is threading.main_thread():
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, lambda *_: ended.set())
    with open_server(plugin, port, secret, host=host, **options) as server:
        print(f"The plugin listens on {server.url}", flush=True)
        ended.wait()


def open_server(
    plugin: Plugin,
    port: int = 0,
    secret: Union[str, Sequence[str], None] = None,
    *,
    host: str = "127.0.0.1",
    body_bytes: int = BODY_BYTES,
    most_calls: int = 64,
    on_error: Optional[OnError] = None,
) -> Server:
    """Starts to serve a plugin in threads of this process, and returns at once.

    ``body_bytes`` is the maximum size of a request. ``most_calls`` is the number of calls that run at the same time;
    further calls are refused with PLUGIN_BUSY. ``on_error`` receives unexpected exceptions; the default prints them to
    the standard error stream. For the other parameters, see ``serve``.
    """
    secrets = _secrets_of(secret)
    if not secrets and host not in ("127.0.0.1", "::1", "localhost"):
        raise ValueError("secret must be set if other machines can reach the plugin; or listen on 127.0.0.1")
    handler = _create_handler(
        _Settings(plugin, secrets, body_bytes, threading.BoundedSemaphore(most_calls), on_error or _print_error)
    )
    server_class = _Ipv6Server if ":" in host else ThreadingHTTPServer
    http = server_class((host, port), handler)
    http.daemon_threads = True
    return Server(http)


class _Ipv6Server(ThreadingHTTPServer):
    address_family = socket.AF_INET6


class _Settings:
    def __init__(
        self,
        plugin: Plugin,
        secrets: Sequence[bytes],
        body_bytes: int,
        calls: threading.BoundedSemaphore,
        on_error: OnError,
    ) -> None:
        self.plugin = plugin
        self.secrets = secrets
        self.body_bytes = body_bytes
        self.calls = calls
        self.on_error = on_error


def _digest(text: str) -> bytes:
    # Header values arrive as Latin-1.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _secrets_of(secret: Union[str, Sequence[str], None]) -> List[bytes]:
    given = [] if secret is None else [secret] if isinstance(secret, str) else list(secret)
    if secret is not None and (not given or "" in given):
        raise ValueError("secret must not be empty; leave it out to accept every caller on this machine")
    return [_digest(each) for each in given]


def _print_error(failure: BaseException) -> None:
    traceback.print_exception(type(failure), failure, failure.__traceback__, file=sys.stderr)


Body = Mapping[str, Any]
Route = Callable[[Plugin, Call, Body], object]


def _exchange(plugin: Plugin, call: Call, body: Body) -> object:
    if plugin.exchange is None:
        raise not_offered("exchange")
    code = body.get("code")
    if not isinstance(code, str):
        raise malformed("/code must be a string")
    return plugin.exchange(call, code)


def _authorize(plugin: Plugin, call: Call, _: Body) -> object:
    url = None if plugin.authorize is None else plugin.authorize(call)
    return {"ok": True} if url is None else {"auth_url": url}


def _health(plugin: Plugin, _call: Call, _body: Body) -> object:
    if plugin.health is not None:
        plugin.health()
    return {"status": "ok"}


def _write(_plugin: Plugin, _call: Call, _body: Body) -> object:
    raise not_offered("writes")


_ROUTES: Dict[Tuple[str, str], Route] = {
    ("GET", "/capabilities"): lambda plugin, call, body: plugin.capabilities_to_wire(),
    ("POST", "/capabilities"): lambda plugin, call, body: {
        "capabilities": plugin.capabilities_to_wire(),
        "demoted": [],
    },
    ("GET", "/datasets"): lambda plugin, call, body: plugin.datasets_to_wire(call),
    ("POST", "/datasets"): lambda plugin, call, body: plugin.datasets_to_wire(call),
    ("POST", "/query"): lambda plugin, call, body: plugin.answer(call, body),
    ("POST", "/authorize"): _authorize,
    ("POST", "/exchange"): _exchange,
    ("POST", "/write"): _write,
    ("GET", "/health"): _health,
}


def _create_handler(settings: _Settings) -> Type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        server_version = "manifold-plugin"
        sys_version = ""
        timeout = IDLE_SECONDS
        #: Bytes of the request's body that have not been read yet.
        unread = 0

        def do_GET(self) -> None:
            self.respond()

        def do_POST(self) -> None:
            self.respond()

        def respond(self) -> None:
            try:
                status, answer = 200, self.call()
            except Exception as failure:
                status, answer = self.refusal(failure)
            if self.unread:
                self.close_connection = True
            self.send_json(status, answer)
            self.drain()

        def call(self) -> bytes:
            size = self.body_size()
            self.check_secret()
            route = _ROUTES.get((self.command, self.path.split("?", 1)[0]))
            if route is None:
                raise _NotFound()
            if size > settings.body_bytes:
                raise malformed(f"the body must not be larger than {settings.body_bytes} bytes")
            text = self.read_body(size)
            # A caller that sends slowly does not count as a running call.
            if not settings.calls.acquire(blocking=False):
                raise PluginError("PLUGIN_BUSY", "the plugin runs as many calls as it may; try again later")
            try:
                body = read_json(text)
                call = Call(_credentials_of(self.header_values()), _user_of(body))
                return _encode(route(settings.plugin, call, body))
            finally:
                settings.calls.release()

        def read_body(self, size: int) -> bytes:
            try:
                text = self.rfile.read(size)
            except OSError:  # The caller has disconnected, or sends nothing more.
                text = b""
            self.unread = 0
            if len(text) < size:
                self.close_connection = True
                raise malformed("the body ended early")
            return text

        def header_values(self) -> Dict[str, str]:
            return {name.lower(): _decoded(str(value)) for name, value in self.headers.items()}

        def body_size(self) -> int:
            """Returns the announced size of the body. It closes the connection if the size cannot be known."""
            sizes = self.headers.get_all("Content-Length") or ["0"]
            is_plain = len(set(sizes)) == 1 and sizes[0].isascii() and sizes[0].isdigit() and len(sizes[0]) < 16
            if not is_plain or self.headers.get("Transfer-Encoding") is not None:
                self.close_connection = True
                raise malformed("the body must be announced by one header Content-Length")
            self.unread = int(sizes[0])
            return self.unread

        def check_secret(self) -> None:
            if not settings.secrets:
                return
            values = self.headers.get_all("X-Secret") or [""]
            given = _digest(_decoded(values[0]))
            # Every secret is compared, so that the time does not depend on the result.
            if sum(hmac.compare_digest(given, each) for each in settings.secrets) == 0:
                raise PluginError("PLUGIN_FORBIDDEN", "the header X-Secret is missing or wrong")

        def refusal(self, failure: Exception) -> Tuple[int, bytes]:
            if isinstance(failure, _NotFound):
                return 404, _encode(_error(404, "Not Found", "this path does not exist"))
            if isinstance(failure, PluginError):
                if failure.status == 500:
                    settings.on_error(failure)
                return failure.status, _encode(failure.to_wire())
            settings.on_error(failure)
            bug = PluginError("PLUGIN_BUG", "unexpected error; see the plugin's log")
            return bug.status, _encode(bug.to_wire())

        def send_json(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            if self.close_connection:
                self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

        def drain(self) -> None:
            """Reads the rest of a refused body. A caller that is still sending would otherwise miss the answer."""
            rest = min(self.unread, _DRAINED_BYTES)
            self.unread = 0
            if rest:
                self.wfile.flush()
                self.connection.settimeout(2)
                self.rfile.read(rest)

        def send_error(self, code: int, message: Optional[str] = None, explain: Optional[str] = None) -> None:
            """Answers requests that are not HTTP as the protocol writes errors, and not as a page."""
            status = 405 if code == 501 else code
            text = "the method must be GET or POST" if code == 501 else (message or "the request is not valid HTTP")
            self.close_connection = True
            self.send_json(status, _encode(_error(status, "PLUGIN_MALFORMED", text)))

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                pass  # The caller has disconnected.

        def log_message(self, format: str, *args: object) -> None:
            pass  # Logs no requests, because they may contain secrets.

    return Handler


class _NotFound(Exception):
    pass


def _error(status: int, description: str, message: str) -> Dict[str, object]:
    return {"type": {"code": status, "description": description}, "message": message}


def _encode(value: object) -> bytes:
    text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise PluginError("PLUGIN_BAD_ANSWER", "a string is not valid Unicode") from None


def _decoded(value: str) -> str:
    """Decodes a header value: as UTF-8 if it is valid, otherwise as Latin-1."""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def _credentials_of(headers: Mapping[str, str]) -> Credentials:
    prefix = "x-property-"
    properties = {name[len(prefix) :]: value for name, value in headers.items() if name.startswith(prefix)}
    own = {
        name: properties.pop(name, headers.get(f"x-{name}"))
        for name in ("host", "key", "token")
    }
    return Credentials(own["host"], own["key"], own["token"], properties)


def _user_of(body: Body) -> Optional[User]:
    """Reads the user, which is the member ``user``, or the body itself for /authorize."""
    given = body.get("user", body)
    if not isinstance(given, dict):
        raise malformed("/user must be an object")
    user_id, name, email, metadata = (given.get(key) for key in ("id", "name", "email", "metadata"))
    if not isinstance(user_id, str) or not isinstance(name, str):
        return None
    return User(
        user_id,
        name,
        email if isinstance(email, str) else "",
        metadata if isinstance(metadata, dict) else {},
    )
