import { limits } from "../limits.ts";
import { invalidMember, type Scope } from "./scope.ts";

/** The parts that one find may still use. A statement takes at most 65,535 values, and each include is a statement. */
export interface Budget {
  conditions: number;
  includes: number;
}

export function createBudget(): Budget {
  return { conditions: limits.conditionCount, includes: limits.includeCount };
}

/** @throws {ApiError} MEMBER_INVALID when the request asks for too much */
export function spend(scope: Scope, what: keyof Budget, path: string): void {
  scope.budget[what] -= 1;
  if (scope.budget[what] < 0)
    throw invalidMember(path, `is one of too many ${what}: ${createBudget()[what]} in one request`);
}
