import { join } from "node:path";
import { openStore, type Answer, type NamedBatch, type Store } from "../../../../engine/index.ts";
import { dimensionColumns, factColumns } from "../columns.ts";
import {
  cardinalities,
  categoryOf,
  dimensionSize,
  generateTable,
  textOf,
  type BlockRequest,
  type TextColumn,
} from "../generateTable.ts";
import type { OpenRequest, System } from "./system.ts";

const rowsPerBatch = 1_000_000;

/**
 * Opens our store with two threads and appends the table durably in batches of 1,000,000 rows. The time of creating the
 * batches does not count.
 */
export async function openStrataStore(request: OpenRequest): Promise<System> {
  const { rowCount, seed, dir, isWarm = true } = request;
  const store = await openBenchStore(dir);
  // A host warms up in the same way at its start.
  if (isWarm) await store.warm();
  let loadMs = 0;
  const timed = async (write: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await write();
    loadMs += performance.now() - startedAt;
  };
  await fillFacts({ store, name: "f", rowCount, seed, timed });
  await fillDimension(store, timed);
  return {
    loadMs,
    version: "this commit",
    async query({ plan }) {
      const answer = await store.query(plan);
      return { rows: rowsOf(answer), scannedRowCount: answer.scannedRowCount };
    },
    async close() {
      // Without compaction, the next process would find an unpredictable part of the rows in the log.
      await store.compact();
      await store.close();
    },
  };
}

type Timed = (write: () => Promise<unknown>) => Promise<unknown>;

/** Creates the table of facts under the given name. */
export async function fillFacts({
  store,
  name,
  rowCount,
  seed,
  timed = (write) => write(),
}: {
  readonly store: Store;
  readonly name: string;
  readonly rowCount: number;
  readonly seed: number;
  readonly timed?: Timed;
}): Promise<void> {
  await store.create({ name, columns: factColumns });
  for (let from = 0; from < rowCount; from += rowsPerBatch) {
    const count = Math.min(rowsPerBatch, rowCount - from);
    const rows = batchOf({ seed, rowCount, from, count });
    await timed(() => store.append({ table: name, rows }));
  }
}

/** Creates the dimension table to which facts are joined. */
export async function fillDimension(
  store: Store,
  timed: Timed = (write) => write(),
): Promise<void> {
  await store.create({ name: "dim", columns: dimensionColumns });
  await timed(() => store.append({ table: "dim", rows: dimensionBatch() }));
}

/** Opens the store in a folder with the settings of the bench. */
export function openBenchStore(dir: string): Promise<Store> {
  return openStore({ dir: join(dir, "store"), workers: 2, memoryBytes: 12 * 2 ** 30 });
}

/** Returns rows of the bench table as a batch. Its dictionaries contain only the strings of these rows. */
export function batchOf(request: BlockRequest): NamedBatch {
  const block = generateTable(request);
  return {
    names: factColumns.map(({ name }) => name),
    batch: {
      rowCount: request.count,
      columns: factColumns.map(({ name, type }) => {
        const values = block[name as keyof typeof block];
        if (type !== "text") return { type, values: Float64Array.from(values) };
        const places = new Int32Array(cardinalities[name as TextColumn]).fill(-1);
        const dictionary: string[] = [];
        const codes = new Int32Array(values.length);
        for (let row = 0; row < values.length; row++) {
          const code = values[row]!;
          if (places[code] === -1)
            places[code] = dictionary.push(textOf[name as TextColumn](code)) - 1;
          codes[row] = places[code]!;
        }
        return { type, codes, dictionary };
      }),
    },
  };
}

function dimensionBatch(): NamedBatch {
  const codes = Array.from({ length: dimensionSize }, (_, code) => code);
  const categories = [...new Set(codes.map(categoryOf))];
  return {
    names: dimensionColumns.map(({ name }) => name),
    batch: {
      rowCount: dimensionSize,
      columns: [
        { type: "text", codes: Int32Array.from(codes), dictionary: codes.map(textOf.s50k) },
        {
          type: "text",
          codes: Int32Array.from(codes, (code) => categories.indexOf(categoryOf(code))),
          dictionary: categories,
        },
        { type: "number", values: Float64Array.from(codes) },
      ],
    },
  };
}

/** Converts an answer to rows of numbers, strings and dates. */
export function rowsOf({ rowCount, columns }: Answer): unknown[][] {
  const rows: unknown[][] = Array.from({ length: rowCount }, () => []);
  for (const column of columns) {
    if (column.type === "text") {
      const { codes, dictionary } = column;
      for (let row = 0; row < rowCount; row++)
        rows[row]!.push(codes[row] === -1 ? null : dictionary[codes[row]!]);
    } else {
      const { values, type } = column;
      const isDate = type === "datetime";
      for (let row = 0; row < rowCount; row++) {
        const value = values[row]!;
        rows[row]!.push(Number.isNaN(value) ? null : isDate ? new Date(value) : value);
      }
    }
  }
  return rows;
}
