import type { EncodedBatch } from "../../column/encodedBatch.ts";
import { ingest } from "../../ingest/ingest.ts";
import { sealFile } from "../../ingest/sealFile.ts";
import { BufferPool } from "../../memory/bufferPool.ts";
import type { Pool } from "../../pool/pool.ts";
import type { IngestRequest } from "../../types.ts";
import type { BatchedRows } from "./fillTable.ts";

/**
 * Returns whether all batches are already encoded. Unlike this function, `Array.isArray` does not narrow to a read-only
 * array.
 */
export const isBatchList = (batches: BatchedRows["batches"]): batches is readonly EncodedBatch[] =>
  Array.isArray(batches);

/** Encodes the bytes of ingests in the threads, in shared memory that later ingests reuse. */
export class RowEncoder {
  readonly #workers: number;
  readonly #threads: () => Pool;
  readonly #buffers = new BufferPool();

  constructor(workers: number, threads: () => Pool) {
    this.#workers = workers;
    this.#threads = threads;
  }

  /**
   * Starts to encode bytes. JSON is encoded completely before the result is available. The batches of a file arrive one
   * by one and are sealed in the threads. `openRowCount` returns the rows in the table's open row group.
   */
  async encode(
    {
      format,
      bytes,
      columns,
    }: Pick<IngestRequest, "format" | "bytes"> & Pick<BatchedRows, "columns">,
    openRowCount: () => number,
  ): Promise<BatchedRows> {
    const pool = this.#threads();
    const request = { format, bytes, columns, bufferPool: this.#buffers };
    if (format === "json") {
      const { batches } = await ingest(request, this.#workers, (task) => pool.encode(task));
      return { columns, batches };
    }
    const batches = await sealFile(request, this.#workers, openRowCount, (task) =>
      pool.encode(task),
    );
    return { columns, batches };
  }

  /** Makes the shared memory of applied batches available to later ingests. */
  giveBack({ batches }: BatchedRows): void {
    if (!isBatchList(batches)) return;
    for (const { buffer } of batches) if (buffer) this.#buffers.give(buffer);
  }
}
