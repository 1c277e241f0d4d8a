import { cancelledCall, type CallDeadline, type SqlSession } from "../../plugins/sql/index.ts";
import type { OpenSource } from "./openSources.ts";

/** Opens a session on a source. The signal of `deadline` stops every call of the session. */
export function openSession(
  { rows: rowsOf }: OpenSource,
  schemaVersion: string,
  deadline: CallDeadline,
): SqlSession {
  return {
    schemaVersion,
    async *rows({ text, values }, outer) {
      const signal = AbortSignal.any([outer, deadline.signal]);
      try {
        yield* rowsOf(text, values, signal);
      } catch (failure) {
        throw signal.aborted ? cancelledCall(signal, "DuckDB") : failure;
      }
    },
    async unhurried() {
      deadline.lift();
    },
  };
}
