import { createDriver } from "../../../connectors/mysql/createDriver.ts";
import { open } from "../../../connectors/mysql/index.ts";
import type { Call, Credentials, Plugin, Query } from "../../../plugins/protocol/index.ts";
import type { SqlDriver, SqlSession } from "../../../plugins/sql/index.ts";
import type { MariadbDatabase } from "../../support/mariadbDatabase.ts";
import { openReach } from "../../support/openReach.ts";

const reach = openReach();

/** Returns the credentials of a user with all rights, for one database. */
export function credentialsOf(
  { host, port, user, password, database }: MariadbDatabase,
  properties: Readonly<Record<string, string>> = {},
): Credentials {
  return {
    host,
    key: user,
    token: password,
    properties: { port: String(port), scope: database, ...properties },
  };
}

export function openMysql(timeoutMs = 60_000): Promise<Plugin> {
  return open({ reach, timeoutMs, sizeBytes: 2 ** 30 });
}

export function openDriver(timeoutMs = 20_000): SqlDriver {
  return createDriver({ reach, timeoutMs });
}

export function callOf(
  database: MariadbDatabase,
  properties?: Readonly<Record<string, string>>,
): Call {
  return { credentials: credentialsOf(database, properties), signal: AbortSignal.timeout(60_000) };
}

/** Returns a query for plain rows of some columns. */
export function rowsOf(
  { database }: Pick<MariadbDatabase, "database">,
  table: string,
  columns: readonly string[],
  more: Partial<Query> = {},
): Query {
  return {
    id: `${database}.${table}`,
    columns: columns.map((column_id) => ({ column_id })),
    filters: [],
    options: { pushdown: false },
    ...more,
  };
}

/** Returns all rows of a statement. */
export async function readAll(
  session: SqlSession,
  text: string,
  values: readonly unknown[] = [],
  signal = AbortSignal.timeout(60_000),
): Promise<readonly (readonly unknown[])[]> {
  const all: (readonly unknown[])[] = [];
  for await (const rows of session.rows({ text, values }, signal)) all.push(...rows);
  return all;
}

/** Returns the other connections to a database, each with the statement that it is running. */
export async function connectionsTo(
  database: MariadbDatabase,
): Promise<readonly (readonly [id: string, running: string | null])[]> {
  const rows = await database.run(
    "select id, info from information_schema.processlist where db = ? and id <> connection_id()",
    [database.database],
  );
  return rows.map(([id, info]) => [String(id), info === null ? null : String(info)]);
}
