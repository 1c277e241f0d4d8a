// The conformance kit: proves what a plugin claims, by comparing the values of its answers.
// May import: plugins/meanings, plugins/protocol.
export { aggregate } from "./aggregate.ts";
export { answerPlainly, type PlainRow, type PlainTable } from "./answerPlainly.ts";
export { checkPlugin, type CheckOptions } from "./checkPlugin.ts";
export { badge } from "./present/badge.ts";
export { capabilityTable } from "./present/capabilityTable.ts";
export type { CheckedTarget } from "./present/checkedTarget.ts";
export { createRandom } from "./createRandom.ts";
export { curlOf } from "./present/curlOf.ts";
export { htmlReport } from "./present/htmlReport.ts";
export { junitReport } from "./present/junitReport.ts";
export { textReport } from "./present/textReport.ts";
export { summaryOf, verdictWords } from "./present/words.ts";
export {
  type Cause,
  causesOf,
  type CheckReport,
  type ClaimReport,
  type Difference,
  type Finding,
  findingsOf,
  type RowPair,
  type SentRequest,
  type Verdict,
} from "./report.ts";
export { protocolSemantics } from "./semantics.ts";
export type { WireTarget } from "./wire/wire.ts";
