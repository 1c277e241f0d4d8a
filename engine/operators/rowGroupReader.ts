import { rowGroupSize, type Segment } from "../column/segment.ts";
import type { BoundExpression } from "../plan/boundPlan.ts";
import { floorPeriods } from "../time/periodFloor.ts";

/** Where operators read values from: doubles with NaN for null, stored codes with 0 for null. */
export interface ValueSource {
  readonly rowCount: number;
  numbers(expression: BoundExpression): Float64Array;
  codes(column: number): Int32Array;
}

/** Decodes the segments of one row group at a time into doubles and codes, each once. */
export class RowGroupReader implements ValueSource {
  readonly #columns: readonly (readonly Segment[])[];
  readonly #scratch = new Map<unknown, Float64Array | Int32Array>();
  readonly #ready = new Map<unknown, Float64Array | Int32Array>();
  #group = 0;
  rowCount = 0;

  constructor(columns: readonly (readonly Segment[])[]) {
    this.#columns = columns;
  }

  /** Moves to a row group of `rowCount` rows; what was read before is overwritten. */
  open(group: number, rowCount: number): void {
    this.#group = group;
    this.rowCount = rowCount;
    this.#ready.clear();
  }

  segment(column: number): Segment {
    return this.#columns[column][this.#group];
  }

  numbers(expression: BoundExpression): Float64Array {
    const key = expression.kind === "column" ? expression.column : expression;
    const ready = this.#ready.get(key);
    if (ready) return ready as Float64Array;
    let values = this.#scratchOf(key, Float64Array) as Float64Array;
    if (expression.kind === "period")
      floorPeriods(expression.floor, this.numbers(expression.of), this.rowCount, values);
    else {
      const segment = this.segment(expression.column);
      if (segment.form === "null") values.fill(NaN, 0, this.rowCount);
      else if (segment.values instanceof Float64Array) values = segment.values;
      else if (segment.values) {
        values.set(segment.values);
        if (segment.form === "whole") decodeWhole(values, this.rowCount, segment);
      }
    }
    this.#ready.set(key, values);
    return values;
  }

  codes(column: number): Int32Array {
    const key = `codes ${column}`;
    const ready = this.#ready.get(key);
    if (ready) return ready as Int32Array;
    const segment = this.segment(column);
    let codes = this.#scratchOf(key, Int32Array) as Int32Array;
    if (segment.values instanceof Int32Array) codes = segment.values;
    else if (segment.values) codes.set(segment.values);
    else codes.fill(0, 0, this.rowCount);
    this.#ready.set(key, codes);
    return codes;
  }

  #scratchOf(
    key: unknown,
    Type: Float64ArrayConstructor | Int32ArrayConstructor,
  ): Float64Array | Int32Array {
    let scratch = this.#scratch.get(key);
    if (!scratch) {
      scratch = new Type(rowGroupSize);
      this.#scratch.set(key, scratch);
    }
    return scratch;
  }
}

function decodeWhole(
  values: Float64Array,
  rowCount: number,
  { bias, scale, nullCount }: Segment,
): void {
  if (nullCount === 0)
    for (let row = 0; row < rowCount; row++) values[row] = bias + values[row] * scale;
  else
    for (let row = 0; row < rowCount; row++) {
      const stored = values[row];
      values[row] = stored === 0 ? NaN : bias + stored * scale;
    }
}
