import {
  PluginError,
  type AnsweredBatch,
  type AppendRows,
  type Call,
  type Column,
  type Credentials,
  type Dataset,
  type Plugin,
  type PluginErrorCode,
  type Query,
  type QueryCall,
  type ScanCall,
} from "../protocol/index.ts";
import { collectRows } from "./collectRows.ts";
import { compileQuery, tableOf, type CompileOptions } from "./compileQuery.ts";
import { notOffered } from "./columnScope.ts";
import { credentialsKey } from "./credentialsKey.ts";
import type { Dialect } from "./dialect.ts";
import { exactFilters } from "./exactFilters.ts";
import type { SqlColumn, SqlDriver, SqlSession, SqlTable } from "./driver.ts";
import { sql, trusted, type Fragment } from "./fragment.ts";
import { mostSpans, offsetSpans, type OffsetSpan } from "./offsetSpans.ts";
import { probeSession } from "./probeSession.ts";
import { statementFragment } from "./statementFragment.ts";
import { parseTableId, tableId } from "./tableId.ts";
import { writeStatement } from "./writeStatement.ts";
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
/** Bytes of one batch of a scan. */
const scannedBytes = 8 * 2 ** 20;
/** Descriptions that are kept. */
const mostDescribed = 1000;

interface Described {
  readonly table: SqlTable;
  readonly version: string | undefined;
  readonly untilMs: number;
}

/** A table with what is written in its place: nothing, or a person's statement. */
interface Source {
  readonly table: SqlTable;
  readonly source?: Fragment;
  readonly isKept: boolean;
}

/**
 * Makes a plugin over a database: one statement a query, its rows streamed into columns. Datasets are tables and views
 * under the ids of `tableId`. One plugin serves the credentials of all accounts.
 */
export function createSqlPlugin(options: SqlPluginOptions): Plugin {
  const { dialect, driver, now = () => performance.now() } = options;
  const described = new Map<string, Described>();
  const typedDialect = typedOf(dialect);

  /** Describes a table, with what was read in the last minute where `isFresh` is not asked. */
  const describedOf = async (
    session: SqlSession,
    { credentials, signal, dataset }: Call & Pick<QueryCall, "dataset">,
    id: string,
    isFresh: boolean,
  ): Promise<Source> => {
    const { statement } = dataset ?? {};
    const fragment = statement && statementFragment(statement);
    const source = fragment && {
      source: sql`(${fragment}) ${trusted(dialect.quote("statement"))}`,
    };
    const key = `${credentialsKey(credentials)} ${statement ? `statement ${statement.text}` : id}`;
    const name = parseTableId(id);
    const version = await versionOf(
      session,
      fragment ?? (name && sql`select * from ${tableOf(name, dialect)}`),
      signal,
    );
    const kept = described.get(key);
    const isCurrent = kept && kept.untilMs > now() && kept.version === version;
    if (isCurrent && !isFresh) return { table: kept.table, ...source, isKept: true };
    described.delete(key);
    const [table] = fragment
      ? [await describeStatement(session, fragment, signal)]
      : name
        ? await driver.tables(session, signal, name)
        : [];
    if (!table) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
    if (described.size >= mostDescribed) described.clear();
    described.set(key, { table, version, untilMs: now() + describedForMs });
    return { table, ...source, isKept: false };
  };
  const versionOf = async (
    session: SqlSession,
    select: Fragment | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    if (!session.shapeOf || !select) return session.schemaVersion;
    try {
      return await session.shapeOf(writeStatement(select, dialect), signal);
    } catch {
      signal.throwIfAborted();
      // A table that is gone, or is not allowed: its description says which.
      return undefined;
    }
  };
  const describeStatement = async (
    session: SqlSession,
    fragment: Fragment,
    signal: AbortSignal,
  ): Promise<SqlTable> => {
    if (!driver.describe) notOffered(dialect, "statements");
    const { text, values } = writeStatement(fragment, dialect);
    const columns = await driver.describe(session, text, signal, values);
    refuseUnnamed(columns);
    return { schema: "", name: "statement", kind: "view", columns };
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
  const compiled = async (
    session: SqlSession,
    { table, source }: Source,
    { signal, ...call }: QueryCall,
    form: Dialect = dialect,
  ) => {
    const query = dialect.capabilities.projection ? call.query : wholeOf(call.query, table);
    const compile = { query, table, dialect: form, ...(source && { source }) };
    const spans = await spansOf(session, compile, signal);
    return compileQuery({ ...compile, spans });
  };
  const answer = async (
    session: SqlSession,
    source: Source,
    call: QueryCall,
  ): Promise<AnsweredBatch> => {
    const { statement, columns } = await compiled(session, source, call);
    const { append, signal } = call;
    const batch = await collectRows(session.rows(statement, signal), columns, {
      ...options,
      ...(append && { append }),
    });
    return { ...batch, applied: exactFilters(call.query, source.table, dialect.capabilities) };
  };
  const scan = async (
    session: SqlSession,
    source: Source,
    { take, ...call }: ScanCall,
  ): Promise<void> => {
    if (session.batches && typedDialect) {
      const { statement, columns } = await compiled(session, source, call, typedDialect);
      const types = columns.map(({ type }) => type);
      if (statement.values.length === 0 && columns.every(({ clock }) => !clock)) {
        const { text } = statement;
        for await (const batch of session.batches(text, types, scannedBytes, call.signal))
          await take(batch);
        return;
      }
    }
    const { statement, columns } = await compiled(session, source, call);
    const rest = await collectRows(session.rows(statement, call.signal), columns, {
      dialect,
      sizeBytes: Infinity,
      append: take,
      partBytes: scannedBytes,
    });
    if (rest.rowCount > 0) await take(rest);
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
        let [wasKept, hasAppended] = [false, false];
        const append: AppendRows = async (rows) => {
          hasAppended = true;
          await call.append?.(rows);
        };
        const asked = { ...call, ...(call.append && { append }) };
        const ask = (isFresh: boolean) =>
          guard(() =>
            driver.use(credentials, signal, async (session) => {
              const source = await describedOf(session, call, query.id, isFresh);
              wasKept = source.isKept;
              return answer(session, source, asked);
            }),
          );
        return ask(false).catch((failure: unknown) => {
          // The table may be another than the one that was described. Rows that were taken would come twice.
          const isFinal = !wasKept || hasAppended || signal.aborted;
          if (isFinal || !mayBeStale(failure, driver)) throw failure;
          return ask(true);
        });
      }),
    scan: (call) =>
      guard(() =>
        driver.use(call.credentials, call.signal, async (session) => {
          await session.unhurried?.();
          // A second attempt would hand rows on twice, so the table is described anew.
          await scan(session, await describedOf(session, call, call.query.id, true), call);
        }),
      ),
    capabilitiesOf: ({ credentials, signal }) =>
      guard(() =>
        driver.use(credentials, signal, (session) => probeSession(session, dialect, signal)),
      ),
    authorize: ({ credentials, signal }) =>
      guard(() => driver.use(credentials, signal, async () => undefined)),
    ...(driver.describe && {
      describe: ({ credentials, signal, statement }) =>
        guard(async () => {
          const fragment = statementFragment(statement);
          const table = await driver.use(credentials, signal, (session) =>
            describeStatement(session, fragment, signal),
          );
          return table.columns.map(toColumn);
        }),
    }),
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
function mayBeStale(failure: unknown, driver: SqlDriver): boolean {
  if (!(failure instanceof PluginError) || !staleCodes.has(failure.code)) return false;
  return driver.isLost?.(failure.cause) !== true;
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
    columns: columns.map(toColumn),
  };
}

function toColumn({ name: id, type, subtype, narrowed }: SqlColumn): Column {
  return {
    id,
    name: { en: id },
    type,
    ...(subtype && { subtype }),
    ...(narrowed && { narrowed }),
  };
}

/** Refuses a statement whose columns have no names, or the same, as a dataset's columns cannot. */
function refuseUnnamed(columns: readonly SqlColumn[]): void {
  if (columns.length === 0)
    throw new PluginError("PLUGIN_INVALID", ["the statement has no column that can be read"]);
  const seen = new Set<string>();
  for (const { name } of columns) {
    const isGiven = name !== "" && name !== "?column?";
    if (isGiven && !seen.has(name)) seen.add(name);
    else
      throw new PluginError("PLUGIN_INVALID", [
        isGiven
          ? `the statement has two columns ${JSON.stringify(name)}; give each a name with as`
          : "the statement has a column without a name; give it one with as",
      ]);
  }
}

/** The dialect of statements for `SqlSession.batches`. */
function typedOf(dialect: Dialect): Dialect | undefined {
  const { typed, read } = dialect;
  return typed && { ...dialect, output: typed, readPlain: read };
}
