import type { Batch, BatchColumn, DataType } from "../../plugins/protocol/index.ts";
import { TextColumn } from "./textColumn.ts";

/** Bytes before the first row: signature, flags, and the length of an extension. */
const headerBytes = 19;
/** 2000-01-01, the epoch of PostgreSQL. */
const epochMs = Date.UTC(2000, 0, 1);
/** Microseconds are exact as a double if their high word is below this number. */
const mostHigh = 2 ** 20;

/** Factor by which an array grows when it is full. */
const growth = 1.25;

/** Values of a column of doubles, or of timestamps in microseconds. */
class NumberColumn {
  readonly #type: "numeric" | "datetime";
  #values = new Float64Array(1024);
  #rowCount = 0;

  constructor(type: "numeric" | "datetime") {
    this.#type = type;
  }

  addNull(): void {
    this.#push(Number.NaN);
  }

  add(source: Buffer, start: number, end: number): number {
    if (end - start !== 8) throw new Error("PostgreSQL sent a number that does not have 8 bytes");
    // Adding 0 turns -0 into 0.
    if (this.#type === "numeric") this.#push(source.readDoubleBE(start) + 0);
    else this.#push(instantIn(source, start));
    return 8;
  }

  take(): BatchColumn {
    const values = this.#values.slice(0, this.#rowCount);
    this.#rowCount = 0;
    return { type: this.#type, values };
  }

  #push(value: number): void {
    if (this.#rowCount === this.#values.length) {
      // Batches have about the same number of rows, so a larger array would never be filled.
      const longer = new Float64Array(Math.ceil(growth * this.#rowCount));
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.#rowCount++] = value;
  }
}

/** Reads a timestamp and rounds it down to the millisecond. */
function instantIn(source: Buffer, start: number): number {
  const high = source.readInt32BE(start);
  if (high >= mostHigh || high < -mostHigh)
    return Number(source.readBigInt64BE(start) / 1000n) + epochMs;
  return Math.round((high * 2 ** 32 + source.readUInt32BE(start + 4)) / 1000) + epochMs;
}

/**
 * Reads the rows of `COPY … TO STDOUT (FORMAT binary)` into columns. Numbers must have the type `double precision`,
 * datetimes `timestamp`, and strings `text`. The format is described in PostgreSQL's documentation, COPY, File Formats.
 */
export class BinaryRows {
  readonly #columns: readonly (NumberColumn | TextColumn)[];
  #isBegun = false;
  #rowCount = 0;
  #sizeBytes = 0;

  constructor(types: readonly DataType[]) {
    this.#columns = types.map((type) =>
      type === "hierarchy" ? new TextColumn() : new NumberColumn(type),
    );
  }

  /** Bytes of the values since the last `take`. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /**
   * Reads a message that contains only whole rows. The first message starts with the header, and the last one ends with
   * the trailer.
   * @throws {Error} for any other format
   */
  read(message: Buffer): void {
    let at = 0;
    if (!this.#isBegun) {
      if (message.length < headerBytes || message.toString("latin1", 0, 6) !== "PGCOPY")
        throw new Error("PostgreSQL sent rows without a header");
      at = headerBytes + message.readInt32BE(15);
      this.#isBegun = true;
    }
    while (at < message.length) {
      const count = message.readInt16BE(at);
      at += 2;
      // This is the trailer, which ends the rows.
      if (count === -1) return;
      if (count !== this.#columns.length)
        throw new Error(
          `PostgreSQL sent a row with ${count} cells instead of ${this.#columns.length}`,
        );
      for (const column of this.#columns) {
        const length = message.readInt32BE(at);
        at += 4;
        if (length === -1) {
          column.addNull();
          this.#sizeBytes += 4;
          continue;
        }
        if (length < 0 || at + length > message.length)
          throw new Error("PostgreSQL sent an incomplete row");
        this.#sizeBytes += column.add(message, at, at + length);
        at += length;
      }
      this.#rowCount++;
    }
  }

  /** Returns the rows that were read since the last call. */
  take(): Batch {
    const rowCount = this.#rowCount;
    [this.#rowCount, this.#sizeBytes] = [0, 0];
    return { rowCount, columns: this.#columns.map((column) => column.take()) };
  }
}
