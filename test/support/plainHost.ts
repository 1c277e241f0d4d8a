import type { Principal } from "../../core/base/contracts/index.ts";
import {
  createQueries,
  type Queries,
  type QueriesOptions,
  type QueryAnswer,
  type QueryLimits,
} from "../../core/queries/index.ts";
import type {
  Aggregation,
  Cell,
  DataType,
  Narrowing,
  Plugin,
} from "../../plugins/protocol/index.ts";
import { createMemoryRecords, type MemoryRecords } from "./memoryRecords.ts";
import { createPlainConnections } from "./plainConnections.ts";
import { createPlainPlugin, type PlainPlugin } from "./plainPlugin.ts";

export interface PlainColumn {
  readonly id: string;
  readonly type: DataType | "spatial";
  readonly subtype?: "date";
  /** The expression of a derived column. The plugin does not have this column. */
  readonly expression?: string;
  readonly narrowed?: Narrowing;
  readonly colors_enabled?: boolean;
  readonly aggregation_type?: Aggregation;
}

export interface PlainHostOptions {
  readonly columns: readonly PlainColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** The plugin that is the live source of the dataset. */
  readonly source?: PlainPlugin;
  readonly scratch?: Plugin;
  /** Whether the dataset's plugin is trusted. The default is true. */
  readonly isTrusted?: boolean;
  /** Whether a plugin that is not trusted may receive order and limit. The default is false. */
  readonly mayOrder?: boolean;
  readonly limits?: Partial<QueryLimits>;
  /** Size of the answer cache in bytes. By default there is no cache. */
  readonly cacheBytes?: number;
  readonly labels?: QueriesOptions["labels"];
  /** Seconds for which answers of the dataset's connection are cached. */
  readonly cacheS?: number;
  readonly now?: () => number;
  readonly wrap?: (plugin: Plugin) => Plugin;
}

export interface PlainHost {
  readonly records: MemoryRecords;
  readonly queries: Queries;
  readonly source: PlainPlugin;
  readonly scratch: Plugin;
  sendQuery(find: unknown, userId?: string, signal?: AbortSignal): Promise<QueryAnswer>;
  askAs(principal: Principal, find: unknown, signal?: AbortSignal): Promise<QueryAnswer>;
  explain(find: unknown, userId?: string): Promise<unknown>;
  askAll(queries: readonly unknown[]): Promise<readonly QueryAnswer[]>;
}

/**
 * Creates the query path over one live dataset `D` of the user `ada`. In the catalog, its columns have the given ids.
 * In the plugin, the id of a column is `source.<id>`, and that of the dataset is `sheet`.
 */
export async function createPlainHost(options: PlainHostOptions): Promise<PlainHost> {
  const { columns, rows, limits, now, wrap = (plugin) => plugin } = options;
  const source = options.source ?? createPlainPlugin();
  const scratch = options.scratch ?? createPlainPlugin();
  const stored = columns.filter(isStored).map(({ id, type }) => ({
    id: `source.${id}`,
    type: type === "spatial" ? ("hierarchy" as const) : type,
  }));
  source.fill("sheet", stored, rows);
  const records = createMemoryRecords();
  await records.insert("securable", {
    id: "D",
    type: "dataset",
    storage: "client",
    source_sheet: "sheet",
    account_id: "A",
    owner_id: "ada",
  });
  await records.insertMany(
    "column",
    columns.map(({ id, type, subtype, expression, narrowed, ...others }, order) => ({
      ...others,
      id,
      type,
      subtype,
      expression,
      narrowed: narrowed ?? null,
      securable_id: "D",
      source_name: `source.${id}`,
      name: { en: id },
      order,
    })),
  );
  await records.insert("account", { id: "A", user_id: "ada", cache: options.cacheS ?? 0 });
  const connections = createPlainConnections({
    store: createPlainPlugin(),
    scratch,
    accounts: { A: wrap(source) },
    isTrusted: () => options.isTrusted ?? true,
    ...(options.mayOrder && { mayOrder: true }),
  });
  const queries = createQueries({
    records,
    connections,
    rowFilters: async ({ restriction }) => restriction?.filters ?? [],
    ...(limits && { limits }),
    ...(options.cacheBytes !== undefined && { cacheBytes: options.cacheBytes }),
    ...(options.labels && { labels: options.labels }),
    ...(now && { now }),
  });
  const answer = (find: unknown, userId: string, signal: AbortSignal) =>
    queries.answer(find, principalOf(userId), signal);
  return {
    records,
    queries,
    source,
    scratch,
    sendQuery: async (find, userId = "ada", signal = new AbortController().signal) =>
      (await answer(find, userId, signal)) as QueryAnswer,
    askAs: async (principal, find, signal = new AbortController().signal) =>
      (await queries.answer(find, principal, signal)) as QueryAnswer,
    explain: (find, userId = "ada") =>
      queries.explain(find, principalOf(userId), new AbortController().signal),
    askAll: async (all) =>
      (await answer(
        { queries: all },
        "ada",
        new AbortController().signal,
      )) as readonly QueryAnswer[],
  };
}

/** Returns whether the source has the column. */
export function isStored({ expression }: PlainColumn): boolean {
  return expression === undefined;
}

export function principalOf(userId: string): Principal {
  return {
    authorizationId: "00000000-0000-4000-8000-00000000000a",
    authorizationType: "api",
    userId,
    organizationId: "00000000-0000-4000-8000-00000000000b",
    organizationRole: "member",
    name: userId,
    email: `${userId}@example.org`,
  };
}
