import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest, type ClientRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as assert from "uvu/assert";
import { rounds } from "../../../support/layer.ts";
import { type ApiCall, jsonType } from "../../../../core/base/contracts/index.ts";
import type { Plugin } from "../../../../plugins/protocol/index.ts";
import { openStrata } from "../../../../plugins/strata/index.ts";
import { type FakeApp, openFakeApp, send } from "../../../support/fakeApp.ts";
import { createPlainHost, principalOf, type PlainHostOptions } from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { suite } from "../../../support/suite.ts";

const rowCount = rounds({ quick: 1_000_000, deep: 1_500_000 });
const columns = [
  { id: "key", type: "numeric" },
  { id: "value", type: "numeric" },
] as const;
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const count = { column_id: "*", dataset_id: "D", aggregation: "count" };
const short = { measures: [count], where: [{ expression: "? = ?", parameters: [ref("key"), 1] }] };
const long = {
  dimensions: [ref("key")],
  measures: ["median", "distinctcount"].map((type) => ref("value", { aggregation: { type } })),
  limit: { by: 10 },
};

suite("core/queries: a client that disconnects", (test) => {
  const opened: FakeApp[] = [];
  let dir: string;
  let strata: Plugin;
  const call = { credentials: { properties: {} }, signal: new AbortController().signal };

  const openApp = async (options: Partial<PlainHostOptions>): Promise<FakeApp> => {
    const { queries } = await createPlainHost({ columns, rows: [], ...options });
    const get = ({ body, signal, mediaType = jsonType }: ApiCall) =>
      queries.write(body["find"], principalOf("ada"), signal, mediaType);
    const app = await openFakeApp({ handlers: new Map([["data", { get }]]) });
    opened.push(app);
    return app;
  };
  const bodyOf = (find: unknown) => JSON.stringify({ action: "get", find, key: "K", token: "T" });
  const sendQuery = (app: FakeApp, find: unknown) =>
    send(`${app.url}/0.1.0/data`, { body: bodyOf(find) });
  /** Sends a query and does not wait for the answer. */
  const start = (app: FakeApp, find: unknown): ClientRequest => {
    const outgoing = httpRequest(`${app.url}/0.1.0/data`, { method: "POST" });
    outgoing.on("error", () => undefined);
    outgoing.end(bodyOf(find));
    return outgoing;
  };
  const soon = async (isDone: () => boolean) => {
    for (let turn = 0; turn < 6000 && !isDone(); turn++) await wait(10);
    return isDone();
  };

  test.before(async () => {
    dir = await mkdtemp(join(tmpdir(), "manifold-hang-up-"));
    strata = await openStrata({ dir, workers: 1, memoryBytes: 2 ** 31, warmUp: false });
    const stored = columns.map(({ id, type }) => ({ id: `source.${id}`, type }));
    await strata.write?.({ ...call, write: { action: "create", id: "sheet", columns: stored } });
    const values = (value: (row: number) => number) =>
      ({
        type: "numeric",
        values: Float64Array.from({ length: rowCount }, (_, row) => value(row)),
      }) as const;
    const batch = {
      rowCount,
      columns: [values((row) => (row * 7919) % 1_000_003), values((row) => Math.sin(row))],
    };
    const rows = { columnIds: stored.map(({ id }) => id), batch };
    await strata.write?.({ ...call, write: { action: "append", id: "sheet", rows } });
  });
  test.after(async () => {
    for (const app of opened) await app.close();
    await strata.close?.();
    await rm(dir, { recursive: true, force: true });
  });

  test("when a client disconnects, the call to an in-process plugin is aborted, and the abort is not logged as an error", async () => {
    const source = createPlainPlugin();
    const requested = Promise.withResolvers<AbortSignal>();
    const waiting: Plugin = {
      ...source,
      async query({ signal }) {
        requested.resolve(signal);
        await once(signal, "abort");
        throw signal.reason;
      },
    };
    const app = await openApp({ source, wrap: () => waiting });
    const outgoing = start(app, short);
    const signal = await requested.promise;
    outgoing.destroy();
    assert.ok(await soon(() => signal.aborted));
    assert.ok(
      await soon(() => app.logLines.some((line) => line.includes("the client disconnected"))),
    );
    assert.not.ok(app.logLines.some((line) => line.includes('"level":50')));
  });

  test.deep(
    "when clients disconnect, the store's threads stop and waiting queries give up their places",
    async () => {
      const app = await openApp({ wrap: () => strata });
      assert.is((await sendQuery(app, short)).status, 200);
      const startedAt = performance.now();
      assert.is((await sendQuery(app, long)).status, 200);
      const wholeMs = performance.now() - startedAt;
      for (const share of rounds({ quick: [0.3], deep: [0.1, 0.3, 0.6] })) {
        const clients = Array.from({ length: 8 }, () => start(app, long));
        await wait(wholeMs * share);
        const leftAt = performance.now();
        for (const client of clients) client.destroy();
        assert.is((await sendQuery(app, short)).status, 200);
        const nextMs = performance.now() - leftAt;
        // If the eight queries had run one after another, they would have taken eight times as long.
        assert.ok(nextMs < 4 * wholeMs, `${nextMs} ms after ${share} of ${wholeMs} ms`);
      }
    },
  );

  test("temporary datasets are dropped whenever the client disconnects", async () => {
    const rows = Array.from({ length: 2000 }, (_, row) => [row % 7, row]);
    const steps = ["source", "create", "append", "query"] as const;
    for (const step of steps) {
      const source = createPlainPlugin({});
      const made: string[] = [];
      const dropped: string[] = [];
      let client: ClientRequest | undefined;
      let isGone = false;
      const leaveAt = async (reached: string, signal?: AbortSignal) => {
        if (reached !== step) return;
        client?.destroy();
        isGone = true;
        if (signal) await soon(() => signal.aborted);
        else await wait(30);
      };
      const scratch: Plugin = {
        ...strata,
        async query(requested) {
          await leaveAt("query", requested.signal);
          return strata.query(requested);
        },
        async write(requested) {
          const { action, id } = requested.write;
          await leaveAt(action);
          const result = await strata.write?.(requested);
          if (action === "create") made.push(id);
          if (action === "drop") dropped.push(id);
          return result as NonNullable<typeof result>;
        },
      };
      const wrap = (plugin: Plugin): Plugin => ({
        ...plugin,
        async query(requested) {
          await leaveAt("source", requested.signal);
          return plugin.query(requested);
        },
      });
      const app = await openApp({ rows, source, scratch, wrap });
      client = start(app, { dimensions: [ref("key")], measures: [ref("value")] });
      assert.ok(await soon(() => isGone), step);
      assert.ok(
        await soon(() => app.logLines.some((line) => line.includes("the client disconnected"))),
        step,
      );
      assert.ok(await soon(() => dropped.length === made.length), step);
      assert.equal(dropped, made, step);
      assert.is(made.length, step === "source" ? 0 : 1, step);
    }
  });

  test("a call with several queries starts no further query after its client disconnects", async () => {
    const source = createPlainPlugin();
    source.fill("sheet", [{ id: "source.key", type: "numeric" }], []);
    let askedCount = 0;
    const app = await openApp({
      source,
      limits: { concurrency: 2 },
      wrap: (plugin) => ({
        ...plugin,
        async query(requested) {
          askedCount++;
          await once(requested.signal, "abort");
          throw requested.signal.reason;
        },
      }),
    });
    const client = start(app, { queries: Array.from({ length: 50 }, () => short) });
    assert.ok(await soon(() => askedCount === 2));
    client.destroy();
    assert.ok(
      await soon(() => app.logLines.some((line) => line.includes("the client disconnected"))),
    );
    assert.is(askedCount, 2);
  });
});
