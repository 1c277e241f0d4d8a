import type { CheckReport, Verdict } from "../report.ts";

/** The meaning of each verdict for the author, as the reports print it. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  proved: "proved",
  unproved: "claimed but unprovable with these rows",
  wrong: "wrong",
  possible: "possible but unclaimed",
  refused: "not claimed, and refused",
  "not asked": "not asked",
};

/** Says in one line how a check ended. */
export function summaryOf({ claims, findings, queryCount, isPassed }: CheckReport): string {
  const count = (verdict: Verdict) => claims.filter((claim) => claim.verdict === verdict).length;
  const parts = [
    `${count("proved")} proved`,
    `${count("wrong") + findings.length} wrong`,
    `${count("unproved")} claimed but unprovable`,
    `${count("possible")} possible but unclaimed`,
  ];
  return `${isPassed ? "passed" : "FAILED"}: ${parts.join(", ")}; ${queryCount} queries`;
}
