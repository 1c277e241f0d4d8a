import { setImmediate } from "node:timers/promises";
import { joinParts } from "../operators/output/joinParts.ts";

/** Number of values that can be copied in about a millisecond. */
const valuesPerTurn = 2 ** 18;

/**
 * Concatenates the columns of an answer's parts. Yields to the event loop after every few columns, because the columns
 * of a wide answer can amount to 100 MB.
 */
export async function joinInTurns(
  parts: readonly (readonly Float64Array[])[],
): Promise<Float64Array[]> {
  if (parts.length === 1) return joinParts(parts);
  const columns: Float64Array[] = [];
  let valueCount = 0;
  for (let index = 0; index < parts[0].length; index++) {
    const [column] = joinParts(parts.map((part) => [part[index]]));
    columns.push(column);
    valueCount += column.length;
    if (valueCount < valuesPerTurn) continue;
    valueCount = 0;
    await setImmediate();
  }
  return columns;
}
