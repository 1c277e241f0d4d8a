import type { Principal } from "../../core/base/contracts/index.ts";
import { createQueries, type QueryAnswer, type QueryLimits } from "../../core/queries/index.ts";
import { columnOfCells, type Cell, type Plugin } from "../../plugins/protocol/index.ts";
import { createMemoryRecords, type MemoryRecords } from "./memoryRecords.ts";
import { createPlainConnections } from "./plainConnections.ts";
import { isStored, principalOf, type PlainColumn } from "./plainHost.ts";
import { createPlainPlugin, type PlainPlugin } from "./plainPlugin.ts";

export interface JoinedDataset {
  readonly id: string;
  /** Columns of the dataset. Their ids are unique among all datasets. */
  readonly columns: readonly PlainColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface JoinedHostOptions {
  readonly datasets: readonly JoinedDataset[];
  /** Pairs of linked columns, by id. */
  readonly links: readonly (readonly [string, string])[];
  /** The plugin of each dataset. By default each dataset has a separate plain plugin. */
  readonly plugins?: Readonly<Record<string, Plugin>>;
  readonly scratch?: Plugin;
  /** Returns whether a plugin is verified. By default, every plugin is verified. */
  readonly isTrusted?: (plugin: Plugin) => boolean;
  readonly limits?: Partial<QueryLimits>;
  readonly now?: () => number;
  /** Seconds for which answers are cached. By default answers are not cached. */
  readonly cacheS?: number;
}

export interface JoinedHost {
  readonly records: MemoryRecords;
  sendQuery(find: unknown, principal?: Principal): Promise<QueryAnswer>;
  explain(find: unknown, principal?: Principal): Promise<unknown>;
}

/**
 * Creates the query path over live datasets of the user `ada`. Columns of the datasets are linked. In a plugin, a
 * dataset has the id `sheet.<id>`, and a column has the id `source.<id>`.
 */
export async function createJoinedHost(options: JoinedHostOptions): Promise<JoinedHost> {
  const { datasets, links, plugins = {}, scratch = createPlainPlugin(), now, cacheS = 0 } = options;
  const records = createMemoryRecords();
  const accounts: Record<string, Plugin> = {};
  for (const { id, columns, rows } of datasets) {
    const plugin = plugins[id] ?? createPlainPlugin();
    accounts[id] = plugin;
    await fillPlugin(plugin, id, columns, rows);
    await records.insert("account", { id, cache: cacheS });
    await records.insert("securable", {
      id,
      type: "dataset",
      storage: "client",
      source_sheet: `sheet.${id}`,
      account_id: id,
      owner_id: "ada",
    });
    await records.insertMany(
      "column",
      columns.map((column, order) => ({
        ...column,
        securable_id: id,
        source_name: `source.${column.id}`,
        name: { en: column.id },
        order,
      })),
    );
  }
  for (const [one, other] of links) records.link("column", "Joins", one, other);
  const queries = createQueries({
    records,
    connections: createPlainConnections({
      store: createPlainPlugin(),
      scratch,
      accounts,
      ...(options.isTrusted && { isTrusted: options.isTrusted }),
    }),
    rowFilters: async ({ restriction }, datasetId) =>
      (restriction?.filters ?? []).filter((filter) => filter.securable_id === datasetId),
    cacheBytes: cacheS > 0 ? 2 ** 20 : 0,
    ...(options.limits && { limits: options.limits }),
    ...(now && { now }),
  });
  return {
    records,
    explain: (find, principal = principalOf("ada")) =>
      queries.explain(find, principal, new AbortController().signal),
    sendQuery: async (find, principal = principalOf("ada")) =>
      (await queries.answer(find, principal, new AbortController().signal)) as QueryAnswer,
  };
}

async function fillPlugin(
  plugin: Plugin,
  id: string,
  columns: readonly PlainColumn[],
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  const stored = columns.filter(isStored).map((column) => ({
    id: `source.${column.id}`,
    type: column.type === "spatial" ? ("hierarchy" as const) : column.type,
  }));
  const sheet = `sheet.${id}`;
  if ("fill" in plugin) return (plugin as PlainPlugin).fill(sheet, stored, rows);
  const call = { credentials: { properties: {} }, signal: new AbortController().signal };
  const isKnown = (await plugin.datasets(call)).some((dataset) => dataset.id === sheet);
  if (isKnown) await plugin.write?.({ ...call, write: { action: "drop", id: sheet } });
  await plugin.write?.({
    ...call,
    write: { action: "create", id: sheet, columns: stored, rowsFollow: true },
  });
  const vectors = stored.map((column, index) =>
    columnOfCells(
      column,
      rows.map((row) => row[index] ?? null),
    ),
  );
  const columnIds = stored.map((column) => column.id);
  const batch = { rowCount: rows.length, columns: vectors };
  await plugin.write?.({
    ...call,
    write: { action: "append", id: sheet, rows: { columnIds, batch } },
  });
}
