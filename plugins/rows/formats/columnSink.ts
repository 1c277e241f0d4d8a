import { PluginError } from "../../protocol/index.ts";
import { wrongValue, type WantedColumn } from "../readTable.ts";
import { readValue, type ValueForms } from "../readValue.ts";
import type { RowBlock } from "../rowDriver.ts";
import type { SentBatch, SentColumn } from "./sentBatch.ts";
import { paddingBytes, TextTable } from "./textTable.ts";

/** Maximum number of rows of a part: a row group of the store, which seals whole row groups fastest. */
const mostRows = 65_536;
/** Size in bytes above which a part is sent. Parts of wide tables have fewer rows. */
const partBytes = 2 ** 24;
const fewestRows = 64;
/** Maximum number of rows of the first part, so that the caller soon receives rows. */
const firstRows = 16_384;

/** Numbers or instants in milliseconds. NaN is null. */
export class NumberCollector {
  readonly type: "numeric" | "datetime";
  readonly forms: ValueForms;
  /** A format may replace the array with one of the same length. */
  values: Float64Array;

  constructor(type: "numeric" | "datetime", forms: ValueForms, rowCount: number) {
    this.type = type;
    this.forms = forms;
    this.values = new Float64Array(rowCount);
  }
}

/** The distinct strings of a column. */
export type CollectedTexts = Pick<TextTable, "usedBytes" | "texts" | "clear" | "codeOf">;

/** Strings by code. The code -1 is null. */
export class TextCollector {
  readonly type = "hierarchy";
  readonly forms: ValueForms;
  /** A format may replace the array with one of the same length, and the table with an empty one. */
  codes: Int32Array;
  table: CollectedTexts = new TextTable();
  #scratch = Buffer.alloc(256);
  #view = new DataView(this.#scratch.buffer, this.#scratch.byteOffset, this.#scratch.length);

  constructor(forms: ValueForms, rowCount: number) {
    this.forms = forms;
    this.codes = new Int32Array(rowCount);
  }

  /** Returns the code of a string. */
  codeOf(text: string): number {
    const mostBytes = text.length * 3 + paddingBytes;
    if (mostBytes > this.#scratch.length) {
      this.#scratch = Buffer.alloc(mostBytes * 2);
      this.#view = new DataView(this.#scratch.buffer, this.#scratch.byteOffset, mostBytes * 2);
    }
    const length = this.#scratch.write(text);
    return this.table.codeOf(this.#view, 0, length);
  }
}

export type Collector = NumberCollector | TextCollector;

export interface ColumnSinkOptions {
  /** The requested columns, in the order of the answer. */
  readonly wanted: readonly WantedColumn[];
  /** Id of the dataset, for messages. */
  readonly datasetId: string;
  /** Maximum size of the answer, in bytes. */
  readonly sizeBytes: number;
  /** Sends a part. The memory of its columns is reused when the promise resolves. */
  readonly send: (part: SentBatch) => Promise<void>;
  /**
   * Returns milliseconds since an arbitrary instant. Tests replace it.
   * @default performance.now
   */
  readonly now?: () => number;
}

/** Milliseconds after which rows are sent even if their part is not full. Hosts stop sources that stay silent. */
const mostHeldMs = 1000;

/**
 * Collects the rows of a file as columns and sends them in parts. A format writes the cells of row `rowCount` to the
 * collectors and then increments `rowCount`; while `isFull`, it must call `flush` before the next row.
 */
export class ColumnSink {
  readonly wanted: readonly WantedColumn[];
  readonly collectors: readonly Collector[];
  readonly #mostRows: number;
  /** Number of collected rows that have not been sent. */
  rowCount = 0;
  readonly #options: ColumnSinkOptions;
  readonly #texts: readonly TextCollector[];
  /** Number of parts that were sent. */
  part = 0;
  /** The number of rows at which the current part ends. All parts after the first end at multiples of `#mostRows`. */
  #end: number;
  #sentRows = 0;
  #sentAtMs: number;
  #sentBytes = 0;

  constructor(options: ColumnSinkOptions) {
    const { wanted } = options;
    this.#options = options;
    this.#sentAtMs = this.#nowMs();
    this.wanted = wanted;
    const rowBytes = wanted.reduce((sum, { type }) => sum + (type === "hierarchy" ? 4 : 8), 0);
    let rows = mostRows;
    while (rows * rowBytes > partBytes && rows > fewestRows) rows /= 2;
    this.#mostRows = rows;
    this.#end = Math.min(rows, firstRows);
    this.collectors = wanted.map(({ type, forms = {} }) =>
      type === "hierarchy"
        ? new TextCollector(forms, rows)
        : new NumberCollector(type, forms, rows),
    );
    this.#texts = this.collectors.filter((each) => each instanceof TextCollector);
  }

  /** Number of rows that were collected, including the rows that have been sent. */
  get totalRows(): number {
    return this.#sentRows + this.rowCount;
  }

  /** Number of rows that the part can still take. */
  get freeRows(): number {
    return this.#end - this.#sentRows - this.rowCount;
  }

  /** Whether the collected rows must be sent before the next row. */
  get isFull(): boolean {
    return this.freeRows === 0 || this.#textBytes() >= partBytes;
  }

  /**
   * Converts a cell and writes it to the row `row` of the part.
   * @throws {PluginError} PLUGIN_UNREADABLE if the cell cannot be converted. `placeOf` returns its place.
   */
  setCell(row: number, index: number, value: unknown, placeOf: () => string): void {
    if (this.trySetCell(row, index, value)) return;
    const { id, type } = this.wanted[index]!;
    const place = `${this.#options.datasetId}, ${placeOf()}`;
    throw wrongValue({ place, id, type, forms: this.collectors[index]!.forms }, value);
  }

  /** Converts a cell and writes it to the row `row` of the part. Returns false if it cannot be converted. */
  trySetCell(row: number, index: number, value: unknown): boolean {
    const collector = this.collectors[index]!;
    const cell = readValue(value, this.wanted[index]!.type, collector.forms);
    if (cell === undefined) return false;
    if (collector.type === "hierarchy")
      collector.codes[row] = typeof cell === "string" ? collector.codeOf(cell) : -1;
    // A file may contain infinities, which the protocol cannot represent, so they become null.
    else collector.values[row] = typeof cell === "number" && cell - cell === 0 ? cell + 0 : NaN;
    return true;
  }

  /** Adds the rows of a block from the row `from` on. */
  async addRows({ rows, placeOf }: RowBlock, from = 0): Promise<void> {
    for (let index = from; index < rows.length; index++) {
      const row = rows[index]!;
      for (let column = 0; column < this.wanted.length; column++)
        this.setCell(this.rowCount, column, row[column], () => placeOf(index));
      this.rowCount++;
      if (this.isFull) await this.flush();
    }
    await this.flushIfLate();
  }

  /** Sends the collected rows if the last part was sent a second ago. A format calls it after each block of a file. */
  async flushIfLate(): Promise<void> {
    if (this.rowCount > 0 && this.#nowMs() - this.#sentAtMs >= mostHeldMs) await this.flush();
  }

  /**
   * Sends the collected rows.
   * @throws {PluginError} PLUGIN_INVALID if the answer exceeds its maximum size
   */
  async flush(): Promise<void> {
    const { rowCount } = this;
    const { sizeBytes, send } = this.#options;
    const columns = this.collectors.map((collector) => sentColumn(collector, rowCount));
    this.#sentRows += rowCount;
    this.#end = (Math.floor(this.#sentRows / this.#mostRows) + 1) * this.#mostRows;
    for (const column of columns)
      this.#sentBytes +=
        column.type === "hierarchy"
          ? column.codes.byteLength + 2 * column.utf8.bytes.length
          : column.values.byteLength;
    if (this.#sentBytes > sizeBytes)
      throw new PluginError("PLUGIN_INVALID", [
        `the answer exceeds ${sizeBytes} bytes after ${this.#sentRows} rows; group it, filter it or request fewer columns`,
      ]);
    await send({ rowCount, columns });
    this.#sentAtMs = this.#nowMs();
    this.part++;
    this.rowCount = 0;
    for (const { table } of this.#texts) table.clear();
  }

  #nowMs(): number {
    return this.#options.now?.() ?? performance.now();
  }

  #textBytes(): number {
    let sizeBytes = 0;
    for (const { table } of this.#texts) sizeBytes += table.usedBytes;
    return sizeBytes;
  }
}

function sentColumn(collector: Collector, rowCount: number): SentColumn {
  if (collector.type !== "hierarchy") {
    const { type, values } = collector;
    return { type, values: values.subarray(0, rowCount) };
  }
  const { type, codes, table } = collector;
  return { type, codes: codes.subarray(0, rowCount), utf8: table.texts };
}
