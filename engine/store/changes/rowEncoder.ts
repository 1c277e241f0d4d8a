import type { EncodedBatch } from "../../column/encodedBatch.ts";
import { ingest } from "../../ingest/ingest.ts";
import { sealFile } from "../../ingest/sealFile.ts";
import { BufferPool } from "../../memory/bufferPool.ts";
import type { Pool } from "../../pool/pool.ts";
import type { IngestRequest } from "../../types.ts";
import type { BatchedRows } from "./fillTable.ts";

/** Whether all batches are encoded. `Array.isArray` does not narrow to a list that is read-only. */
export const isBatchList = (batches: BatchedRows["batches"]): batches is readonly EncodedBatch[] =>
  Array.isArray(batches);

/** Encodes the bytes of ingests in the threads, in shared memory that later ingests use again. */
export class RowEncoder {
  readonly #workers: number;
  readonly #threads: () => Pool;
  readonly #buffers = new BufferPool();

  constructor(workers: number, threads: () => Pool) {
    this.#workers = workers;
    this.#threads = threads;
  }

  /**
   * Starts to encode bytes. Of JSON all is encoded before anything is known of it; the batches of a file come one by
   * one, and are sealed in the threads. `openRowCount` returns the rows of the table's open row group.
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

  /** Uses the shared memory of batches that are applied for later ones. */
  giveBack({ batches }: BatchedRows): void {
    if (!isBatchList(batches)) return;
    for (const { buffer } of batches) if (buffer) this.#buffers.give(buffer);
  }
}
