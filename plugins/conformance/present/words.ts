import type { CheckReport, Verdict } from "../report.ts";

/** The phrase for each verdict in reports. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  proved: "proved",
  unproved: "claimed, but not provable with these rows",
  wrong: "wrong",
  possible: "works, but not claimed",
  refused: "not claimed, and refused",
  "not asked": "not tested",
};

/** Summarizes a check in one line. */
export function summaryOf({ claims, findings, queryCount, isPassed }: CheckReport): string {
  const count = (verdict: Verdict) => claims.filter((claim) => claim.verdict === verdict).length;
  const parts = [
    `${count("proved")} proved`,
    `${count("wrong") + findings.length} wrong`,
    `${count("unproved")} claimed but not provable`,
    `${count("possible")} working but not claimed`,
  ];
  return `${isPassed ? "passed" : "FAILED"}: ${parts.join(", ")}; ${queryCount} queries`;
}
