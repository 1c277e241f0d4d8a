// The path of every data query: parse, resolve, secure, plan, run, finish, present.
// May import: core/errors, core/access, core/expressions, the contracts of core/resources and core/connections, plugins/protocol, p-queue.
export {
  createQueries,
  type Queries,
  type QueryAnswer,
  type QueryFailure,
} from "./createQueries.ts";
export type { QueryLimits } from "./limits.ts";
export { queriedColumn, refuseOverride, type FindRowFilters } from "./queriedDataset.ts";
export { compileRowFilter, isOpenParameter, parseRowFilter } from "./rowFilter.ts";
export { isDateOnly, parseInstant } from "./parseInstant.ts";
