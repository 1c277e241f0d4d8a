import type { Expression, Output, Plan, Predicate } from "../../../engine/index.ts";
import type { ColumnSize } from "./measureColumns.ts";

/** Returns the bytes per row of the columns that a plan reads, without dictionaries or joined tables. */
export function bytesPerRowOf(plan: Plan, sizes: readonly ColumnSize[]): number {
  const used = columnsIn(plan);
  return sizes
    .filter(({ name }) => used.has(name))
    .reduce((sum, { bytesPerRow }) => sum + bytesPerRow, 0);
}

/** Returns the columns that a plan reads from its own table. */
function columnsIn({ outputs, filter, joins = [] }: Plan): ReadonlySet<string> {
  const names = new Set(joins.flatMap(({ left }) => (left.join ? [] : [left.name])));
  const expression = (of: Expression): void => {
    if (of.kind === "column" && !of.join) names.add(of.name);
    if (of.kind === "period" || of.kind === "bin") expression(of.of);
    if (of.kind === "call") of.of.forEach(expression);
    if (of.kind !== "case") return;
    for (const { when, then } of of.branches) {
      predicate(when);
      expression(then);
    }
    if (of.otherwise) expression(of.otherwise);
  };
  const predicate = (test: Predicate): void => {
    if (test.kind === "and" || test.kind === "or") test.of.forEach(predicate);
    else if (test.kind === "not") predicate(test.of);
    else expression(test.left);
  };
  const output = (each: Output) => {
    if (each.of) expression(each.of);
    if (each.kind === "aggregate" && each.weight) expression(each.weight);
  };
  outputs.forEach(output);
  if (filter) predicate(filter);
  return names;
}
