import type { ChosenSort } from "./parseChosen.ts";

/** A query whose order may be set. */
interface Ordered {
  readonly dimensions?: readonly object[];
  readonly measures?: readonly object[];
}

/** Returns a query in the order that a reader chose. A cell that the query does not have changes nothing. */
export function orderedQuery<Query extends Ordered>(query: Query, sort: ChosenSort): Query {
  const { dimensions = [], measures = [] } = query;
  const reference = [...dimensions, ...measures][sort.cell];
  return reference ? { ...query, order: [{ ...reference, order: sort.order }] } : query;
}

/**
 * Returns the indexes of rows in the order of a value: a number or a string in the language of the reader. Null comes
 * last in both directions. O(rows log rows).
 */
export function sortedIndexes(
  rowCount: number,
  valueAt: (row: number) => number | string | null,
  { order }: ChosenSort,
  localeId: string,
): readonly number[] {
  const { compare } = new Intl.Collator(localeId, { numeric: true });
  const direction = order === "asc" ? 1 : -1;
  const values = Array.from({ length: rowCount }, (_, row) => valueAt(row));
  return values
    .map((_, row) => row)
    .toSorted((one, other) => {
      const [a = null, b = null] = [values[one], values[other]];
      if (a === null || b === null) return Number(a === null) - Number(b === null) || one - other;
      const isNumber = typeof a === "number" && typeof b === "number";
      const difference = isNumber ? a - b : compare(String(a), String(b));
      return direction * difference || one - other;
    });
}
