import type { BatchColumn, FillRequest, NamedBatch } from "../../engine/index.ts";

/** The columns of `numberedBatches`. */
export const numberedColumns = [
  { name: "x", type: "number" },
  { name: "s", type: "text" },
] as const;

export interface NumberedRows {
  readonly rowCount: number;
  /** Rows per batch. Threads seal batches of 8,192 rows and more. */
  readonly batchRows: number;
  readonly first?: number;
}

/**
 * Returns a request to fill the table `t` with batches. `x` counts up from `first`, and `s` is a string with the same
 * number. The batches have the form in which readers of files send them: packed strings, in shared memory.
 */
export function numberedBatches({ rowCount, batchRows, first = 0 }: NumberedRows): FillRequest {
  return {
    table: "t",
    columns: numberedColumns,
    batches: (async function* () {
      for (let from = 0; from < rowCount; from += batchRows)
        yield numberedBatch(first + from, Math.min(batchRows, rowCount - from));
    })(),
  };
}

function numberedBatch(first: number, rowCount: number): NamedBatch {
  const numbers = Array.from({ length: rowCount }, (_, row) => first + row);
  const texts = numbers.map((number) => `a text for row ${number}`);
  let end = 0;
  const ends = texts.map((text) => (end += text.length));
  const buffer = new SharedArrayBuffer(rowCount * 16 + end + 64);
  const values = new Float64Array(buffer, 0, rowCount);
  const codes = new Int32Array(buffer, rowCount * 8, rowCount);
  const shared = new Int32Array(buffer, rowCount * 12, rowCount);
  const bytes = new Uint8Array(buffer, rowCount * 16, end);
  values.set(numbers);
  codes.set(numbers.keys().toArray());
  shared.set(ends);
  bytes.set(Buffer.from(texts.join(""), "latin1"));
  const columns: readonly BatchColumn[] = [
    { type: "number", values },
    { type: "text", codes, dictionary: texts, utf8: { bytes, ends: shared } },
  ];
  return { names: ["x", "s"], batch: { rowCount, columns } };
}
