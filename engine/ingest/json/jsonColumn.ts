import { EngineError } from "../../errors.ts";
import { jsonColumnBytes, jsonColumnTypes, jsonColumnWords } from "../../kernels/jsonReader.ts";
import type { DataType } from "../../types.ts";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import type { JsonText } from "./jsonText.ts";
import type { EncodedColumn } from "../../column/encodedBatch.ts";
import type { EncodedBatchColumn } from "../../column/encodedBatchColumn.ts";
import { readInstantBytes } from "../decode/readInstantBytes.ts";
import { TextReader } from "../decode/textReader.ts";

const {
  type,
  values,
  texts: pool,
  filled,
  capacity,
  hasValue,
  hasTime,
  starts,
  hasLone,
} = jsonColumnWords;

/**
 * One column while its rows are read, by the kernel `parseJsonRows` or by this class. If the type is not given, the
 * values determine it: number if all are numbers, datetime if all are ISO dates or date-times, otherwise text. A number
 * in a text column becomes the string that JavaScript formats.
 */
export class JsonColumn {
  readonly name: string;
  /** Index of the column, counted from 0, for error messages. */
  readonly position: number;
  readonly #memory: DecodeMemory;
  readonly #isGiven: boolean;
  /** The kernel's state for this column; see `jsonColumnWords`. */
  readonly #words: Int32Array;
  #type: DataType | undefined;
  #values: Float64Array | undefined;
  #codes: Int32Array | undefined;
  #texts: TextReader | undefined;
  /**
   * Positions of the cells in a datetime column that may still become a text column, so that the cells can be read
   * again as strings.
   */
  #starts: Int32Array | undefined;
  #wanted: number;

  /** Creates a column. `record` is the address of the kernel's state of the column. */
  constructor(
    memory: DecodeMemory,
    record: number,
    name: string,
    position: number,
    given: DataType | undefined,
    wantedRows: number,
  ) {
    this.#memory = memory;
    this.#words = memory.words(record, jsonColumnBytes / 4).fill(0);
    this.name = name;
    this.position = position;
    this.#isGiven = given !== undefined;
    this.#wanted = wantedRows;
    if (given) this.#become(given, 0);
  }

  /** Number of rows whose cell is set. */
  get filled(): number {
    return this.#words[filled];
  }

  /** Sets the number of rows to reserve memory for. */
  expect(rowCount: number): void {
    this.#wanted = rowCount;
  }

  /** Reserves memory for a row. */
  grow(row: number): void {
    if (this.#type === undefined || row < this.#words[capacity]) return;
    this.#place(Math.max(row + 1, this.#wanted, this.#words[capacity] * 2, 16));
  }

  /** Reserves memory for one more string of `sizeBytes`. */
  growTexts(sizeBytes: number): void {
    this.#texts?.reserve(sizeBytes);
  }

  /** Reserves memory for more strings if little is left. */
  growTextsAhead(): void {
    this.#texts?.reserveAhead();
  }

  /** Reads the cell of a row at the position of `text`. `first` is the first byte of the cell. */
  read(text: JsonText, first: number, row: number): void {
    this.grow(row);
    this.#words[filled] = row + 1;
    if (first === 34) this.#readString(text, row);
    else if (first === 45 || (first >= 48 && first <= 57)) this.#readNumber(text, row);
    else if (first === 110) {
      text.readLiteral("null");
      this.#setNull(row, row + 1);
    } else throw this.#refuseValue(text, first, row);
  }

  /** Returns the total size in bytes of the arrays that `finish` returns, of which there are at most four. */
  packedBytes(rowCount: number): number {
    return (
      rowCount * (this.#type === "number" || this.#type === "datetime" ? 8 : 4) +
      (this.#texts?.packedBytes ?? 0)
    );
  }

  /** Returns the finished column. */
  finish(rowCount: number): EncodedColumn {
    this.grow(rowCount - 1);
    const isEmpty = this.#words[hasValue] === 0;
    return {
      name: this.name,
      isDate: this.#type === "datetime" && !isEmpty && this.#words[hasTime] === 0,
      isEmpty,
      column: this.#encoded(rowCount),
    };
  }

  #encoded(rowCount: number): EncodedBatchColumn {
    const { buffers } = this.#memory;
    if (this.#type === "number" || this.#type === "datetime") {
      const numbers = buffers.doubles(rowCount);
      if (this.#values) numbers.set(this.#values.subarray(0, rowCount));
      return { type: this.#type, values: numbers };
    }
    const codes = buffers.words(rowCount);
    if (this.#codes) codes.set(this.#codes.subarray(0, rowCount));
    else codes.fill(-1);
    // Allocates new arrays, because a thread transfers them.
    const texts = this.#texts?.pack(this.#words[hasLone] === 1) ?? {
      bytes: new Uint8Array(0),
      ends: new Int32Array(0),
      hashes: new Int32Array(0),
      hasLoneSurrogates: false,
    };
    return { type: "text", codes, texts };
  }

  #readNumber(text: JsonText, row: number): void {
    // Adding 0 turns -0 into 0.
    const value = text.readNumber() + 0;
    if (value >= 2 ** 53 || value <= -(2 ** 53)) this.#checkMagnitude(value, row);
    if (this.#type === undefined) this.#become("number", row);
    this.#words[hasValue] = 1;
    if (this.#type === "number") {
      this.#values![row] = value;
      return;
    }
    if (this.#type === "datetime") {
      if (this.#isGiven)
        throw this.#refuse(
          row,
          "must be an ISO date-time or null, not a number; for example 2024-01-31T00:00:00Z",
        );
      const end = text.position;
      this.#becomeText(text, row);
      text.position = end;
    }
    this.#internNumber(text, value, row);
  }

  #readString(text: JsonText, row: number): void {
    const start = text.position;
    text.readString();
    this.#words[hasValue] = 1;
    if (this.#type === "text") {
      this.#intern(text, row);
      return;
    }
    if (this.#type === "number") {
      if (this.#isGiven)
        throw this.#refuse(
          row,
          "must be a number or null, not a string; send numbers without quotes",
        );
      this.#becomeText(text, row);
      this.#reread(text, start, row);
      return;
    }
    const instant = readInstant(text);
    if (instant === instant) {
      if (this.#type === undefined) this.#become("datetime", row);
      this.#values![row] = instant;
      if (text.textLength !== 10) this.#words[hasTime] = 1;
      if (this.#starts) this.#starts[row] = text.address + start;
      return;
    }
    if (this.#isGiven)
      throw this.#refuse(
        row,
        "must be an ISO date-time or null, not another string; for example 2024-01-31T00:00:00Z",
      );
    if (this.#type === undefined) this.#become("text", row);
    else this.#becomeText(text, row);
    this.#reread(text, start, row);
  }

  #reread(text: JsonText, start: number, row: number): void {
    text.position = start;
    text.readString();
    this.#intern(text, row);
  }

  #intern(text: JsonText, row: number): void {
    this.#codes![row] = text.intern(this.#texts!);
    if (text.isLone) this.#words[hasLone] = 1;
  }

  #internNumber(text: JsonText, value: number, row: number): void {
    text.write(String(value));
    this.#intern(text, row);
  }

  #setNull(from: number, until: number): void {
    this.#values?.fill(NaN, from, until);
    this.#codes?.fill(-1, from, until);
  }

  /** Sets the type of the column, given that all rows before `row` are null. */
  #become(known: DataType, row: number): void {
    this.#type = known;
    const words = this.#words;
    words[type] = jsonColumnTypes[known];
    if (known === "text") {
      this.#texts = new TextReader(this.#memory, this.name);
      words[pool] = this.#texts.address;
    }
    words[capacity] = 0;
    this.#place(Math.max(row + 1, this.#wanted, 16));
    this.#setNull(0, row);
  }

  /** Converts the numbers or datetimes of the rows before `row` to strings. */
  #becomeText(text: JsonText, row: number): void {
    const numbers = this.#values!;
    const cells = this.#starts;
    this.#values = undefined;
    this.#starts = undefined;
    this.#words[starts] = 0;
    this.#become("text", row);
    for (let earlier = 0; earlier < row; earlier++) {
      const value = numbers[earlier];
      if (value !== value) continue;
      if (cells) this.#reread(text, (cells[earlier] >>> 0) - text.address, earlier);
      else this.#internNumber(text, value, earlier);
    }
  }

  /** Moves the rows to a memory block with space for `rowCount` rows. */
  #place(rowCount: number): void {
    const { take, doubles, words } = this.#memory;
    const count = this.#words[capacity];
    const move = <Rows extends Float64Array | Int32Array>(rows: Rows, before?: Rows) => {
      if (before) rows.set(before.subarray(0, count));
      return rows;
    };
    const address = take(rowCount * (this.#type === "text" ? 4 : 8));
    if (this.#type === "text") this.#codes = move(words(address, rowCount), this.#codes);
    else this.#values = move(doubles(address, rowCount), this.#values);
    this.#words[values] = address;
    if (this.#type === "datetime" && !this.#isGiven) {
      const from = take(rowCount * 4);
      this.#starts = move(words(from, rowCount), this.#starts);
      this.#words[starts] = from;
    }
    this.#words[capacity] = rowCount;
  }

  #checkMagnitude(value: number, row: number): void {
    if (!Number.isFinite(value))
      throw this.#refuse(row, "must be a finite number or null; this one is beyond 1.8e308");
    if (Math.abs(value) < 1e21)
      throw this.#refuse(
        row,
        "a whole number beyond 2^53 would lose digits; send identifiers as strings, in a text column",
      );
  }

  #refuseValue(text: JsonText, first: number, row: number): EngineError {
    if (first === 116 || first === 102) {
      text.readLiteral(first === 116 ? "true" : "false");
      return this.#refuse(
        row,
        "must be a number, a string or null, not a boolean; send 0 or 1, or a string",
      );
    }
    if (first === 91)
      return this.#refuse(
        row,
        "must be a number, a string or null, not a list; send it as a string",
      );
    if (first === 123)
      return this.#refuse(
        row,
        "must be a number, a string or null, not an object; send it as a string",
      );
    return text.unexpected(text.position);
  }

  #refuse(row: number, reason: string): EngineError {
    return new EngineError("INGEST_CELL", [
      row + 1,
      this.position + 1,
      this.name.slice(0, 100),
      reason,
    ]);
  }
}

/** Returns the instant in the string that was read last; NaN if the string is not an instant. */
function readInstant({ textBytes, textFrom, textLength }: JsonText): number {
  return readInstantBytes(textBytes, textFrom, textLength);
}
