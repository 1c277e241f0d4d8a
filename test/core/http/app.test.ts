import { brotliCompressSync, gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import type { ApiCall } from "../../../core/base/contracts/index.ts";
import { ApiError } from "../../../core/base/errors.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";
import { type FakeApp, openFakeApp, send } from "../../support/fakeApp.ts";

suite("core/http/app", (test) => {
  let app: FakeApp;
  const calls: ApiCall[] = [];
  const credentials = { key: "K", token: "T", version: "0.1.0" };
  const post = (body: unknown, path = "/0.1.0/column", method = "POST") =>
    send(`${app.url}${path}`, {
      method,
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  test.before(async () => {
    app = await openFakeApp({
      handlers: new Map([
        [
          "column",
          {
            get: async (call: ApiCall) => {
              calls.push(call);
              return { count: 0, rows: [] };
            },
            delete: async () => undefined,
            create: async () => {
              throw new PluginError("PLUGIN_SOURCE_FAILED", ["trips: it is down"]);
            },
            update: async () => {
              throw new TypeError("secret-canary in an internal message");
            },
            validate: async () => {
              throw new ApiError("MEMBER_INVALID", ["properties.order", "a number is needed"], {
                validation: { order: ["a number is needed"] },
              });
            },
          },
        ],
        ["securable", { get: async (call: ApiCall) => ({ resource: call.resource }) }],
      ]),
    });
  });
  test.after(() => app.close());

  for (const method of ["POST", "SEARCH", "PATCH", "DELETE", "LINK", "UNLINK"])
    test(`${method} runs the action that the body names`, async () => {
      const answer = await post(
        { action: "get", find: {}, ...credentials },
        "/0.1.0/column",
        method,
      );
      assert.is(answer.status, 200);
      assert.match(String(answer.headers["content-type"]), "application/json");
      assert.equal(answer.json(), { count: 0, rows: [] });
    });

  test("X-HTTP-Method-Override is ignored", async () => {
    const answer = await send(`${app.url}/0.1.0/column`, {
      headers: { "X-HTTP-Method-Override": "PATCH" },
      body: JSON.stringify({ action: "get", ...credentials }),
    });
    assert.is(answer.status, 200);
  });

  test("the search action is an alias of get, and the dataset and dashboard resources are aliases of securable", async () => {
    assert.is((await post({ action: "search", ...credentials })).status, 200);
    const dataset = await post({ action: "get", ...credentials }, "/0.1.0/dataset");
    assert.equal(dataset.json(), { resource: "securable" });
  });

  test("a path can name the action, which the body then repeats or leaves out", async () => {
    for (const body of [credentials, { action: "delete", ...credentials }])
      assert.equal((await post(body, "/0.1.0/column/delete")).json(), { code: 200 });
    const other = await post({ action: "get", ...credentials }, "/0.1.0/column/delete");
    assert.is(other.status, 400);
    assert.match(String(other.json()["message"]), /action.*"delete"/);
    assert.is((await post(credentials, "/0.1.0/column/fetch")).status, 400);
  });

  test("a handler that returns undefined produces a JSON response", async () => {
    assert.equal((await post({ action: "delete", ...credentials })).json(), { code: 200 });
  });

  test("wrong and missing credentials cause a 401 with the reason phrase Unauthorized", async () => {
    for (const body of [
      { action: "get" },
      { action: "get", key: "K" },
      { action: "get", key: "K", token: "wrong" },
    ]) {
      const answer = await post(body);
      assert.is(answer.status, 401);
      assert.is(answer.reason, "Unauthorized");
      assert.is((answer.json()["type"] as { code: string }).code, "UNAUTHORIZED");
    }
  });

  test("the credential check gets the caller's origin, and the caller's address as a trusted proxy reports it", async () => {
    const sources: unknown[] = [];
    const behind = await openFakeApp({
      proxyCount: 1,
      handlers: new Map([["column", { get: async () => ({}) }]]),
      authenticate: async (_body, source) => {
        sources.push(source);
        throw new ApiError("UNAUTHORIZED");
      },
    });
    const from = "203.0.113.9";
    try {
      for (const headers of [
        { "X-Forwarded-For": from },
        { "X-Forwarded-For": from, Origin: "https://a.example" },
      ])
        await send(`${behind.url}/0.1.0/column`, {
          headers,
          body: JSON.stringify({ action: "get", ...credentials }),
        });
    } finally {
      await behind.close();
    }
    assert.equal(sources, [
      { address: from, origin: undefined, session: undefined },
      { address: from, origin: "https://a.example", session: undefined },
    ]);
  });

  test("a client address in a request header is ignored unless a trusted proxy added it", async () => {
    const addresses: string[] = [];
    const alone = await openFakeApp({
      handlers: new Map([["column", { get: async () => ({}) }]]),
      authenticate: async (_body, { address }) => {
        addresses.push(address);
        throw new ApiError("UNAUTHORIZED");
      },
    });
    try {
      for (const header of [
        "X-Forwarded-For",
        "Forwarded",
        "X-Real-IP",
        "X-Client-IP",
        "Client-IP",
      ])
        await send(`${alone.url}/0.1.0/column`, {
          headers: { [header]: "203.0.113.9" },
          body: JSON.stringify({ action: "get", ...credentials }),
        });
    } finally {
      await alone.close();
    }
    assert.equal(new Set(addresses), new Set(["127.0.0.1"]));
  });

  test("an error body has a code, a type, a message and the request id of the response header", async () => {
    const answer = await post({ action: "validate", ...credentials });
    const body = answer.json();
    assert.is(answer.status, 400);
    assert.is(body["code"], 400);
    assert.equal(body["type"], { code: "MEMBER_INVALID", description: "Bad Request" });
    assert.equal(body["validation"], { order: ["a number is needed"] });
    assert.is(body["request_id"], answer.headers["x-request-id"]);
    assert.match(String(answer.headers["content-type"]), "application/json");
  });

  test("a plugin's error keeps its status, and its message names the plugin", async () => {
    const answer = await post({ action: "create", ...credentials });
    assert.is(answer.status, 502);
    assert.match(String(answer.json()["message"]), "trips: it is down");
  });

  test("an unexpected failure is logged with its request id and returns 500 without its message", async () => {
    const answer = await post({ action: "update", ...credentials });
    assert.is(answer.status, 500);
    assert.not.match(answer.text, "secret-canary");
    const line = app.logLines.find((each) => each.includes("secret-canary")) ?? "";
    assert.match(line, String(answer.json()["request_id"]));
  });

  test("the error for an unknown resource, action, method, version or path contains its name and the known names", async () => {
    const cases: [Promise<{ status: number; text: string }>, number, RegExp][] = [
      [post({ action: "get", ...credentials }, "/0.1.0/colunm"), 404, /colunm.*column, securable/],
      [post({ action: "fetch", ...credentials }), 400, /fetch.*create, get, update/],
      [post({ ...credentials }), 400, /action is required/],
      [
        post({ action: "associate", ...credentials }),
        400,
        /column does not support the action associate; it supports: get/,
      ],
      [post({ action: "get", ...credentials, version: "9.9.9" }), 400, /9\.9\.9.*0\.1\.0/],
      [post({ action: "get", ...credentials }, "/0.2.0/column"), 404, /0\.1\.0\/<resource>/],
      [post({}, "/"), 404, /0\.1\.0\/<resource>/],
      [post("", "/0.1.0/column", "PUT"), 405, /PUT.*POST/],
    ];
    for (const [answering, status, message] of cases) {
      const answer = await answering;
      assert.is(answer.status, status, answer.text);
      assert.match(answer.text, message);
    }
  });

  test("names that every JavaScript object has, such as constructor, are neither resources nor actions", async () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      assert.is((await post({ action: "get", ...credentials }, `/0.1.0/${name}`)).status, 404);
      assert.is((await post({ action: name, ...credentials })).status, 400);
    }
  });

  test("a body that is not a JSON object is refused", async () => {
    for (const body of ["", "{", "[]", "null", "3", '"x"', "<html>", "\u0000"]) {
      const answer = await post(body);
      assert.is(answer.status, 400, body);
    }
    const latin1 = await send(`${app.url}/0.1.0/column`, {
      body: Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x7d]),
    });
    assert.is(latin1.status, 400);
    const form = await send(`${app.url}/0.1.0/column`, {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "action=get",
    });
    assert.is(form.status, 415);
  });

  test("a body may be nested at most 64 levels deep", async () => {
    const nested = (depth: number) =>
      `{"action":"get","key":"K","token":"T","find":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    assert.is((await post(nested(64))).status, 200);
    const answer = await post(nested(65));
    assert.is(answer.status, 400);
    assert.match(answer.text, /deeper than 64/);
    assert.is((await post(nested(400_000))).status, 400);
  });

  test("a gzip body is accepted, but a damaged body or an unknown encoding is refused", async () => {
    const body = gzipSync(JSON.stringify({ action: "get", ...credentials }));
    const headers = { "Content-Encoding": "gzip" };
    assert.is((await send(`${app.url}/0.1.0/column`, { headers, body })).status, 200);
    assert.is(
      (await send(`${app.url}/0.1.0/column`, { headers, body: body.subarray(0, 20) })).status,
      400,
    );
    const unknown = await send(`${app.url}/0.1.0/column`, {
      headers: { "Content-Encoding": "pigeon" },
      body: "{}",
    });
    assert.is(unknown.status, 415);
  });

  test("a brotli body is refused, and the error lists the supported encodings", async () => {
    const answer = await send(`${app.url}/0.1.0/column`, {
      headers: { "Content-Encoding": "br" },
      body: brotliCompressSync(JSON.stringify({ action: "get", ...credentials })),
    });
    assert.is(answer.status, 415);
    assert.match(answer.text, /br is not supported; send identity, gzip or deflate/);
  });

  test("a preflight allows the JSON content type and every HTTP method of existing clients", async () => {
    const answer = await send(`${app.url}/0.1.0/column`, { method: "OPTIONS" });
    assert.is(answer.status, 204);
    assert.is(answer.headers["access-control-allow-origin"], "*");
    for (const verb of ["POST", "SEARCH", "PATCH", "DELETE", "LINK", "UNLINK"])
      assert.match(String(answer.headers["access-control-allow-methods"]), verb);
    assert.match(String(answer.headers["access-control-allow-headers"]), "Content-Type");
  });

  test("responses and errors have headers that allow any origin but forbid content sniffing and caching", async () => {
    for (const answer of [await post({ action: "get", ...credentials }), await post("{")]) {
      assert.is(answer.headers["access-control-allow-origin"], "*");
      assert.is(answer.headers["x-content-type-options"], "nosniff");
      assert.is(answer.headers["cache-control"], "no-store");
    }
  });

  test("healthz, readyz and openapi.json need no credentials", async () => {
    for (const path of ["/healthz", "/readyz", "/openapi.json"]) {
      const answer = await send(`${app.url}${path}`, { method: "GET" });
      assert.is(answer.status, 200, path);
      assert.match(String(answer.headers["content-type"]), "application/json");
    }
  });

  test("readyz returns 503 and names the part that failed", async () => {
    const broken = await openFakeApp({
      readiness: async () => ({ ready: false, parts: { catalog: "failed", store: "ok" } }),
    });
    const answer = await send(`${broken.url}/readyz`, { method: "GET" });
    await broken.close();
    assert.is(answer.status, 503);
    assert.equal(answer.json(), { status: "not ready", catalog: "failed", store: "ok" });
  });

  test("log lines never contain keys, tokens or bodies", async () => {
    await post({ action: "get", key: "K", token: "T", find: { where: { name: "canary-value" } } });
    await post({ action: "get", key: "canary-key", token: "canary-token" });
    assert.is(
      app.logLines.filter(
        (line) =>
          line.includes("canary-value") ||
          line.includes("canary-key") ||
          line.includes("canary-token"),
      ).length,
      0,
    );
  });
});
