import {
  PluginError,
  type Batch,
  type Call,
  type Credentials,
  type Dataset,
  type Plugin,
  type PluginErrorCode,
  type Query,
  type QueryCall,
} from "../protocol/index.ts";
import { collectRows } from "./collectRows.ts";
import { compileQuery, type CompileOptions } from "./compileQuery.ts";
import { notOffered } from "./columnScope.ts";
import { credentialsKey } from "./credentialsKey.ts";
import type { Dialect } from "./dialect.ts";
import type { SqlDriver, SqlSession, SqlTable } from "./driver.ts";
import { mostSpans, offsetSpans, type OffsetSpan } from "./offsetSpans.ts";
import { probeSession } from "./probeSession.ts";
import { parseTableId, tableId } from "./tableId.ts";
import { compileExtent, filteredRange, zonedColumns, type InstantRange } from "./zoneRanges.ts";

export interface SqlPluginOptions {
  readonly dialect: Dialect;
  readonly driver: SqlDriver;
  /** Most bytes of an answer. */
  readonly sizeBytes: number;
  /** Milliseconds since some instant, for tests. */
  readonly now?: () => number;
}

/** Descriptions of tables are used this long; a failed query looks again at once. */
const describedForMs = 60_000;
/** Descriptions that are kept. */
const mostDescribed = 1000;

interface Described {
  readonly table: SqlTable;
  readonly version: string | undefined;
  readonly untilMs: number;
}

/**
 * Makes a plugin over a database: one statement a query, its rows streamed into columns. Datasets are tables and views
 * under the ids of `tableId`. One plugin serves the credentials of all accounts.
 */
export function createSqlPlugin(options: SqlPluginOptions): Plugin {
  const { dialect, driver, now = () => performance.now() } = options;
  const described = new Map<string, Described>();

  /** Describes a table, with what was read in the last minute where `isFresh` is not asked. */
  const tableOf = async (
    session: SqlSession,
    { credentials, signal }: Call,
    id: string,
    isFresh: boolean,
  ): Promise<{ readonly table: SqlTable; readonly isKept: boolean }> => {
    const key = `${credentialsKey(credentials)} ${id}`;
    const kept = described.get(key);
    const isCurrent = kept && kept.untilMs > now() && kept.version === session.schemaVersion;
    if (isCurrent && !isFresh) return { table: kept.table, isKept: true };
    described.delete(key);
    const name = parseTableId(id);
    const [table] = name ? await driver.tables(session, signal, name) : [];
    if (!table) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
    if (described.size >= mostDescribed) described.clear();
    const version = session.schemaVersion;
    described.set(key, { table, version, untilMs: now() + describedForMs });
    return { table, isKept: false };
  };
  const spansOf = async (
    session: SqlSession,
    compile: CompileOptions,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly OffsetSpan[]>> => {
    const { query } = compile;
    const columnIds = zonedColumns(query);
    const zone = query.options.timezone_id ?? "UTC";
    const spans = new Map<string, readonly OffsetSpan[]>();
    const ranges = columnIds.map((id) => [id, filteredRange(query.filters, id)] as const);
    if (ranges.some(([, range]) => !range)) await session.snapshot?.();
    for (const [id, known] of ranges) {
      const { fromMs, toMs } = known ?? (await extentOf(session, compile, id, signal));
      const found = offsetSpans(zone, fromMs, toMs);
      if (!found)
        notOffered(dialect, `levels in the time zone ${zone} over more than ${mostSpans} changes`);
      spans.set(id, found);
    }
    return spans;
  };
  const extentOf = async (
    session: SqlSession,
    compile: CompileOptions,
    id: string,
    signal: AbortSignal,
  ): Promise<InstantRange> => {
    const statement = compileExtent(compile, id);
    for await (const rows of session.rows(statement, signal))
      for (const row of rows) {
        const [from, to] = row.map((value) => dialect.cellOf(value, "datetime"));
        return { fromMs: Number(from ?? 0), toMs: Number(to ?? 0) };
      }
    return { fromMs: 0, toMs: 0 };
  };
  const answer = async (
    session: SqlSession,
    table: SqlTable,
    { signal, ...call }: QueryCall,
  ): Promise<Batch> => {
    const query = dialect.capabilities.projection ? call.query : wholeOf(call.query, table);
    const compile = { query, table, dialect };
    const spans = await spansOf(session, compile, signal);
    const { statement, columns } = compileQuery({ ...compile, spans });
    return collectRows(session.rows(statement, signal), columns, options);
  };
  const guard = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run();
    } catch (thrown) {
      throw thrown instanceof PluginError ? thrown : driver.failure(thrown);
    }
  };
  return {
    capabilities: dialect.capabilities,
    datasets: ({ credentials, signal }) =>
      guard(async () => {
        const tables = await driver.use(credentials, signal, (session) =>
          driver.tables(session, signal),
        );
        return tables.map(toDataset);
      }),
    query: (call) =>
      guard(async () => {
        const { credentials, signal, query } = call;
        let wasKept = false;
        const ask = (isFresh: boolean) =>
          guard(() =>
            driver.use(credentials, signal, async (session) => {
              const { table, isKept } = await tableOf(session, call, query.id, isFresh);
              wasKept = isKept;
              return answer(session, table, call);
            }),
          );
        return ask(false).catch((failure: unknown) => {
          // The table may be another than the one that was described.
          if (!wasKept || signal.aborted || !mayBeStale(failure)) throw failure;
          return ask(true);
        });
      }),
    capabilitiesOf: ({ credentials, signal }) =>
      guard(() =>
        driver.use(credentials, signal, (session) => probeSession(session, dialect, signal)),
      ),
    authorize: ({ credentials, signal }) =>
      guard(() => driver.use(credentials, signal, async () => undefined)),
    release: async (credentials: Credentials) => {
      const key = credentialsKey(credentials);
      for (const each of described.keys()) if (each.startsWith(key)) described.delete(each);
      await driver.release?.(credentials);
    },
    close: () => driver.close(),
  };
}

const staleCodes = new Set<PluginErrorCode>([
  "PLUGIN_UNKNOWN_DATASET",
  "PLUGIN_UNKNOWN_COLUMN",
  "PLUGIN_BAD_ANSWER",
  "PLUGIN_SOURCE_FAILED",
]);

/** Failures that a table which changed since it was described can cause. */
function mayBeStale(failure: unknown): boolean {
  return failure instanceof PluginError && staleCodes.has(failure.code);
}

/** Without projection a plugin answers all columns of its dataset. */
function wholeOf({ id, options }: Query, { columns }: SqlTable): Query {
  return {
    id,
    columns: columns.map(({ name }) => ({ column_id: name })),
    filters: [],
    options: { ...options, pushdown: false },
  };
}

function toDataset(table: SqlTable): Dataset {
  const { schema, name, kind, description, rows, columns } = table;
  return {
    id: tableId(table),
    name: { en: name },
    ...(description !== undefined && { description: { en: description } }),
    schema,
    table: name,
    kind,
    ...(rows !== undefined && { rows }),
    columns: columns.map(({ name: id, type, subtype, narrowed }) => ({
      id,
      name: { en: id },
      type,
      ...(subtype && { subtype }),
      ...(narrowed && { narrowed }),
    })),
  };
}
