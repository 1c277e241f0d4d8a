import {
  type Cause,
  causesOf,
  type CheckReport,
  type ClaimReport,
  type Verdict,
} from "../report.ts";
import { causeTitle, exampleLines, examplesOf } from "./causeLines.ts";
import { type CheckedTarget } from "./checkedTarget.ts";
import { summaryOf, verdictWords } from "./words.ts";

/**
 * Writes a report for a terminal. Wrong answers come first, grouped by their likely cause. For each cause, the report
 * contains the claims that it makes wrong, and the smallest query of one of these claims. The other claims follow,
 * grouped by verdict.
 */
export function textReport(report: CheckReport, target: CheckedTarget): string {
  const { claims, seed, rowCounts, notes } = report;
  const rows = Object.entries(rowCounts).map(([id, count]) => `${id} (${count} rows)`);
  const lines = [
    `${target.name}: protocol ${target.protocolVersion}, ${rows.join(", ") || "no datasets"}, seed ${seed}`,
    ...causesOf(report).flatMap((cause) => causeSection(cause, target)),
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

function causeSection(cause: Cause, target: CheckedTarget): string[] {
  const { claims } = cause;
  const [only, ...others] = claims;
  const isOne = only !== undefined && others.length === 0;
  return [
    "",
    isOne ? `WRONG  ${only}: ${causeTitle(cause)}` : `WRONG  ${causeTitle(cause)}`,
    ...(others.length > 0 ? [`  ${claims.length} claims: ${claims.join(", ")}`] : []),
    ...examplesOf(cause).flatMap((example) => [
      ...(example.claim === undefined || isOne ? [] : [`  example: ${example.claim}`]),
      ...exampleLines(example, target).map((line) => `  ${line}`),
    ]),
  ];
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
