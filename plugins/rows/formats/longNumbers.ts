import type { RowBlock } from "../rowDriver.ts";
import type { FileColumn } from "./fileTable.ts";

/** Whole numbers of fewer digits are below 2^53. */
export const safeDigits = 15;

/** Looks for whole numbers beyond 2^53 in the columns that may have them. Such a column is text. */
export interface LongNumbers {
  add(block: RowBlock): void;
  /** Returns why the column is text, as a phrase that completes "it is text: ". Undefined if it is numeric. */
  reasonOf(index: number): string | undefined;
}

export function findLongNumbers(columns: readonly FileColumn[]): LongNumbers {
  const reasons = new Map<number, string>();
  const sought = new Set(columns.flatMap(({ isWhole }, index) => (isWhole ? [index] : [])));
  return {
    add({ rows, placeOf }) {
      for (const index of sought) {
        const row = rows.findIndex((cells) => isLong(cells[index]));
        if (row < 0) continue;
        reasons.set(
          index,
          `${placeOf(row)} is a whole number beyond 2^53: ${String(rows[row]![index]).slice(0, 40)}`,
        );
        sought.delete(index);
      }
    },
    reasonOf: (index) => reasons.get(index),
  };
}

function isLong(value: unknown): boolean {
  return typeof value === "bigint" && !Number.isSafeInteger(Number(value));
}
