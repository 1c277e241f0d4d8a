import { appendRows, type RowTarget } from "./appendRows.ts";
import { appendSealed } from "./appendSealed.ts";
import type { EncodedBatchColumn } from "./encodedBatchColumn.ts";
import type { Memory } from "../memory/memory.ts";
import type { ColumnDefinition } from "../types.ts";
import type { OpenRowGroup } from "./openRowGroup.ts";
import type { PackedTexts } from "./texts/packedTexts.ts";
import type { Placement } from "./placement.ts";
import type { SealedBatchColumn } from "./sealedBatchColumn.ts";
import { rowGroupSize, type Segment } from "./segment/segment.ts";

/** The parts of a column that a fill needs. */
interface FilledColumn {
  readonly definition: ColumnDefinition;
  readonly memory: Memory;
  readonly placement: Placement;
  /** Number of row groups before the open row group. */
  readonly sealedCount: number;
  /** The open row group of the column; a fill does not change it. */
  readonly open: OpenRowGroup;
  /** Adds strings to the dictionary, and writes the code of each string to `codes`. Yields regularly. */
  readonly encode: (texts: PackedTexts, codes: Int32Array) => Generator<void, void>;
}

/** Rows to append to a column. They are invisible until `Column.take`, and start with a copy of the open row group. */
export class ColumnFill {
  readonly #column: FilledColumn;
  readonly #open: OpenRowGroup;
  readonly #target: RowTarget;
  readonly #segments: Segment[] = [];
  /** Scratch memory for stored codes. */
  #stored = new Int32Array(0);
  /** Scratch memory for the dictionary codes of a batch's strings. */
  #codes = new Int32Array(0);

  constructor(column: FilledColumn) {
    this.#column = column;
    this.#open = column.open.copy();
    const { definition, placement, sealedCount } = column;
    this.#target = {
      type: definition.type,
      open: this.#open,
      near: () => placement[sealedCount + this.#segments.length],
      push: (segment) => {
        placement[sealedCount + this.#segments.length] ??= segment.values?.arena;
        this.#segments.push(segment);
      },
    };
  }

  /** The sealed segments of the full row groups, in order. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** The open row group, which follows the full row groups. */
  get open(): OpenRowGroup {
    return this.#open;
  }

  /**
   * Appends `rowCount` rows of `added`, or nulls if `added` is undefined. Yields after a few milliseconds of work. Does
   * not change `added`.
   */
  *append(
    added: EncodedBatchColumn | SealedBatchColumn | undefined,
    rowCount: number,
  ): Generator<void, void> {
    const texts = added && "texts" in added ? added.texts : undefined;
    const codes = texts && (yield* this.#encode(texts));
    if (added && "segments" in added) {
      yield* appendSealed(this.#target, this.#column.memory, added, codes);
      return;
    }
    for (let start = 0; start < rowCount; start += rowGroupSize) {
      const end = Math.min(rowCount, start + rowGroupSize);
      if (added?.type !== "text")
        appendRows(this.#target, added?.values.subarray(start, end), end - start);
      else if (codes) {
        if (this.#stored.length === 0) this.#stored = new Int32Array(rowGroupSize);
        const stored = this.#stored.subarray(0, end - start);
        storeCodes(added.codes.subarray(start, end), codes, stored);
        appendRows(this.#target, stored, end - start);
      }
      yield;
    }
  }

  *#encode(texts: PackedTexts): Generator<void, Int32Array> {
    const { length } = texts.ends;
    if (this.#codes.length < length) this.#codes = new Int32Array(Math.ceil(length * 1.25));
    const codes = this.#codes.subarray(0, length);
    yield* this.#column.encode(texts, codes);
    return codes;
  }

  /** Frees the memory. */
  discard(): void {
    for (const { values } of this.#segments) if (values) this.#column.memory.free(values);
    this.#segments.length = 0;
    this.#open.clear();
  }
}

/**
 * Converts a batch's codes to stored codes (code plus one; 0 is null). `known` maps the batch's codes to codes of the
 * dictionary.
 */
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
