// The conformance kit: proves what a plugin claims, by the values of its answers.
// May import: plugins/protocol.
export { answerPlainly, type PlainRow, type PlainTable } from "./answerPlainly.ts";
export { checkPlugin, type CheckOptions } from "./checkPlugin.ts";
export type { CheckReport, ClaimReport, Finding, Verdict } from "./report.ts";
