import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { createHttpServer } from "../../../../core/http/server/httpServer.ts";
import { suite } from "../../../support/suite.ts";

suite("core/http/server/httpServer", (test) => {
  const servers: Server[] = [];
  const openServer = async (options: Partial<Parameters<typeof createHttpServer>[0]> = {}) => {
    const server = createHttpServer({
      proxyCount: 0,
      listener: (request, response) => {
        request.resume();
        response.end("answered");
      },
      ...options,
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  };
  test.after(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  const open = async (server: Server): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  };
  const textOf = async (socket: Socket): Promise<string> => {
    let text = "";
    socket.on("data", (chunk) => (text += String(chunk)));
    await once(socket, "close");
    return text;
  };

  test("idle connections stay open longer than proxies reuse them, and responses announce for how long", async () => {
    const server = await openServer();
    const socket = await open(server);
    socket.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    const [answer] = (await once(socket, "data")) as [Buffer];
    assert.match(String(answer), /\r\nKeep-Alive: timeout=75\r\n/);
    socket.destroy();
    assert.ok(server.keepAliveTimeout > 60_000);
    assert.ok(server.headersTimeout > 0);
  });

  test("a request that does not arrive in time loses its connection, unless it contains a file", async () => {
    const server = await openServer({ requestMs: 50, listener: () => undefined });
    const socket = await open(server);
    socket.write("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na");
    await once(socket, "close");
  });

  test("invalid HTTP and oversized headers return the usual error body", async () => {
    const server = await openServer();
    for (const [head, status, code] of [
      [
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
        400,
        "REQUEST_MALFORMED",
      ],
      ["nonsense\r\n\r\n", 400, "REQUEST_MALFORMED"],
      [
        `GET / HTTP/1.1\r\nHost: h\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
        431,
        "REQUEST_HEADERS_TOO_LARGE",
      ],
    ] as const) {
      const socket = await open(server);
      socket.write(head);
      const text = await textOf(socket);
      assert.match(text, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(text, /\r\nContent-Type: application\/json\r\n/);
      const body = JSON.parse(text.slice(text.indexOf("\r\n\r\n"))) as Record<string, unknown>;
      assert.is(body["code"], status);
      assert.is((body["type"] as { code: string }).code, code);
      assert.ok(body["request_id"]);
    }
  });

  test("the number of connections per address is limited, and closing a connection allows another connection", async () => {
    const server = await openServer({ addressConnectionCount: 2 });
    const first = await open(server);
    await open(server);
    assert.is(await textOf(await open(server)), "");
    first.destroy();
    await once(first, "close");
    let answer = "";
    while (answer === "") {
      const socket = await open(server);
      socket.write("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
      answer = await textOf(socket);
    }
    assert.match(answer, "answered");
  });

  test("behind a proxy, connections are limited only in total and not per address", async () => {
    const server = await openServer({
      addressConnectionCount: 1,
      connectionCount: 2,
      proxyCount: 1,
    });
    await open(server);
    const second = await open(server);
    assert.is(await textOf(await open(server)), "");
    second.write("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    assert.match(await textOf(second), "answered");
  });
});
