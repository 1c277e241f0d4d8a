import * as assert from "uvu/assert";
import { openEgress } from "../../core/sources/connections/egress.ts";
import { overHttp } from "../../core/sources/connections/overHttp/index.ts";
import { serve } from "../../plugins/sdk/index.ts";
import { rowsOfBatch } from "../../plugins/protocol/index.ts";
import { rounds } from "../support/layer.ts";
import { awkwardCell, awkwardType, type AwkwardTable } from "../support/awkward.ts";
import {
  openLegacyPlugin,
  type LegacyDataset,
  type LegacyPluginOptions,
} from "../support/legacyPlugin.ts";
import { createPlainPlugin, everyCapability } from "../support/plainPlugin.ts";
import { createRandom, withSeed } from "../support/random.ts";
import { suite } from "../support/suite.ts";
import { checkByKit } from "./checkByKit.ts";
import { connectorSuite, type ConnectorEngine } from "./connectorSuite.ts";

const limits = { nan: true, years: [1000, 9999] } as const;
const credentials = { properties: {} };

const suiteOf = (version: string, quick: number, open: () => Promise<ConnectorEngine>) =>
  connectorSuite(`a plugin of protocol ${version}`, open, {
    tableCount: rounds({ quick, deep: 8 }),
  });

suiteOf("1.0.0", 0, () => openLegacyEngine("1.0.0", false));
suiteOf("3.0.0", 1, () => openLegacyEngine("3.0.0", true));
suiteOf("manifold-1", 1, openServedEngine);

suite("plugins of the numbered protocol versions and the kit", (test) => {
  for (const [version, pushdown] of [
    ["1.0.0", true],
    ["1.1.0", false],
    ["1.1.0", true],
    ["2.0.0", false],
    ["2.0.0", true],
    ["3.0.0", false],
  ] as const) {
    const declare = version === "2.0.0" && pushdown ? test : test.deep;
    const kind = pushdown ? "with pushdown" : "without pushdown";
    declare(
      `the conformance kit finds no deviation in a plugin of protocol version ${version} ${kind}`,
      async () => {
        const engine = await openLegacyEngine(version, pushdown);
        const seeds = createRandom();
        try {
          await withSeed(seeds, async () => {
            const count = await checkByKit(engine, seeds);
            assert.ok(count > 0, "no query ran");
          });
        } finally {
          await engine.close();
        }
      },
    );
  }
});

function cellsOf({ rows, columns }: AwkwardTable) {
  return rows.map((row) => row.map((value, index) => awkwardCell(value, columns[index]!)));
}

function columnsOf({ columns }: AwkwardTable) {
  return columns.map((column) => ({
    id: `source.${column.id}`,
    type: awkwardType(column),
    subtype: column.kind === "date" ? "date" : null,
  }));
}

/** Opens a plugin of a numbered protocol version. */
async function openLegacyEngine(
  version: LegacyPluginOptions["version"],
  pushdown: boolean,
): Promise<ConnectorEngine> {
  const datasets: LegacyDataset[] = [];
  const served = await openLegacyPlugin({ version, pushdown, datasets });
  const egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 30_000, sizeBytes: 2 ** 28 });
  const remote = {
    slug: "awkward",
    baseUrl: served.url,
    protocolVersion: version,
    pushdown,
    supportsDistinctcount: pushdown,
  };
  return {
    plugin: await overHttp(remote, egress),
    credentials,
    limits,
    isTrusted: false,
    async fill(table) {
      const { name } = table;
      const known = datasets.findIndex(({ id }) => id === name);
      const filled = { id: name, name, columns: columnsOf(table), rows: cellsOf(table) };
      datasets.splice(Math.max(known, 0), known === -1 ? 0 : 1, filled);
      return name;
    },
    contents: async () => structuredClone(datasets),
    async close() {
      await served.close();
      egress.close();
    },
  };
}

/** Opens a plugin of this project's protocol version over HTTP. It declares all capabilities. */
async function openServedEngine(): Promise<ConnectorEngine> {
  const plain = createPlainPlugin(everyCapability);
  const served = await serve(plain);
  const egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 30_000, sizeBytes: 2 ** 28 });
  const remote = {
    slug: "awkward",
    baseUrl: served.url,
    protocolVersion: "manifold-1",
    pushdown: false,
    supportsDistinctcount: false,
  } as const;
  let last: AwkwardTable | undefined;
  return {
    plugin: await overHttp(remote, egress),
    credentials,
    limits,
    isTrusted: false,
    async fill(table) {
      last = table;
      plain.fill(
        table.name,
        columnsOf(table).map(({ id, type }) => ({ id, type })),
        cellsOf(table),
      );
      return table.name;
    },
    async contents() {
      if (!last) return [];
      const { name } = last;
      const call = { credentials, signal: new AbortController().signal };
      const columns = columnsOf(last).map(({ id }) => ({ column_id: id }));
      const query = { id: name, columns, filters: [], options: { pushdown: false } };
      return rowsOfBatch(await plain.query({ ...call, query }));
    },
    async close() {
      await served.close();
      egress.close();
    },
  };
}
