import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import * as assert from "uvu/assert";
import { checkPlugin, findingsOf, type WireTarget } from "../../../plugins/conformance/index.ts";
import { serve } from "../../../plugins/sdk/index.ts";
import { openLegacyPlugin } from "../../support/legacyPlugin.ts";
import { suite } from "../../support/suite.ts";
import { plantedPlugin } from "./plantedLiars.ts";

const secret = "wire-secret-18c2";
const credentials = { token: "token-of-the-account", properties: {} };

interface Exchange {
  readonly request: IncomingMessage;
  readonly sent: string;
  readonly status: number;
  readonly body: string;
  readonly response: ServerResponse;
}

/** Serves the honest plugin behind a proxy that changes the plugin's answers. Returns the kit's findings. */
async function namesOf(
  change: (exchange: Exchange) => void | Promise<void>,
  { addsSecret = false, inner = plantedPlugin() } = {},
): Promise<string[]> {
  const served = await serve(inner, { secret, onError: () => {} });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = Buffer.concat(chunks).toString();
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => /^(x-|content-type)/.test(name)),
    ) as Record<string, string>;
    const got = await fetch(`${served.url}${request.url}`, {
      method: request.method ?? "GET",
      headers: { ...headers, ...(addsSecret && { "x-secret": secret }) },
      ...(sent && { body: sent }),
    });
    await change({ request, sent, status: got.status, body: await got.text(), response });
    if (!response.writableEnded && !response.destroyed)
      pass({ status: got.status, body: "", response });
  };
  // Some of these proxies close connections on purpose.
  const front = createServer((request, response) => void answer(request, response).catch(() => {}));
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const { port } = front.address() as AddressInfo;
  try {
    return await wireFindings({
      url: `http://127.0.0.1:${port}`,
      protocolVersion: "manifold-1",
      secret,
    });
  } finally {
    front.closeAllConnections();
    front.close();
    await served.close();
  }
}

async function wireFindings(wire: WireTarget): Promise<string[]> {
  const plugin = plantedPlugin();
  const report = await checkPlugin({
    plugin,
    credentials,
    wire,
    seed: 1,
    queryCount: 1,
    checksUnclaimed: false,
  });
  return findingsOf(report).map(({ does }) => does);
}

function pass({ status, body, response }: Pick<Exchange, "status" | "body" | "response">): void {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}

const failed = ({ status }: Exchange) => status >= 400;
const error = (code: number, message: string) =>
  JSON.stringify({ type: { code, description: "X" }, message });

const fronts: readonly (readonly [
  does: string,
  RegExp,
  (exchange: Exchange) => void | Promise<void>,
])[] = [
  [
    "shows the token in an error",
    /^shows the token in an error: message is "login of ‹the token› failed"$/,
    (exchange) => {
      const { "x-token": token } = exchange.request.headers;
      if (!failed(exchange)) return pass(exchange);
      pass({ ...exchange, body: error(exchange.status, `login of ${String(token)} failed`) });
    },
  ],
  [
    "shows a stack trace in an error",
    /^shows a stack trace in an error$/,
    (exchange) => {
      if (!failed(exchange)) return pass(exchange);
      const stack = "Error: no\n    at query (/srv/plugin/query.js:12:7)";
      pass({ ...exchange, body: error(exchange.status, stack) });
    },
  ],
  [
    "returns no rows for a dataset that does not exist",
    /^answers a query of a dataset that does not exist with 200$/,
    (exchange) =>
      exchange.status === 422 && exchange.sent.includes("no such dataset")
        ? pass({ ...exchange, status: 200, body: '{"rowCount":0,"columns":[]}' })
        : pass(exchange),
  ],
  [
    "returns 500 for a mistake of the caller",
    /^refuses a body that is not JSON with 500, not 400$/,
    (exchange) =>
      exchange.status === 400
        ? pass({ ...exchange, status: 500, body: error(500, "no") })
        : pass(exchange),
  ],
  [
    "returns an error in plain text",
    /in a form that does not follow the protocol: the body is not a JSON object$/,
    (exchange) => pass(failed(exchange) ? { ...exchange, body: "no" } : exchange),
  ],
  [
    "closes the connection during a long answer",
    /^truncates its answers$/,
    ({ status, body, response }) => {
      if (body.length < 2000) return pass({ status, body, response });
      response.writeHead(status, { "content-length": String(Buffer.byteLength(body)) });
      response.write(body.slice(0, 1000), () => response.destroy());
    },
  ],
  [
    "ends a long answer early, as if it were complete",
    /^returns incomplete JSON$/,
    (exchange) => pass({ ...exchange, body: exchange.body.slice(0, 2000) }),
  ],
];

suite("plugins/conformance/wire", (test) => {
  test("a plugin that is built with the SDK passes every check of its HTTP responses", async () => {
    assert.equal(await namesOf(pass), []);
  });

  for (const version of ["1.0.0", "1.1.0", "2.0.0", "3.0.0"] as const)
    (version === "1.0.0" ? test : test.deep)(
      `a plugin that speaks protocol version ${version} passes every wire check`,
      async () => {
        const rows = Array.from({ length: 50 }, (_, row) => [`text ${row}`, row, null]);
        const [dataset] = await plantedPlugin().datasets({
          credentials,
          signal: new AbortController().signal,
        });
        const { id = "", name = {}, columns = [] } = dataset ?? {};
        const plugin = await openLegacyPlugin({
          version,
          pushdown: false,
          secret,
          datasets: [{ id, name, columns, rows }],
        });
        try {
          const found = await wireFindings({ url: plugin.url, protocolVersion: version, secret });
          assert.equal(found, []);
        } finally {
          await plugin.close();
        }
      },
    );

  for (const [at, [does, name, change]] of fronts.entries())
    // The quick layer tries only one of these proxies, and the deep layer all of them.
    (at === 0 ? test : test.deep)(`the conformance kit detects a plugin that ${does}`, async () => {
      const found = await namesOf(change);
      assert.ok(
        found.some((each) => name.test(each)),
        found.join("; "),
      );
    });

  test("the conformance kit detects a plugin that ignores the secret", async () => {
    const found = await namesOf(pass, { addsSecret: true });
    assert.ok(found.includes("answers with a wrong secret"), found.join("; "));
    assert.ok(found.includes("answers without a secret"), found.join("; "));
  });

  test("the conformance kit detects a plugin that mixes up concurrent callers", async () => {
    let shared = "";
    const found = await namesOf(async (exchange) => {
      shared = exchange.body;
      // During these turns, another caller's answer may replace this answer.
      for (let turn = 0; turn < 50; turn++) await setImmediate();
      pass({ ...exchange, body: failed(exchange) ? exchange.body : shared });
    });
    assert.ok(found.includes("returns the answer of another caller"), found.join("; "));
  });

  test.deep(
    "the conformance kit detects a plugin that stops responding after callers have disconnected",
    async () => {
      let isDown = false;
      const found = await namesOf(async ({ status, body, response }) => {
        if (isDown) return void response.destroy();
        response.writeHead(status, { "content-type": "application/json" });
        response.flushHeaders();
        for (let turn = 0; turn < 200 && !response.destroyed; turn++) await setImmediate();
        isDown ||= response.destroyed;
        response.end(body);
      });
      assert.ok(
        found.includes("stops responding after callers have disconnected"),
        found.join("; "),
      );
    },
  );
});
