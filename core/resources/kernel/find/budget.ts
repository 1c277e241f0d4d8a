import { limits } from "../limits.ts";

/**
 * The remaining conditions and includes of one find. A statement accepts at most 65,535 values, and each include is a
 * statement.
 */
export interface Budget {
  conditions: number;
  includes: number;
}

export function createBudget(): Budget {
  return { conditions: limits.conditionCount, includes: limits.includeCount };
}
