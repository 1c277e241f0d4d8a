import { endIfCancelled } from "./cancellation.ts";

/** Number of rows for which a plain loop takes about a millisecond, even if it reads memory in random order. */
const rowsPerStep = 2 ** 15;

/**
 * Calls `step` for consecutive ranges of rows, with a yield point before each.
 * @throws {EngineError} QUERY_CANCELLED
 */
export function inSteps(
  rowCount: number,
  step: (from: number, to: number) => void,
  stepRowCount = rowsPerStep,
): void {
  for (let from = 0; from < rowCount; from += stepRowCount) {
    endIfCancelled();
    step(from, Math.min(rowCount, from + stepRowCount));
  }
}
