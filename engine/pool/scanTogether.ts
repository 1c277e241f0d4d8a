import { failureOf, type Failure } from "../failureOf.ts";
import { yieldPoint, workFor } from "../operators/task/cancellation.ts";
import { controlCancelled, type ScanAnswer, type SharedScan } from "./messages.ts";

type ScanOutcome = ScanAnswer | Failure;

/**
 * Runs scans row group by row group, so that a row group's columns are already in the caches for all scans after the
 * first. A failed or cancelled scan does not affect the other scans. Returns the outcomes in the order of the scans.
 */
export function scanTogether(
  scans: readonly SharedScan[],
  run: (scan: SharedScan) => Generator<void, ScanOutcome>,
): readonly ScanOutcome[] {
  const outcomes: ScanOutcome[] = [];
  let running = scans.map((scan, index) => ({
    index,
    flag: scan.control.subarray(controlCancelled, controlCancelled + 1),
    steps: run(scan),
  }));
  while (running.length > 0)
    running = running.filter(({ index, flag, steps }) => {
      yieldPoint();
      workFor(flag);
      try {
        const { done, value } = steps.next();
        if (done) outcomes[index] = value;
        return !done;
      } catch (error) {
        outcomes[index] = failureOf(error);
        return false;
      }
    });
  return outcomes;
}
