import { type CheckReport, type Finding } from "../report.ts";
import type { CheckedTarget } from "./checkedTarget.ts";
import { curlOf } from "./curlOf.ts";
import { escapeMarkup } from "./markup.ts";

/**
 * Writes a report as JUnit XML, one test case per claim. Claims that cannot be proved are skipped with their reason.
 */
export function junitReport(report: CheckReport, target: CheckedTarget): string {
  const outside = report.findings.map((finding) => testCase("rows", [finding], target));
  const cases = report.claims.map((claim) => {
    const reason = claim.undistinguished.join("; ") || claim.verdict;
    if (claim.verdict === "unproved" || claim.verdict === "not asked")
      return `${opened(claim.claim)}<skipped message="${escapeMarkup(reason)}"/></testcase>`;
    return testCase(claim.claim, claim.findings, target);
  });
  const all = [...outside, ...cases];
  const failed = all.filter((each) => each.includes("<failure ")).length;
  const skipped = all.filter((each) => each.includes("<skipped ")).length;
  const name = escapeMarkup(target.name);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${name}" tests="${all.length}" failures="${failed}" skipped="${skipped}" timestamp="${report.checkedAt}">`,
    ...all.map((each) => `  ${each}`),
    "</testsuite>",
    "",
  ].join("\n");
}

const opened = (claim: string): string =>
  `<testcase classname="conformance" name="${escapeMarkup(claim)}">`;

function testCase(claim: string, findings: readonly Finding[], target: CheckedTarget): string {
  const failures = findings.map((finding) => {
    const curl = escapeMarkup(curlOf(finding, target) ?? "");
    return `<failure message="${escapeMarkup(finding.does)}">${curl}</failure>`;
  });
  return `${opened(claim)}${failures.join("")}</testcase>`;
}
