import { cancelledCall, type SqlSession } from "../../plugins/sql/index.ts";
import type { OpenSource } from "./openSources.ts";

/** Opens a session on a source. Aborting `deadline` also stops every call of the session. */
export function openSession(
  { rows: rowsOf }: OpenSource,
  schemaVersion: string,
  deadline: AbortSignal,
): SqlSession {
  return {
    schemaVersion,
    async *rows({ text, values }, outer) {
      const signal = AbortSignal.any([outer, deadline]);
      try {
        yield* rowsOf(text, values, signal);
      } catch (failure) {
        throw signal.aborted ? cancelledCall(signal, "DuckDB") : failure;
      }
    },
  };
}
