import type { CheckReport, ClaimReport, Verdict } from "../../../plugins/conformance/index.ts";
import type { PluginCheckReport, Verification } from "../../base/index.ts";

/** Maximum number of deviations stored per claim. */
const mostNames = 3;

/** Returns a check in the form that the plugin's record stores. */
export function toReport(report: CheckReport, kitVersion: string): PluginCheckReport {
  const of = (verdict: Verdict) => report.claims.filter((claim) => claim.verdict === verdict);
  const paths = (verdict: Verdict) => of(verdict).map(({ claim }) => claim);
  const named = (
    claims: readonly ClaimReport[],
    names: (claim: ClaimReport) => readonly string[],
  ) =>
    Object.fromEntries(
      claims.map((each) => [each.claim, [...new Set(names(each))].slice(0, mostNames)]),
    );
  const outside = report.findings.map(({ does }) => withoutMessage(does));
  const rowCounts = Object.values(report.rowCounts);
  return {
    kit_version: kitVersion,
    seed: report.seed,
    query_count: report.queryCount,
    dataset_count: rowCounts.length,
    row_count: rowCounts.reduce((sum, count) => sum + count, 0),
    proved: report.isPassed || outside.length === 0 ? paths("proved") : [],
    unproved: named(of("unproved"), ({ undistinguished }) => undistinguished),
    wrong: {
      ...(outside.length > 0 && { rows: [...new Set(outside)].slice(0, mostNames) }),
      ...named(of("wrong"), ({ findings }) => findings.map(({ does }) => withoutMessage(does))),
    },
    possible: paths("possible"),
    refused: paths("refused"),
    not_asked: paths("not asked"),
    ...(rowCounts.length === 0 &&
      outside.length === 0 && { problem: "the plugin offers no dataset with rows to query" }),
  };
}

/** Returns the report of a check that could not run. */
export function failedReport(problem: string, kitVersion: string): PluginCheckReport {
  return {
    kit_version: kitVersion,
    seed: 0,
    query_count: 0,
    dataset_count: 0,
    row_count: 0,
    proved: [],
    unproved: {},
    wrong: {},
    possible: [],
    refused: [],
    not_asked: [],
    problem,
  };
}

/**
 * Returns the verification of a plugin: failed after a wrong answer, verified if at least one claim was proved, and
 * otherwise unchecked.
 */
export function verificationOf({ wrong, proved }: PluginCheckReport): Verification {
  if (Object.keys(wrong).length > 0) return "failed";
  return proved.length > 0 ? "verified" : "unchecked";
}

/** Removes the plugin's own text, which may contain row values or credentials. */
function withoutMessage(does: string): string {
  const [, act] = /^(.*?refuses [^:]*):/s.exec(does) ?? [];
  return act ?? does;
}
