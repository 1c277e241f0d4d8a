import type { CheckReport, ClaimReport, Verdict } from "../../../plugins/conformance/index.ts";
import type { PluginCheckReport, Verification } from "../../base/index.ts";

/** Deviations of one claim that are kept. */
const mostNames = 3;

/** Makes the form of a check that the record of a plugin keeps. */
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
      outside.length === 0 && { problem: "the plugin shows no dataset with rows to ask about" }),
  };
}

/** The report of a check that could not be made. */
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

/** A plugin without anything wrong is verified when something was proved; else nothing is known of it. */
export function verificationOf({ wrong, proved }: PluginCheckReport): Verification {
  if (Object.keys(wrong).length > 0) return "failed";
  return proved.length > 0 ? "verified" : "unchecked";
}

/** Leaves out the plugin's own words: they may hold values of rows, or credentials. */
function withoutMessage(does: string): string {
  const [, act] = /^(.*?refuses [^:]*):/s.exec(does) ?? [];
  return act ?? does;
}
