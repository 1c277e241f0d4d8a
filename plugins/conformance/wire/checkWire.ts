import type { ClaimReport } from "../report.ts";
import type { Wire } from "./wire.ts";
import { wireChecks, type WireFacts } from "./wireChecks.ts";

/** Runs the checks of the HTTP exchange one after another. Each check becomes a claim of the report. */
export async function checkWire(wire: Wire, facts: WireFacts): Promise<readonly ClaimReport[]> {
  const reports: ClaimReport[] = [];
  let queryCount = 0;
  const counted: Wire = {
    ...wire,
    send(call) {
      queryCount++;
      return wire.send(call);
    },
  };
  for (const { path, run } of wireChecks) {
    queryCount = 0;
    const findings = await run(counted, facts).catch((failure: unknown) => [
      { does: `does not respond: ${failure instanceof Error ? failure.message : String(failure)}` },
    ]);
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
