import type { CheckReport, ClaimReport, Finding, Verdict } from "../report.ts";
import { type CheckedTarget } from "./checkedTarget.ts";
import { curlOf } from "./curlOf.ts";
import { summaryOf, verdictWords } from "./words.ts";

/**
 * Writes a report for a terminal. Wrong answers come first, each with its smallest query, followed by the claims
 * grouped by verdict.
 */
export function textReport(report: CheckReport, target: CheckedTarget): string {
  const { claims, findings, seed, rowCounts, notes } = report;
  const rows = Object.entries(rowCounts).map(([id, count]) => `${id} (${count} rows)`);
  const wrong = claims.filter(({ verdict }) => verdict === "wrong");
  const lines = [
    `${target.name}: protocol ${target.protocolVersion}, ${rows.join(", ") || "no datasets"}, seed ${seed}`,
    ...findings.flatMap((finding) => [
      "",
      `WRONG  it ${finding.does}`,
      ...detailsOf(finding, target),
    ]),
    ...wrong.flatMap(({ claim, findings: own }) =>
      own.flatMap((finding) => [
        "",
        `WRONG  ${claim}: it ${finding.does}`,
        ...detailsOf(finding, target),
      ]),
    ),
    ...(["unproved", "possible", "refused", "not asked", "proved"] as const).flatMap((verdict) =>
      group(verdict, claims),
    ),
    ...(notes.length > 0 ? ["", ...notes.map((note) => `note: ${note}`)] : []),
    ...(target.isStarted && !report.isPassed ? ["", againOf(target)] : []),
    "",
    summaryOf(report),
  ];
  return lines.join("\n");
}

/** Returns the command that starts the plugin again at the address used in the curl commands. */
function againOf({ name, url }: CheckedTarget): string {
  const { port } = new URL(url);
  const dev = `PLUGIN_SECRET="$PLUGIN_SECRET" npx manifold plugin dev ${name} --port ${port}`;
  return `the plugin has stopped; to query it again, export a PLUGIN_SECRET and start it with\n  ${dev}`;
}

function group(verdict: Verdict, claims: readonly ClaimReport[]): string[] {
  const own = claims.filter((claim) => claim.verdict === verdict);
  if (own.length === 0) return [];
  const title = `${verdictWords[verdict]} (${own.length})`;
  const untested = own.filter(({ queryCount }) => queryCount === 0);
  if (verdict !== "unproved") return ["", `${title}: ${own.map(({ claim }) => claim).join(", ")}`];
  return [
    "",
    title,
    ...own
      .filter(({ queryCount }) => queryCount > 0)
      .map(
        ({ claim, undistinguished }) =>
          `  ${claim}: the rows also fit a plugin that ${undistinguished.join(", or ")}`,
      ),
    ...(untested.length > 0
      ? [`  no suitable rows or columns for: ${untested.map(({ claim }) => claim).join(", ")}`]
      : []),
  ];
}

function detailsOf(finding: Finding, target: CheckedTarget): string[] {
  const { expected, answered } = finding;
  const curl = curlOf(finding, target);
  return [
    ...(expected ? [`  expected ${JSON.stringify(expected)}`] : []),
    ...(answered ? [`  answered ${JSON.stringify(answered)}`] : []),
    ...(curl ? curl.split("\n").map((line) => `  ${line}`) : []),
  ];
}
