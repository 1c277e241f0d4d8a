import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  batchOfRows,
  type Capabilities,
  type Column,
  everyOperator,
  type Plugin,
} from "../../plugins/protocol/index.ts";
import { serve } from "../../plugins/sdk/index.ts";
import { openStrata } from "../../plugins/strata/index.ts";

/** The plugin that docs/PLUGIN_PROTOCOL.md sends its requests to. */
export interface ProtocolWorld {
  /** Sends a request. Returns the status and the parsed answer. */
  send(method: string, path: string, body?: string): Promise<readonly [number, unknown]>;
  close(): Promise<void>;
}

const secret = "change-me";

const capabilities: Capabilities = {
  projection: true,
  filters: { operators: everyOperator, nested: true, levels: true },
  grouping: {
    aggregations: ["sum", "count", "min", "max", "average", "percentile"],
    levels: ["year", "quarter", "month", "week", "day", "hour"],
    timezones: true,
  },
  bins: true,
  having: true,
  order: true,
  limit: true,
  expressions: { functions: ["add", "multiply"] },
  joins: true,
  write: true,
  probed: true,
};

const trips = [
  ["Ghent", 3.5, "2024-01-07T09:30:00.000Z"],
  ["ghent", -1, "2024-01-08T00:00:00.000Z"],
  ["Lille", 5.5, null],
  [null, null, "2023-12-31T23:30:00.000Z"],
];

/** Opens a store with the rows of the page as a plugin over HTTP. */
export async function openProtocolWorld(): Promise<ProtocolWorld> {
  const dir = mkdtempSync(join(tmpdir(), "manifold-protocol-"));
  const strata = await openStrata({ dir, workers: 1, memoryBytes: 2 ** 26, warmUp: false });
  const call = { credentials: { properties: {} }, signal: new AbortController().signal };
  const fill = async (
    id: string,
    columns: readonly (readonly [string, Column["type"]])[],
    rows: readonly unknown[],
  ) => {
    const typed = columns.map(([columnId, type]) => ({ id: columnId, type }));
    await strata.write?.({ ...call, write: { action: "create", id, columns: typed } });
    const columnIds = typed.map((column) => column.id);
    const write = {
      action: "append",
      id,
      rows: { columnIds, batch: batchOfRows(typed, rows) },
    } as const;
    await strata.write?.({ ...call, write });
  };
  await fill(
    "trips",
    [
      ["city", "hierarchy"],
      ["km", "numeric"],
      ["at", "datetime"],
    ],
    trips,
  );
  await fill(
    "cities",
    [
      ["name", "hierarchy"],
      ["country", "hierarchy"],
    ],
    [
      ["Ghent", "Belgium"],
      ["Lille", "France"],
    ],
  );
  const plugin: Plugin = {
    ...strata,
    capabilities,
    capabilitiesOf: async () => ({
      capabilities: { projection: true, limit: true },
      demoted: [{ capability: "filters", reason: "the database compares text without case" }],
      warnings: ["the role may write; SELECT is enough"],
    }),
    // A plugin whose capabilities depend on a probe acknowledges its filters itself.
    query: async (each) => ({
      ...(await strata.query(each)),
      applied: each.query.filters.map((_, index) => index),
    }),
    authorize: async () => ({ authUrl: "https://login.example.org/consent?state=7d0c" }),
    exchange: async () => ({ access_token: "ya29.a0", refresh_token: "1//0g" }),
  };
  const served = await serve(plugin, { secret });
  return {
    async send(method, path, body) {
      const answer = await fetch(served.url + path, {
        method,
        headers: {
          "Content-Type": "application/json",
          "X-Secret": secret,
          "X-Manifold-Protocol": "manifold-1",
        },
        ...(body !== undefined && { body }),
      });
      return [answer.status, await answer.json()];
    },
    async close() {
      await served.close();
      await strata.close?.();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
