import { EngineError } from "../errors.ts";

/** Wraps an error of the file system. */
export function writeFailed(cause: unknown): EngineError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new EngineError("STORE_WRITE_FAILED", [message], { cause });
}
