import type { Batch } from "../../plugins/protocol/index.ts";

/** Returns the rows from `from` up to but not including `to`, with complete dictionaries. */
export function batchRows({ columns }: Batch, from: number, to: number): Batch {
  return {
    rowCount: to - from,
    columns: columns.map((vector) =>
      vector.type === "hierarchy"
        ? { ...vector, codes: vector.codes.slice(from, to) }
        : { ...vector, values: vector.values.slice(from, to) },
    ),
  };
}
