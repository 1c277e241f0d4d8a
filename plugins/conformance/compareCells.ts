import type { Cell } from "../protocol/index.ts";
import type { Semantics } from "./semantics.ts";

const instant = /^(\d{4}|[-+]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

type ComparisonSemantics = Pick<
  Semantics,
  "nullOrder" | "nanIsGreatest" | "compareTexts" | "compareNumbers"
>;

/**
 * Compares two cells of a column: numbers by value, strings as `semantics` defines, and datetimes as instants, because
 * ISO strings for years after 9999 would be sorted wrongly. Nulls are last in both directions, unless `semantics` says
 * otherwise.
 */
export function compareCells(
  one: Cell,
  other: Cell,
  direction: "asc" | "desc",
  semantics: ComparisonSemantics,
): number {
  const { nullOrder, nanIsGreatest } = semantics;
  if (one === null || other === null) {
    const nullsAreLater = Number(one === null) - Number(other === null);
    const isNumeric = typeof one === "number" || typeof other === "number";
    const order = nanIsGreatest && isNumeric ? "greatest" : nullOrder;
    if (order === "last") return nullsAreLater;
    const isLate =
      order === "greatest" ? direction === "asc" : order === "least" && direction === "desc";
    return isLate ? nullsAreLater : -nullsAreLater;
  }
  const sign = compareValues(one, other, semantics);
  return direction === "asc" ? sign : -sign;
}

function compareValues(
  one: string | number,
  other: string | number,
  { compareTexts, compareNumbers }: ComparisonSemantics,
): number {
  if (typeof one === "number" && typeof other === "number") return compareNumbers(one, other);
  const [left, right] = [String(one), String(other)];
  if (instant.test(left) && instant.test(right)) return Date.parse(left) - Date.parse(right);
  return compareTexts(left, right);
}
