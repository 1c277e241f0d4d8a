import { DuckDBDataChunk, type DuckDBAppender, type DuckDBType } from "@duckdb/node-api";

const chunkSize = 2048;

/**
 * Appends typed arrays to a DuckDB table without creating a JavaScript value per cell. NaN in the last column means
 * null.
 */
export function fillChunks(
  appender: DuckDBAppender,
  types: readonly DuckDBType[],
  columns: readonly (Float64Array | Int32Array)[],
): void {
  const count = columns[0]?.length ?? 0;
  for (let from = 0; from < count; from += chunkSize) {
    const size = Math.min(chunkSize, count - from);
    const chunk = DuckDBDataChunk.create(types, size);
    for (const [index, column] of columns.entries()) {
      const vector = chunk.getColumnVector(index) as unknown as {
        readonly items: Float64Array | Int32Array;
        setItem(row: number, value: null): void;
        flush(): void;
      };
      const part = column.subarray(from, from + size);
      vector.items.set(part);
      if (index === columns.length - 1)
        for (let row = 0; row < size; row++) if (Number.isNaN(part[row])) vector.setItem(row, null);
      vector.flush();
    }
    appender.appendDataChunk(chunk);
  }
}
