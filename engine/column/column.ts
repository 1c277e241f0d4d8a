import type { ColumnDefinition, Vector } from "../types.ts";
import { Dictionary } from "./dictionary.ts";
import { sealCodes, sealNumbers } from "./sealSegment.ts";
import {
  allocateDoubles,
  createNullSegment,
  createZoneMap,
  rowGroupSize,
  type Segment,
  type ZoneMap,
} from "./segment.ts";

/** One column of a table in memory: sealed segments, and the row group that fills. Rows are only ever added, so a reader of the first n rows is never disturbed. */
export class Column {
  readonly definition: ColumnDefinition;
  readonly dictionary: Dictionary | undefined;
  readonly #sealed: Segment[] = [];
  #open: Float64Array | Int32Array;
  #openCount = 0;
  #zone: ZoneMap = createZoneMap();
  #sealedBytes = 0;

  constructor(definition: ColumnDefinition, rowCount: number) {
    this.definition = definition;
    this.dictionary = definition.type === "text" ? new Dictionary() : undefined;
    this.#open = this.#allocate(0);
    this.append(undefined, 0, rowCount);
  }

  get memoryBytes(): number {
    return this.#sealedBytes + this.#open.byteLength + (this.dictionary?.memoryBytes ?? 0);
  }

  /** Adds `rowCount` rows of `vector`; without a vector they are null. The vector's type is the column's. */
  append(vector: Vector | undefined, start: number, rowCount: number): void {
    const end = start + rowCount;
    const codes =
      vector?.type === "text" && this.dictionary ? translate(vector, this.dictionary) : undefined;
    let row = start;
    while (row < end) {
      const taken = Math.min(end - row, rowGroupSize - this.#openCount);
      if (!vector && taken === rowGroupSize) {
        this.#sealed.push(createNullSegment(rowGroupSize));
        row += taken;
        continue;
      }
      this.#reserve(this.#openCount + taken);
      if (this.#open instanceof Float64Array)
        this.#fillNumbers(
          this.#open,
          vector && vector.type !== "text" ? vector.values : undefined,
          row,
          taken,
        );
      else this.#fillCodes(this.#open, codes, row, taken);
      this.#openCount += taken;
      row += taken;
      if (this.#openCount === rowGroupSize) this.#seal();
    }
  }

  /** Lists the segments of all rows; the last one may still fill behind its own length. */
  segments(): readonly Segment[] {
    if (this.#openCount === 0) return [...this.#sealed];
    const { nullCount, minimum, maximum, isWhole } = this.#zone;
    const form = this.dictionary ? ("code" as const) : ("float" as const);
    const values = this.#open.subarray(0, this.#openCount);
    return [
      ...this.#sealed,
      { form, values, bias: 0, scale: 1, nullCount, minimum, maximum, isWhole },
    ];
  }

  #allocate(capacity: number): Float64Array | Int32Array {
    return this.dictionary
      ? new Int32Array(new SharedArrayBuffer(capacity * 4))
      : allocateDoubles(capacity);
  }

  #reserve(rowCount: number): void {
    if (rowCount <= this.#open.length) return;
    const capacity = Math.min(rowGroupSize, Math.max(64, 2 ** Math.ceil(Math.log2(rowCount))));
    const grown = this.#allocate(capacity);
    grown.set(this.#open.subarray(0, this.#openCount));
    this.#open = grown;
  }

  #fillNumbers(
    open: Float64Array,
    values: Float64Array | undefined,
    start: number,
    rowCount: number,
  ): void {
    const zone = this.#zone;
    const offset = this.#openCount;
    if (!values) {
      open.fill(NaN, offset, offset + rowCount);
      zone.nullCount += rowCount;
      return;
    }
    let { nullCount, minimum, maximum, isWhole, hasNegativeZero } = zone;
    for (let index = 0; index < rowCount; index++) {
      const value = values[start + index];
      open[offset + index] = value;
      if (value !== value) {
        nullCount++;
        continue;
      }
      if (!(value >= minimum)) minimum = value;
      if (!(value <= maximum)) maximum = value;
      if (isWhole && !Number.isSafeInteger(value)) isWhole = false;
      if (value === 0 && Object.is(value, -0)) hasNegativeZero = true;
    }
    this.#zone = { nullCount, minimum, maximum, isWhole, hasNegativeZero };
  }

  #fillCodes(
    open: Int32Array,
    codes: Int32Array | undefined,
    start: number,
    rowCount: number,
  ): void {
    const zone = this.#zone;
    const offset = this.#openCount;
    for (let index = 0; index < rowCount; index++) {
      const stored = codes ? codes[start + index] : 0;
      open[offset + index] = stored;
      if (stored === 0) zone.nullCount++;
      else {
        if (!(stored >= zone.minimum)) zone.minimum = stored;
        if (!(stored <= zone.maximum)) zone.maximum = stored;
      }
    }
  }

  #seal(): void {
    const segment =
      this.#open instanceof Float64Array
        ? sealNumbers(this.#open, this.#zone)
        : sealCodes(this.#open, this.#zone);
    this.#sealed.push(segment);
    this.#sealedBytes += segment.values?.byteLength ?? 0;
    this.#open = this.#allocate(0);
    this.#openCount = 0;
    this.#zone = createZoneMap();
  }
}

/** Translates a batch's codes into stored codes (the dictionary's code plus one, 0 is null); only texts that occur enter the dictionary. */
function translate(vector: Extract<Vector, { type: "text" }>, dictionary: Dictionary): Int32Array {
  const known = new Int32Array(vector.dictionary.length);
  const stored = new Int32Array(vector.codes.length);
  for (let row = 0; row < stored.length; row++) {
    const code = vector.codes[row];
    if (code < 0) continue;
    if (known[code] === 0) known[code] = dictionary.encode(vector.dictionary[code]) + 1;
    stored[row] = known[code];
  }
  return stored;
}
