import {
  createDictionary,
  PluginError,
  type AppendRows,
  type Batch,
  type BatchColumn,
} from "../protocol/index.ts";
import type { OutputColumn } from "./compileQuery.ts";
import type { Dialect } from "./dialect.ts";

type Rows = readonly (readonly unknown[])[];

/** Collects the values of a column block by block. */
interface Collector {
  /** Collects the cell at `index` of each row. Returns the number of bytes added. */
  collect(rows: Rows, index: number): number;
  /** Returns the values that were collected since the last call. */
  take(): BatchColumn;
}

/** The limits on the collected rows, and the function that receives the rows in parts. */
export interface CollectOptions {
  readonly dialect: Pick<Dialect, "cellOf">;
  /** Maximum size in bytes of all values together. */
  readonly sizeBytes: number;
  /** Receives rows before the answer is complete, whenever a part is full. */
  readonly append?: AppendRows;
  /** Minimum bytes per part. The rows of a slow source are passed on after a second, however few they are. */
  readonly partBytes?: number;
  /**
   * Returns milliseconds since an arbitrary instant. Tests replace it.
   * @default performance.now
   */
  readonly now?: () => number;
}

/** Default of `partBytes`: about the size of the columns of ten thousand rows. */
const usualPartBytes = 2 ** 20;
/** Milliseconds after which rows are passed on even if their part is not full. Hosts stop sources that stay silent. */
const mostHeldMs = 1000;

/**
 * Collects blocks of rows as columns. With `append`, the rows of a long answer are passed to it in parts, and only the
 * remaining rows are returned. O(cells).
 * @throws {PluginError} PLUGIN_INVALID as soon as the rows exceed `sizeBytes`
 */
export async function collectRows(
  blocks: AsyncIterable<Rows>,
  columns: readonly OutputColumn[],
  {
    dialect,
    sizeBytes,
    append,
    partBytes = usualPartBytes,
    now = () => performance.now(),
  }: CollectOptions,
): Promise<Batch> {
  const collectors = columns.map((column) => createCollector(column, dialect));
  let [rowCount, heldCount, totalBytes, heldBytes] = [0, 0, 0, 0];
  let passedAt = now();
  const takeAll = (): Batch => ({
    rowCount: heldCount,
    columns: collectors.map((collector) => collector.take()),
  });
  for await (const rows of blocks) {
    rowCount += rows.length;
    heldCount += rows.length;
    for (let index = 0; index < collectors.length; index++)
      heldBytes += collectors[index]!.collect(rows, index);
    if (totalBytes + heldBytes > sizeBytes)
      throw new PluginError("PLUGIN_INVALID", [
        `the answer exceeds ${sizeBytes} bytes after ${rowCount} rows; group it, filter it or request fewer columns`,
      ]);
    if (!append || heldCount === 0) continue;
    if (heldBytes < partBytes && now() - passedAt < mostHeldMs) continue;
    await append(takeAll());
    passedAt = now();
    totalBytes += heldBytes;
    [heldCount, heldBytes] = [0, 0];
  }
  return takeAll();
}

function createCollector(
  { type, clock }: OutputColumn,
  { cellOf }: Pick<Dialect, "cellOf">,
): Collector {
  if (type === "hierarchy") return createTextCollector(cellOf);
  const blocks: Float64Array[] = [];
  return {
    collect(rows, index) {
      const values = new Float64Array(rows.length);
      for (let row = 0; row < rows.length; row++) {
        const cell = cellOf(rows[row]![index], type);
        // A driver may return infinities, which the protocol cannot represent, so they become null.
        const isFinite = typeof cell === "number" && cell - cell === 0;
        values[row] = isFinite ? cell + 0 : Number.NaN;
      }
      if (clock) clockValues(values, clock.instantOf);
      blocks.push(values);
      return values.byteLength;
    },
    take: () => ({ type, values: joined(blocks, (length) => new Float64Array(length)) }),
  };
}

function clockValues(values: Float64Array, instantOf: (wallMs: number) => number): void {
  for (let row = 0; row < values.length; row++) {
    const wallMs = values[row]!;
    if (!Number.isNaN(wallMs)) values[row] = instantOf(wallMs);
  }
}

function createTextCollector(cellOf: Dialect["cellOf"]): Collector {
  let texts = createDictionary();
  const blocks: Int32Array[] = [];
  return {
    collect(rows, index) {
      const codes = new Int32Array(rows.length);
      const { dictionary } = texts;
      const knownCount = dictionary.length;
      for (let row = 0; row < rows.length; row++) {
        const cell = cellOf(rows[row]![index], "hierarchy");
        codes[row] = typeof cell === "string" ? texts.codeOf(cell) : -1;
      }
      blocks.push(codes);
      let sizeBytes = codes.byteLength;
      for (let code = knownCount; code < dictionary.length; code++)
        sizeBytes += 2 * dictionary[code]!.length;
      return sizeBytes;
    },
    take() {
      const { dictionary } = texts;
      texts = createDictionary();
      return {
        type: "hierarchy",
        codes: joined(blocks, (length) => new Int32Array(length)),
        dictionary,
      };
    },
  };
}

/** Concatenates the arrays of a list, and then empties the list. */
function joined<Values extends Float64Array | Int32Array>(
  blocks: Values[],
  create: (length: number) => Values,
): Values {
  if (blocks.length === 1) return blocks.pop()!;
  const whole = create(blocks.reduce((length, block) => length + block.length, 0));
  let at = 0;
  for (const block of blocks.splice(0)) {
    whole.set(block, at);
    at += block.length;
  }
  return whole;
}
