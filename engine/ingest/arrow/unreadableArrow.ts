import { EngineError } from "../../errors.ts";
import type { ColumnPlace } from "../decode/fitColumn.ts";

/** Names the kind of bytes in messages. */
export const arrowData = "Arrow data";

export function unreadableArrow(reason: string): EngineError {
  return new EngineError("INGEST_UNREADABLE", [arrowData, reason]);
}

export function shortArrowBuffer({ name }: ColumnPlace): EngineError {
  return unreadableArrow(`a buffer of the column ${name} is too short`);
}
