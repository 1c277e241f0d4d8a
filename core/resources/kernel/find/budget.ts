import { limits } from "../limits.ts";

/** The parts that one find may still use. A statement takes at most 65,535 values, and each include is a statement. */
export interface Budget {
  conditions: number;
  includes: number;
}

export function createBudget(): Budget {
  return { conditions: limits.conditionCount, includes: limits.includeCount };
}
