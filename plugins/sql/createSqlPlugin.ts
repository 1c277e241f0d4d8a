import {
  PluginError,
  type AnsweredBatch,
  type AppendRows,
  type Call,
  type Column,
  type Credentials,
  type Dataset,
  type DatasetsCall,
  type Plugin,
  type PluginErrorCode,
  type Query,
  type QueryCall,
  type ScanCall,
} from "../protocol/index.ts";
import { changedColumn } from "./changedColumn.ts";
import { collectRows } from "./collectRows.ts";
import type { CompileOptions } from "./compileOptions.ts";
import { compileQuery } from "./compileQuery.ts";
import { notOffered } from "./columnScope.ts";
import { columnSettingsOf, withColumnSettings } from "./columnSettings.ts";
import { createDescriptions, type Source } from "./createDescriptions.ts";
import type { Dialect } from "./dialect.ts";
import { exactFilters } from "./exactFilters.ts";
import type { SqlColumn, SqlDriver, SqlSession, SqlTable } from "./driver.ts";
import {
  mostDifferenceMs,
  mostSpans,
  offsetSpans,
  wallSpans,
  type ColumnClock,
  type OffsetSpan,
} from "./offsetSpans.ts";
import { probeSession } from "./probeSession.ts";
import { statementFragment } from "./statementFragment.ts";
import { parseTableId, tableId } from "./tableId.ts";
import { hasTopRows } from "./topRows.ts";
import { compileExtent, filteredRange, zonedColumns, type InstantRange } from "./zoneRanges.ts";

/** The dialect and the driver of a plugin over a database, and the limits of its calls. */
export interface SqlPluginOptions {
  /** The dialect, which writes the parts of a statement. */
  readonly dialect: Dialect;
  /** The driver that connects to the database and lists its tables. */
  readonly driver: SqlDriver;
  /** Maximum size of an answer in memory, in bytes. Larger answers fail with PLUGIN_INVALID. */
  readonly sizeBytes: number;
  /**
   * Deadline of a call in milliseconds. Describing a statement may take a quarter of this time, but at most 20 s.
   * @default Infinity
   */
  readonly timeoutMs?: number;
  /**
   * Returns milliseconds since an arbitrary instant. Tests replace it.
   * @default performance.now
   */
  readonly now?: () => number;
}

/** The dataset of a query, and the tables that the query joins to it. */
interface QuerySource extends Source {
  readonly joined: readonly SqlTable[];
}

/**
 * Maximum milliseconds to describe a statement. Its author waits for the description in a form, and queries of the
 * dataset describe the statement again once a minute. Without this limit, describing could take as long as a whole
 * query, because SQLite must run a statement to determine its types.
 */
const mostDescribingMs = 20_000;
/** Size of a scan's batches in bytes. */
const scannedBytes = 8 * 2 ** 20;

/**
 * Creates a plugin over a database. A query becomes a single statement, whose rows are streamed into columns. Datasets
 * are tables and views, with ids as in `tableId`. A single plugin serves the credentials of all accounts.
 */
export function createSqlPlugin(options: SqlPluginOptions): Plugin {
  const { dialect, driver, now = () => performance.now() } = options;
  const descriptions = createDescriptions(driver, dialect, {
    now,
    describingMs: Math.min(mostDescribingMs, (options.timeoutMs ?? Infinity) / 4),
  });
  const typedDialect = typedOf(dialect);

  const spansOf = async (
    session: SqlSession,
    compile: CompileOptions,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly OffsetSpan[]>> => {
    const { query, table } = compile;
    const clocks = new Map(
      table.columns.flatMap(({ name, clock }) =>
        clock && !dialect.readsZone ? [[name, clock] as const] : [],
      ),
    );
    const columnIds = zonedColumns(query, (id) => clocks.has(id));
    const zone = query.options.timezone_id ?? "UTC";
    const spans = new Map<string, readonly OffsetSpan[]>();
    const ranges = columnIds.map((id) => [id, storedRange(query, id, clocks)] as const);
    if (ranges.some(([, range]) => !range)) await session.snapshot?.();
    for (const [id, known] of ranges) {
      const { fromMs, toMs } = known ?? (await extentOf(session, compile, id, signal));
      const own = clocks.get(id);
      const found =
        own === undefined
          ? offsetSpans(zone, fromMs, toMs)
          : wallSpans(own, zone, { fromMs, toMs });
      if (!found)
        notOffered(
          dialect,
          `datetimes in the time zone ${own?.zone ?? zone}, with more than ${mostSpans} clock changes`,
        );
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
    { table, source, joined }: QuerySource,
    { signal, ...call }: QueryCall,
    { form = dialect, isCut = false }: { form?: Dialect; isCut?: boolean } = {},
  ) => {
    const query = dialect.capabilities.projection ? call.query : wholeOf(call.query, table);
    const compile = { query, table, joined, dialect: form, ...(source && { source }) };
    const spans = await spansOf(session, compile, signal);
    return compileQuery({ ...compile, spans, isCut });
  };
  /** Describes the dataset of a query and the datasets joined to it. */
  const sourceOf = async (
    session: SqlSession,
    call: QueryCall,
    isFresh: boolean,
  ): Promise<QuerySource> => {
    const { credentials, signal, query, dataset } = call;
    const shared = { credentials, signal };
    const own = { ...shared, ...(dataset && { dataset }) };
    const source = await descriptions.of(session, own, query.id, isFresh);
    const joined: Source[] = [];
    for (const { id } of query.joins ?? [])
      joined.push(await descriptions.of(session, shared, id, isFresh));
    const isKept = [source, ...joined].some((each) => each.isKept);
    const changed = changedColumn(query, dataset, source.table);
    // The caller may know a newer state of the table than the description.
    if (changed && isKept) return sourceOf(session, call, true);
    if (changed) throw changed;
    return { ...source, joined: joined.map(({ table }) => table), isKept };
  };
  const answer = async (
    session: SqlSession,
    source: QuerySource,
    call: QueryCall,
  ): Promise<AnsweredBatch> => {
    const { append, signal, query } = call;
    const run = async (isCut: boolean) => {
      const { statement, columns, table } = await compiled(session, source, call, { isCut });
      const rows = session.rows(statement, signal);
      const batch = await collectRows(rows, columns, { ...options, ...(append && { append }) });
      return { batch, table };
    };
    const isCut = !append && hasTopRows(query, source.table, dialect);
    let { batch, table } = await run(isCut);
    if (isCut && batch.rowCount < (query.limit?.by ?? 0)) ({ batch, table } = await run(false));
    return { ...batch, applied: exactFilters(call.query, table, dialect.capabilities) };
  };
  const scan = async (
    session: SqlSession,
    source: QuerySource,
    { take: given, ...call }: ScanCall,
  ): Promise<void> => {
    const take = withShare(given, call, source.table);
    if (session.batches && typedDialect) {
      const { statement, columns } = await compiled(session, source, call, {
        form: typedDialect,
      });
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
  /** Lists all tables, or only those that the host needs. */
  const tablesOf = async (
    session: SqlSession,
    { only, signal }: DatasetsCall,
  ): Promise<readonly SqlTable[]> => {
    if (!only) return driver.tables(session, signal);
    const names = only.map(parseTableId).filter((name) => name !== undefined);
    const found: SqlTable[] = [];
    for (const name of names) found.push(...(await driver.tables(session, signal, name)));
    return found;
  };
  const use = <Result>(
    { credentials, signal, tenant }: Call,
    run: (session: SqlSession) => Promise<Result>,
  ): Promise<Result> => {
    // Invalid settings are refused before the source is reached.
    columnSettingsOf(credentials, dialect);
    return driver.use(credentials, signal, run, tenant);
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
    datasets: (call) =>
      guard(async () => {
        const tables = await use(call, async (session) => {
          const settings = columnSettingsOf(call.credentials, dialect, session);
          const found = await tablesOf(session, call);
          return found.map((each) => withColumnSettings(each, tableId(each), settings, dialect));
        });
        return tables.map(toDataset);
      }),
    query: (call) =>
      guard(async () => {
        const { signal } = call;
        let [wasKept, hasAppended] = [false, false];
        const append: AppendRows = async (rows) => {
          hasAppended = true;
          await call.append?.(rows);
        };
        const guarded = { ...call, ...(call.append && { append }) };
        const attempt = (isFresh: boolean) =>
          guard(() =>
            use(call, async (session) => {
              const source = await sourceOf(session, call, isFresh);
              wasKept = source.isKept;
              return answer(session, source, guarded);
            }),
          );
        return attempt(false).catch((failure: unknown) => {
          // The table may have changed since it was described. A second attempt is possible only if no rows have been
          // passed on yet.
          const isFinal = !wasKept || hasAppended || signal.aborted;
          if (isFinal || !mayBeStale(failure, driver)) throw failure;
          return attempt(true);
        });
      }),
    scan: (call) =>
      guard(() =>
        use(call, async (session) => {
          await session.unhurried?.();
          // A second attempt would repeat the rows that were passed on, so the table is described again before the
          // first attempt.
          await scan(session, await sourceOf(session, call, true), call);
        }),
      ),
    capabilitiesOf: (call) =>
      guard(() =>
        use(call, async (session) => {
          const { signal } = call;
          const probed = await probeSession(session, dialect, signal);
          const warnings = (await driver.warnings?.(session, signal)) ?? [];
          return { ...probed, ...(warnings.length > 0 && { warnings }) };
        }),
      ),
    authorize: (call) =>
      guard(() => use(call, async ({ encryption }) => encryption && { encryption })),
    ...(driver.describe && {
      describe: ({ statement, ...call }) =>
        guard(async () => {
          const fragment = statementFragment(statement, dialect.statements);
          let hasSession = false;
          const described = use(call, async (session) => {
            hasSession = true;
            return descriptions.ofStatement(session, fragment, call);
          });
          const table = await guard(() => described).catch((failure: unknown) => {
            throw hasSession ? refusedStatement(failure, driver) : failure;
          });
          return table.columns.map(toColumn);
        }),
    }),
    release: async (credentials: Credentials) => {
      descriptions.forget(credentials);
      await driver.release?.(credentials);
    },
    close: () => driver.close(),
  };
}

/** Returns the range to which the filters limit the stored values of a column; undefined if one end is unbounded. */
function storedRange(
  { filters }: Query,
  id: string,
  clocks: ReadonlyMap<string, ColumnClock>,
): InstantRange | undefined {
  const range = filteredRange(filters, id);
  if (!range || !clocks.has(id)) return range;
  return { fromMs: range.fromMs - mostDifferenceMs, toMs: range.toMs + mostDifferenceMs };
}

/** Adds the share of rows that was passed on, if the scan reads a whole table whose number of rows is estimated. */
function withShare(
  take: ScanCall["take"],
  { query, dataset }: Pick<QueryCall, "query" | "dataset">,
  { rows }: SqlTable,
): ScanCall["take"] {
  if (!rows || query.filters.length > 0 || dataset?.statement) return take;
  let passedCount = 0;
  return (batch) => {
    passedCount += batch.rowCount;
    return take(batch, Math.min(1, passedCount / rows));
  };
}

const staleCodes = new Set<PluginErrorCode>([
  "PLUGIN_UNKNOWN_DATASET",
  "PLUGIN_UNKNOWN_COLUMN",
  "PLUGIN_BAD_ANSWER",
  "PLUGIN_SOURCE_FAILED",
]);

/** Returns whether the cause of a failure may be that the table changed after it was described. */
function mayBeStale(failure: unknown, driver: SqlDriver): boolean {
  if (!(failure instanceof PluginError) || !staleCodes.has(failure.code)) return false;
  return driver.isLost?.(failure.cause) !== true;
}

/**
 * Converts an error that the database reports for a person's statement to PLUGIN_INVALID, because its author can
 * correct the statement.
 */
function refusedStatement(failure: unknown, driver: SqlDriver): unknown {
  if (!(failure instanceof PluginError) || failure.code !== "PLUGIN_SOURCE_FAILED") return failure;
  if (driver.isLost?.(failure.cause) === true) return failure;
  const words = failure.details.map(String).join(", ");
  return new PluginError("PLUGIN_INVALID", [`the database rejects the statement: ${words}`], {
    cause: failure,
  });
}

/** Returns the query that a plugin without projection answers instead: all rows with all columns. */
function wholeOf({ id, options }: Query, { columns }: SqlTable): Query {
  return {
    id,
    columns: columns.map(({ name }) => ({ column_id: name })),
    filters: [],
    options: { ...options, pushdown: false },
  };
}

/** Maximum length of a table or column name in characters. SQLite and DuckDB files may contain longer names. */
const longestName = 500;

/**
 * Checks the name of a table or column.
 * @throws {PluginError} PLUGIN_UNREADABLE for a name that cannot become an id
 */
function checkName(name: string, what: string): void {
  const shown = JSON.stringify(name.slice(0, 40).toWellFormed());
  if (name.length > longestName)
    throw new PluginError("PLUGIN_UNREADABLE", [
      `the name of a ${what} must have at most ${longestName} characters, not ${name.length.toLocaleString("en")}: ${shown}…`,
    ]);
  if (name === "" || name.includes("\0") || !name.isWellFormed())
    throw new PluginError("PLUGIN_UNREADABLE", [
      `the name of a ${what} must be a non-empty string without NUL or lone surrogates, not ${shown}`,
    ]);
}

const unreadableNote =
  "no column has a type that can be read, or the account's user may not read the columns";

function toDataset(table: SqlTable): Dataset {
  const { schema, name, kind, description, rows, notes, columns } = table;
  checkName(name, "table");
  for (const column of columns) checkName(column.name, "column");
  const remarks = columns.length > 0 ? notes : (notes ?? [unreadableNote]);
  return {
    id: tableId(table),
    name: { en: name },
    ...(description !== undefined && { description: { en: description } }),
    schema,
    table: name,
    kind,
    ...(rows !== undefined && { rows }),
    ...(remarks && { notes: [...remarks] }),
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

/** Returns the dialect in which statements for `SqlSession.batches` are written. */
function typedOf(dialect: Dialect): Dialect | undefined {
  const { typed, read } = dialect;
  return typed && { ...dialect, output: typed, readPlain: read };
}
