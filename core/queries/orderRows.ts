import type { Batch, Limit, Order, Vector } from "../../plugins/protocol/index.ts";
import { placesOf, type Collation } from "./collate.ts";

/**
 * Puts rows in order and cuts the page, as the protocol has it, texts of `collation` in the order of its language. For answers that nothing
 * else is to be done to: a temporary dataset costs more than sorting them. O(rows log rows).
 */
export function orderRows(
  batch: Batch,
  order: readonly Order[],
  limit: Limit | undefined,
  { locale, columns }: Collation,
): Batch {
  const keys = order.map((item) => ({
    values: valuesOf(
      batch.columns[item.column],
      columns.includes(item.column) ? locale : undefined,
    ),
    sign: item.order === "desc" ? -1 : 1,
  }));
  const { by = Infinity, offset = 0 } = limit ?? {};
  const rows = Uint32Array.from({ length: batch.rowCount }, (_, row) => row)
    .sort((one, other) => {
      for (const { values, sign } of keys) {
        const difference = compare(values[one] ?? Number.NaN, values[other] ?? Number.NaN, sign);
        if (difference !== 0) return difference;
      }
      return one - other;
    })
    .slice(offset, offset + by);
  return { rowCount: rows.length, columns: batch.columns.map((vector) => taken(vector, rows)) };
}

/** Nulls, which are NaN, come last in both directions. */
function compare(one: number, other: number, sign: number): number {
  if (one === other) return 0;
  if (Number.isNaN(one)) return Number.isNaN(other) ? 0 : 1;
  if (Number.isNaN(other)) return -1;
  return one < other ? -sign : sign;
}

function valuesOf(vector: Vector | undefined, locale: string | undefined): Float64Array {
  if (!vector) throw new TypeError("a column of the order is not in the answer");
  return vector.type === "hierarchy" ? placesOf(vector, locale).values : vector.values;
}

function taken(vector: Vector, rows: Uint32Array): Vector {
  if (vector.type === "hierarchy")
    return { ...vector, codes: Int32Array.from(rows, (row) => vector.codes[row] ?? -1) };
  return { ...vector, values: Float64Array.from(rows, (row) => vector.values[row] ?? Number.NaN) };
}
