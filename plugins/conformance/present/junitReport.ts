import { type Cause, causesOf, type CheckReport } from "../report.ts";
import { causeTitle, exampleLines, examplesOf } from "./causeLines.ts";
import type { CheckedTarget } from "./checkedTarget.ts";
import { escapeMarkup } from "./markup.ts";

/**
 * Writes a report as JUnit XML, one test case per claim. If several claims fail with the same likely cause, their
 * failures have the same type. The first of these failures names the other claims and contains the example. Claims that
 * cannot be proved are skipped with their reason.
 */
export function junitReport(report: CheckReport, target: CheckedTarget): string {
  const causes = causesOf(report);
  const outside = causes
    .filter(({ claims }) => claims.length === 0)
    .map((cause) => `${opened("rows")}${failureOf(cause, undefined, target)}</testcase>`);
  const cases = report.claims.map((claim) => {
    const reason = claim.undistinguished.join("; ") || claim.verdict;
    if (claim.verdict === "unproved" || claim.verdict === "not asked")
      return `${opened(claim.claim)}<skipped message="${escapeMarkup(reason)}"/></testcase>`;
    const failures = causes
      .filter(({ claims }) => claims.includes(claim.claim))
      .map((cause) => failureOf(cause, claim.claim, target));
    return `${opened(claim.claim)}${failures.join("")}</testcase>`;
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

function failureOf(cause: Cause, claim: string | undefined, target: CheckedTarget): string {
  const { claims, does } = cause;
  const [first] = claims;
  const lines =
    claim === first
      ? [
          ...(claims.length > 1 ? [`${claims.length} claims: ${claims.join(", ")}`] : []),
          ...examplesOf(cause).flatMap((example) => [
            ...(example.claim === undefined ? [] : [`example: ${example.claim}`]),
            ...exampleLines(example, target),
          ]),
        ]
      : [`the test case ${first} shows an example`];
  const message = escapeMarkup(causeTitle(cause));
  return `<failure type="${escapeMarkup(does)}" message="${message}">${escapeMarkup(lines.join("\n"))}</failure>`;
}
