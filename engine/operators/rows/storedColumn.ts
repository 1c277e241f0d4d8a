import type {
  DayTimeSegment,
  FloatSegment,
  IntegerSegment,
  Segment,
  StoredValues,
  StoredWidth,
} from "../../column/segment/segment.ts";
import type { Kernels } from "../../kernels/kernels.ts";

/** The active rows, and the kernels of the arena that contains them. */
interface OpenRows {
  readonly kernels: Kernels;
  /** Whether some rows of the vector are not active. If so, `selection` is the address of a list of the active rows. */
  readonly isSelected: boolean;
  readonly selection: number;
  readonly rowCount: number;
  readonly vectorRowCount: number;
  address(column: number, stored: StoredValues, part?: 0 | 1): number;
}

/**
 * The stored values of a column in one row group; undefined if every row is null. Its methods read the active rows,
 * whatever the width of the values and whether or not rows are selected. Only this file chooses between the kernels for
 * these cases.
 */
export type StoredColumn = StoredFloats | StoredIntegers;

export function openStored(
  rows: OpenRows,
  column: number,
  segment: Segment,
): StoredColumn | undefined {
  if (segment.form === "null") return undefined;
  if (segment.form === "float") return new StoredFloats(rows, column, segment);
  return new StoredIntegers(rows, column, segment, segment.values);
}

class StoredFloats {
  readonly kind = "floats";
  readonly segment: FloatSegment;
  readonly #rows: OpenRows;
  readonly #column: number;

  constructor(rows: OpenRows, column: number, segment: FloatSegment) {
    this.#rows = rows;
    this.#column = column;
    this.segment = segment;
  }

  /** Address of the values of the vector, selected or not. */
  get address(): number {
    return this.#rows.address(this.#column, this.segment.values);
  }

  /** Writes the values as doubles to an address, or returns the address at which they already are. */
  decode(to: number): number {
    const { kernels, isSelected, selection, rowCount } = this.#rows;
    const { width } = this.segment.values;
    const from = this.address;
    if (isSelected) kernels.decodeFloatSelected[width](from, selection, rowCount, to);
    else if (width === 8) return from;
    else kernels.decodeFloat[width](from, rowCount, to);
    return to;
  }

  /** Writes a mask of the rows that are null. All rows of the vector must be active. */
  maskNulls(to: number): void {
    const { kernels, vectorRowCount } = this.#rows;
    kernels.nullFloat[this.segment.values.width](this.address, vectorRowCount, to);
  }

  /** Writes a mask of the rows that are not null. All rows of the vector must be active. */
  maskValues(to: number): void {
    const { kernels, vectorRowCount } = this.#rows;
    const { width } = this.segment.values;
    kernels.rangeFloat[width](this.address, vectorRowCount, -Infinity, Infinity, to);
  }

  /**
   * Copies the group numbers of the rows that are not null. All rows of the vector must be active. Returns the groups
   * that still have rows.
   */
  leaveNulls(numbers: number, to: number): number {
    const { kernels, vectorRowCount } = this.#rows;
    const { width } = this.segment.values;
    return kernels.leaveNullFloats[width](numbers, this.address, vectorRowCount, to);
  }
}

/** Unsigned whole numbers of 1 to 4 bytes, with 0 for null: codes, numbers, or the days or times of datetimes. */
export class StoredIntegers {
  readonly kind = "integers";
  readonly segment: IntegerSegment;
  readonly #rows: OpenRows;
  readonly #column: number;
  readonly #values: StoredValues<StoredWidth>;
  readonly #part: 0 | 1;

  constructor(
    rows: OpenRows,
    column: number,
    segment: IntegerSegment,
    values: StoredValues<StoredWidth>,
    part: 0 | 1 = 0,
  ) {
    this.#rows = rows;
    this.#column = column;
    this.segment = segment;
    this.#values = values;
    this.#part = part;
  }

  get width(): StoredWidth {
    return this.#values.width;
  }

  /** Address of the stored numbers of the vector, selected or not. */
  get address(): number {
    return this.#rows.address(this.#column, this.#values, this.#part);
  }

  /** Writes `bias + stored * scale` as doubles, NaN for null. */
  decode(scale: number, bias: number, to: number): void {
    const { kernels, isSelected, selection, rowCount } = this.#rows;
    const { width, address: from } = this;
    if (isSelected) kernels.decodeSelected[width](from, selection, rowCount, scale, bias, to);
    else kernels.decode[width](from, rowCount, scale, bias, to);
  }

  /** Writes the stored numbers as 32-bit numbers. */
  widen(to: number): void {
    const { kernels, isSelected, selection, rowCount } = this.#rows;
    const { width, address: from } = this;
    if (isSelected) kernels.widenSelected[width](from, selection, rowCount, to);
    else kernels.widen[width](from, rowCount, to);
  }

  /**
   * Returns the stored numbers in place if all rows are active. Otherwise, copies those of the active rows to `to` as
   * 32-bit numbers.
   */
  read(to: number): StoredRows {
    const { width } = this;
    if (!this.#rows.isSelected) return { address: this.address, width };
    this.widen(to);
    return { address: to, width: 4 };
  }

  /** Writes, or adds, `(stored + offset) * stride` as 32-bit numbers; 0 for null. */
  number(offset: number, stride: number, to: number, isFirst: 0 | 1): void {
    const { kernels, isSelected, selection, rowCount } = this.#rows;
    const { width, address: from } = this;
    if (isSelected)
      kernels.numberSelected[width](from, selection, rowCount, offset, stride, to, isFirst);
    else kernels.number[width](from, rowCount, offset, stride, to, isFirst);
  }

  /** Writes, or adds, `table[stored] * stride` as 32-bit numbers. */
  numberByTable(table: number, stride: number, to: number, isFirst: 0 | 1): void {
    const { kernels, isSelected, selection, rowCount } = this.#rows;
    const { width, address: from } = this;
    if (isSelected)
      kernels.numberLookupSelected[width](from, selection, rowCount, table, stride, to, isFirst);
    else kernels.numberLookup[width](from, rowCount, table, stride, to, isFirst);
  }

  /** Writes a mask of the rows that are null. All rows of the vector must be active. */
  maskNulls(to: number): void {
    const { kernels, vectorRowCount } = this.#rows;
    kernels.range[this.width](this.address, vectorRowCount, 0, 0, to);
  }

  /** Writes a mask of the rows that are not null. All rows of the vector must be active. */
  maskValues(to: number): void {
    const { kernels, vectorRowCount } = this.#rows;
    kernels.range[this.width](this.address, vectorRowCount, 1, Infinity, to);
  }

  /**
   * Copies the group numbers of the rows that are not null. All rows of the vector must be active. Returns the groups
   * that still have rows.
   */
  leaveNulls(numbers: number, to: number): number {
    const { kernels, vectorRowCount } = this.#rows;
    return kernels.leaveNulls[this.width](numbers, this.address, vectorRowCount, to);
  }

  /** Returns the times of a segment of days and times; undefined if all times are midnight. */
  timesOf(segment: DayTimeSegment): StoredIntegers | undefined {
    const { times } = segment;
    return times && new StoredIntegers(this.#rows, this.#column, segment, times, 1);
  }
}

/** Stored whole numbers of consecutive rows. */
export interface StoredRows {
  readonly address: number;
  readonly width: StoredWidth;
}
