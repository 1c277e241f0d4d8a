import { causesOf, type CheckReport, type Verdict } from "../report.ts";

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
export function summaryOf(report: CheckReport): string {
  const { claims, findings, queryCount, isPassed } = report;
  const count = (verdict: Verdict) => claims.filter((claim) => claim.verdict === verdict).length;
  const parts = [
    `${count("proved")} proved`,
    wrongWords(count("wrong") + findings.length, causesOf(report).length),
    `${count("unproved")} claimed but not provable`,
    `${count("possible")} working but not claimed`,
  ];
  return `${isPassed ? "passed" : "FAILED"}: ${parts.join(", ")}; ${queryCount} queries`;
}

function wrongWords(count: number, causeCount: number): string {
  if (count === 0) return "0 wrong";
  return `${count} wrong with ${causeCount} likely ${causeCount === 1 ? "cause" : "causes"}`;
}
