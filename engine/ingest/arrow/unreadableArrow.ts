import { EngineError } from "../../errors.ts";
import type { ColumnPlace } from "../decode/fitColumn.ts";

/** The name of the format in error messages. */
export const arrowData = "Arrow data";

export function unreadableArrow(reason: string): EngineError {
  return new EngineError("INGEST_UNREADABLE", [arrowData, reason]);
}

export function shortArrowBuffer({ name }: ColumnPlace): EngineError {
  return unreadableArrow(`a buffer of the column ${name} is too short`);
}
