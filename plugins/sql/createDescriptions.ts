import { PluginError, type Call, type Credentials, type QueryCall } from "../protocol/index.ts";
import { notOffered } from "./columnScope.ts";
import { columnSettingsOf, withColumnSettings } from "./columnSettings.ts";
import { credentialsKey } from "./credentialsKey.ts";
import type { Dialect } from "./dialect.ts";
import type { SqlColumn, SqlDriver, SqlSession, SqlTable } from "./driver.ts";
import { sql, trusted, type Fragment } from "./fragment.ts";
import { statementFragment } from "./statementFragment.ts";
import { parseTableId } from "./tableId.ts";
import { tableOf } from "./tableOf.ts";
import { writeStatement } from "./writeStatement.ts";

/** A table. If the dataset is a statement, also the statement that takes the place of the table. */
export interface Source {
  readonly table: SqlTable;
  readonly source?: Fragment;
  /** Whether the description is reused from an earlier call. */
  readonly isKept: boolean;
}

/** The descriptions of the tables and statements that a plugin's accounts use. */
export interface Descriptions {
  /**
   * Describes the table of a query, or the statement that takes the place of the table. A description from the last
   * minute is reused unless `isFresh` is set.
   * @throws {PluginError} PLUGIN_UNKNOWN_DATASET
   */
  of(
    session: SqlSession,
    call: Call & Pick<QueryCall, "dataset">,
    id: string,
    isFresh: boolean,
  ): Promise<Source>;
  /**
   * Describes a statement.
   * @throws {PluginError} PLUGIN_INVALID for columns without a name or with the same name
   */
  ofStatement(session: SqlSession, statement: Fragment, call: Call): Promise<SqlTable>;
  /** Discards the descriptions of these credentials. */
  forget(credentials: Credentials): void;
}

/** Milliseconds for which a description is reused. After a failed query, the table is described again immediately. */
const describedForMs = 60_000;
/** Maximum number of descriptions in the cache. */
const mostDescribed = 1000;

interface Described {
  readonly table: SqlTable;
  readonly version: string | undefined;
  readonly untilMs: number;
}

export interface DescriptionsOptions {
  /** Returns milliseconds since an arbitrary instant. */
  readonly now: () => number;
  /** Maximum milliseconds to describe a statement or a table. */
  readonly describingMs: number;
}

/** Creates an empty cache of descriptions. */
export function createDescriptions(
  driver: SqlDriver,
  dialect: Dialect,
  { now, describingMs }: DescriptionsOptions,
): Descriptions {
  const described = new Map<string, Described>();

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
      // The table no longer exists or is no longer allowed. Describing it again shows which of the two is true.
      return undefined;
    }
  };
  const ofStatement = async (
    session: SqlSession,
    fragment: Fragment,
    { credentials, signal }: Call,
  ): Promise<SqlTable> => {
    if (!driver.describe) notOffered(dialect, "statements");
    await session.expose?.();
    const describe = driver.describe?.bind(driver);
    if (!describe) notOffered(dialect, "statements");
    const { text, values } = writeStatement(fragment, dialect);
    const columns = await inTime(describingMs, signal, (until) =>
      describe(session, text, until, values),
    );
    refuseUnnamed(columns);
    const table = { schema: "", name: "statement", kind: "view", columns } as const;
    const settings = columnSettingsOf(credentials, dialect, session);
    return withColumnSettings(table, "", settings, dialect);
  };
  return {
    async of(session, { credentials, signal, dataset }, id, isFresh) {
      const { statement } = dataset ?? {};
      if (statement) await session.expose?.();
      const fragment = statement && statementFragment(statement, dialect.statements);
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
      const found =
        !fragment && name
          ? await inTime(describingMs, signal, (until) => driver.tables(session, until, name))
          : [];
      const [table] = fragment
        ? [await ofStatement(session, fragment, { credentials, signal })]
        : found.map((each) =>
            withColumnSettings(each, id, columnSettingsOf(credentials, dialect, session), dialect),
          );
      if (!table)
        throw new PluginError("PLUGIN_UNKNOWN_DATASET", [
          dataset
            ? `${id}; at the source, it was renamed or dropped, or may no longer be read: restore it, or delete the dataset`
            : id,
        ]);
      if (described.size >= mostDescribed) described.clear();
      described.set(key, { table, version, untilMs: now() + describedForMs });
      return { table, ...source, isKept: false };
    },
    ofStatement,
    forget(credentials) {
      const key = credentialsKey(credentials);
      for (const each of described.keys()) if (each.startsWith(key)) described.delete(each);
    },
  };
}

/** Runs some work with a time limit. When the limit is reached, aborts the work with an error for the caller. */
async function inTime<Result>(
  limitMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(
      new PluginError("PLUGIN_TIMEOUT", [
        `describing the statement or view took longer than ${limitMs / 1000} s; make it read less, for example with a ` +
          "filter, or select from a table that stores its result",
      ]),
    );
  }, limitMs);
  try {
    return await run(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Refuses a statement whose columns have no names or repeated names, because the columns of a dataset need unique
 * names.
 */
function refuseUnnamed(columns: readonly SqlColumn[]): void {
  if (columns.length === 0)
    throw new PluginError("PLUGIN_INVALID", [
      "the statement must have at least one column that can be read",
    ]);
  const seen = new Set<string>();
  for (const { name } of columns) {
    const isGiven = name !== "" && name !== "?column?";
    if (isGiven && !seen.has(name)) seen.add(name);
    else
      throw new PluginError("PLUGIN_INVALID", [
        isGiven
          ? `the statement has two columns called ${JSON.stringify(name)}; give each its own name with as`
          : "the statement has a column without a name; name it with as",
      ]);
  }
}
