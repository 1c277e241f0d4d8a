import { limits } from "../limits.ts";

/**
 * The numbers of conditions and includes that a find may still use. A statement accepts at most 65,535 values, and each
 * include is a statement.
 */
export interface Budget {
  conditions: number;
  includes: number;
}

export function createBudget(): Budget {
  return { conditions: limits.conditionCount, includes: limits.includeCount };
}
