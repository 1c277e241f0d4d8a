import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { capabilities } from "../../../connectors/rest/capabilities.ts";
import { createDriver } from "../../../connectors/rest/createDriver.ts";
import { rowsOfBatch, type Plugin } from "../../../plugins/protocol/index.ts";
import { createRowPlugin, openRequester } from "../../../plugins/rows/index.ts";
import { openReach } from "../../support/openReach.ts";
import { failureOf } from "../../support/refused.ts";
import { passTurns } from "../../support/passTurns.ts";
import { suite } from "../../support/suite.ts";

const windowMs = 20_000;
const pageCount = 5;

suite("connectors/rest and rate limits", (test) => {
  let server: Server;
  let base: string;
  let plugin: Plugin;
  let nowMs = Date.UTC(2026, 0, 1);
  let waits: number[] = [];
  /** Number of requests in each window. `limit` is the maximum number per window. */
  let counts = new Map<number, number>();
  let limit = 2;
  let refusedCount = 0;
  let announce: (response: ServerResponse, remaining: number, resetMs: number) => void;
  let account = 0;

  const plain: typeof announce = (response, remaining, resetMs) => {
    response.setHeader("X-RateLimit-Limit", limit);
    response.setHeader("X-RateLimit-Remaining", remaining);
    response.setHeader("X-RateLimit-Reset", Math.ceil((nowMs + resetMs) / 1000));
  };
  test.before(async () => {
    server = createServer((request, response) => {
      const window = Math.floor(nowMs / windowMs);
      const count = (counts.get(window) ?? 0) + 1;
      counts.set(window, count);
      const resetMs = (window + 1) * windowMs - nowMs;
      announce(response, Math.max(0, limit - count), resetMs);
      if (count > limit) {
        refusedCount++;
        if (!response.headersSent) response.statusCode = 429;
        return void response.end("{}");
      }
      const page = Number(new URL(request.url ?? "/", base).searchParams.get("page"));
      const rows = page <= pageCount ? [{ n: page }] : [];
      // Responses that are sent together need not arrive in order.
      setTimeout(() => response.end(JSON.stringify(rows)), count % 3);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const reach = openReach();
    const driver = createDriver({
      reach,
      timeoutMs: 60_000,
      requester: openRequester({ reach }),
      now: () => nowMs,
      sleep: async (ms) => {
        waits.push(ms);
        // The clock advances once all pending requests have arrived.
        const endMs = nowMs + ms;
        await new Promise((resolve) => setTimeout(resolve, 20));
        await passTurns(20);
        nowMs = Math.max(nowMs, endMs);
      },
    });
    plugin = createRowPlugin({ driver, capabilities, sizeBytes: 2 ** 24 });
  });
  test.beforeEach(() => {
    [waits, counts, refusedCount, limit] = [[], new Map(), 0, 2];
    nowMs = Math.ceil(nowMs / windowMs + 1) * windowMs;
    announce = plain;
    account++;
  });
  test.after(async () => {
    await plugin.close?.();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const readAll = async (limits: object = {}, tenant?: { readonly isBackground: boolean }) => {
    const api = {
      datasets: {
        pages: {
          path: "/",
          pages: { type: "number", parameter: "page" },
          columns: { n: "number" },
        },
      },
      limits: { retries: 0, waitS: 30, ...limits },
    };
    const credentials = {
      host: base,
      key: `account ${account}`,
      properties: { api: JSON.stringify(api) },
    };
    const query = {
      id: "pages",
      columns: [{ column_id: "n" }],
      filters: [],
      options: { pushdown: false },
    };
    const call = {
      credentials,
      signal: new AbortController().signal,
      // All accounts are in one organization, so that a single process parses their pages.
      tenant: { organization: "o", user: "u", ...tenant },
    };
    return rowsOfBatch(await plugin.query({ ...call, query }));
  };
  const all = Array.from({ length: pageCount }, (_, index) => [index + 1]);

  test("the connector waits for the next window before it sends a request that the server would refuse", async () => {
    assert.equal(await readAll(), all);
    assert.is(refusedCount, 0);
    assert.equal(waits, [windowMs, windowMs]);
  });

  test("calls with the same credentials together send only as many requests as remain in a window", async () => {
    limit = 3;
    // The limit is known once the first response has arrived.
    await readAll();
    nowMs += windowMs;
    counts.clear();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => readAll({}, { isBackground: true })),
    );
    for (const rows of answers) assert.equal(rows, all);
    assert.is(refusedCount, 0, JSON.stringify([...counts]));
    assert.ok(waits.length > 0);
  });

  test("a request is repeated after the time in Retry-After even if the server announces no rate limit", async () => {
    let isFirst = true;
    for (const text of [() => "7", () => new Date(nowMs + 7000).toUTCString()]) {
      isFirst = true;
      waits = [];
      account++;
      [limit, counts] = [100, new Map()];
      announce = (response) => {
        if (!isFirst) return;
        isFirst = false;
        response.writeHead(503, { "retry-after": text() });
      };
      assert.equal((await readAll({ retries: 1 })).at(-1), [pageCount]);
      assert.equal(waits, [7000]);
    }
  });

  test("a call fails at once if a rate limit requires a longer wait than limits.waitS, and the error says when to try again", async () => {
    const untilMs = nowMs + 3_600_000;
    announce = (response, remaining) => {
      response.setHeader("RateLimit", `"default";r=${remaining};t=3600`);
    };
    const failure = await failureOf(readAll());
    assert.is(failure.code, "PLUGIN_BUSY");
    assert.match(failure.message, /requires a wait of 3600 s, more than the 30 s of limits.waitS/);
    assert.match(failure.message, `try again after ${new Date(untilMs).toISOString()}`);
    const sent = counts.get(Math.floor(nowMs / windowMs));
    assert.match((await failureOf(readAll())).message, /try again after/);
    assert.is(counts.get(Math.floor(nowMs / windowMs)), sent, "the server was called again");
  });

  test("a call fails if a rate limit requires a wait beyond its deadline, but scheduled work waits", async () => {
    limit = 1;
    const failure = await failureOf(readAll());
    assert.is(failure.code, "PLUGIN_BUSY");
    assert.match(failure.message, /more than the \d+ s that the call has left; try again after/);
    assert.is(refusedCount, 0);
    account++;
    [nowMs, counts] = [nowMs + windowMs, new Map()];
    assert.equal(await readAll({}, { isBackground: true }), all);
  });

  test("a 403 response that reports no remaining requests causes a wait, not an error about credentials", async () => {
    announce = (response, remaining, resetMs) => {
      plain(response, remaining, resetMs);
      // Another client uses the limit too, and has used it up before the first request.
      if (counts.get(Math.floor(nowMs / windowMs)) === 1 && counts.size === 1) {
        response.setHeader("X-RateLimit-Remaining", 0);
        response.statusCode = 403;
      }
    };
    assert.equal(await readAll({ retries: 1 }), all);
  });
});
