import type { Connection } from "mysql2";
import { readError } from "./failure.ts";

/** The longest text, in bytes, that an order compares whole; longer types are not ordered by (`narrowed`). */
const orderedBytes = 262_144;

/** Error 1235: the server does not know the feature. */
const unknownFeature = 1235;

/**
 * Sets up a session: UTC, `\` and `"` as the standard has them, division by zero is null, texts in UTF-8 and ordered
 * whole, reading only, and a deadline for each statement. Texts of ours alone; they hold no value of anybody.
 */
export async function setUp(connection: Connection, timeoutMs: number): Promise<void> {
  const seconds = Math.ceil(timeoutMs / 1000);
  await run(
    connection,
    `set time_zone = '+00:00', sql_mode = 'NO_BACKSLASH_ESCAPES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
      sql_auto_is_null = 0, sql_big_selects = 1, sql_select_limit = 18446744073709551615, max_sort_length = ${orderedBytes},
      sort_buffer_size = greatest(@@sort_buffer_size, ${32 * orderedBytes}),
      lock_wait_timeout = ${seconds}, net_write_timeout = ${seconds + 60}`,
  );
  await setDeadline(connection, timeoutMs);
  try {
    await run(connection, "set session transaction isolation level repeatable read, read only");
  } catch (failure) {
    // Some servers that speak the protocol, such as TiDB, have no such transactions. All statements only read.
    if (readError(failure).errno !== unknownFeature) throw failure;
  }
}

/** Sets the deadline of each statement that follows; 0 for none. */
export async function setDeadline(connection: Connection, timeoutMs: number): Promise<void> {
  const [[version]] = (await run(connection, "select version()")) as [[string]];
  await run(
    connection,
    version.includes("MariaDB")
      ? `set max_statement_time = ${timeoutMs / 1000}`
      : `set max_execution_time = ${Math.ceil(timeoutMs)}`,
  );
}

/** Runs a statement of ours that has no values. */
export function run(connection: Connection, statement: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  // A connection that is lost before the statement was sent says so itself.
  connection.once("error", reject);
  connection.query(statement, (failure, rows) => {
    connection.off("error", reject);
    if (failure) reject(failure);
    else resolve(rows);
  });
  return promise;
}
