import {
  type Batch,
  type Call,
  type CellColumn,
  type Column,
  type ExchangeCall,
  type Filter,
  type Plugin,
  PluginError,
  type Query,
  type QueryCall,
  type User,
  columnOfCells,
} from "../../../../plugins/protocol/index.ts";
import { isObject } from "../../../base/index.ts";
import { type AnswerReader, createRowsReader, OtherWidth } from "./answerReader.ts";
import { legacyCapabilities, legacyOperators } from "./legacyCapabilities.ts";
import { inRequestedOrder, legacyColumns, type LegacyColumns } from "./legacyColumns.ts";
import { legacyDatasets } from "./legacyDatasets.ts";
import { type LegacyFilter, legacyFilters } from "./legacyFilters.ts";
import { readJson, type RemoteCalls } from "./remoteCalls.ts";
import type { RemotePlugin } from "./remotePlugin.ts";

/**
 * Adapts a plugin of the numbered protocol versions to the current interface. `sizeBytes` is the maximum size of an
 * answer's columns.
 */
export function legacyPlugin(remote: RemotePlugin, send: RemoteCalls, sizeBytes: number): Plugin {
  const isFirstMajor = remote.protocolVersion.startsWith("1.");
  const datasets = async (call: Call) => {
    const answer = isFirstMajor
      ? await send(call, { method: "GET", path: "/datasets" })
      : await send(call, { method: "POST", path: "/datasets", body: { user: userOf(call.user) } });
    return legacyDatasets(readJson(answer, "/datasets"));
  };
  const columnsOf = async (call: QueryCall): Promise<readonly Column[]> => {
    if (call.dataset) return call.dataset.columns;
    return currentColumns(call);
  };
  const currentColumns = async (call: QueryCall): Promise<readonly Column[]> => {
    const dataset = (await datasets(call)).find(({ id }) => id === call.query.id);
    if (!dataset) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [call.query.id]);
    return dataset.columns;
  };
  const rowsOf = async (
    call: QueryCall,
    columns: Query["columns"],
    filters: readonly LegacyFilter[],
    reader: AnswerReader,
  ): Promise<Batch> => {
    const { id, options } = call.query;
    const body = {
      id,
      columns,
      filters,
      ...(remote.protocolVersion !== "1.0.0" && {
        filters_all: [
          ...filters.map((filter) => ({ ...filter, dataset_id: id })),
          ...(call.alongside ?? []).flatMap(filtersAlongside),
        ],
      }),
      options: {
        pushdown: remote.pushdown && options.pushdown,
        ...(options.timezone_id !== undefined && { timezone_id: options.timezone_id }),
        ...(options.query_timeout !== undefined && { query_timeout: options.query_timeout }),
      },
      user: userOf(call.user),
    };
    const { take } = reader;
    await send(call, { method: "POST", path: "/query", body, take });
    return reader.end();
  };

  const queryBasic = async (call: QueryCall): Promise<Batch> => {
    const columns = await columnsOf(call);
    const hints = hintsOf(call.hints ?? []);
    const cellsOf = ({ id, type }: Column): CellColumn => ({
      id,
      type,
      isUnread: call.unread?.includes(id) === true,
    });
    const fetchRows = (of: readonly Column[], isWidthKnown: boolean) => {
      const all = columns.map(({ id, type }) => ({ column_id: id, type }));
      const fetch = (sent: readonly LegacyFilter[]) =>
        rowsOf(call, all, sent, createRowsReader(of.map(cellsOf), sizeBytes, isWidthKnown));
      return fetch(hints).catch((failure: unknown) => {
        // The host tests the filters itself, so a plugin that lacks one of them need not receive any.
        const isLacking = failure instanceof PluginError && failure.code === "PLUGIN_NOT_OFFERED";
        if (!isLacking || hints.length === 0) throw failure;
        return fetch([]);
      });
    };
    const answer = await fetchRows(columns, false).catch((failure: unknown) => {
      if (failure instanceof OtherWidth) return failure;
      throw failure;
    });
    if (!(answer instanceof OtherWidth)) return answer;
    // The source may have changed its columns since the host last listed them, so the query is sent again once.
    const current = await currentColumns(call);
    if (current.length !== answer.width) throw answer;
    const batch = await fetchRows(current, true);
    const positions = columns.map(({ id }) => current.findIndex((column) => column.id === id));
    return {
      rowCount: batch.rowCount,
      columns: positions.map((position, index) => {
        const vector = batch.columns[position];
        if (!vector)
          throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [call.query.id, columns[index]?.id ?? ""]);
        return vector;
      }),
    };
  };

  const queryPushdown = async (call: QueryCall): Promise<Batch> => {
    const { query } = call;
    checkClauses(query);
    const columns = legacyColumns(query, await columnsOf(call), remote);
    const translated = legacyFilters(query.filters);
    if (translated.kind === "never") return inRequestedOrder(emptyAnswer(query, columns), columns);
    const reader = createRowsReader(columns.cells, sizeBytes);
    const batch = await rowsOf(call, columns.sent, translated.filters, reader);
    return inRequestedOrder(batch.rowCount > 0 ? batch : emptyAnswer(query, columns), columns);
  };

  return {
    capabilities: legacyCapabilities(remote),
    datasets,
    query: remote.pushdown ? queryPushdown : queryBasic,
    async authorize(call) {
      const { host, key, token } = call.credentials;
      const body = { ...userOf(call.user), host, key, token };
      const answer = await send(call, { method: "POST", path: "/authorize", body, accepts: [404] });
      return answer.status === 404 ? undefined : authUrlOf(answer.text);
    },
    async exchange(call: ExchangeCall) {
      const answer = await send(call, {
        method: "POST",
        path: "/exchange",
        body: { code: call.code },
      });
      const credentials = readJson(answer, "/exchange");
      if (!isObject(credentials))
        throw new PluginError("PLUGIN_BAD_ANSWER", ["/exchange must return an object"]);
      return credentials;
    },
  };
}

/** Returns the filters on another dataset in the form of `filters_all`. */
function filtersAlongside({ id, filters }: Pick<Query, "id" | "filters">) {
  return hintsOf(filters).map((filter) => ({ ...filter, dataset_id: id }));
}

/**
 * Returns the filters that a plugin receives as hints: all filters that the numbered versions can express. The host
 * tests them again.
 */
function hintsOf(filters: readonly Filter[]): readonly LegacyFilter[] {
  return filters.flatMap((filter) => {
    const isTold = "column_id" in filter && !filter.level && legacyOperators[filter.expression];
    const translated = isTold ? legacyFilters([filter]) : undefined;
    return translated?.kind === "filters" ? translated.filters : [];
  });
}

function userOf(user: User | undefined): Partial<User> {
  if (!user) return {};
  const { id, name, email, metadata } = user;
  return { id, name, email, metadata: metadata ?? {} };
}

/**
 * Returns the answer of a plugin that found no rows. A query that aggregates without group columns must return one row,
 * but document databases return none.
 */
function emptyAnswer(query: Query, { sent, cells }: LegacyColumns): Batch {
  const isOneRow = query.options.pushdown && sent.every(({ aggregation }) => aggregation);
  const cellOf = (index: number) => (sent[index]?.aggregation?.endsWith("count") ? 0 : null);
  return {
    rowCount: isOneRow ? 1 : 0,
    columns: cells.map((column, index) => columnOfCells(column, isOneRow ? [cellOf(index)] : [])),
  };
}

function checkClauses({ joins, having, order, limit, options, columns }: Query): void {
  const clauses: readonly (readonly [boolean, string])[] = [
    [Boolean(joins?.length), "joins"],
    [Boolean(having?.length), "having"],
    [Boolean(order?.length), "order"],
    [limit !== undefined, "limit"],
    [columns.length === 0, "a query without columns"],
    [
      columns.some(({ level }) => level) && (options.timezone_id ?? "UTC") !== "UTC",
      `levels in the time zone ${options.timezone_id}`,
    ],
  ];
  for (const [isRequested, what] of clauses)
    if (isRequested) throw new PluginError("PLUGIN_NOT_OFFERED", [what]);
}

function authUrlOf(text: string): { readonly authUrl?: string } | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const url =
      typeof body === "object" && body !== null && "auth_url" in body ? body.auth_url : undefined;
    return typeof url === "string" && /^https?:\/\//.test(url) ? { authUrl: url } : undefined;
  } catch {
    return undefined;
  }
}
