import type { ClaimReport } from "../report.ts";
import type { Wire } from "./wire.ts";
import { wireChecks, type WireFacts } from "./wireChecks.ts";

/**
 * Number of checks without a response after which the remaining checks are skipped, because each of them would wait for
 * the deadline.
 */
const mostUnanswered = 2;

/** Runs the checks of the HTTP exchange one after another. Each check becomes a claim of the report. */
export async function checkWire(wire: Wire, facts: WireFacts): Promise<readonly ClaimReport[]> {
  const reports: ClaimReport[] = [];
  let [queryCount, unansweredCount] = [0, 0];
  const counted: Wire = {
    ...wire,
    send(call) {
      queryCount++;
      return wire.send(call);
    },
  };
  for (const { path, run } of wireChecks) {
    queryCount = 0;
    const isSkipped = unansweredCount >= mostUnanswered;
    const findings = isSkipped
      ? undefined
      : await run(counted, facts).catch((failure: unknown) => {
          unansweredCount++;
          const message = failure instanceof Error ? failure.message : String(failure);
          return [{ does: `does not respond: ${message}` }];
        });
    reports.push({
      claim: path,
      verdict: findings === undefined ? "not asked" : findings.length > 0 ? "wrong" : "proved",
      queryCount,
      findings: findings ?? [],
      undistinguished: [],
    });
  }
  return reports;
}
