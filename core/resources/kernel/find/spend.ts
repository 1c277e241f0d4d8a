import { createBudget, type Budget } from "./budget.ts";
import { invalidMember, type Scope } from "./scope.ts";

/** Takes one from the budget of a find. @throws {ApiError} MEMBER_INVALID when the request asks for too much */
export function spend(scope: Scope, what: keyof Budget, path: string): void {
  scope.budget[what] -= 1;
  if (scope.budget[what] < 0)
    throw invalidMember(path, `is one of too many ${what}: ${createBudget()[what]} in one request`);
}
