import type { Block, Memory } from "../memory/memory.ts";
import type { ColumnDefinition } from "../types.ts";
import { sealCodes, sealNumbers } from "./seal/sealSegment.ts";
import { createNullSegment, rowGroupSize, type Segment } from "./segment/segment.ts";
import {
  addCodes,
  addNumbers,
  emptyZoneMap,
  joinZones,
  zoneDecimals,
  type ZoneMap,
} from "./seal/zoneMap.ts";

const leastRows = 64;

/**
 * The open row group of a column: doubles, or stored codes of 32 bits. When it grows, its rows are copied to a new
 * block, so readers of the old block are not affected.
 */
export class OpenRowGroup {
  readonly #memory: Memory;
  readonly #type: ColumnDefinition["type"];
  readonly #width: 4 | 8;
  #block: Block | undefined;
  #rowCount = 0;
  #zone: ZoneMap = emptyZoneMap;

  constructor(memory: Memory, type: ColumnDefinition["type"]) {
    this.#memory = memory;
    this.#type = type;
    this.#width = type === "text" ? 4 : 8;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get memoryBytes(): number {
    return this.#block?.sizeBytes ?? 0;
  }

  /**
   * Appends rows, for which there must be space: doubles with NaN for null, or stored codes with 0 for null. `zone` is
   * the zone map of these rows, if known.
   */
  append(values: Float64Array | Int32Array, near: number | undefined, zone?: ZoneMap): void {
    const start = this.#rowCount;
    this.#reserve(start + values.length, near);
    this.#rowCount += values.length;
    this.#values().set(values, start);
    if (zone) this.#zone = joinZones(this.#zone, zone);
    else
      this.#zone =
        values instanceof Float64Array
          ? addNumbers(this.#zone, values)
          : addCodes(this.#zone, values);
  }

  /** Returns the rows appended so far as a segment; undefined if no row was appended. */
  segment(): Segment | undefined {
    const rowCount = this.#rowCount;
    if (rowCount === 0) return undefined;
    const { nullCount, minimum, maximum } = this.#zone;
    if (nullCount === rowCount || !this.#block) return createNullSegment(rowCount);
    const { arena, offset } = this.#block;
    const zone = {
      rowCount,
      decimals: this.#type === "number" ? zoneDecimals(this.#zone) : 0,
      nullCount,
      minimum,
      maximum,
      sum: NaN,
    };
    return this.#type === "text"
      ? { form: "code", ...zone, values: { arena, offset, width: 4 } }
      : { form: "float", ...zone, values: { arena, offset, width: 8 } };
  }

  /** Returns a copy. Rows can then be appended to either row group. */
  copy(): OpenRowGroup {
    const copy = new OpenRowGroup(this.#memory, this.#type);
    if (this.#block) copy.#grow(this.#block.sizeBytes, this.#block.arena);
    if (this.#block && copy.#block)
      this.#memory.bytes(copy.#block).set(this.#memory.bytes(this.#block));
    copy.#rowCount = this.#rowCount;
    copy.#zone = this.#zone;
    return copy;
  }

  /** Moves the rows out of an arena. Earlier readers keep the old block. Returns whether any rows were in the arena. */
  leave(arena: number): boolean {
    const old = this.#block;
    if (old?.arena !== arena) return false;
    this.#block = this.#memory.copy(old);
    this.#memory.free(old);
    return true;
  }

  /** Copies the rows to a segment in their narrowest form, and empties the row group. */
  seal(near: number | undefined): Segment {
    const target = { memory: this.#memory, near };
    const values = this.#values();
    const segment =
      this.#type === "text" || !(values instanceof Float64Array)
        ? sealCodes(values as Int32Array, this.#zone, target)
        : sealNumbers(values, this.#zone, this.#type, target);
    this.clear();
    return segment;
  }

  /** Frees the memory. */
  clear(): void {
    if (this.#block) this.#memory.free(this.#block);
    this.#block = undefined;
    this.#rowCount = 0;
    this.#zone = emptyZoneMap;
  }

  #values(): Float64Array | Int32Array {
    if (!this.#block) return this.#width === 8 ? new Float64Array(0) : new Int32Array(0);
    const buffer = this.#memory.buffer(this.#block.arena);
    return this.#width === 8
      ? new Float64Array(buffer, this.#block.offset, this.#rowCount)
      : new Int32Array(buffer, this.#block.offset, this.#rowCount);
  }

  #reserve(rowCount: number, near: number | undefined): void {
    if (rowCount * this.#width <= this.memoryBytes) return;
    const capacity = Math.min(
      rowGroupSize,
      Math.max(leastRows, 2 ** Math.ceil(Math.log2(rowCount))),
    );
    const old = this.#block;
    this.#grow(capacity * this.#width, old?.arena ?? near);
    if (!old || !this.#block) return;
    this.#memory
      .bytes(this.#block, this.#rowCount * this.#width)
      .set(this.#memory.bytes(old, this.#rowCount * this.#width));
    this.#memory.free(old);
  }

  #grow(sizeBytes: number, near: number | undefined): void {
    this.#block = this.#memory.allocate(sizeBytes, near, false);
  }
}
