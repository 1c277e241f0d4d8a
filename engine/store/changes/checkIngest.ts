import { EngineError } from "../../errors.ts";
import type { IngestRequest } from "../../types.ts";

const formats: readonly IngestRequest["format"][] = ["json", "arrow", "parquet"];
const modes: readonly IngestRequest["mode"][] = ["append", "replace", undefined];

/**
 * Checks the format, bytes and mode of an ingest.
 * @throws {EngineError} BATCH_MALFORMED
 */
export function checkIngest({ format, bytes, mode }: IngestRequest): void {
  if (!formats.includes(format))
    throw new EngineError("BATCH_MALFORMED", [
      `the format must be one of ${formats.join(", ")}, not ${String(format)}`,
    ]);
  if (!modes.includes(mode))
    throw new EngineError("BATCH_MALFORMED", [
      `the mode must be append or replace, not ${String(mode)}`,
    ]);
  if (!(bytes instanceof Uint8Array))
    throw new EngineError("BATCH_MALFORMED", ["the bytes must be a Uint8Array"]);
}
