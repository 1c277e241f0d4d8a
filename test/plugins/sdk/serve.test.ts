import * as assert from "uvu/assert";
import { type Egress, openEgress } from "../../../core/sources/connections/egress.ts";
import { overHttp } from "../../../core/sources/connections/overHttp/index.ts";
import {
  definePlugin,
  type Plugin,
  PluginError,
  serve,
  type Served,
  type WriteCall,
} from "../../../plugins/sdk/index.ts";
import {
  batchOfRows,
  type Call,
  type Query,
  type QueryCall,
  rowsOfBatch,
} from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";
import { failureOf } from "../../support/refused.ts";

const columns = [
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "at", type: "datetime" },
] as const;
const rows = [
  ["Ghent", 3, "2024-01-05T00:00:00.000Z"],
  [null, null, null],
];
const query: Query = {
  id: "trips",
  columns: [{ column_id: "city" }],
  filters: [],
  options: { pushdown: false },
};

suite("plugins/sdk/serve", (test) => {
  let egress: Egress;
  let served: Served | undefined;
  const failures: unknown[] = [];
  test.before(() => {
    egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 60_000, sizeBytes: 2 ** 20 });
  });
  test.beforeEach(() => {
    failures.length = 0;
  });
  test.afterEach(async () => {
    await served?.close();
    served = undefined;
  });
  test.after(() => egress.close());

  const open = async (plugin: Plugin, secret?: string | readonly string[]): Promise<string> => {
    served = await serve(plugin, {
      bodyBytes: 100_000,
      onError: (failure) => failures.push(failure),
      ...(secret !== undefined && { secret }),
    });
    return served.url;
  };
  const basic = definePlugin({ datasets: [{ id: "trips", columns }], rows: () => rows });
  const remote = (url: string) =>
    overHttp(
      {
        slug: "x",
        baseUrl: url,
        protocolVersion: "manifold-1",
        pushdown: false,
        supportsDistinctcount: false,
      },
      egress,
    );
  const call = (): Call => ({
    credentials: { properties: {} },
    signal: new AbortController().signal,
  });
  const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: "POST",
      headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  test("a host that requests a numbered protocol version gets rows, and a host that requests manifold-1 gets columns", async () => {
    const url = await open(basic);
    const old = await post(`${url}/query`, {
      id: "trips",
      columns: [],
      filters: [{ column_id: "km", expression: "<>", value: [1] }],
      options: { pushdown: false },
      user: {},
    });
    assert.equal(await old.json(), rows);
    const current = await post(`${url}/query`, query, { "X-Manifold-Protocol": "manifold-1" });
    assert.equal(await current.json(), {
      rowCount: 2,
      applied_filters: [],
      columns: [
        { type: "hierarchy", values: ["Ghent", null] },
        { type: "numeric", values: [3, null] },
        { type: "datetime", values: ["2024-01-05T00:00:00.000Z", null] },
      ],
    });
  });

  test("a served plugin lists its datasets in answer to GET and POST", async () => {
    const url = await open(basic);
    const [get, posted] = await Promise.all([
      fetch(`${url}/datasets`),
      post(`${url}/datasets`, {}),
    ]);
    const list = (await get.json()) as { id: string; name: object }[];
    assert.equal(list, await posted.json());
    assert.equal([list[0]?.id, list[0]?.name], ["trips", { en: "trips" }]);
  });

  for (const given of [undefined, "", "wrong", "s3crets", "s3cre"])
    test(`the secret ${JSON.stringify(given)} is refused on every route`, async () => {
      const url = await open(basic, "s3cret");
      const headers: Record<string, string> = given === undefined ? {} : { "X-Secret": given };
      for (const path of ["capabilities", "datasets", "health", "nothing"])
        assert.is((await fetch(`${url}/${path}`, { headers })).status, 403, path);
      for (const path of ["authorize", "exchange", "query", "write"])
        assert.is((await post(`${url}/${path}`, {}, headers)).status, 403, path);
    });

  test("a request with the right secret is accepted", async () => {
    const url = await open(basic, "s3cret");
    assert.is((await fetch(`${url}/health`, { headers: { "X-Secret": "s3cret" } })).status, 200);
  });

  test("a plugin with several secrets accepts each of them and no others", async () => {
    const url = await open(basic, ["s3cret", "f0rmer"]);
    const statusOf = async (secret: string) =>
      (await fetch(`${url}/health`, { headers: { "X-Secret": secret } })).status;
    assert.equal(
      await Promise.all(["s3cret", "f0rmer", "", "s3cretf0rmer", "s3cret,f0rmer"].map(statusOf)),
      [200, 200, 403, 403, 403],
    );
  });

  test("capabilities, queries and health have the same results over HTTP as in process", async () => {
    const url = await open(basic);
    const plugin = await remote(url);
    assert.equal(plugin.capabilities, basic.capabilities);
    assert.equal(await plugin.datasets(call()), await basic.datasets(call()));
    const batch = await plugin.query({ ...call(), query });
    assert.equal(
      batch.columns.map(({ type }) => type),
      ["hierarchy", "numeric", "datetime"],
    );
    assert.equal(rowsOfBatch(batch), rowsOfBatch(await basic.query({ ...call(), query })));
    await plugin.health?.(call());
  });

  test("the credentials and the user reach a served plugin unchanged", async () => {
    const seen: Call[] = [];
    const url = await open({
      ...basic,
      datasets: async (given) => {
        seen.push(given);
        return [];
      },
    });
    const credentials = { host: "h", key: "clé", token: "令牌", properties: { region: "eu" } };
    const user = { id: "u", name: "Ada", email: "a@example.org", metadata: { tenant: "t" } };
    await (await remote(url)).datasets({ ...call(), credentials, user });
    assert.equal([seen[0]?.credentials, seen[0]?.user], [credentials, user]);
  });

  test("an error of a served plugin keeps its code, status and details", async () => {
    const url = await open({
      ...basic,
      query: async () => Promise.reject(new PluginError("PLUGIN_UNKNOWN_COLUMN", ["trips", "x"])),
    });
    const answer = await post(`${url}/query`, query);
    assert.is(answer.status, 422);
    assert.equal(await answer.json(), {
      type: { code: 422, description: "PLUGIN_UNKNOWN_COLUMN" },
      message: "the dataset trips has no column x",
      code: "PLUGIN_UNKNOWN_COLUMN",
      details: ["trips", "x"],
    });
    const failure = await failureOf((await remote(url)).query({ ...call(), query }));
    assert.equal(
      [failure.code, failure.message],
      ["PLUGIN_UNKNOWN_COLUMN", "the dataset trips has no column x"],
    );
  });

  test("an unexpected error becomes PLUGIN_BUG for callers, and its message reaches only onError", async () => {
    const thrown = new Error("password=hunter2");
    const url = await open({ ...basic, query: async () => Promise.reject(thrown) });
    const text = await (await post(`${url}/query`, query)).text();
    assert.match(text, "PLUGIN_BUG");
    assert.not.match(text, "hunter2");
    assert.equal(failures, [thrown]);
  });

  const malformed: readonly (readonly [string, string, unknown])[] = [
    ["no JSON", "/query", "{"],
    ["a list as its body", "/query", "[]"],
    ["a dataset without an id", "/query", { columns: [] }],
    [
      "an unknown operator",
      "/query",
      { ...query, filters: [{ column_id: "km", expression: "~", value: [1] }] },
    ],
    ["an unknown level", "/query", { ...query, columns: [{ column_id: "at", level: "decade" }] }],
    ["a negative limit", "/query", { ...query, limit: { by: -1 } }],
    ["a filter that is null", "/query", { ...query, filters: [null] }],
    ["a body that is too large", "/query", { id: "x".repeat(200_000) }],
    ["filters nested too deep", "/query", { ...query, filters: [nested(70)] }],
    ["an exchange without a code", "/exchange", {}],
  ];
  for (const [what, path, body] of malformed)
    test(`a request with ${what} fails with PLUGIN_MALFORMED`, async () => {
      const url = await open({ ...basic, exchange: async () => ({}) });
      const answer = await post(url + path, body);
      assert.is(answer.status, 400);
      assert.is(((await answer.json()) as { code: string }).code, "PLUGIN_MALFORMED");
    });

  for (const path of ["/write", "/exchange"])
    test(`a request to ${path} fails with PLUGIN_NOT_OFFERED if the plugin does not support it`, async () => {
      assert.is((await post((await open(basic)) + path, { code: "c" })).status, 501);
    });

  test("a request to an unknown path of a served plugin returns 404", async () => {
    assert.is((await fetch(`${await open(basic)}/status`)).status, 404);
  });

  test("writes reach a served plugin with all their cells", async () => {
    const seen: WriteCall[] = [];
    const url = await open({
      ...basic,
      capabilities: { write: true },
      write: async (given) => {
        seen.push(given);
        return { rowCount: 2, version: "7" };
      },
    });
    const batch = batchOfRows(columns, rows);
    const write = {
      action: "append",
      id: "trips",
      rows: { columnIds: ["city", "km", "at"], batch },
    } as const;
    assert.equal(await (await remote(url)).write?.({ ...call(), write }), {
      rowCount: 2,
      version: "7",
    });
    const arrived = seen[0]?.write;
    assert.ok(arrived?.action === "append");
    assert.equal(rowsOfBatch(arrived.rows.batch), rowsOfBatch(batch));
  });

  test("the plugin's signal is aborted when the caller disconnects and when the server closes", async () => {
    for (const end of ["abort", "close"] as const) {
      const started = Promise.withResolvers<AbortSignal>();
      const url = await open({
        ...basic,
        query: ({ signal }: QueryCall) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () =>
              reject(new PluginError("PLUGIN_TIMEOUT", ["gone"])),
            );
            started.resolve(signal);
          }),
      });
      const controller = new AbortController();
      const response = fetch(`${url}/query`, {
        method: "POST",
        body: JSON.stringify(query),
        signal: controller.signal,
      }).catch(() => {});
      const signal = await started.promise;
      const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
      if (end === "abort") controller.abort();
      else await Promise.all([served?.close(), aborted]);
      await aborted;
      await response;
      if (end === "abort") await served?.close();
      served = undefined;
    }
  });

  test("a disconnect is not reported as a failure of the plugin, but a later bug of the plugin is", async () => {
    let caller = new AbortController();
    let left = Promise.withResolvers<void>();
    let thrownAt = (signal: AbortSignal): unknown => signal.reason;
    const url = await open({
      capabilities: {},
      datasets: async () => [],
      async query({ signal }) {
        caller.abort();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        // This callback runs only once the server has handled the failure that is thrown below.
        setImmediate(left.resolve);
        throw thrownAt(signal);
      },
    });
    const bug = new RangeError("a bug");
    const sendAndLeave = async () => {
      [caller, left] = [new AbortController(), Promise.withResolvers<void>()];
      const body = JSON.stringify({ ...query, id: "trips" });
      const { signal } = caller;
      const response = fetch(`${url}/query`, { method: "POST", body, signal }).catch(
        () => undefined,
      );
      await Promise.all([response, left.promise]);
    };
    await sendAndLeave();
    assert.equal(failures, []);
    thrownAt = () => bug;
    await sendAndLeave();
    assert.equal(failures, [bug]);
  });
});

function nested(depth: number): unknown {
  let filter: unknown = { column_id: "km", expression: "is null" };
  for (let level = 0; level < depth; level++) filter = { and: [filter] };
  return filter;
}
