import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { ClientError, createClient } from "../../../../core/web/client/index.ts";
import { suite } from "../../../support/suite.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const json =
  (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(JSON.stringify(body));
  };
const cut: Answer = (response) => response.destroy();

suite("core/web/client", (test) => {
  let answers: Answer[] = [];
  let bodies: Readonly<Record<string, unknown>>[] = [];
  let waitsMs: number[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      bodies.push(JSON.parse(Buffer.concat(parts).toString()));
      (answers.shift() ?? json(500, {}))(response, request);
    });
  });
  let url = "";
  test.before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}`;
  });
  test.after(() => void server.close());
  test.beforeEach(() => {
    [answers, bodies, waitsMs] = [[], [], []];
  });
  const open = (retryCount?: number) =>
    createClient({
      url,
      key: "k",
      token: "t",
      wait: async (ms) => void waitsMs.push(ms),
      ...(retryCount !== undefined && { retryCount }),
    });
  const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => {
        throw new Error("the call succeeded");
      },
      (failure: unknown) => failure,
    );

  const codeOf = async (promise: Promise<unknown>) => {
    const failure = await failureOf(promise);
    return failure instanceof ClientError ? failure.code : failure;
  };
  const typed =
    (mediaType: string, body: string | Uint8Array): Answer =>
    (response) =>
      response.writeHead(200, { "Content-Type": mediaType }).end(body);

  test("a file arrives as its bytes, text as a string, and JSON as its value", async () => {
    const bytes = Uint8Array.of(37, 80, 68, 70, 0, 255, 254);
    answers = [
      typed("application/pdf", bytes),
      typed("text/csv; charset=utf-8", "City\r\nKøln\r\n"),
      typed("text/plain; charset=utf-8", "Köln leads."),
      typed("application/json; charset=utf-8", '{"id":"7"}'),
    ];
    const client = open();
    const exported = () => client.create("export", { type: "pdf" });
    assert.equal(await exported(), bytes);
    assert.equal(await exported(), new TextEncoder().encode("City\r\nKøln\r\n"));
    assert.is(await client.create("aisummary", {}), "Köln leads.");
    assert.equal(await client.create("tag", { tag: "a" }), { id: "7" });
  });

  test("`stream` returns bytes before the response is complete, in the media type that the caller accepts", async () => {
    let finish = () => {};
    answers = [
      (response, request) => {
        response.writeHead(200, { "Content-Type": request.headers.accept }).write("first");
        finish = () => void response.end("last");
      },
    ];
    const find = { dimensions: [] };
    const stream = await open().stream("data", "get", { find }, "text/event-stream");
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    assert.is((await reader.read()).value, "first");
    finish();
    assert.is((await reader.read()).value, "last");
    assert.ok((await reader.read()).done);
  });

  test("a stream that breaks off fails with `UNREACHABLE`, and one that the caller aborts with `ABORTED`", async () => {
    const begin: Answer = (response) => {
      response.writeHead(200, { "Content-Type": "text/csv", "Content-Length": 100 }).write("first");
      broken = response;
    };
    let broken: ServerResponse | undefined;
    answers = [begin, begin];
    const lost = (await open().stream("export", "create", {} as never)).getReader();
    await lost.read();
    broken?.destroy();
    assert.is(await codeOf(lost.read()), "UNREACHABLE");
    const aborting = new AbortController();
    const client = open().with({ signal: aborting.signal });
    const aborted = (await client.stream("export", "create", {} as never)).getReader();
    await aborted.read();
    aborting.abort();
    assert.is(await codeOf(aborted.read()), "ABORTED");
  });

  test("a call ends with `ABORTED` when its signal aborts", async () => {
    const aborting = new AbortController();
    answers = [() => aborting.abort(), () => {}];
    const client = open();
    assert.is(await codeOf(client.with({ signal: aborting.signal }).get("tag")), "ABORTED");
    assert.is(await codeOf(client.with({ signal: aborting.signal }).get("tag")), "ABORTED");
    assert.is(bodies.length, 1);
    answers = [json(200, { count: 0 })];
    assert.equal(await client.get("tag"), { count: 0 });
  });

  test("a call ends with `TIMED_OUT` after its time, and is not repeated", async () => {
    let requestCount = 0;
    // A server of its own, because a request may arrive after its call has ended.
    const silent = createServer(() => void requestCount++);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const client = createClient({ url: `http://127.0.0.1:${port}`, key: "k", token: "t" });
    assert.is(await codeOf(client.with({ timeoutMs: 20 }).get("tag")), "TIMED_OUT");
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
    assert.ok(requestCount <= 1);
  });

  test("the pause before a repetition ends when the call's signal aborts", async () => {
    const aborting = new AbortController();
    const { signal } = aborting;
    answers = [
      (response) => {
        response.on("close", () => setImmediate(() => aborting.abort()));
        response.writeHead(503, { "Retry-After": "9" }).end("{}");
      },
    ];
    const client = createClient({ url, key: "k", token: "t", signal });
    assert.is(await codeOf(client.get("tag")), "ABORTED");
    assert.is(bodies.length, 1);
  });

  test("a host that does not respond, and a response that is not JSON, fail with `ClientError`", async () => {
    const away = createClient({ url: "http://127.0.0.1:1", key: "k", token: "t", retryCount: 0 });
    const unreachable = await failureOf(away.get("tag"));
    assert.ok(unreachable instanceof ClientError && unreachable.status === 0);
    assert.match(unreachable.message, /127\.0\.0\.1:1 does not respond: ./);
    answers = [(response) => response.end("<html>")];
    const page = await failureOf(open().get("tag"));
    assert.ok(page instanceof ClientError && page.code === "NOT_JSON" && page.status === 200);
  });

  test("an injected `fetch` sends the requests, and an error that it throws becomes `UNREACHABLE`", async () => {
    const sent: (readonly [string, string | undefined])[] = [];
    const client = createClient({
      url: "https://host.example.org",
      key: "k",
      token: "t",
      fetch: async (address, { method }) => {
        sent.push([address, method]);
        return Response.json({ count: 1 });
      },
    });
    assert.equal(await client.get("tag"), { count: 1 });
    assert.equal(sent, [["https://host.example.org/0.1.0/tag", "POST"]]);
    const broken = createClient({
      url: "https://host.example.org",
      key: "k",
      token: "t",
      retryCount: 0,
      fetch: () => Promise.reject(new RangeError("no proxy")),
    });
    assert.match(String(await failureOf(broken.get("tag"))), /does not respond: no proxy/);
  });

  test("`records` iterates over all pages, and requests no page that nobody reads", async () => {
    const page = (count: number, ...ids: string[]) =>
      json(200, { count, rows: ids.map((id) => ({ id })) });
    answers = [page(5, "a", "b"), page(5, "c", "d"), page(5, "e"), page(5, "a", "b")];
    const found: string[] = [];
    for await (const { id } of open().records("tag", { limit: 2, order: [["id", "asc"]] }))
      found.push(id);
    assert.equal(found, ["a", "b", "c", "d", "e"]);
    const finds = bodies.map((body) => body["find"]);
    const order = [["id", "asc"]];
    assert.equal(
      finds,
      [0, 2, 4].map((offset) => ({ limit: 2, order, offset })),
    );
    for await (const { id } of open().records("tag", { limit: 2 })) {
      assert.is(id, "a");
      break;
    }
    assert.is(bodies.length, 4);
    answers = [page(9), page(9)];
    for await (const _ of open().records("tag")) assert.unreachable();
    assert.is(bodies.length, 5);
  });

  test("the client repeats reads after a lost connection, a 502 or a 503, with growing random waits", async () => {
    answers = [cut, json(502, {}), json(503, {}, { "Retry-After": "2" }), json(200, { count: 0 })];
    assert.equal(await open().get("securable"), { count: 0 });
    assert.is(bodies.length, 4);
    const [lost = -1, bad = -1, busy = -1] = waitsMs;
    assert.ok(lost >= 0 && lost < 400);
    assert.ok(bad >= 0 && bad < 800);
    assert.ok(busy >= 2000 && busy < 2000 + 1600);
  });

  test("all attempts of a push have the same `request_id`, and different pushes have different ids", async () => {
    answers = [cut, json(200, { count: 1 }), json(200, { count: 1 })];
    const client = open();
    await client.create("data", { type: "create", data: [["a", 1]] });
    await client.create("data", { type: "create", data: [["a", 1]] });
    const ids = bodies.map((body) => body["request_id"]);
    assert.type(ids[0], "string");
    assert.is(ids[0], ids[1]);
    assert.is.not(ids[0], ids[2]);
  });

  test("the client sends a call only once if repeating it is unsafe or would fail again", async () => {
    answers = [json(503, { message: "busy" })];
    const create = await failureOf(open().create("group", { name: "A" }));
    assert.ok(create instanceof ClientError && create.status === 503);
    assert.is(bodies.length, 1);
    answers = [json(429, {})];
    const many = await failureOf(open().get("securable"));
    assert.ok(many instanceof ClientError && many.status === 429);
    assert.is(bodies.length, 2);
    answers = [json(502, { type: { code: "PLUGIN_SOURCE_FAILED" }, message: "no source" })];
    const named = await failureOf(open().get("securable"));
    assert.ok(named instanceof ClientError && named.code === "PLUGIN_SOURCE_FAILED");
    assert.is(bodies.length, 3);
  });

  test("when all attempts fail, a call rejects with the last failure", async () => {
    answers = [cut, cut, json(502, { message: "no host" })];
    const failure = await failureOf(open(2).get("securable"));
    assert.ok(failure instanceof ClientError && failure.status === 502);
    assert.is(bodies.length, 3);
    answers = [(response) => void response.writeHead(502).end("<html>")];
    const page = await failureOf(open(0).get("securable"));
    assert.ok(page instanceof ClientError && page.message === "the host responded with status 502");
  });
});
