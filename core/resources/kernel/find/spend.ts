import { createBudget, type Budget } from "./budget.ts";
import { invalidMember, type Scope } from "./scope.ts";

/**
 * Uses up a condition or include of a find's budget.
 * @throws {ApiError} MEMBER_INVALID if the request exceeds the budget
 */
export function spend(scope: Scope, what: keyof Budget, path: string): void {
  scope.budget[what] -= 1;
  if (scope.budget[what] < 0)
    throw invalidMember(path, `exceeds the limit of ${createBudget()[what]} ${what} per request`);
}
