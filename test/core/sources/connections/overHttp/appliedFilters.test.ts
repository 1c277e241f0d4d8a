import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { connect } from "../../../../../core/sources/connections/connect.ts";
import { type Egress, openEgress } from "../../../../../core/sources/connections/egress.ts";
import { overHttp } from "../../../../../core/sources/connections/overHttp/index.ts";
import type { Connection } from "../../../../../core/base/contracts/index.ts";
import {
  batchOfRows,
  type Dataset,
  type Plugin,
  type Query,
} from "../../../../../plugins/protocol/index.ts";
import { definePlugin, serve } from "../../../../../plugins/sdk/index.ts";
import { failureOf } from "../../../../support/refused.ts";
import { suite } from "../../../../support/suite.ts";

const dataset: Dataset = {
  id: "d",
  name: { en: "d" },
  columns: [
    { id: "city", name: { en: "city" }, type: "hierarchy" },
    {
      id: "name",
      name: { en: "name" },
      type: "hierarchy",
      narrowed: { filters: { "=": "superset" }, reason: "the collation ignores case" },
    },
  ],
};
const filters: Query["filters"] = [
  { column_id: "name", expression: "=", value: ["a"] },
  { column_id: "city", expression: "=", value: ["a"] },
  { column_id: "city", expression: "like", value: ["a"] },
];
const query: Query = {
  id: "d",
  columns: [{ column_id: "city" }],
  filters,
  options: { pushdown: false },
};
const capabilities = {
  projection: true,
  filters: { operators: { "=": ["hierarchy"] }, superset: { like: ["hierarchy"] } },
} as const;
const rows = () => batchOfRows([{ id: "city", type: "hierarchy" }], [["a"]]);

suite("core/sources/connections/overHttp, acknowledged filters", (test) => {
  let egress: Egress;
  const closes: (() => Promise<void>)[] = [];
  test.before(() => {
    egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 60_000, sizeBytes: 2 ** 20 });
  });
  test.afterEach(async () => {
    for (const close of closes.splice(0)) await close();
  });
  test.after(() => egress.close());

  const caller = () => ({ signal: new AbortController().signal });
  const bind = async (baseUrl: string): Promise<Connection> =>
    connect({
      name: "acme",
      plugin: await overHttp(
        {
          slug: "acme",
          baseUrl,
          protocolVersion: "manifold-1",
          pushdown: false,
          supportsDistinctcount: false,
        },
        egress,
      ),
      credentials: { key: "k", properties: {} },
      fingerprint: "f",
      timeoutMs: 60_000,
      sizeBytes: 2 ** 20,
    });
  const served = async (plugin: Plugin): Promise<Connection> => {
    const { url, close } = await serve(plugin);
    closes.push(close);
    return bind(url);
  };
  /** Returns a connection to a plugin that does not use the SDK and has a fixed answer for each path. */
  const answering = async (texts: Readonly<Record<string, unknown>>): Promise<Connection> => {
    const server = createServer((request, response) => {
      request.resume();
      response.end(JSON.stringify(texts[request.url ?? ""] ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closes.push(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    return bind(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  };
  const answer = { rowCount: 1, columns: [{ type: "hierarchy", values: ["a"] }] };

  test("`serve` acknowledges exactly the filters that capabilities and columns declare as exact", async () => {
    const plugin = definePlugin({
      datasets: [dataset],
      capabilities,
      query: async () => rows(),
    });
    const { applied } = await (await served(plugin)).query(query, dataset, caller());
    assert.equal(applied, [1]);
  });

  test("`serve` acknowledges filters only for datasets that the plugin's function lists", async () => {
    const listed = await served(
      definePlugin({ datasets: async () => [dataset], capabilities, query: async () => rows() }),
    );
    assert.equal((await listed.query(query, dataset, caller())).applied, [1]);
    const hidden = await served(
      definePlugin({ datasets: async () => [], capabilities, query: async () => rows() }),
    );
    assert.equal((await hidden.query(query, dataset, caller())).applied, []);
  });

  test("a plugin's handler can return its own list of applied filters", async () => {
    const plugin = definePlugin({
      datasets: [dataset],
      capabilities,
      query: async () => ({ ...rows(), applied: [0, 2] }),
    });
    const { applied } = await (await served(plugin)).query(query, dataset, caller());
    assert.equal(applied, [0, 2]);
  });

  test("if `applied_filters` is missing, no filter counts as applied", async () => {
    const connection = await answering({ "/capabilities": capabilities, "/query": answer });
    assert.equal((await connection.query(query, dataset, caller())).applied, []);
  });

  const wrong: readonly (readonly [value: unknown, message: RegExp])[] = [
    [[3], /applied_filters\[0\] must be an index of the query's 3 filters/],
    [[0, -1], /applied_filters\[1\] must be an index .*, not -1/],
    [[1, 1], /applied_filters\[1\] repeats 1/],
    [["1"], /applied_filters\[0\] must be the index of a filter/],
    [[1.5], /applied_filters\[0\] must be the index of a filter/],
    [true, /applied_filters must be an array/],
    [{ length: 1 }, /applied_filters must be an array/],
  ];
  for (const [value, message] of wrong)
    test(`applied_filters ${JSON.stringify(value)} fails with PLUGIN_BAD_ANSWER`, async () => {
      const connection = await answering({
        "/capabilities": capabilities,
        "/query": { ...answer, applied_filters: value },
      });
      const failure = await failureOf(connection.query(query, dataset, caller()));
      assert.is(failure.code, "PLUGIN_BAD_ANSWER");
      assert.match(failure.message, message);
      assert.match(failure.message, "(connection acme)");
    });

  test("the host reads which promises a column narrows, and an invalid list fails with PLUGIN_BAD_ANSWER", async () => {
    const plugin = definePlugin({ datasets: [dataset], capabilities, query: async () => rows() });
    const [offered] = await (await served(plugin)).datasets(caller());
    assert.equal(offered?.columns[1]?.narrowed, dataset.columns[1]?.narrowed);
    assert.is(offered?.columns[0]?.narrowed, undefined);
    const columns = [{ ...dataset.columns[0], narrowed: { filters: { "=": "exact" } } }];
    const connection = await answering({
      "/capabilities": capabilities,
      "/datasets": [{ ...dataset, columns }],
    });
    const failure = await failureOf(connection.datasets(caller()));
    assert.is(failure.code, "PLUGIN_BAD_ANSWER");
    assert.match(failure.message, 'the column "city" of dataset "d": narrowed.filters.= ');
  });

  test("capabilities are requested at most once a minute for equal credentials, and shown with their limits", async () => {
    const requested: string[] = [];
    const lesser = {
      capabilities: { projection: true },
      demoted: [{ capability: "filters", reason: "padding" }],
    };
    const connection = await served(
      definePlugin({
        datasets: [dataset],
        capabilities,
        query: async () => rows(),
        capabilitiesOf: async ({ credentials, user }) => {
          requested.push(`${credentials.key} ${user?.id}`);
          return lesser;
        },
      }),
    );
    assert.is(connection.capabilities.probed, true);
    const both = await Promise.all([
      connection.capabilitiesOf?.({ ...caller(), user: { id: "u", name: "n", email: "e" } }),
      connection.capabilitiesOf?.(caller()),
    ]);
    assert.equal(both, [lesser, lesser]);
    assert.equal(await connection.capabilitiesOf?.(caller()), lesser);
    assert.equal(requested, ["k undefined"]);
    const { applied } = await connection.query(query, dataset, caller());
    assert.equal(applied, [], "this plugin acknowledges in its own answer");
  });

  test("a failed request for capabilities is not cached, and the error for an invalid response names the member", async () => {
    const answers = [
      async () => Promise.reject(new Error("down")),
      async () => ({ capabilities: {}, demoted: [{ capability: "order" }] }) as never,
      async () => ({ demoted: [] }) as never,
      async () => ({ capabilities: {}, demoted: [] }),
    ];
    const plugin: Plugin = {
      ...definePlugin({ datasets: [dataset], capabilities, query: async () => rows() }),
      capabilitiesOf: async () => answers.shift()!(),
    };
    const options = { credentials: { properties: {} }, timeoutMs: 60_000, sizeBytes: 2 ** 20 };
    const connection = connect({ ...options, name: "acme", plugin, fingerprint: "f" });
    const messages = [
      /unexpected error/,
      /demoted\[0\].reason must be a string/,
      /must return capabilities/,
    ];
    for (const message of messages) {
      const failure = await failureOf(connection.capabilitiesOf!(caller()));
      assert.match(failure.message, message);
      assert.match(failure.message, "(connection acme)");
    }
    assert.equal(await connection.capabilitiesOf?.(caller()), { capabilities: {}, demoted: [] });
  });

  test("the host accepts warnings of an HTTP plugin only if they are strings", async () => {
    const answers: readonly unknown[] = [
      ["the token may write"],
      undefined,
      "the token may write",
      [{ text: "x" }],
    ];
    const seen: unknown[] = [];
    for (const warnings of answers) {
      const connection = await served(
        definePlugin({
          datasets: [dataset],
          capabilities: { ...capabilities, probed: true },
          query: async () => rows(),
          capabilitiesOf: async () => ({ capabilities, demoted: [], warnings }) as never,
        }),
      );
      seen.push(
        await connection.capabilitiesOf?.(caller()).then(
          (probed) => probed.warnings,
          (failure: unknown) => String(failure).replace(/^[^:]*: /, ""),
        ),
      );
    }
    assert.equal(seen.slice(0, 2), [["the token may write"], undefined]);
    assert.match(String(seen[2]), "warnings must be an array");
    assert.match(String(seen[3]), "warnings[0] must be a string");
  });

  test("a plugin in process may omit `applied`, but an invalid value fails with PLUGIN_BAD_ANSWER", async () => {
    const options = { credentials: { properties: {} }, timeoutMs: 60_000, sizeBytes: 2 ** 20 };
    const open = (applied?: readonly number[]) =>
      connect({
        ...options,
        name: "acme",
        fingerprint: "f",
        plugin: {
          capabilities,
          datasets: async () => [dataset],
          query: async () => ({ ...rows(), ...(applied && { applied }) }),
        },
      });
    assert.is((await open().query(query, dataset, caller())).applied, undefined);
    assert.equal((await open([2]).query(query, dataset, caller())).applied, [2]);
    const failure = await failureOf(open([9]).query(query, dataset, caller()));
    assert.is(failure.code, "PLUGIN_BAD_ANSWER");
    assert.match(failure.message, "applied[0] must be an index");
  });
});
