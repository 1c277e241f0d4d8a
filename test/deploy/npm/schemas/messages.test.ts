import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { type Egress, openEgress } from "../../../../core/sources/connections/egress.ts";
import { overHttp } from "../../../../core/sources/connections/overHttp/index.ts";
import { checkPlugin } from "../../../../plugins/conformance/index.ts";
import {
  batchOfRows,
  type Call,
  type Plugin,
  PluginError,
} from "../../../../plugins/protocol/index.ts";
import { serve, type Served } from "../../../../plugins/sdk/index.ts";
import { openStrata } from "../../../../plugins/strata/index.ts";
import { noteMissing } from "../../../support/layer.ts";
import { createPluginMessages } from "../../../support/pluginMessages.ts";
import { openPythonPlugin } from "../../../support/pythonPlugin.ts";
import { openRecordingProxy, type Exchange } from "../../../support/recordingProxy.ts";
import { suite } from "../../../support/suite.ts";
import { startProgram } from "../../../documentation/startProgram.ts";

const root = join(import.meta.dirname, "../../../..");
const secret = "messages-secret";
const hasPython = spawnSync("python3", ["--version"]).status === 0;

suite("deploy/npm/schemas: messages on the wire", (test) => {
  const messages = createPluginMessages();
  let egress: Egress;
  test.before(() => {
    egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 60_000, sizeBytes: 2 ** 24 });
  });
  test.after(() => egress.close());

  const call: Call = {
    credentials: { host: "h", key: "k", token: "a token", properties: { region: "eu" } },
    user: { id: "u1", name: "Ada", email: "ada@example.org", metadata: { team: "a" } },
    signal: new AbortController().signal,
  };

  /**
   * Lets a host call a plugin through a proxy. Returns the requests and responses, all of which the description must
   * allow.
   */
  async function record(
    url: string,
    use: (plugin: Plugin, proxyUrl: string) => Promise<unknown>,
  ): Promise<readonly Exchange[]> {
    const proxy = await openRecordingProxy(url);
    try {
      const remote = {
        slug: "recorded",
        baseUrl: proxy.url,
        protocolVersion: "manifold-1" as const,
        secret,
        pushdown: false,
        supportsDistinctcount: false,
      };
      await use(await overHttp(remote, egress), proxy.url);
      for (const exchange of proxy.exchanges) {
        const fault = messages.faultOf(exchange);
        assert.is(fault, undefined, `${fault}\n${JSON.stringify(exchange).slice(0, 2000)}`);
      }
      return proxy.exchanges;
    } finally {
      await proxy.close();
    }
  }

  /** Sends the calls that a host makes to every plugin, and the queries of the kit, which use every capability. */
  const useAll = (queryCount: number) => async (plugin: Plugin, url: string) => {
    await plugin.authorize?.(call);
    await plugin.health?.(call);
    const { credentials } = call;
    await checkPlugin({
      plugin,
      credentials,
      seed: 5,
      queryCount,
      wire: { url, protocolVersion: "manifold-1", secret },
    });
    await plugin.datasets(call);
    const refused = { id: "none", columns: [], filters: [], options: { pushdown: false } };
    await plugin.query({ ...call, query: refused }).catch(() => undefined);
  };

  const paths = (exchanges: readonly Exchange[]) =>
    [...new Set(exchanges.map(({ method, path }) => `${method} ${path}`))].toSorted();

  test.deep(
    "the schemas describe the host's requests and the SDK's answers for all kinds of queries",
    async () => {
      const dir = mkdtempSync(join(tmpdir(), "manifold-messages-"));
      const strata = await openStrata({ dir, workers: 1, memoryBytes: 2 ** 26, warmUp: false });
      let served: Served | undefined;
      try {
        const fill = async (id: string, rows: readonly unknown[][]) => {
          const columns = [
            { id: "city", type: "hierarchy" },
            { id: "km", type: "numeric" },
            { id: "at", type: "datetime" },
          ] as const;
          await strata.write?.({ ...call, write: { action: "create", id, columns } });
          const batch = batchOfRows(columns, rows);
          const columnIds = columns.map((column) => column.id);
          const write = { action: "append", id, rows: { columnIds, batch } } as const;
          await strata.write?.({ ...call, write });
        };
        await fill("trips", [
          ["Ghent", 3.5, "2024-01-05T09:30:00.000Z"],
          ["ghent", -1, null],
          [null, null, "1969-07-20T00:00:00.000Z"],
        ]);
        await fill("cities", [["Ghent", 1, null]]);
        const { capabilities } = strata;
        served = await serve(
          {
            ...strata,
            capabilities: { ...capabilities, probed: true },
            capabilitiesOf: async () => ({
              capabilities,
              demoted: [{ capability: "grouping.timezones", reason: "for the test" }],
              warnings: ["the role may write"],
            }),
            authorize: async () => ({ authUrl: "https://login.example.org/" }),
            exchange: async ({ code }) => {
              if (code === "wrong")
                throw new PluginError("PLUGIN_FORBIDDEN", ["the code is wrong"]);
              return { token: code };
            },
          },
          { secret },
        );
        const exchanges = await record(served.url, async (plugin, url) => {
          await useAll(1000)(plugin, url);
          await plugin.capabilitiesOf?.(call);
          await plugin.exchange?.({ ...call, code: "c" });
          await plugin.exchange?.({ ...call, code: "wrong" }).catch(() => undefined);
          const write = (change: Parameters<NonNullable<Plugin["write"]>>[0]["write"]) =>
            plugin.write?.({ ...call, write: change });
          const columns = [{ id: "n", type: "numeric" }] as const;
          const rows = { columnIds: ["n"], batch: batchOfRows(columns, [[1], [null]]) };
          await write({ action: "create", id: "own", columns, temporary: false, rowsFollow: true });
          await write({ action: "append", id: "own", rows, addColumns: [], writeId: "w" });
          await write({ action: "replace", id: "own", rows });
          await write({ action: "alter", id: "own", add: [{ id: "m", type: "hierarchy" }] });
          await write({ action: "alter", id: "own", drop: ["m"] });
          await write({ action: "drop", id: "own" });
          await write({ action: "drop", id: "own" })?.catch(() => undefined);
        });
        assert.equal(paths(exchanges), [
          "GET /capabilities",
          "GET /health",
          "GET /no-such-path",
          "POST /authorize",
          "POST /capabilities",
          "POST /datasets",
          "POST /exchange",
          "POST /query",
          "POST /write",
        ]);
        const queries = exchanges.filter(({ path, status }) => path === "/query" && status === 200);
        const text = JSON.stringify(queries.map(({ body }) => body));
        for (const clause of [
          '"joins":',
          '"derived":',
          '"having":',
          '"order":',
          '"limit":',
          '"or":',
          '"level":',
          '"bin":',
          '"fraction":',
          '"weight":',
          '"timezone_id":',
        ])
          assert.ok(text.includes(clause), clause);
        assert.ok(exchanges.some(({ headers }) => headers["x-property-region"] === "eu"));
      } finally {
        await served?.close();
        await strata.close?.();
        rmSync(dir, { recursive: true, force: true });
      }
    },
  );

  test("the check of messages finds members, statuses and routes without a description", () => {
    const exchange = {
      method: "POST",
      path: "/query",
      headers: {},
      body: { id: "a", columns: [], filters: [], options: { pushdown: false } },
      status: 200,
      answer: { rowCount: 0, columns: [] },
    };
    assert.is(messages.faultOf(exchange), undefined);
    const faults = [
      { ...exchange, body: { ...exchange.body, sample: 1 } },
      { ...exchange, answer: { rowCount: 0, columns: [], rows: [] } },
      { ...exchange, answer: { columns: [] } },
      { ...exchange, status: 302 },
      { ...exchange, path: "/tables" },
    ].map((each) => messages.faultOf(each) ?? "");
    assert.match(faults[0]!, "the request POST /query");
    assert.match(faults[1]!, "the answer 200 of POST /query");
    assert.match(faults[2]!, "rowCount");
    assert.match(faults[3]!, "the status 302");
    assert.match(faults[4]!, "POST /tables is not described");
  });

  test.deep("the schemas describe every answer of the minimal plugin", async () => {
    const file = join(root, "examples/minimal-plugin/plugin.ts");
    const args = ["--conditions=manifold-source", file];
    const options = { cwd: root, environment: { SECRET: secret } };
    const { line, end } = await startProgram(process.execPath, args, "http://", options);
    try {
      const exchanges = await record(/http:\S+/.exec(line)?.[0] ?? "", useAll(100));
      assert.ok(exchanges.length > 20, String(exchanges.length));
    } finally {
      await end();
    }
  });

  test.deep("the schemas describe every answer of the Python example", async () => {
    if (!hasPython) return noteMissing("python3, for examples/python-plugin");
    const plugin = await openPythonPlugin(secret);
    try {
      const exchanges = await record(plugin.url, useAll(300));
      assert.ok(exchanges.length > 100, String(exchanges.length));
    } finally {
      await plugin.close();
    }
  });
});
