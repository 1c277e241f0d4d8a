import { optionsOf, type ItemType } from "../../charts/index.ts";
import type { Question } from "./question.ts";

/** Which parts of a ranking a question has. */
export interface Ranking {
  /** Whether the groups can be put in another order. */
  readonly hasOrder: boolean;
  /** Whether the question can show its first groups only. */
  readonly hasLimit: boolean;
}

/**
 * Returns whether the groups of a question can be ordered and limited in a chart of a type. Charts of several columns
 * have no limit, because it would count combinations of their values; tables list these combinations. Rings have none
 * either, because they combine all slices but the largest.
 */
export function rankingOf({ rows, color }: Question, type: ItemType): Ranking {
  const options = optionsOf(type);
  const groupingCount = rows.length + (color ? 1 : 0);
  const isOneList = groupingCount === 1 || type === "regular-table";
  return {
    hasOrder: groupingCount > 0 && options.has("sort"),
    hasLimit: groupingCount > 0 && isOneList && options.has("limit") && !options.has("slices"),
  };
}
