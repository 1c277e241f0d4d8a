import type { Filter } from "./question.ts";
import { questionWords as words } from "./words.ts";

/** Describes a filter briefly: the column's name, the operator and the value. */
export function describeFilter({ test, value }: Filter, columnName: string): string {
  return `${columnName} ${words.tests[test] ?? test} ${describeValue(value)}`.trim();
}

function describeValue(value: unknown): string {
  if (value === undefined) return "";
  if (!Array.isArray(value)) return String(value).replace("T00:00:00.000Z", "");
  const shown = value.slice(0, 2).map((each) => (each === null ? words.none : String(each)));
  return value.length > 2 ? `${shown.join(", ")} +${value.length - 2}` : shown.join(", ");
}
