import type { Batch } from "../../../plugins/protocol/index.ts";

/**
 * Frees the arrays of rows that are no longer needed. Otherwise V8 keeps them until its next full collection, after 64
 * MiB of such arrays. Arrays that share their memory with other arrays are kept, unless the batch can release them.
 */
export function releaseRows({ columns, release }: Batch): void {
  if (release) {
    release();
    return;
  }
  for (const column of columns) {
    const { buffer, byteLength } = column.type === "hierarchy" ? column.codes : column.values;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached)
      buffer.transfer(0);
  }
}
