import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import type { ApiCall, Principal } from "../../../../core/base/contracts/index.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import type { UnparsedJson } from "../../../../core/base/index.ts";
import { createCallLimits } from "../../../../core/http/middleware/index.ts";
import { PluginError } from "../../../../plugins/protocol/index.ts";
import { eventually } from "../../../support/eventually.ts";
import { passTurns } from "../../../support/passTurns.ts";
import { type FakeApp, openFakeApp, send } from "../../../support/fakeApp.ts";
import { layer, rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const mebibyte = 2 ** 20;
const good = '"action":"get","key":"K","token":"T"';

suite("core/http/middleware/body", (test) => {
  let app: FakeApp;
  /** An app for embed tokens and private links. The key in a body selects the type of token. */
  let embedded: FakeApp;
  /** An app with very short time limits for bodies. */
  let hasty: FakeApp;
  const failed: number[] = [];
  const authenticated: unknown[] = [];
  const bodies: ApiCall["body"][] = [];
  const handlers = {
    async get({ body }: ApiCall) {
      bodies.push(body);
      return { count: 0, rows: [] };
    },
    create: async ({ body }: ApiCall) => ({ size: JSON.stringify(body).length }),
  };
  const noLimits = {
    admit: () => undefined,
    failed: (_: string, cost = 1) => void failed.push(cost),
    called: () => undefined,
    visited: () => undefined,
  };

  const visitor = (type: Principal["authorizationType"]): Principal => {
    const issuer: Principal = {
      authorizationId: "00000000-0000-4000-8000-000000000001",
      authorizationType: "api",
      userId: "00000000-0000-4000-8000-000000000002",
      organizationId: "00000000-0000-4000-8000-000000000003",
      organizationRole: "owner",
      name: "Ada",
      email: "ada@example.org",
    };
    return {
      ...issuer,
      authorizationType: type,
      restriction: {
        issuer,
        role: "viewer",
        securables: new Map(),
        collections: new Map(),
        integrationId: undefined,
        filters: [],
        parameters: new Map(),
        hiddenColumns: new Set(),
        accountOverrides: new Map(),
        environment: null,
        metadata: undefined,
      },
    };
  };

  test.before(async () => {
    embedded = await openFakeApp({
      handlers: new Map(["data", "securable"].map((name) => [name, handlers])),
      limits: noLimits,
      bodyTimes: { stallMs: 60_000, wholeMs: 60_000, lingerMs: 60_000 },
      async authenticate({ key }) {
        const type = ["embed", "share", "sso", "temporary"].find((each) => each === key);
        if (type) return visitor(type as Principal["authorizationType"]);
        throw new ApiError("UNAUTHORIZED");
      },
    });
    app = await openFakeApp({
      handlers: new Map(["data", "securable", "column"].map((name) => [name, handlers])),
      limits: noLimits,
      bodyTimes: { stallMs: 60_000, wholeMs: 60_000, lingerMs: 60_000 },
    });
    hasty = await openFakeApp({
      handlers: new Map([["data", handlers]]),
      limits: noLimits,
      bodyTimes: { stallMs: 100, wholeMs: 300, lingerMs: 100 },
    });
  });
  test.after(async () => {
    await app.close();
    await embedded.close();
    await hasty.close();
  });
  test.beforeEach(() => {
    for (const list of [failed, authenticated, bodies]) list.length = 0;
  });

  const post = (resource: string, body: string | Buffer, headers = {}) =>
    send(`${app.url}/0.1.0/${resource}`, { body, headers });
  const codeOf = (answer: { json(): Record<string, unknown> }) =>
    (answer.json()["type"] as { code: string }).code;
  const filled = (bytes: number) => `{${good},"x":${JSON.stringify("x".repeat(bytes))}}`;
  const list = (count: number) => `{${good},"x":[${"0,".repeat(count)}0]}`;
  const open = async (head: string, { url } = app): Promise<Socket> => {
    const { port } = new URL(url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(head);
    return socket;
  };
  /** Reads a response until it is complete or the connection closes. */
  const answerOf = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      let text = "";
      socket.on("data", (chunk) => {
        text += String(chunk);
        if (/\r\n\r\n.*\}$/s.test(text)) resolve(text);
      });
      socket.on("close", () => resolve(text));
    });

  test("a body may be up to 1 MiB for most resources, 8 MiB for dashboards and 64 MiB for data", async () => {
    for (const [resource, bytes] of [
      ["column", mebibyte],
      ["securable", 8 * mebibyte],
      ["data", 64 * mebibyte],
    ] as const) {
      const body = `{${good.replace("get", "create")}}`;
      const head = `POST /0.1.0/${resource} HTTP/1.1\r\nHost: h\r\nContent-Length: ${bytes + 1}\r\n\r\n`;
      const declared = await open(head + body);
      const text = await answerOf(declared);
      declared.destroy();
      assert.match(text, /^HTTP\/1.1 413 .*REQUEST_TOO_LARGE/s);
      assert.match(text, `${bytes} bytes, the maximum for ${resource}`);
      if (resource !== "column" && layer === "quick") continue;
      const padded = body.padEnd(bytes, " ");
      assert.is((await post(resource, padded)).status, 200, resource);
      const answer = await post(resource, `${padded} `);
      assert.equal([answer.status, codeOf(answer)], [413, "REQUEST_TOO_LARGE"]);
      assert.match(answer.text, `${bytes} bytes, the maximum for ${resource}`);
    }
  });

  test("a compressed body is refused if it is too large when decompressed, or earlier if it expands too much", async () => {
    const headers = { "Content-Encoding": "gzip" };
    const large = await post("column", gzipSync(Buffer.alloc(3 * mebibyte, 0x20)), headers);
    assert.is(codeOf(large), "REQUEST_TOO_LARGE");
    const dense = Buffer.from(filled(0).padEnd(40 * mebibyte, " "));
    const bomb = await post("data", gzipSync(dense), headers);
    assert.equal([bomb.status, codeOf(bomb)], [413, "REQUEST_TOO_PACKED"]);
    const rows = Array.from({ length: 10_000 }, (_, row) => [
      "Ghent",
      row,
      "2024-01-05",
      row * 0.1,
    ]);
    const push = JSON.stringify({
      action: "create",
      key: "K",
      token: "T",
      properties: { data: rows },
    });
    assert.is((await post("data", gzipSync(push), headers)).status, 200);
  });

  test.deep(
    "the body of a query with an API token may be up to 16 MiB, wherever the body names the action",
    async () => {
      const pair = '"key":"K","token":"T"';
      const size = 16 * mebibyte;
      for (const body of [`{"action":"get",${pair}}`, `{${pair},"x":0}`]) {
        const { status } = await post("data", body.padEnd(size, " "));
        assert.is(status, body.includes("get") ? 200 : 400);
      }
      const first = await post("data", `{"action":"explain",${pair}}`.padEnd(size + 1, " "));
      assert.equal([first.status, codeOf(first)], [413, "REQUEST_TOO_LARGE"]);
      assert.match(first.text, `${size} bytes, the maximum for explain data`);
      const last = await post(
        "data",
        `{${pair},"x":"${" ".repeat(2 * mebibyte)}","y":[${"[],".repeat(1_100_000)}0],"action":"get"}`,
      );
      assert.equal([last.status, codeOf(last)], [413, "REQUEST_TOO_MANY_VALUES"]);
      assert.is(bodies.length, 1);
    },
  );

  test("a body with an embed token or private link may have at most 1 MiB and 65,536 values, for any resource", async () => {
    for (const type of ["embed", "share", "sso", "temporary"])
      for (const [resource, action] of [
        ["data", "get"],
        ["data", "create"],
        ["securable", "create"],
      ]) {
        // The quick layer tries only embed tokens with every resource, and the other types only with `get`.
        if (layer === "quick" && type !== "embed" && action !== "get") continue;
        const sent = (body: string) => send(`${embedded.url}/0.1.0/${resource}`, { body });
        const pair = `"key":"${type}","token":"T"`;
        const within = `{"action":"${action}",${pair}}`.padEnd(mebibyte, " ");
        assert.is(
          (await sent(within)).status,
          action === "get" ? 200 : 403,
          `${type} ${action} ${resource}`,
        );
        for (const body of [
          `{"action":"${action}",${pair}}`.padEnd(mebibyte + 1, " "),
          `{"action":"${action}","x":"${"x".repeat(mebibyte)}",${pair}}`,
          `{"x":"${"x".repeat(mebibyte)}","action":"${action}",${pair}}`,
        ]) {
          const answer = await sent(body);
          assert.equal(
            [answer.status, codeOf(answer)],
            [413, "REQUEST_TOO_LARGE"],
            body.slice(0, 60),
          );
          assert.match(answer.text, `${mebibyte} bytes`);
        }
        const many = await sent(`{"action":"${action}",${pair},"x":[${"0,".repeat(70_000)}0]}`);
        assert.equal([many.status, codeOf(many)], [413, "REQUEST_TOO_MANY_VALUES"]);
      }
    assert.is(bodies.length, 4);
  });

  test("a large body with an embed token is refused as soon as the token has arrived", async () => {
    const head = (start: string) =>
      `POST /0.1.0/data HTTP/1.1\r\nHost: h\r\nContent-Length: 20000000\r\n\r\n${start}`;
    const known = await open(head('{"key":"embed","token":"T","x":['), embedded);
    assert.match(await answerOf(known), /^HTTP\/1.1 413 .*a token of type embed/s);
    known.destroy();
    const unknown = await open(head(`{"x":["${"x".repeat(mebibyte)}`), embedded);
    assert.match(await answerOf(unknown), /^HTTP\/1.1 413 .*send action, key and token before/s);
    unknown.destroy();
  });

  const pushedRowCount = rounds({ quick: 20_000, deep: 200_000 });

  test("the body of a push may end with key and token, as the SDKs send them", async () => {
    const rows = `"properties":{"data":[${'["Ghent",1],'.repeat(pushedRowCount)}["Ghent",1]]}`;
    const answer = await post("data", `{"action":"create",${rows},"key":"K","token":"T"}`);
    assert.is(answer.status, 200);
  });

  test("the number of values and members, the length of strings and the depth of a body are limited for every caller", async () => {
    for (const [body, code] of [
      [list(70_000), "REQUEST_TOO_MANY_VALUES"],
      [
        `{${Array.from({ length: 101 }, (_, index) => `"m${index}":0`)}}`,
        "REQUEST_TOO_MANY_VALUES",
      ],
      [`{${good},"x":${"[".repeat(70)}${"]".repeat(70)}}`, "REQUEST_TOO_DEEP"],
    ] as const)
      assert.is(codeOf(await post("column", body)), code);
    assert.is((await post("column", list(60_000))).status, 200);
    assert.is((await post("data", list(rounds({ quick: 100_000, deep: 600_000 })))).status, 200);
    const long = filled(5 * mebibyte).replace("get", "create");
    assert.is(codeOf(await post("securable", long)), "REQUEST_TEXT_TOO_LONG");
  });

  test("a body with a wrong key is never parsed, wherever its key and token are", async () => {
    const { parse } = JSON;
    let parsedBytes = 0;
    JSON.parse = (text: string, ...rest: []) => {
      parsedBytes += text.length;
      return parse(text, ...rest) as unknown;
    };
    try {
      const many = `"x":[${"{},".repeat(20_000)}{}]`;
      for (const body of [
        `{"key":"K","token":"wrong",${many}}`,
        `{${many},"key":"K","token":"wrong"}`,
        `{${many}}`,
        `{"key":"K",${many},"token":7}`,
      ])
        assert.is((await post("data", body)).status, 401);
    } finally {
      JSON.parse = parse;
    }
    assert.is(parsedBytes, 0);
  });

  test("a body that starts with a wrong key and token is refused before the rest has arrived", async () => {
    const socket = await open(
      'POST /0.1.0/data HTTP/1.1\r\nHost: h\r\nContent-Length: 60000000\r\n\r\n{"key":"K","token":"wrong","x":[',
    );
    const text = await answerOf(socket);
    assert.match(text, /^HTTP\/1.1 401 Unauthorized/);
    assert.match(text, /UNAUTHORIZED/);
  });

  test("after refusing a body, the host reads the rest for a while, so that the client can read the error", async () => {
    const head = "POST /0.1.0/data HTTP/1.1\r\nHost: h\r\nContent-Length: 60000000\r\n\r\n";
    const socket = await open(`${head}{"key":"K","token":"wrong","x":[`, hasty);
    const closed = once(socket, "close");
    assert.match(await answerOf(socket), /^HTTP\/1.1 401 /);
    assert.ok(socket.write("0,0,0,"));
    await closed;
  });

  test("a key after deep nesting or with escapes is read the same way before and after parsing", async () => {
    assert.is(
      (await post("column", '{"action":"get","find":{"key":"K","token":"T"}}')).status,
      401,
    );
    const spelt = '{"action":"get","\\u006bey":"\\u004b","token":"T"}';
    assert.is((await post("column", spelt)).status, 200);
  });

  test("a body with a duplicate member is refused, however its name is escaped", async () => {
    for (const twice of [
      `{${good},"key":"other"}`,
      `{${good},"find":{},"find":{}}`,
      `{${good},"\\u0074oken":"T"}`,
    ]) {
      const answer = await post("column", twice);
      assert.equal([answer.status, codeOf(answer)], [400, "REQUEST_MEMBER_TWICE"]);
    }
  });

  test("a body with a byte order mark is refused, in UTF-8 and UTF-16", async () => {
    for (const bytes of [
      Buffer.from(`\uFEFF{${good}}`),
      Buffer.from(`\uFEFF{${good}}`, "utf16le"),
      Buffer.from(`{${good}}`, "utf16le"),
    ])
      assert.is((await post("column", bytes)).status, 400);
    assert.match((await post("column", `\uFEFF{${good}}`)).text, /byte order mark/);
  });

  test("a request with both Content-Length and Transfer-Encoding never reaches a resource", async () => {
    const body = `{${good}}`;
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    for (const lines of [
      `Content-Length: ${body.length}\r\nTransfer-Encoding: chunked`,
      `Transfer-Encoding: chunked\r\nContent-Length: 6`,
      "Transfer-Encoding: chunked, identity",
      `Content-Length: ${body.length}\r\nContent-Length: 6`,
    ]) {
      const socket = await open(
        `POST /0.1.0/column HTTP/1.1\r\nHost: h\r\n${lines}\r\n\r\n${chunked}`,
      );
      assert.match(await answerOf(socket), /^HTTP\/1.1 400 /, lines);
    }
    assert.equal(bodies, []);
  });

  test("failed calls of unknown callers count against their address, weighted by the work that they caused", async () => {
    const wrong = (bytes: number) => `{"key":"K","token":"wrong","x":"${"x".repeat(bytes)}"}`;
    for (const [body, headers, cost] of [
      [wrong(0), {}, 1],
      [wrong(3.5 * mebibyte), {}, undefined],
      ["{", {}, 1],
      ["{}", { "Content-Encoding": "br" }, 1],
      ["{}", { "Content-Type": "text/html" }, 1],
    ] as const) {
      failed.length = 0;
      assert.ok((await post("data", body, headers)).status >= 400);
      assert.is(failed.length, 1);
      if (cost) assert.is(failed[0], cost);
    }
    failed.length = 0;
    const late = `{"action":"create","x":"${"x".repeat(3.5 * mebibyte)}","key":"K","token":"wrong"}`;
    assert.is((await post("data", late)).status, 401);
    assert.equal(failed, [4]);
    failed.length = 0;
    assert.is((await post("column", `{${good}, nonsense}`)).status, 400);
    assert.equal(failed, [], "A known caller is charged by its token.");
  });

  test("a call from an address with too many failures is refused before its body is read", async () => {
    const limits = createCallLimits({
      callsPerSecond: 10,
      callBurst: 200,
      failuresPerMinute: 3,
      now: () => 0,
    });
    const own = await openFakeApp({ limits, handlers: new Map([["data", handlers]]) });
    try {
      const large = `{"action":"create","x":"${"x".repeat(3 * mebibyte)}","key":"K","token":"wrong"}`;
      assert.is((await send(`${own.url}/0.1.0/data`, { body: large })).status, 401);
      const answer = await send(`${own.url}/0.1.0/data`, { body: `{${good}}` });
      assert.equal([answer.status, answer.headers["retry-after"]], [429, "40"]);
    } finally {
      await own.close();
    }
  });

  test.deep(
    "the incomplete bodies from one address use at most a quarter of the memory budget",
    async () => {
      const half = `POST /0.1.0/data HTTP/1.1\r\nHost: h\r\nContent-Length: ${40 * mebibyte}\r\n\r\n{"action":"create","x":"`;
      const first = await open(half);
      const second = await open(half);
      const answering = Promise.race([answerOf(first), answerOf(second)]);
      const texts = `${"x".repeat(2 * mebibyte)}","y":"`;
      for (let part = 0; part < 18; part++)
        for (const socket of [first, second]) socket.write(texts.replace('"y"', `"y${part}"`));
      const refused = await answering;
      assert.match(refused, /^HTTP\/1.1 503 /);
      assert.match(refused, /HOST_BUSY/);
      assert.match(refused, /retry-after: 2/i);
      first.destroy();
      second.destroy();
      while ((await post("data", filled(mebibyte))).status !== 200)
        await new Promise((resolve) => setTimeout(resolve, 20));
    },
  );

  test("a body that arrives too slowly or stops arriving causes a 408", async () => {
    const head = "POST /0.1.0/data HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n";
    const stalled = await answerOf(await open(`${head}{"x":`, hasty));
    assert.match(stalled, /^HTTP\/1.1 408 /);
    assert.match(stalled, /REQUEST_TIMEOUT/);
    const dripping = await open(`${head}{"x":"`, hasty);
    const drip = setInterval(() => dripping.write("x"), 20);
    const text = await answerOf(dripping);
    clearInterval(drip);
    assert.match(text, /^HTTP\/1.1 408 /);
  });

  test("a client that disconnects while it sends its body is logged at level info without a stack", async () => {
    app.logLines.length = 0;
    let requestCount = 0;
    const count = () => void requestCount++;
    subscribe("http.server.request.start", count);
    for (const encoding of ["identity", "gzip"]) {
      const socket = await open(
        `POST /0.1.0/data HTTP/1.1\r\nHost: h\r\nContent-Encoding: ${encoding}\r\nContent-Length: 1000\r\n\r\n{"x":`,
      );
      const before = app.logLines.length;
      await eventually(() => requestCount > 0, "the request has begun");
      requestCount = 0;
      await passTurns(10);
      socket.destroy();
      await eventually(() => app.logLines.length > before, "the disconnect is logged");
    }
    unsubscribe("http.server.request.start", count);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const lines = app.logLines.map((line) => JSON.parse(line) as { level: number; err?: unknown });
    assert.ok(
      lines.every(({ level, err }) => level <= 30 && !err),
      app.logLines.join(""),
    );
  });

  test("a large body is parsed in slices without exceeding its time limit", async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => [row, "x", null]);
    const answer = await post("data", `{${good},"properties":${JSON.stringify({ rows })}}`);
    assert.is(answer.status, 200);
    assert.equal(bodies[0]?.["properties"], { rows });
  });

  test("the error for a string that PostgreSQL cannot store names the member", async () => {
    for (const [resource, members, message] of [
      [
        "column",
        '"properties":{"name":{"en":"a\\u0000"}}',
        /properties\.name\.en contains the character NUL/,
      ],
      ["column", '"find":{"where":[1,{"x\\u0000":2}]}', /find\.where\[1\] contains .* in the name/],
      [
        "securable",
        '"find":{"search":{"securable_types":"\\u0000"}}',
        /find\.search\.securable_types/,
      ],
      [
        "data",
        '"properties":{"options":{"header":["a","b\\ud800"]}}',
        /header\[1\] contains an unpaired surr/,
      ],
      ["data", '"properties":{"options":{"name":{"en":"\\u0000"}}}', /options\.name\.en/],
    ] as const) {
      const answer = await post(resource, `{${good},${members}}`);
      assert.equal([answer.status, codeOf(answer)], [400, "REQUEST_TEXT_INVALID"]);
      assert.match(answer.text, message);
    }
    const signIn = await send(`${app.url}/auth/vi`, {
      body: '{"email":"a\\u0000","password":"p"}',
    });
    assert.equal([signIn.status, codeOf(signIn)], [400, "REQUEST_TEXT_INVALID"]);
  });

  test("pushed rows and filter values may contain any string, including surrogate pairs", async () => {
    for (const members of [
      '"properties":{"data":[["\\u0000","\\ud800"]]}',
      '"find":{"queries":[{"where":[{"expression":"? = ?","parameters":[{},"\\u0000"]}]}]}',
      '"properties":{"options":{"name":{"en":"\\ud83d\\ude00"}}}',
    ])
      assert.is((await post("data", `{${good},${members}}`)).status, 200, members);
  });

  test("paths with doubled, encoded or other unusual slashes match no resource", async () => {
    for (const path of [
      "//0.1.0/column",
      "/0.1.0//column",
      "/0.1.0%2fcolumn",
      "/0.1.0/column%2f",
      "/0.1.0/column%2f..%2fsecurable",
      "/0.1.0/..;/column",
      "/0.1.0/%5ccolumn",
      "/0.1.0/COLUMN",
      "/healthz%2f..%2f0.1.0/column",
      "/0.1.0/%zz",
      "/0.1.0/%00",
    ]) {
      const { port } = new URL(app.url);
      const body = `{${good}}`;
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      assert.match(await answerOf(socket), /^HTTP\/1.1 40[04] /, path);
    }
    assert.equal(bodies, []);
  });

  test("an internal error while a caller is identified does not count towards the limit of its address", async () => {
    const own = await openFakeApp({
      limits: noLimits,
      handlers: new Map([["data", handlers]]),
      authenticate: () => Promise.reject(new ApiError("HOST_BUSY", ["tests"], { retryAfterS: 7 })),
    });
    try {
      const answer = await send(`${own.url}/0.1.0/data`, { body: `{${good}}` });
      assert.equal([answer.status, answer.headers["retry-after"]], [503, "7"]);
      assert.equal(failed, []);
    } finally {
      await own.close();
    }
  });

  test("the memory of large rows is reused after an answer or a refusal, and not after another error", async () => {
    const memories: unknown[] = [];
    const outcomes = [
      undefined,
      new ApiError("CONFLICT", ["a test"]),
      new PluginError("PLUGIN_TIMEOUT", ["a test"]),
      undefined,
    ];
    const create = async ({ body }: ApiCall) => {
      const { data } = body.properties as { readonly data: UnparsedJson };
      const failure = outcomes[memories.push(data.bytes.buffer) - 1];
      if (failure) throw failure;
      return { count: 0, rows: [] };
    };
    const own = await openFakeApp({ limits: noLimits, handlers: new Map([["data", { create }]]) });
    try {
      const rows = JSON.stringify(Array.from({ length: 4000 }, (_, row) => [`row ${row}`]));
      const body = `{"action":"create","key":"K","token":"T","properties":{"data":${rows}}}`;
      for (const _ of outcomes) await send(`${own.url}/0.1.0/data`, { body });
      const [first, second, third, fourth] = memories;
      assert.ok(first instanceof SharedArrayBuffer);
      assert.is(second, first);
      assert.is(third, first);
      assert.is.not(fourth, first);
    } finally {
      await own.close();
    }
  });
});
