import type { Connection } from "mysql2";
import { readError } from "./failure.ts";

/**
 * Maximum length in bytes of strings that are compared completely when sorting. Columns of types that allow longer
 * strings are narrowed, so that they are not used for sorting.
 */
const orderedBytes = 262_144;

/** The error number for a feature that the server does not support. */
const unknownFeature = 1235;

/**
 * Sets up a session: UTC, standard SQL for `\` and `"`, null for division by zero, UTF-8 strings that are sorted by
 * their full length, read-only transactions, and a deadline for each statement. The SQL is constant and contains no
 * user input.
 */
export async function setUp(
  connection: Connection,
  timeoutMs: number,
  ownDeadlineMs: number,
): Promise<void> {
  const seconds = Math.ceil(timeoutMs / 1000);
  // After a reset, the session has the server's character set.
  await run(connection, "set names utf8mb4 collate utf8mb4_unicode_ci");
  await run(
    connection,
    `set time_zone = '+00:00', sql_mode = 'NO_BACKSLASH_ESCAPES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
      sql_auto_is_null = 0, sql_select_limit = 18446744073709551615, max_sort_length = ${orderedBytes},
      sort_buffer_size = greatest(@@sort_buffer_size, ${32 * orderedBytes}),
      lock_wait_timeout = least(@@lock_wait_timeout, ${seconds}), net_write_timeout = ${seconds + 60}`,
  );
  await setDeadline(connection, timeoutMs, ownDeadlineMs);
  await startTransaction(
    connection,
    "set session transaction isolation level repeatable read, read only",
  );
}

/**
 * Runs a statement about read-only transactions. Returns false if the server does not support them, as is the case for
 * some servers with MySQL's protocol. Even without these transactions, statements only read data.
 */
export async function startTransaction(connection: Connection, text: string): Promise<boolean> {
  try {
    await run(connection, text);
    return true;
  } catch (failure) {
    if (readError(failure).errno !== unknownFeature) throw failure;
    return false;
  }
}

/** Returns the deadline of statements that the server sets for this user, in milliseconds; 0 means none. */
export async function readDeadline(connection: Connection): Promise<number> {
  const { variable, unitMs } = await deadlineOf(connection);
  return Number(await cellOf(connection, `select @@${variable}`)) * unitMs;
}

/**
 * Sets the deadline of the following statements to the shorter of two deadlines; 0 means no deadline. `ownMs` is the
 * deadline that the server sets.
 */
export async function setDeadline(
  connection: Connection,
  timeoutMs: number,
  ownMs = timeoutMs,
): Promise<void> {
  const { variable, unitMs } = await deadlineOf(connection);
  const shorter = ownMs > 0 && timeoutMs > 0 ? Math.min(ownMs, timeoutMs) : ownMs || timeoutMs;
  const value = unitMs === 1 ? Math.ceil(shorter) : shorter / unitMs;
  await run(connection, `set ${variable} = ${value}`);
}

async function deadlineOf(
  connection: Connection,
): Promise<{ readonly variable: string; readonly unitMs: number }> {
  const version = await cellOf(connection, "select version()");
  return String(version).includes("MariaDB")
    ? { variable: "max_statement_time", unitMs: 1000 }
    : { variable: "max_execution_time", unitMs: 1 };
}

/** Runs an internal statement that returns one cell. */
async function cellOf(connection: Connection, statement: string): Promise<unknown> {
  const rows: unknown = await run(connection, statement);
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  return Array.isArray(row) ? row[0] : undefined;
}

/**
 * Resets the session on the server: its variables, temporary tables, named locks and prepared statements. Returns false
 * if the server does not support this.
 */
export function resetSession(connection: Connection): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  connection.once("error", reject);
  connection.reset((failure) => {
    connection.off("error", reject);
    resolve(!failure);
  });
  return promise;
}

/** Runs an internal statement without parameters. */
export function run(connection: Connection, statement: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  // If the connection is lost before the statement is sent, the connection reports the error, and not the statement.
  connection.once("error", reject);
  connection.query(statement, (failure, rows) => {
    connection.off("error", reject);
    if (failure) reject(failure);
    else resolve(rows);
  });
  return promise;
}
