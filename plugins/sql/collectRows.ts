import {
  createDictionary,
  createNumbers,
  PluginError,
  type Batch,
  type BatchColumn,
} from "../protocol/index.ts";
import type { OutputColumn } from "./compileQuery.ts";
import type { Dialect } from "./dialect.ts";

interface Collector {
  /** Bytes of the values so far. */
  readonly sizeBytes: number;
  append(value: unknown): void;
  column(): BatchColumn;
}

/**
 * Collects rows that arrive in blocks as columns. O(cells).
 * @throws {PluginError} PLUGIN_INVALID when they exceed `sizeBytes`, as soon as they do
 */
export async function collectRows(
  blocks: AsyncIterable<readonly (readonly unknown[])[]>,
  columns: readonly OutputColumn[],
  { dialect, sizeBytes }: { readonly dialect: Dialect; readonly sizeBytes: number },
): Promise<Batch> {
  const collectors = columns.map((column) => createCollector(column, dialect));
  let rowCount = 0;
  for await (const rows of blocks) {
    rowCount += rows.length;
    collectors.forEach(({ append }, index) => {
      for (const row of rows) append(row[index]);
    });
    const total = collectors.reduce((sum, collector) => sum + collector.sizeBytes, 0);
    if (total > sizeBytes)
      throw new PluginError("PLUGIN_INVALID", [
        `the answer has more than ${sizeBytes} bytes after ${rowCount} rows; group it, filter it or ask for fewer columns`,
      ]);
  }
  return { rowCount, columns: collectors.map((collector) => collector.column()) };
}

function createCollector({ type, clock }: OutputColumn, { cellOf }: Dialect): Collector {
  if (type === "hierarchy") return createTextCollector(cellOf);
  const numbers = createNumbers((length) => new Float64Array(length));
  return {
    get sizeBytes() {
      return numbers.length * 8;
    },
    append(value) {
      const cell = cellOf(value, type);
      const number = typeof cell === "number" ? cell + 0 : Number.NaN;
      // A driver may pass infinities, which the protocol has no value for.
      const isFinite = number - number === 0;
      numbers.append(isFinite ? (clock?.instantOf(number) ?? number) : Number.NaN);
    },
    column: () => ({ type, values: numbers.joined() }),
  };
}

function createTextCollector(cellOf: Dialect["cellOf"]): Collector {
  const texts = createDictionary();
  const codes = createNumbers((length) => new Int32Array(length));
  let textBytes = 0;
  return {
    get sizeBytes() {
      return codes.length * 4 + textBytes;
    },
    append(value) {
      const cell = cellOf(value, "hierarchy");
      if (typeof cell !== "string") {
        codes.append(-1);
        return;
      }
      const before = texts.dictionary.length;
      codes.append(texts.codeOf(cell));
      if (texts.dictionary.length > before) textBytes += 2 * cell.length;
    },
    column: () => ({ type: "hierarchy", codes: codes.joined(), dictionary: texts.dictionary }),
  };
}
