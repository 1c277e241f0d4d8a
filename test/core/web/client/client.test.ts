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

  test("the client repeats reads after a lost connection, 502 and 503, with growing random waits", async () => {
    answers = [cut, json(502, {}), json(503, {}, { "Retry-After": "2" }), json(200, { count: 0 })];
    assert.equal(await open().get("securable"), { count: 0 });
    assert.is(bodies.length, 4);
    const [lost = -1, bad = -1, busy = -1] = waitsMs;
    assert.ok(lost >= 0 && lost < 400);
    assert.ok(bad >= 0 && bad < 800);
    assert.ok(busy >= 2000 && busy < 2000 + 1600);
  });

  test("all attempts of one push have the same request_id, and another push has its own", async () => {
    answers = [cut, json(200, { count: 1 }), json(200, { count: 1 })];
    const client = open();
    await client.create("data", { type: "create", data: [["a", 1]] });
    await client.create("data", { type: "create", data: [["a", 1]] });
    const ids = bodies.map((body) => body["request_id"]);
    assert.type(ids[0], "string");
    assert.is(ids[0], ids[1]);
    assert.is.not(ids[0], ids[2]);
  });

  test("calls that are unsafe to repeat, or that would fail again, are sent once", async () => {
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

  test("a call rejects with the last failure after all retries have failed", async () => {
    answers = [cut, cut, json(502, { message: "no host" })];
    const failure = await failureOf(open(2).get("securable"));
    assert.ok(failure instanceof ClientError && failure.status === 502);
    assert.is(bodies.length, 3);
    answers = [(response) => void response.writeHead(502).end("<html>")];
    const page = await failureOf(open(0).get("securable"));
    assert.ok(page instanceof ClientError && page.message === "the host responded with status 502");
  });
});
