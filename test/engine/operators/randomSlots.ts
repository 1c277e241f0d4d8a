import type { BoundValue } from "../../../engine/expressions/boundValue.ts";
import type { Slot, Summand } from "../../../engine/plan/boundPlan.ts";
import type { Random } from "../../support/random.ts";
import type { GeneratedTable } from "./randomBound.ts";

/**
 * Returns random slots. The first slot counts rows. Slots that do not accept nulls use columns without nulls, or
 * sums of such columns.
 */
export function randomSlots(random: Random, table: GeneratedTable): readonly Slot[] {
  const slots: Slot[] = [{ kind: "rows" }];
  for (let count = random.below(5); count > 0; count--) slots.push(randomSlot(random, table));
  return slots;
}

function randomSlot(random: Random, table: GeneratedTable): Slot {
  const { numbers, instants } = table;
  const columns = [...numbers, ...instants];
  const any = () => random.pick(columns);
  const full = columns.filter((column) =>
    table.columns[column].segments.every(({ nullCount }) => nullCount === 0),
  );
  const kinds = ["countSum", "count", "count", "extent", "extent", "variance", "covariance"];
  if (full.length > 0) kinds.push("rowsSum", "rowsSum", "pair", "pair");
  switch (random.pick(kinds)) {
    case "countSum":
      return { kind: "countSum", ...sumOf(random, table, any()) };
    case "count": {
      const of: BoundValue = { kind: "column", column: any() };
      return { kind: "count", of: random.chance(0.2) ? twice(of) : of };
    }
    case "rowsSum":
      return { kind: "rowsSum", ...sumOf(random, table, random.pick(full)) };
    case "pair": {
      const left = sumOf(random, table, random.pick(full));
      const right = sumOf(random, table, random.pick(full));
      const isExact = left.isExact && right.isExact;
      return { kind: "pair", left: left.right, right: right.right, isExact };
    }
    case "variance":
      return { kind: "variance", of: { kind: "column", column: random.pick(numbers) } };
    case "covariance":
      return {
        kind: "covariance",
        left: { kind: "column", column: random.pick(numbers) },
        right: { kind: "column", column: random.pick(numbers) },
      };
    default: {
      const column = any();
      const decimals = decimalsOf(table, column);
      const of: BoundValue = { kind: "column", column };
      if (random.chance(0.3)) return { kind: "extent", of: { of: twice(of), decimals: -1 } };
      return { kind: "extent", of: { of, decimals: decimals > 0 ? decimals : -1 } };
    }
  }
}

const twice = (of: BoundValue): BoundValue => ({ kind: "call", function: "add", of: [of, of] });

/** Returns a random sum. The sum is exact if its values, multiplied by 10^decimals, are whole and small enough. */
function sumOf(
  random: Random,
  table: GeneratedTable,
  column: number,
): { readonly right: Summand; readonly isExact: boolean } {
  const of: BoundValue = { kind: "column", column };
  if (random.chance(0.2)) return { right: { of: twice(of), decimals: -1 }, isExact: false };
  const decimals = decimalsOf(table, column);
  const isInstant = table.instants.includes(column);
  if (decimals < 0 || isInstant) return { right: { of, decimals: -1 }, isExact: false };
  return { right: { of, decimals }, isExact: sizeOf(table, column) * 10 ** decimals < 2 ** 53 };
}

/** Returns the sum of a column's absolute values, which bounds every partial sum. */
function sizeOf({ columns }: GeneratedTable, column: number): number {
  let size = 0;
  for (const values of columns[column].groups)
    for (const value of values) if (value === value) size += Math.abs(value);
  return size;
}

/** Returns how many decimals all values of a column need; -1 if no number of decimals is enough. */
function decimalsOf({ columns }: GeneratedTable, column: number): number {
  const { segments } = columns[column];
  const all = segments.filter(({ form }) => form !== "null").map(({ decimals }) => decimals);
  return all.some((decimals) => decimals < 0) ? -1 : Math.max(0, ...all);
}
