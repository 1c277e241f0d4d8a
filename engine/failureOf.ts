import { EngineError, type EngineErrorCode } from "./errors.ts";

/**
 * The response of a thread whose task failed. It is plain data, because an error object loses its class and code when
 * it is sent to another thread.
 */
export interface Failure {
  readonly ok: false;
  readonly code: EngineErrorCode;
  readonly details: readonly (string | number)[];
}

/** Returns a thread's response for an error that its task threw. */
export function failureOf(error: unknown): Failure {
  if (error instanceof EngineError) return { ok: false, code: error.code, details: error.details };
  if (error instanceof RangeError) return { ok: false, code: "QUERY_OUT_OF_MEMORY", details: [] };
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, code: "WORKER_FAILED", details: [message] };
}
