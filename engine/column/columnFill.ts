import type { EncodedVector } from "../ingest/messages.ts";
import type { Memory } from "../memory/memory.ts";
import type { ColumnDefinition } from "../types.ts";
import type { OpenRowGroup } from "./openRowGroup.ts";
import type { PackedTexts } from "./packedTexts.ts";
import { createNullSegment, rowGroupSize, type Segment } from "./segment.ts";
import type { Placement } from "./placement.ts";

/** What a fill needs of its column. */
interface FilledColumn {
  readonly definition: ColumnDefinition;
  readonly memory: Memory;
  readonly placement: Placement;
  /** Row groups before the one that fills. */
  readonly sealedCount: number;
  /** The row group that fills; it stays as it is. */
  readonly open: OpenRowGroup;
  /** Enters texts into the dictionary and returns their codes; pauses now and then. */
  readonly encode: (texts: PackedTexts) => Generator<void, Int32Array>;
}

/** Rows on their way into a column, which nobody sees before `Column.take`. They begin with a copy of the row group that fills. */
export class ColumnFill {
  readonly #column: FilledColumn;
  readonly #open: OpenRowGroup;
  readonly #segments: Segment[] = [];
  /** Scratch for stored codes. */
  #stored = new Int32Array(0);

  constructor(column: FilledColumn) {
    this.#column = column;
    this.#open = column.open.copy();
  }

  /** Full row groups. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** The row group behind them. */
  get open(): OpenRowGroup {
    return this.#open;
  }

  /** Adds `rowCount` rows of `vector`; without a vector they are null. Pauses after some milliseconds of work. The vector stays as it is. */
  *append(vector: EncodedVector | undefined, rowCount: number): Generator<void, void> {
    const codes = vector?.type === "text" ? yield* this.#column.encode(vector.texts) : undefined;
    for (let start = 0; start < rowCount; start += rowGroupSize) {
      const end = Math.min(rowCount, start + rowGroupSize);
      if (vector?.type !== "text") this.#append(vector?.values.subarray(start, end), end - start);
      else if (codes) {
        if (this.#stored.length === 0) this.#stored = new Int32Array(rowGroupSize);
        const stored = this.#stored.subarray(0, end - start);
        this.#append(storeCodes(vector.codes.subarray(start, end), codes, stored), end - start);
      }
      yield;
    }
  }

  #append(values: Float64Array | Int32Array | undefined, rowCount: number): void {
    const { definition, placement, sealedCount } = this.#column;
    appendRows({
      values,
      type: definition.type,
      rows: [0, rowCount],
      open: this.#open,
      near: () => placement[sealedCount + this.#segments.length],
      push: (segment) => {
        placement[sealedCount + this.#segments.length] ??= segment.values?.arena;
        this.#segments.push(segment);
      },
    });
  }

  /** Frees the memory. */
  discard(): void {
    for (const { values } of this.#segments) if (values) this.#column.memory.free(values);
    this.#segments.length = 0;
    this.#open.clear();
  }
}

/** Makes stored codes (code plus one, 0 is null) of a batch's codes; `known` are the dictionary's codes by the batch's. */
export function storeCodes(
  codes: Int32Array,
  known: Int32Array,
  stored = new Int32Array(codes.length),
): Int32Array {
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row];
    stored[row] = code < 0 ? 0 : known[code] + 1;
  }
  return stored;
}

/** Rows for the row group that fills. */
interface AppendedRows {
  /** Stored values; absent when the rows are null. */
  readonly values: Float64Array | Int32Array | undefined;
  readonly type: ColumnDefinition["type"];
  readonly rows: readonly [start: number, end: number];
  readonly open: OpenRowGroup;
  /** The arena of the row group's other columns. */
  readonly near: () => number | undefined;
  /** Takes a row group that is full. */
  readonly push: (segment: Segment) => void;
}

/** Adds rows to the row group that fills, and seals it whenever it is full. */
export function appendRows({ values, type, rows, open, near, push }: AppendedRows): void {
  const [start, end] = rows;
  for (let row = start; row < end;) {
    const taken = Math.min(end - row, rowGroupSize - open.rowCount);
    if (!values && taken === rowGroupSize) push(createNullSegment(rowGroupSize));
    else {
      open.append(values?.subarray(row, row + taken) ?? nulls(type, taken), near());
      if (open.rowCount === rowGroupSize) push(open.seal(near()));
    }
    row += taken;
  }
}

function nulls(type: ColumnDefinition["type"], rowCount: number): Float64Array | Int32Array {
  return type === "text" ? new Int32Array(rowCount) : new Float64Array(rowCount).fill(NaN);
}
