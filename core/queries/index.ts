// The path of every data query: parse, join, subquery, resolve, secure, plan, cache, run, finish, present.
// May import: core/base, core/catalog; plugins/meanings, plugins/protocol; apache-arrow, typebox.
export { createQueries, type Queries, type QueriesOptions } from "./createQueries.ts";
export type { QueryAnswer, QueryFailure } from "./present/presentAnswers.ts";
export type { AnsweredTable, TableColumn } from "./present/answeredTable.ts";
export type { AnswerCell } from "./present/answerCell.ts";
export { sizeOfBatch } from "./cache/compactBatch.ts";
export { tenantOf } from "./run/tenantOf.ts";
export { createSharedRuns } from "./cache/createSharedRuns.ts";
export type { QueryLimits } from "./limits.ts";
export { checkStoredQuery } from "./checkStoredQuery.ts";
export type { FindRowFilters } from "./queriedDataset.ts";
export { isParameter } from "./parse/resolveParameter.ts";
export { queriedColumn, sourceColumns } from "./resolve/createDatasetFinder.ts";
export { refuseOverride } from "./resolve/findOverride.ts";
export { createRowColumns } from "./secure/createRowColumns.ts";
export { compileRowFilter } from "./secure/compileRowFilter.ts";
export { fillParameter, isOpenParameter } from "./secure/fillParameter.ts";
export { parseRowFilter } from "./parse/parseRowFilter.ts";
export { QueryFind, querySchemas } from "./querySchemas.ts";
export { rowFilterSchemas } from "./parse/rowFilterSchemas.ts";
export { statementOf, statementParameter } from "./resolve/statementOf.ts";
export { sampleOf } from "./parse/resolveParameter.ts";
export { relativeOf } from "./parse/parseTest.ts";
export { fromId, relativeWords, type RelativeWord } from "./parsedQuery.ts";
export { readRole } from "./roles.ts";
export { relativeRange } from "./resolve/relativeRange.ts";
export { isLocale, parseLocale } from "./parse/parseLocale.ts";
export { parseTimezone } from "./parse/parseTimezone.ts";
export { isDateOnly, parseInstant } from "./parse/parseInstant.ts";
export {
  compileExpression,
  ExpressionError,
  listReferences,
  listSignatures,
  type Reference,
  type ResolvedColumn,
} from "./expressions/index.ts";
