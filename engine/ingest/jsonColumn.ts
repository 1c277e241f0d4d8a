import { EngineError } from "../errors.ts";
import type { DataType } from "../types.ts";
import type { JsonText } from "./jsonText.ts";
import type { EncodedColumn, EncodedVector } from "./messages.ts";
import { readInstantBytes } from "./readInstantBytes.ts";
import { paddingBytes, TextPool } from "../column/textPool.ts";

/**
 * One column while rows are read. Without a given type it is what its values are: only numbers, only ISO dates and
 * date-times, else text; a number in a text column is its text as JavaScript writes it.
 */
export class JsonColumn {
  readonly name: string;
  /** Counted from 0, for messages. */
  readonly position: number;
  readonly #isGiven: boolean;
  readonly #firstRow: number;
  #type: DataType | undefined;
  #values: Float64Array<ArrayBuffer> | undefined;
  #codes: Int32Array<ArrayBuffer> | undefined;
  #pool: TextPool | undefined;
  /** Where the cells of a column that may prove no datetime stand in the text, to read them once more as texts. */
  #starts: Int32Array<ArrayBuffer> | undefined;
  /** Rows whose cell is set; later ones may be missing. */
  #filled = 0;
  #capacity = 0;
  #wanted: number;
  #isDate = true;
  #isEmpty = true;

  constructor(
    name: string,
    position: number,
    type: DataType | undefined,
    firstRow: number,
    wantedRows: number,
  ) {
    this.#firstRow = firstRow;
    this.name = name;
    this.position = position;
    this.#isGiven = type !== undefined;
    this.#wanted = wantedRows;
    if (type) this.#become(type);
  }

  /** Rows that have a cell here, present or passed over. */
  get filled(): number {
    return this.#filled;
  }

  /** Tells how many rows to make room for. */
  expect(rowCount: number): void {
    this.#wanted = rowCount;
  }

  /** Reads the cell of a row, which `text` stands at; `first` is its first byte. Rows before it without a cell are null. */
  read(text: JsonText, first: number, row: number): void {
    if (row >= this.#capacity) this.#grow(row);
    if (row > this.#filled) this.#skipTo(row);
    this.#filled = row + 1;
    if (first === 34) this.#readString(text, row);
    else if (first === 45 || (first >= 48 && first <= 57)) this.#readNumber(text, row);
    else if (first === 110) {
      text.readLiteral("null");
      this.#setNull(row);
    } else throw this.#refuseValue(text, first, row);
  }

  /** Gives the column away, with rows that have no cell as null. */
  finish(rowCount: number): EncodedColumn {
    if (rowCount > this.#filled) {
      if (rowCount > this.#capacity) this.#grow(rowCount - 1);
      this.#skipTo(rowCount);
    }
    return {
      name: this.name,
      isDate: this.#type === "datetime" && !this.#isEmpty && this.#isDate,
      isEmpty: this.#isEmpty,
      vector: this.#vector(rowCount),
    };
  }

  #vector(rowCount: number): EncodedVector {
    if (this.#type === "number" || this.#type === "datetime")
      return {
        type: this.#type,
        values: (this.#values as Float64Array<ArrayBuffer>).slice(0, rowCount),
      };
    const codes = this.#codes?.slice(0, rowCount) ?? new Int32Array(rowCount).fill(-1);
    return { type: "text", codes, texts: (this.#pool ?? new TextPool()).pack() };
  }

  #readNumber(text: JsonText, row: number): void {
    // Adding 0 makes 0 of -0.
    const value = text.readNumber() + 0;
    if (value >= 2 ** 53 || value <= -(2 ** 53)) this.#checkMagnitude(value, row);
    if (this.#type === undefined) this.#become("number");
    this.#isEmpty = false;
    if (this.#type === "number") {
      (this.#values as Float64Array)[row] = value;
      return;
    }
    if (this.#type === "datetime") {
      if (this.#isGiven)
        throw this.#refuse(
          row,
          "a number in a datetime column; send for example 2024-01-31T00:00:00Z, or null",
        );
      const end = text.position;
      this.#becomeText(text, row);
      text.position = end;
    }
    (this.#codes as Int32Array)[row] = this.#internNumber(value);
  }

  #readString(text: JsonText, row: number): void {
    const start = text.position;
    text.readString();
    this.#isEmpty = false;
    if (this.#type === "text") {
      this.#intern(text, row);
      return;
    }
    if (this.#type === "number") {
      if (this.#isGiven)
        throw this.#refuse(row, "a text in a numeric column; send a JSON number or null");
      this.#becomeText(text, row);
      this.#reread(text, start, row);
      return;
    }
    const instant = readInstant(text);
    if (instant === instant) {
      if (this.#type === undefined) this.#become("datetime");
      (this.#values as Float64Array)[row] = instant;
      if (text.textLength !== 10) this.#isDate = false;
      if (this.#starts) this.#starts[row] = start;
      return;
    }
    if (this.#isGiven)
      throw this.#refuse(
        row,
        "a text that is no ISO date-time in a datetime column; send for example 2024-01-31T00:00:00Z, or null",
      );
    if (this.#type === undefined) this.#become("text");
    else this.#becomeText(text, row);
    this.#reread(text, start, row);
  }

  #reread(text: JsonText, start: number, row: number): void {
    text.position = start;
    text.readString();
    this.#intern(text, row);
  }

  #intern(text: JsonText, row: number): void {
    const pool = this.#pool as TextPool;
    if (text.isLone) pool.hasLoneSurrogates = true;
    (this.#codes as Int32Array)[row] = pool.intern(text.textView, text.textFrom, text.textLength);
  }

  #internNumber(value: number): number {
    const written = String(value);
    const bytes = new Uint8Array(written.length + paddingBytes);
    for (let index = 0; index < written.length; index++) bytes[index] = written.charCodeAt(index);
    return (this.#pool as TextPool).intern(new DataView(bytes.buffer), 0, written.length);
  }

  #setNull(row: number): void {
    if (this.#values) this.#values[row] = NaN;
    else if (this.#codes) this.#codes[row] = -1;
  }

  #skipTo(row: number): void {
    this.#values?.fill(NaN, this.#filled, row);
    this.#codes?.fill(-1, this.#filled, row);
    this.#filled = row;
  }

  /** Takes a type when all rows so far are null. */
  #become(type: DataType): void {
    this.#type = type;
    if (type === "text") {
      this.#codes = new Int32Array(this.#capacity).fill(-1);
      this.#pool = new TextPool();
    } else this.#values = new Float64Array(this.#capacity).fill(NaN);
    if (type === "datetime" && !this.#isGiven) this.#starts = new Int32Array(this.#capacity);
  }

  /** Makes texts of the numbers or datetimes of the rows before `row`. */
  #becomeText(text: JsonText, row: number): void {
    const values = this.#values as Float64Array;
    const starts = this.#starts;
    this.#values = undefined;
    this.#starts = undefined;
    this.#become("text");
    for (let earlier = 0; earlier < row; earlier++) {
      const value = values[earlier];
      if (value !== value) continue;
      if (starts) this.#reread(text, starts[earlier], earlier);
      else (this.#codes as Int32Array)[earlier] = this.#internNumber(value);
    }
  }

  #grow(row: number): void {
    const capacity = Math.max(row + 1, this.#wanted, this.#capacity * 2, 16);
    if (this.#values) this.#values = copied(new Float64Array(capacity), this.#values);
    if (this.#codes) this.#codes = copied(new Int32Array(capacity), this.#codes);
    if (this.#starts) this.#starts = copied(new Int32Array(capacity), this.#starts);
    this.#capacity = capacity;
  }

  #checkMagnitude(value: number, row: number): void {
    if (!Number.isFinite(value)) throw this.#refuse(row, "the number is not finite; send null");
    if (Math.abs(value) < 1e21)
      throw this.#refuse(
        row,
        "a whole number beyond 2^53 is not exact; send identifiers as texts, in a column of texts",
      );
  }

  #refuseValue(text: JsonText, first: number, row: number): EngineError {
    if (first === 116 || first === 102) {
      text.readLiteral(first === 116 ? "true" : "false");
      return this.#refuse(row, "a boolean is no cell; send it as a text");
    }
    if (first === 91) return this.#refuse(row, "a list is no cell; send it as a text");
    if (first === 123) return this.#refuse(row, "an object is no cell; send it as a text");
    return text.unexpected(text.position);
  }

  #refuse(row: number, reason: string): EngineError {
    return new EngineError("INGEST_CELL", [
      this.#firstRow + row + 1,
      this.position + 1,
      this.name.slice(0, 100),
      reason,
    ]);
  }
}

/** The instant of the string that was read last, NaN when it is none. */
function readInstant({ textBytes, textFrom, textLength }: JsonText): number {
  return readInstantBytes(textBytes, textFrom, textLength);
}

function copied<Values extends Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>>(
  larger: Values,
  values: Values,
): Values {
  larger.set(values);
  return larger;
}
