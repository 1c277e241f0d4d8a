import { openEgress } from "../../core/connections/egress.ts";
import { overHttp } from "../../core/connections/overHttp/index.ts";
import { serve } from "../../plugins/sdk/index.ts";
import { rowsOfBatch } from "../../plugins/protocol/index.ts";
import { rounds } from "../support/layer.ts";
import { awkwardCell, awkwardType, type AwkwardTable } from "../support/awkward.ts";
import { openLegacyPlugin, type LegacyDataset } from "../support/legacyPlugin.ts";
import { createPlainPlugin, everyCapability } from "../support/plainPlugin.ts";
import { connectorSuite, type ConnectorEngine } from "./connectorSuite.ts";

const limits = { nan: true, years: [1000, 9999] } as const;
const credentials = { properties: {} };

const tableCount = rounds({ quick: 1, deep: 8 });
const suiteOf = (version: string, open: () => Promise<ConnectorEngine>) =>
  connectorSuite(`a plugin of protocol ${version}`, open, { tableCount });

suiteOf("1.0.0", () => openLegacyEngine("1.0.0"));
suiteOf("3.0.0", () => openLegacyEngine("3.0.0"));
suiteOf("manifold-1", openServedEngine);

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

/** A plugin of the numbered versions, with pushdown from 3.0.0 on. */
async function openLegacyEngine(version: "1.0.0" | "3.0.0"): Promise<ConnectorEngine> {
  const datasets: LegacyDataset[] = [];
  const pushdown = version === "3.0.0";
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
    isVerified: false,
    // Weeks are days, and extremes of datetimes null, as at plugins of the field.
    brokenClaims: [
      "grouping.levels.week",
      "grouping.aggregations.min",
      "grouping.aggregations.max",
    ],
    async fill(table) {
      const { name } = table;
      datasets.splice(0, 1, { id: name, name, columns: columnsOf(table), rows: cellsOf(table) });
      return name;
    },
    contents: async () => structuredClone(datasets),
    async close() {
      await served.close();
      egress.close();
    },
  };
}

/** A plugin of this project's version that promises everything, behind HTTP. */
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
    isVerified: false,
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
