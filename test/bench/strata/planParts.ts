import type { Expression, Predicate } from "../../../engine/index.ts";
import { regions } from "./columns.ts";
import { sqlText } from "./benchQuery.ts";

export function column(name: string): Expression {
  return { kind: "column", name };
}

export function isIn(name: string, values: readonly string[]): Predicate {
  return { kind: "in", left: column(name), values };
}

export function compare(
  name: string,
  operator: "=" | "<" | "<=" | ">" | ">=",
  value: number | string,
): Predicate {
  return { kind: "compare", left: column(name), operator, value };
}

/** A filter as part of a plan and as SQL. */
export interface Filter {
  readonly plan: Predicate;
  readonly sql: string;
}

export function textFilter(name: string, values: readonly string[]): Filter {
  return { plan: isIn(name, values), sql: `${name} IN (${values.map(sqlText).join(", ")})` };
}

/** The row filter of every dashboard caller. All systems apply it, and all rows of the bench table pass it. */
export const securityFilter = textFilter("s5", regions);
