import type { EncodedBatch } from "../../column/encodedBatch.ts";
import { decodeRows } from "../../ingest/decodeRows.ts";
import { ingest } from "../../ingest/ingest.ts";
import type { SealedFrame } from "../../files/sealedFrame.ts";
import { rowGroupSize } from "../../column/segment/segment.ts";
import { canSealColumns, sealColumns } from "../../ingest/sealColumns.ts";
import { sealFile } from "../../ingest/sealFile.ts";
import { BufferPool } from "../../memory/bufferPool.ts";
import type { Pool } from "../../pool/pool.ts";
import type { DecodedRows, DecodeRequest, IngestRequest, NamedBatch } from "../../types.ts";
import { checkShape } from "./checkChange.ts";
import { encodeRows } from "./fillingOf.ts";
import type { BatchedRows } from "./fillTable.ts";

/**
 * Returns whether all batches are already encoded. Exists because `Array.isArray` does not narrow a type to a read-only
 * array.
 */
export const isBatchList = (batches: BatchedRows["batches"]): batches is readonly EncodedBatch[] =>
  Array.isArray(batches);

/** Encodes the bytes of ingests in the threads. The results are in shared memory that later ingests reuse. */
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

  /**
   * Seals the columns of a batch in a thread. `openRowCount` is the number of rows in the table's open row group.
   * @throws {EngineError} BATCH_MALFORMED, VALUE_NOT_FINITE
   */
  async seal(
    rows: NamedBatch,
    openRowCount: number,
  ): Promise<BatchedRows & { readonly frames: AsyncIterable<SealedFrame> }> {
    const pool = this.#threads();
    const frame = await sealColumns(rows, openRowCount, this.#buffers, (task) => pool.seal(task));
    const { names, batch } = rows;
    const giveBack = () => this.#buffers.give(frame.frame.buffer);
    const frames = (async function* () {
      yield frame;
      giveBack();
    })();
    return {
      columns: names.map((name, index) => ({ name, type: batch.columns[index].type })),
      batches: frames,
      frames,
    };
  }

  /**
   * Encodes batches as they arrive: large batches in a thread, and others on the main thread. `openRowCount` returns
   * the rows in the table's open row group before the first batch.
   * @throws {EngineError} BATCH_MALFORMED, VALUE_NOT_FINITE, and the errors of `batches`
   */
  async *sealEach(
    batches: AsyncIterable<NamedBatch>,
    openRowCount: () => number,
  ): AsyncGenerator<EncodedBatch | SealedFrame> {
    let openCount: number | undefined;
    for await (const rows of batches) {
      openCount ??= openRowCount();
      if (canSealColumns(rows)) {
        checkShape(rows);
        yield* (await this.seal(rows, openCount % rowGroupSize)).frames;
      } else yield encodeRows(rows);
      openCount += rows.batch.rowCount;
    }
  }

  /** Decodes rows of JSON in a thread. */
  decode({ tenant, ...request }: DecodeRequest): Promise<DecodedRows> {
    const pool = this.#threads();
    return decodeRows(request, this.#buffers, (task) => pool.decode(task, tenant));
  }

  /** Makes the shared memory of applied batches available to later ingests. */
  giveBack({ batches }: BatchedRows): void {
    if (!isBatchList(batches)) return;
    for (const { buffer } of batches) if (buffer) this.#buffers.give(buffer);
  }
}
