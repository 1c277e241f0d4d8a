import { isList, isObject } from "../../base/index.ts";
import type { ColumnUse } from "./fieldOf.ts";
import type { MessageThreshold } from "./message.ts";

const operators: readonly string[] = [">", ">=", "<", "<=", "=", "!="];

/**
 * Returns the comparisons of a measure with a number in the condition of a query; those in alternatives are left out.
 */
export function thresholdsIn(
  query: unknown,
  references: readonly ColumnUse[],
): readonly MessageThreshold[] {
  const { having } = isObject(query) ? query : {};
  const tests = Array.isArray(having) ? having.flat(3) : [];
  return tests.flatMap((test: unknown): MessageThreshold[] => {
    if (!isObject<"expression" | "parameters">(test) || !isList(test.parameters)) return [];
    const [measure, value] = test.parameters;
    const operator = String(test.expression).replaceAll("?", "").trim();
    if (!operators.includes(operator) || typeof value !== "number") return [];
    const written = JSON.stringify(measure);
    const cell = references.findIndex((each) => JSON.stringify(each) === written);
    return [{ cell: cell < 0 ? null : cell, operator, value }];
  });
}

/** Compares rows by how far they are beyond a threshold, farthest first. Rows without a number come last. */
export function bySeverity({ cell, operator, value }: MessageThreshold) {
  const distanceOf = (row: readonly unknown[] | null): number => {
    const found = cell === null ? undefined : row?.[cell];
    if (typeof found !== "number") return -Infinity;
    if (operator.startsWith("<")) return value - found;
    return operator.startsWith(">") ? found - value : Math.abs(found - value);
  };
  return (one: readonly unknown[] | null, other: readonly unknown[] | null): number => {
    const [first, second] = [distanceOf(one), distanceOf(other)];
    return first === second ? 0 : second > first ? 1 : -1;
  };
}
