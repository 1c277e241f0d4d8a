import { EngineError } from "../../errors.ts";
import type { IngestRequest } from "../../types.ts";

const formats: readonly IngestRequest["format"][] = ["json", "arrow", "parquet"];
const modes: readonly IngestRequest["mode"][] = ["append", "replace", undefined];

/** @throws {EngineError} BATCH_MALFORMED */
export function checkIngest({ format, bytes, mode }: IngestRequest): void {
  if (!formats.includes(format))
    throw new EngineError("BATCH_MALFORMED", [
      `the format is ${String(format)}; there are ${formats.join(", ")}`,
    ]);
  if (!modes.includes(mode))
    throw new EngineError("BATCH_MALFORMED", [
      `the mode is ${String(mode)}; there are append and replace`,
    ]);
  if (!(bytes instanceof Uint8Array))
    throw new EngineError("BATCH_MALFORMED", ["the bytes must be a Uint8Array"]);
}
