import { ApiError } from "../base/index.ts";
import { type WorkBudget, workBudgets, type WorkBudgets, type WorkTerm } from "./limits.ts";

/** Amounts of work by kind. */
export type Work = Readonly<Partial<Record<WorkTerm, number>>>;

/** Counts the work of one call. */
export interface WorkMeter {
  /**
   * Counts work that is about to be done, either all of it or none. `path` names the query in messages; `rowCount` is
   * the number of rows in its datasets.
   * @throws {ApiError} QUERY_TOO_MUCH_WORK
   */
  spend(work: Work, path: string, rowCount?: number): void;
}

/** Kinds of work that are limited separately for each value or query, and do not add up over a call. */
const single: ReadonlySet<WorkTerm> = new Set<WorkTerm>(["string_length"]);

const terms = Object.keys(workBudgets).filter(isTerm);

function isTerm(name: string): name is WorkTerm {
  return Object.hasOwn(workBudgets, name);
}

/** Creates the meter of one call. */
export function createWorkMeter(budgets: WorkBudgets): WorkMeter {
  const spent = new Map<WorkTerm, number>();
  let largestRowCount = 0;
  return {
    spend(work, path, rowCount = 0) {
      largestRowCount = Math.max(largestRowCount, rowCount);
      const next: [WorkTerm, number][] = [];
      for (const term of terms) {
        const amount = work[term];
        if (amount === undefined) continue;
        const { most, perRow = 0, unit, wayOut }: WorkBudget = budgets[term];
        const total = amount + (single.has(term) ? 0 : (spent.get(term) ?? 0));
        const allowed = Math.max(most, perRow * largestRowCount);
        if (total > allowed)
          throw new ApiError("QUERY_TOO_MUCH_WORK", [
            path || "the query",
            term,
            allowed,
            unit,
            Math.round(total),
            wayOut,
          ]);
        next.push([term, total]);
      }
      for (const [term, total] of next) spent.set(term, total);
    },
  };
}
