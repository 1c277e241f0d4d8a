import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { type EgressOptions, openEgress } from "../../../../core/sources/connections/egress.ts";
import { PluginError } from "../../../../plugins/protocol/index.ts";
import { suite } from "../../../support/suite.ts";
import { failureOf } from "../../../support/refused.ts";

suite("core/sources/connections/egress", (test) => {
  const servers: Server[] = [];
  const closes: (() => void)[] = [];
  test.afterEach(async () => {
    for (const close of closes.splice(0)) close();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  const listen = async (listener: RequestListener): Promise<number> => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  };
  const open = (options: Partial<EgressOptions> = {}) => {
    const egress = openEgress({ allow: [], timeoutMs: 60_000, sizeBytes: 2 ** 20, ...options });
    closes.push(() => egress.close());
    return (url: string, signal = new AbortController().signal) =>
      egress.call({ method: "GET", url, headers: { "X-Secret": "canary" }, signal });
  };
  const resolver =
    (address: string): LookupFunction =>
    (_name, options, callback) => {
      if (options.all) callback(null, [{ address, family: 4 }]);
      else callback(null, address, 4);
    };

  const forms = [
    "127.0.0.1",
    "localhost",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "ada:secret@127.0.0.1",
    "[64:ff9b::7f00:1]",
    "[::127.0.0.1]",
    "169.254.169.254",
    "[fd00::1]",
    "100.64.0.1",
    "[2002:7f00:1::]",
    "10.0.0.1",
    "192.168.1.1",
    "172.16.0.1",
    "[fe80::1]",
    "LOCALHOST",
  ];
  for (const form of forms)
    for (const scheme of ["http", "https"])
      test(`a call to ${scheme}://${form} fails before anything is sent`, async () => {
        let requestCount = 0;
        const port = await listen((_request, response) => {
          requestCount += 1;
          response.end();
        });
        const failure = await failureOf(open()(`${scheme}://${form}:${port}/datasets`));
        assert.is(failure.code, "PLUGIN_INVALID");
        assert.is(requestCount, 0);
      });

  test("the error for a blocked host names the setting that allows it, but not the host's resolved address", async () => {
    const failure = await failureOf(
      open({ lookup: resolver("10.1.2.3") })("http://intranet.example.org/x"),
    );
    assert.match(failure.message, "intranet.example.org is not a public address");
    assert.match(failure.message, "MANIFOLD_EGRESS_ALLOW");
    assert.not.match(failure.message, "10.1.2.3");
  });

  test("a call to a name that resolves to loopback fails", async () => {
    const port = await listen((_request, response) => response.end("reached"));
    const failure = await failureOf(
      open({ lookup: resolver("127.0.0.1") })(`http://plugin.example.org:${port}/`),
    );
    assert.is(failure.code, "PLUGIN_INVALID");
  });

  test("a name is resolved only by the connecting socket, so its address cannot change after the check", async () => {
    const requested: string[] = [];
    const lookup: LookupFunction = (name, options, callback) => {
      requested.push(name);
      resolver("127.0.0.1")(name, options, callback);
    };
    const failure = await failureOf(open({ lookup })("http://rebind.example.org/"));
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.equal(requested, ["rebind.example.org"]);
  });

  test("a loopback name fails without a DNS lookup unless it is allowed", async () => {
    let lookups = 0;
    const lookup: LookupFunction = (name, options, callback) => {
      lookups++;
      resolver("127.0.0.1")(name, options, callback);
    };
    const named = (allow: readonly string[]) => {
      const egress = openEgress({ allow, timeoutMs: 60_000, sizeBytes: 2 ** 20, lookup });
      closes.push(() => egress.close());
      return egress;
    };
    const { signal } = new AbortController();
    const closed = named([]);
    for (const name of ["localhost", "localhost.", "db.localhost", "DB.LocalHost."]) {
      const url = `http://${name}:9/`;
      assert.is((await failureOf(closed.address(name, 9))).code, "PLUGIN_INVALID", name);
      const failure = await failureOf(closed.call({ method: "GET", url, headers: {}, signal }));
      assert.is(failure.code, "PLUGIN_INVALID", name);
    }
    assert.is(lookups, 0);
    assert.is(await named(["db.localhost"]).address("db.localhost", 9), "127.0.0.1");
  });

  test("a call to a name with one public and one private address fails", async () => {
    const lookup = ((
      _name: string,
      _options: unknown,
      callback: (failure: null, found: unknown) => void,
    ) =>
      callback(null, [
        { address: "93.184.215.14", family: 4 },
        { address: "10.0.0.1", family: 4 },
      ])) as LookupFunction;
    const failure = await failureOf(open({ lookup })("http://mixed.example.org/"));
    assert.is(failure.code, "PLUGIN_INVALID");
  });

  for (const url of [
    "file:///etc/passwd",
    "ftp://example.org/",
    "gopher://example.org",
    "not a url",
    "",
  ])
    test(`the address ${JSON.stringify(url)} is rejected`, async () => {
      assert.is((await failureOf(open()(url))).code, "PLUGIN_INVALID");
    });

  test("a host in the allow-list is reachable on any port, or only on the port in its entry", async () => {
    const port = await listen((_request, response) => response.end("here"));
    const other = await listen((_request, response) => response.end("there"));
    assert.is((await open({ allow: ["127.0.0.1"] })(`http://127.0.0.1:${port}/`)).text, "here");
    const narrow = open({ allow: [`127.0.0.1:${port}`] });
    assert.is((await narrow(`http://127.0.0.1:${port}/`)).text, "here");
    assert.is((await failureOf(narrow(`http://127.0.0.1:${other}/`))).code, "PLUGIN_INVALID");
    assert.is((await failureOf(narrow(`http://localhost:${port}/`))).code, "PLUGIN_INVALID");
  });

  test("an allowed name gives no access to a cloud metadata address that is not itself allowed", async () => {
    for (const address of [
      "169.254.169.254",
      "169.254.170.2",
      "168.63.129.16",
      "100.100.100.200",
      "192.0.0.192",
      "fd00:ec2::254",
      "fd20:ce::254",
      "::ffff:169.254.169.254",
      "64:ff9b::a9fe:a9fe",
      "2002:a9fe:a9fe::",
    ]) {
      const call = open({ allow: ["inner.example.org"], lookup: resolver(address) });
      const failure = await failureOf(call("http://inner.example.org:1/"));
      assert.is(failure.code, "PLUGIN_INVALID", address);
    }
    // No server listens at this address, so the error shows that a connection was attempted.
    const port = await listen(() => {});
    await new Promise((resolve) => servers.at(-1)?.close(resolve));
    const lookup = resolver("127.0.0.1");
    const reached = open({ allow: ["inner.example.org"], lookup })(
      `http://inner.example.org:${port}/`,
    );
    assert.is((await failureOf(reached)).code, "PLUGIN_SOURCE_FAILED");
    const egress = openEgress({
      allow: ["inner.example.org", "169.254.169.254"],
      timeoutMs: 60_000,
      sizeBytes: 1_024,
      lookup: resolver("169.254.169.254"),
    });
    closes.push(() => egress.close());
    assert.is(await egress.address("inner.example.org", 80), "169.254.169.254");
    assert.is(await egress.address("169.254.169.254", 80), "169.254.169.254");
  });

  test("a private name and an unresolvable name cause the same message", async () => {
    const missing: LookupFunction = (_name, _options, callback) =>
      callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []);
    const url = "http://db.example.org/";
    const [unknown, inner] = [
      await failureOf(open({ lookup: missing })(url)),
      await failureOf(open({ lookup: resolver("10.0.0.1") })(url)),
    ];
    assert.is(unknown.message, inner.message);
    assert.is(unknown.code, inner.code);
  });

  for (const entry of [
    "http://127.0.0.1",
    "a/b",
    "10.0.0.0/8",
    "*.internal",
    "0.0.0.0/0",
    "user@host",
    "host:port",
    "",
  ])
    test(`the host does not start with ${JSON.stringify(entry)} in its allow-list`, () => {
      assert.throws(
        () => openEgress({ allow: [entry], timeoutMs: 1, sizeBytes: 1 }),
        (failure: PluginError) => failure.message.includes("MANIFOLD_EGRESS_ALLOW"),
      );
    });

  for (const status of [301, 302, 303, 307, 308])
    test(`a ${status} redirect is not followed, so the secret reaches no other server`, async () => {
      const seen: IncomingMessage["headers"][] = [];
      const target = await listen((request, response) => {
        seen.push(request.headers);
        response.end();
      });
      const port = await listen((_request, response) =>
        response.writeHead(status, { Location: `http://127.0.0.1:${target}/` }).end(),
      );
      const answer = await open({ allow: ["127.0.0.1"] })(`http://127.0.0.1:${port}/`);
      assert.is(answer.status, status);
      assert.equal(seen, []);
    });

  test("an endless answer is stopped at the size limit", async () => {
    let sentBytes = 0;
    const port = await listen((_request, response) => {
      const chunk = Buffer.alloc(2 ** 16, 0x61);
      const write = () => {
        while (!response.destroyed && sentBytes < 2 ** 30) {
          sentBytes += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", write);
        }
      };
      write();
    });
    const failure = await failureOf(open({ allow: ["127.0.0.1"] })(`http://127.0.0.1:${port}/`));
    assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
    assert.match(failure.message, "larger than 1 MB");
    assert.ok(sentBytes < 2 ** 26, `${sentBytes} bytes were read`);
  });

  test.deep("the size limit counts bytes after decompression", async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 26));
    assert.ok(bomb.length < 2 ** 17);
    const port = await listen((_request, response) =>
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(bomb),
    );
    const failure = await failureOf(open({ allow: ["127.0.0.1"] })(`http://127.0.0.1:${port}/`));
    assert.match(failure.message, "larger than 1 MB");
  });

  test("a compressed answer within the size limit is read", async () => {
    const port = await listen((_request, response) =>
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync("[[1]]")),
    );
    assert.is((await open({ allow: ["127.0.0.1"] })(`http://127.0.0.1:${port}/`)).text, "[[1]]");
  });

  test("a body that does not match its encoding fails with PLUGIN_SOURCE_FAILED", async () => {
    const port = await listen((_request, response) =>
      response.writeHead(200, { "Content-Encoding": "gzip" }).end("plain"),
    );
    const failure = await failureOf(open({ allow: ["127.0.0.1"] })(`http://127.0.0.1:${port}/`));
    assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
  });

  test("a body that arrives very slowly is stopped at the deadline", async () => {
    const timers: NodeJS.Timeout[] = [];
    const port = await listen((_request, response) => {
      timers.push(setInterval(() => response.write(" "), 20));
    });
    const call = open({ allow: ["127.0.0.1"], timeoutMs: 150 });
    const failure = await failureOf(call(`http://127.0.0.1:${port}/`));
    for (const timer of timers) clearInterval(timer);
    assert.is(failure.code, "PLUGIN_TIMEOUT");
  });

  test("a call to a server that never answers fails at the deadline", async () => {
    const port = await listen(() => {});
    const call = open({ allow: ["127.0.0.1"], timeoutMs: 150 });
    assert.is((await failureOf(call(`http://127.0.0.1:${port}/`))).code, "PLUGIN_TIMEOUT");
  });

  test("aborting a call closes the connection on both sides", async () => {
    const controller = new AbortController();
    const gone = Promise.withResolvers<void>();
    const port = await listen((_request, response) => {
      response.once("close", () => gone.resolve());
      controller.abort();
    });
    const failure = await failureOf(
      open({ allow: ["127.0.0.1"] })(`http://127.0.0.1:${port}/`, controller.signal),
    );
    assert.is(failure.code, "PLUGIN_TIMEOUT");
    assert.match(failure.message, "cancelled");
    await gone.promise;
  });

  test("an answer shorter than its stated length fails with PLUGIN_SOURCE_FAILED", async () => {
    const port = await listen((_request, response) => {
      response.writeHead(200, { "Content-Length": "1000" });
      response.write("[[1,");
      setImmediate(() => response.destroy());
    });
    const failure = await failureOf(open({ allow: ["127.0.0.1"] })(`http://127.0.0.1:${port}/`));
    assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
  });

  test("a call to a port on which no server listens fails with PLUGIN_SOURCE_FAILED", async () => {
    const port = await listen(() => {});
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    const failure = await failureOf(open({ allow: ["127.0.0.1"] })(`http://127.0.0.1:${port}/`));
    assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
    assert.match(failure.message, "refused the connection");
  });

  test("a failed call is not retried", async () => {
    let requestCount = 0;
    const port = await listen((_request, response) => {
      requestCount += 1;
      response.writeHead(503).end();
    });
    assert.is((await open({ allow: ["127.0.0.1"] })(`http://127.0.0.1:${port}/`)).status, 503);
    assert.is(requestCount, 1);
  });

  test("proxy settings in environment variables are not used", async () => {
    let requestCount = 0;
    const proxy = await listen((_request, response) => {
      requestCount += 1;
      response.end("proxied");
    });
    const port = await listen((_request, response) => response.end("direct"));
    const names = ["http_proxy", "HTTP_PROXY", "NODE_USE_ENV_PROXY"];
    const before = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy}`;
    try {
      assert.is((await open({ allow: ["127.0.0.1"] })(`http://127.0.0.1:${port}/`)).text, "direct");
    } finally {
      for (const [name, value] of before)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
    assert.is(requestCount, 0);
  });
});
