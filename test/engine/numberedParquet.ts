import { parquetWriteBuffer } from "hyparquet-writer";

/**
 * Returns a Parquet file with `groupRows` rows per row group. `x` counts up from `first`, and `s` is a string with the
 * same number.
 */
export function numberedParquet(
  rowCount: number,
  groupRows: number,
  first = 0,
): Uint8Array<ArrayBuffer> {
  const numbers = Array.from({ length: rowCount }, (_, row) => first + row);
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: "x", type: "DOUBLE", encoding: "PLAIN", data: numbers },
        {
          name: "s",
          type: "STRING",
          encoding: "PLAIN",
          data: numbers.map((number) => `a text for row ${number}`),
        },
      ],
      rowGroupSize: groupRows,
      statistics: false,
    }),
  );
}
