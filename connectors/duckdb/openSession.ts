import { PluginError } from "../../plugins/protocol/index.ts";
import type { SqlSession } from "../../plugins/sql/index.ts";
import type { DuckdbRows } from "./messages.ts";
import type { OpenSource } from "./openSources.ts";

/** A source that is open in a separate process. */
export interface DuckdbSession extends SqlSession {
  /** All rows of a small statement of our own. */
  all(text: string, signal: AbortSignal, values?: readonly unknown[]): Promise<DuckdbRows>;
}

/** Opens a session over a source. Aborting `deadline` also stops every call. */
export function openSession(
  { rows: rowsOf }: OpenSource,
  schemaVersion: string,
  deadline: AbortSignal,
): DuckdbSession {
  async function* rows(text: string, values: readonly unknown[], outer: AbortSignal) {
    const signal = AbortSignal.any([outer, deadline]);
    try {
      yield* rowsOf(text, values, signal);
    } catch (failure) {
      throw signal.aborted ? cancelled(signal) : failure;
    }
  }
  return {
    schemaVersion,
    rows: ({ text, values }, signal) => rows(text, values, signal),
    async all(text, signal, values = []) {
      const all: (readonly unknown[])[] = [];
      for await (const block of rows(text, values, signal)) all.push(...block);
      return all;
    },
  };
}

/** The error of a call that was aborted: its own reason, where that is an error that a plugin may throw. */
export function cancelled({ reason }: AbortSignal): PluginError {
  if (reason instanceof PluginError) return reason;
  const isLate = reason instanceof DOMException && reason.name === "TimeoutError";
  return new PluginError("PLUGIN_TIMEOUT", [
    isLate ? "DuckDB: the statement took longer than it may" : "DuckDB: the call was cancelled",
  ]);
}
