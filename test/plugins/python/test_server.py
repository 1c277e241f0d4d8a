"""Tests of manifold_plugin.server, over sockets."""

import http.client
import json
import socket
import threading
import unittest

from manifold_plugin import Column, Dataset, Plugin, PluginError, open_server

TRIPS = Dataset("trips", [Column("city", "hierarchy")])
BODY = {"id": "trips", "columns": [{"column_id": "city"}], "filters": [], "options": {"pushdown": False}}
SECRET = "correct-horse"


class ServerTest(unittest.TestCase):
    def open(self, plugin=None, **options):
        self.failures = []
        plugin = plugin or Plugin(datasets=[TRIPS], rows=lambda call, dataset: [["Ghent"]])
        server = open_server(plugin, on_error=self.failures.append, **{"secret": SECRET, **options})
        self.addCleanup(server.close)
        self.host, self.port = server.url[len("http://") :].rsplit(":", 1)
        return server

    def send(self, method="POST", path="/query", body=BODY, headers=None):
        connection = http.client.HTTPConnection(self.host, int(self.port), timeout=20)
        self.addCleanup(connection.close)
        content = json.dumps(body) if isinstance(body, dict) else body
        connection.request(method, path, content, {"X-Secret": SECRET, **(headers or {})})
        answer = connection.getresponse()
        text = answer.read()
        self.assertEqual(answer.headers["Content-Type"], "application/json")
        return answer.status, json.loads(text)

    def exchange(self, request):
        """Sends bytes, and returns the bytes of the answer until the connection closes."""
        with socket.create_connection((self.host, int(self.port)), timeout=20) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65536), b""))


class Requests(ServerTest):
    def test_every_route_answers(self):
        plugin = Plugin(
            datasets=[TRIPS],
            rows=lambda call, dataset: [["Ghent"]],
            authorize=lambda call: "https://login.example.org/",
            exchange=lambda call, code: {"token": code},
            health=lambda: None,
        )
        self.open(plugin)
        self.assertEqual(self.send("GET", "/capabilities", None), (200, {}))
        self.assertEqual(self.send("POST", "/capabilities", {}), (200, {"capabilities": {}, "demoted": []}))
        self.assertEqual(self.send("POST", "/datasets", {})[1][0]["id"], "trips")
        self.assertEqual(self.send("POST", "/authorize", {}), (200, {"auth_url": "https://login.example.org/"}))
        self.assertEqual(self.send("POST", "/exchange", {"code": "c"}), (200, {"token": "c"}))
        self.assertEqual(self.send("GET", "/health", None), (200, {"status": "ok"}))
        values = [{"type": "hierarchy", "values": ["Ghent"]}]
        self.assertEqual(self.send(), (200, {"rowCount": 1, "columns": values}))

    def test_a_call_has_the_credentials_and_the_user(self):
        calls = []
        self.open(Plugin(datasets=lambda call: calls.append(call) or [TRIPS], rows=lambda call, dataset: []))
        headers = {"X-Key": "k", "X-Property-Key": "own", "X-Property-Region": "Gand".encode() + "é".encode()}
        self.send("POST", "/datasets", {"user": {"id": "u", "name": "Ada", "email": "a@example.org"}}, headers)
        self.send("POST", "/datasets", {"user": {}})
        (first, second) = calls
        self.assertEqual(first.credentials.key, "own")
        self.assertEqual(first.credentials.properties, {"region": "Gandé"})
        self.assertEqual((first.user.id, first.user.name, first.user.email), ("u", "Ada", "a@example.org"))
        self.assertIsNone(second.user)

    def test_a_missing_or_wrong_secret_is_403_on_every_route(self):
        self.open(secret=[SECRET, "the old one"])
        for method, path in (("GET", "/capabilities"), ("POST", "/query"), ("GET", "/no-such-path")):
            for secret in ("", "wrong", SECRET + "x", SECRET[:-1], "é"):
                status, body = self.send(method, path, None, {"X-Secret": secret.encode()})
                self.assertEqual((status, body["code"]), (403, "PLUGIN_FORBIDDEN"))
                self.assertNotIn(SECRET, json.dumps(body))
        self.assertEqual(self.send(headers={"X-Secret": "the old one"})[0], 200)

    def test_malformed_bodies_are_400_and_name_what_is_wrong(self):
        self.open()
        deep = b'{"filters":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
        for body, words in (
            (b"{", "JSON"),
            (b"[]", "JSON object"),
            (b'{"a": NaN}', "NaN"),
            (b'{"a": 1e999}', "doubles"),
            (b'{"a": "\xff"}', "UTF-8"),
            (deep, "deeper"),
            ({**BODY, "columns": "city"}, "/columns must be an array, not a string"),
            ({**BODY, "sample": 1}, '"sample"'),
            ({**BODY, "filters": [{"column_id": "city", "expression": "="}]}, "/filters/0/value"),
            ({**BODY, "user": "Ada"}, "/user must be an object"),
            ({}, "/columns is required"),
        ):
            status, answer = self.send(body=body)
            self.assertEqual((status, answer["code"]), (400, "PLUGIN_MALFORMED"), answer)
            self.assertEqual(answer["type"], {"code": 400, "description": "PLUGIN_MALFORMED"})
            self.assertIn(words, answer["message"])
        self.assertEqual(self.failures, [])

    def test_a_huge_body_is_400_before_it_is_read(self):
        self.open(body_bytes=1000)
        status, answer = self.send(body=b" " * 500_000)
        self.assertEqual((status, answer["code"]), (400, "PLUGIN_MALFORMED"))
        self.assertIn("1000 bytes", answer["message"])
        announced = b"POST /query HTTP/1.1\r\nX-Secret: " + SECRET.encode() + b"\r\nContent-Length: 99999999999\r\n\r\n"
        self.assertIn(b"HTTP/1.1 400", self.exchange(announced))

    def test_bodies_without_a_clear_length_are_400_and_close_the_connection(self):
        self.open()
        head = b"POST /query HTTP/1.1\r\nX-Secret: " + SECRET.encode() + b"\r\n"
        smuggled = b"\r\n\r\nGET /health HTTP/1.1\r\nX-Secret: " + SECRET.encode() + b"\r\n\r\n"
        for header in (
            b"Content-Length: -1",
            b"Content-Length: abc",
            b"Content-Length: 1e3",
            b"Content-Length: " + b"9" * 30,
            b"Content-Length: 2\r\nContent-Length: 3",
            b"Transfer-Encoding: chunked",
        ):
            answer = self.exchange(head + header + smuggled)
            self.assertIn(b"HTTP/1.1 400", answer, header)
            self.assertEqual(answer.count(b"HTTP/1.1 "), 1, header)

    def test_a_body_that_ends_early_is_not_run(self):
        self.open(Plugin(datasets=[TRIPS], rows=lambda call, dataset: self.fail("the plugin was called")))
        head = b"POST /query HTTP/1.1\r\nX-Secret: " + SECRET.encode() + b"\r\nContent-Length: 100\r\n\r\n{}"
        self.assertIn(b"the body ended early", self.exchange(head))

    def test_unknown_paths_are_404_and_other_methods_405(self):
        self.open()
        self.assertEqual(self.send("GET", "/no-such-path", None)[0], 404)
        self.assertEqual(self.send("GET", "/query", None)[0], 404)
        status, answer = self.send("DELETE", "/query", None)
        self.assertEqual((status, answer["type"]["code"]), (405, 405))
        self.assertIn(b'"code":400', self.exchange(b"nonsense\r\n\r\n"))

    def test_routes_without_a_function_are_501(self):
        self.open()
        for path, body in (("/exchange", {"code": "c"}), ("/write", {"write": {}})):
            status, answer = self.send("POST", path, body)
            self.assertEqual((status, answer["code"]), (501, "PLUGIN_NOT_OFFERED"))

    def test_several_requests_share_a_connection(self):
        self.open()
        connection = http.client.HTTPConnection(self.host, int(self.port), timeout=20)
        self.addCleanup(connection.close)
        for path in ("/query", "/no-such-path", "/query"):
            connection.request("POST", path, json.dumps(BODY), {"X-Secret": SECRET})
            connection.getresponse().read()
        connection.request("POST", "/query", json.dumps(BODY), {"X-Secret": SECRET})
        self.assertEqual(connection.getresponse().status, 200)


class Failures(ServerTest):
    def test_an_unexpected_exception_is_a_bug_without_details(self):
        def rows(call, dataset):
            raise RuntimeError("password=hunter2")

        self.open(Plugin(datasets=[TRIPS], rows=rows))
        status, answer = self.send()
        self.assertEqual((status, answer["code"]), (500, "PLUGIN_BUG"))
        self.assertNotIn("hunter2", json.dumps(answer))
        self.assertNotIn("Traceback", json.dumps(answer))
        self.assertIn("hunter2", str(self.failures[0]))

    def test_a_plugin_error_is_answered_with_its_status_and_details(self):
        def rows(call, dataset):
            raise PluginError("PLUGIN_SOURCE_FAILED", "the database is down")

        self.open(Plugin(datasets=[TRIPS], rows=rows))
        self.assertEqual(
            self.send(),
            (
                502,
                {
                    "type": {"code": 502, "description": "PLUGIN_SOURCE_FAILED"},
                    "message": "the source failed: the database is down",
                    "code": "PLUGIN_SOURCE_FAILED",
                    "details": ["the database is down"],
                },
            ),
        )
        self.assertEqual(self.failures, [])

    def test_an_error_in_a_generator_of_rows_does_not_cut_the_answer(self):
        def rows(call, dataset):
            yield ["Ghent"]
            raise PluginError("PLUGIN_TIMEOUT", "the server is slow")

        self.open(Plugin(datasets=[TRIPS], rows=rows))
        self.assertEqual(self.send()[0], 504)

    def test_a_string_that_is_not_unicode_is_a_bad_answer(self):
        self.open(Plugin(datasets=[TRIPS], rows=lambda call, dataset: [["\ud800"]]))
        self.assertEqual(self.send()[1]["code"], "PLUGIN_BAD_ANSWER")

    def test_calls_above_the_limit_are_429(self):
        running, release = threading.Event(), threading.Event()

        def rows(call, dataset):
            running.set()
            release.wait(20)
            return []

        self.open(Plugin(datasets=[TRIPS], rows=rows), most_calls=1)
        first = threading.Thread(target=self.send)
        first.start()
        running.wait(20)
        status, answer = self.send()
        release.set()
        first.join()
        self.assertEqual((status, answer["code"]), (429, "PLUGIN_BUSY"))
        self.assertEqual(self.send()[0], 200)


class Addresses(ServerTest):
    def test_the_default_address_is_loopback(self):
        self.assertTrue(self.open().url.startswith("http://127.0.0.1:"))

    def test_other_machines_need_a_secret(self):
        with self.assertRaisesRegex(ValueError, "secret must be set"):
            self.open(host="0.0.0.0", secret=None)
        for secret in ("", [], [SECRET, ""]):
            with self.assertRaisesRegex(ValueError, "secret must not be empty"):
                self.open(secret=secret)

    def test_without_a_secret_every_caller_on_the_machine_is_served(self):
        self.open(secret=None)
        self.assertEqual(self.send(headers={"X-Secret": "whatever"})[0], 200)

    def test_a_port_in_use_is_an_error(self):
        self.open()
        with self.assertRaises(OSError):
            open_server(Plugin(datasets=[TRIPS], rows=lambda call, dataset: []), port=int(self.port))
