import { EngineError } from "../errors.ts";
import type { BatchColumn } from "../types.ts";

const latestMs = 8.64e15;

/**
 * Checks that the values of a column of numbers or datetimes can be stored.
 * @throws {EngineError} BATCH_MALFORMED, VALUE_NOT_FINITE
 */
export function checkNumbers(
  name: string,
  { type, values }: Exclude<BatchColumn, { type: "text" }>,
): void {
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value === Infinity || value === -Infinity)
      throw new EngineError("VALUE_NOT_FINITE", [row, name]);
    if (
      type === "datetime" &&
      value === value &&
      (Math.abs(value) > latestMs || !Number.isInteger(value))
    )
      throw new EngineError("BATCH_MALFORMED", [
        `row ${row} of column ${name} must be a whole number of milliseconds within ±8.64e15`,
      ]);
  }
}
