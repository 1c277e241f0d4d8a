import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { ColumnDefinition, NamedBatch, Store, TableInfo } from "../../engine/index.ts";
import { openFileReaders, requireFormat } from "../../plugins/rows/formats/index.ts";
import type { Batch } from "../../plugins/protocol/index.ts";
import { toColumn, toEngineRows } from "../../plugins/strata/batches.ts";

interface FileLoad {
  readonly store: Store;
  readonly table: string;
  readonly columns: readonly ColumnDefinition[];
  /** Path of a file whose columns have the names of the table's columns. */
  readonly path: string;
}

const timeoutMs = 3_600_000;
/** Maximum bytes that the reader sends at a time, as for an acceleration. */
const sizeBytes = 2 ** 30;

/**
 * Adds the rows of a file to a table as a host does: a reader process reads the file, and the store appends batches.
 */
export async function loadFile({ store, table, columns, path }: FileLoad): Promise<TableInfo> {
  const readers = openFileReaders({ timeoutMs });
  try {
    const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
    const version = `${dev}:${ino}:${size}:${mtimeNs}`;
    const file = {
      schema: "main",
      name: basename(path),
      format: requireFormat(path),
      sampleBytes: 2 ** 24,
      version,
      place: { kind: "local", path, version } as const,
    };
    const columnIds = columns.map(({ name }) => name);
    const query = {
      id: basename(path),
      columns: columnIds.map((column_id) => ({ column_id })),
      filters: [],
      options: { pushdown: false },
    };
    const { append, batches, end } = queueOfBatches();
    const call = {
      credentials: { host: path, properties: {} },
      tenant: { organization: "bench", user: "bench" },
      signal: AbortSignal.timeout(timeoutMs),
      query,
    };
    const reading = readers
      .read({ file, known: columns.map(toColumn), sizeBytes, call, append })
      .then(append)
      .finally(end);
    const filled = store.fillBatches({
      table,
      columns,
      batches: (async function* (): AsyncGenerator<NamedBatch> {
        for await (const batch of batches()) yield toEngineRows({ columnIds, batch });
        await reading;
      })(),
    });
    const [info] = await Promise.all([filled, reading]);
    return info;
  } finally {
    await readers.close();
  }
}

/** Returns a queue of one batch: `append` resolves when the batch was taken and the next one is wanted. */
function queueOfBatches() {
  let waiting: { readonly batch: Batch; readonly taken: () => void } | undefined;
  let wake: (() => void) | undefined;
  let isEnded = false;
  const rouse = () => {
    wake?.();
    wake = undefined;
  };
  return {
    append: (batch: Batch) =>
      new Promise<void>((resolve) => {
        if (batch.rowCount === 0) return resolve();
        waiting = { batch, taken: resolve };
        rouse();
      }),
    end(): void {
      isEnded = true;
      rouse();
    },
    async *batches(): AsyncGenerator<Batch> {
      for (;;) {
        if (waiting) {
          const { batch, taken } = waiting;
          waiting = undefined;
          yield batch;
          taken();
        } else if (isEnded) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
