import type { Batch } from "../../plugins/protocol/index.ts";

/** The rows `from` to `to` of a batch, the latter not included; dictionaries stay whole. */
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
