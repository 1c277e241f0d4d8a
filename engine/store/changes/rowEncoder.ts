import type { EncodedBatch } from "../../column/encodedBatch.ts";
import { decodeRows } from "../../ingest/decodeRows.ts";
import type { SealedFrame } from "../../files/sealedFrame.ts";
import { rowGroupSize } from "../../column/segment/segment.ts";
import { canSealColumns, sealColumns } from "../../ingest/sealColumns.ts";
import { BufferPool } from "../../memory/bufferPool.ts";
import type { Pool } from "../../pool/pool.ts";
import type { DecodedRows, DecodeRequest, NamedBatch } from "../../types.ts";
import { checkShape } from "./checkChange.ts";
import { encodeRows } from "./fillingOf.ts";
import type { BatchedRows } from "./fillTable.ts";

/** Decodes and seals rows in the threads. The results are in shared memory that later rows reuse. */
export class RowEncoder {
  readonly #threads: () => Pool;
  readonly #buffers = new BufferPool();

  constructor(threads: () => Pool) {
    this.#threads = threads;
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
}
