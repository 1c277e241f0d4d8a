import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { PluginError } from "../../plugins/protocol/index.ts";
import type { SqlSession } from "../../plugins/sql/index.ts";
import type { Duckdb } from "./loadDuckdb.ts";

/** A connection to an engine. */
export interface DuckdbSession extends SqlSession {
  /** All rows of a small statement of our own. */
  all(
    text: string,
    signal: AbortSignal,
    values?: readonly unknown[],
  ): Promise<readonly (readonly DuckDBValue[])[]>;
}

/**
 * Milliseconds between interrupts of a call that does not end: one that comes before a statement starts has no effect.
 */
const interruptEveryMs = 50;

/** Opens a session over a connection. Every call ends with `deadline` too. */
export function openSession(
  { listValue, LIST, DOUBLE, VARCHAR, StatementType }: Duckdb,
  connection: DuckDBConnection,
  schemaVersion: string,
  deadline: AbortSignal,
): DuckdbSession {
  const interruptible = async <Result>(
    signal: AbortSignal,
    run: () => Promise<Result>,
  ): Promise<Result> => {
    let timer: NodeJS.Timeout | undefined;
    const interrupt = () => {
      connection.interrupt();
      timer = setTimeout(interrupt, interruptEveryMs);
    };
    if (signal.aborted) throw cancelled(signal);
    signal.addEventListener("abort", interrupt, { once: true });
    try {
      const result = await run();
      // A stream that was interrupted ends without an error.
      if (signal.aborted) throw cancelled(signal);
      return result;
    } catch (failure) {
      throw signal.aborted ? cancelled(signal) : failure;
    } finally {
      signal.removeEventListener("abort", interrupt);
      clearTimeout(timer);
    }
  };
  async function* rows(text: string, values: readonly unknown[], outer: AbortSignal) {
    const signal = AbortSignal.any([outer, deadline]);
    const prepared = await interruptible(signal, () => connection.prepare(text));
    try {
      if (prepared.statementType !== StatementType.SELECT)
        throw new PluginError("PLUGIN_INVALID", [
          "the statement does more than read; write a SELECT",
        ]);
      values.forEach((value, index) => {
        if (typeof value === "number") prepared.bindDouble(index + 1, value);
        else if (typeof value === "string") prepared.bindVarchar(index + 1, value);
        else if (!Array.isArray(value)) prepared.bindNull(index + 1);
        else {
          const type = LIST(typeof value[0] === "number" ? DOUBLE : VARCHAR);
          prepared.bindValue(index + 1, listValue(value.map(valueOf)), type);
        }
      });
      const result = await interruptible(signal, () => prepared.stream());
      for (;;) {
        const chunk = await interruptible(signal, () => result.fetchChunk());
        if (!chunk || chunk.rowCount === 0) return;
        yield chunk.getRows();
      }
    } finally {
      prepared.destroySync();
    }
  }
  return {
    schemaVersion,
    rows: ({ text, values }, signal) => rows(text, values, signal),
    async all(text, signal, values = []) {
      const all: (readonly DuckDBValue[])[] = [];
      for await (const block of rows(text, values, signal)) all.push(...block);
      return all;
    },
  };
}

/** The driver values of this dialect are numbers, texts, null, and lists of them. */
function valueOf(value: unknown): DuckDBValue {
  return typeof value === "number" || typeof value === "string" ? value : null;
}

/** The error of a call that was aborted: its own reason, where that is an error that a plugin may throw. */
export function cancelled({ reason }: AbortSignal): PluginError {
  if (reason instanceof PluginError) return reason;
  const isLate = reason instanceof DOMException && reason.name === "TimeoutError";
  return new PluginError("PLUGIN_TIMEOUT", [
    isLate ? "DuckDB: the statement took longer than it may" : "DuckDB: the call was cancelled",
  ]);
}
