// The library for SQL connectors: compiles a query to one statement, in any dialect.
// May import: plugins/protocol.
export { PluginError } from "../protocol/index.ts";
export { allRows } from "./allRows.ts";
export { cancelledCall } from "./cancelledCall.ts";
export { checkFileProperties } from "./checkFileProperties.ts";
export { checkStatement, type StatementRules } from "./checkStatement.ts";
export { collectRows, type CollectOptions } from "./collectRows.ts";
export { columnProperties } from "./columnSettings.ts";
export { createAccounts, type Accounts } from "./createAccounts.ts";
export { correlation } from "./correlation.ts";
export type { Aggregates, NumberForms } from "./createAggregates.ts";
export {
  createDialect,
  type Claims,
  type DialectOptions,
  type NativeResult,
  type NativeTest,
} from "./createDialect.ts";
export type { CompileOptions } from "./compileOptions.ts";
export { compileQuery, type CompiledQuery } from "./compileQuery.ts";
export { createPool, type Pool, type PoolOptions } from "./createPool.ts";
export { createSqlPlugin, type SqlPluginOptions } from "./createSqlPlugin.ts";
export { credentialsKey } from "./credentialsKey.ts";
export * from "./dialect.ts";
export * from "./driver.ts";
export { findFile, isWithin, type FoundFile } from "./findFile.ts";
export { foldingClass, foldingClasses, foldingPattern } from "./foldingClass.ts";
export * from "./fragment.ts";
export { isRefusal } from "./isRefusal.ts";
export { offsetSpans, type OffsetSpan } from "./offsetSpans.ts";
export { periodStart, type CalendarLevel } from "./periodStart.ts";
export { openCallDeadline, type CallDeadline } from "./openCallDeadline.ts";
export { integerRange, storedIntegers, type IntegerRange } from "./storedIntegers.ts";
export { parseTableId, tableId } from "./tableId.ts";
export { parseStatement, type StatementPart } from "./parseStatement.ts";
export { readAuthority } from "./readAuthority.ts";
export { tlsModes, type TlsMode } from "./tlsModes.ts";
export { createWallClock, type WallClock } from "./wallClock.ts";
export { statementFragment } from "./statementFragment.ts";
