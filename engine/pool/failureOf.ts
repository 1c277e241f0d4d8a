import { EngineError } from "../errors.ts";
import type { Failure } from "./messages.ts";

/** Makes of what a task threw what a thread answers. */
export function failureOf(error: unknown): Failure {
  if (error instanceof EngineError) return { ok: false, code: error.code, details: error.details };
  if (error instanceof RangeError) return { ok: false, code: "QUERY_OUT_OF_MEMORY", details: [] };
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, code: "WORKER_FAILED", details: [message] };
}
