import type { Client } from "pg";

/**
 * The share of the deadline for which a statement may wait for a lock. It is below 1, so that the statement fails
 * before the call times out.
 */
const lockShare = 0.8;
const idleMs = 60_000;

/**
 * Settings of each transaction: the application name, which is shown to operators of the database, and settings that
 * affect how statements are interpreted. They are local to the transaction, because a pooler may share the connection
 * with other clients.
 */
const settings = {
  application_name: "'manifold'",
  timezone: "'UTC'",
  datestyle: "'ISO, YMD'",
  intervalstyle: "'postgres'",
  bytea_output: "'hex'",
  xmloption: "'content'",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
} as const;

const savepoint = "call";

/** Statements that roll back a transaction, even a failed one, and release the advisory locks that a rollback keeps. */
export const leaveTransaction = [
  `rollback to savepoint ${savepoint}`,
  "select pg_catalog.pg_advisory_unlock_all()",
  "rollback",
].join("; ");

/**
 * Begins the read-only transaction in which all statements of a call run, on one snapshot of the database. `timeoutMs`
 * is the server-side deadline of each statement (undefined: none); a stricter limit of the role applies. The select
 * takes the snapshot. After that, PostgreSQL refuses to make the transaction read-write. Resolves to the id of the
 * server process.
 */
export async function beginTransaction(
  client: Client,
  timeoutMs: number | undefined,
): Promise<number> {
  const sets = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`);
  const limits = timeoutMs === undefined ? [] : limitsOf(Math.max(1, Math.floor(timeoutMs)));
  const select = ["pg_catalog.pg_backend_pid()", ...limits].join(", ");
  const text = [
    "begin isolation level repeatable read read only",
    ...sets,
    `select ${select}`,
    `savepoint ${savepoint}`,
  ];
  // The text contains several statements, so the driver returns an array of results.
  const results: unknown = await client.query({ text: text.join("; "), rowMode: "array" });
  const selected: unknown = Array.isArray(results) ? results.at(-2) : undefined;
  if (typeof selected !== "object" || selected === null || !("rows" in selected)) return Number.NaN;
  const { rows } = selected;
  return Array.isArray(rows) ? Number(rows.flat()[0]) : Number.NaN;
}

function limitsOf(timeoutMs: number): readonly string[] {
  return [
    smallerLimit("statement_timeout", timeoutMs),
    smallerLimit("lock_timeout", Math.ceil(timeoutMs * lockShare)),
    smallerLimit("idle_in_transaction_session_timeout", idleMs),
  ];
}

/**
 * Returns an SQL expression that sets a setting to at most `ms` within the transaction. A value of 0 means no limit.
 */
function smallerLimit(name: string, ms: number): string {
  const own = `(extract(epoch from pg_catalog.current_setting('${name}')::interval) * 1000)::bigint`;
  return `pg_catalog.set_config('${name}', least(nullif(${own}, 0), ${ms})::text, true)`;
}
