import type { Cell } from "../protocol/index.ts";
import { differenceOf } from "./compareAnswers.ts";

type Rows = readonly (readonly Cell[])[];

/** Describes which answers to a query are right if there are several right answers. */
export interface RightAnswers {
  /** The rows that a right answer must contain. */
  readonly required: Rows;
  /** The rows that a right answer may contain, including those of `required`. */
  readonly allowed: Rows;
  /** Number of rows of a right answer. Absent: any number. */
  readonly count?: number;
}

/** Returns the right answer that differs least from the given rows. O(rows). */
export function nearestAnswer(rows: Rows, { required, allowed, count }: RightAnswers): Rows {
  const surplus = new Set(differenceOf(allowed, rows).surplus);
  const kept = rows.filter((row) => !surplus.has(row));
  const { missing } = differenceOf(required, kept);
  const nearest = [...kept, ...missing];
  if (count === undefined) return nearest;
  const others = differenceOf(allowed, nearest).missing;
  return [...nearest, ...others].slice(0, count);
}
