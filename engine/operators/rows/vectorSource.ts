import { rowGroupSize, type Segment, type StoredValues } from "../../column/segment/segment.ts";
import { vectorSize, type Kernels } from "../../kernels/kernels.ts";
import { selectingTable } from "../../kernels/selectingTable.ts";
import type { BoundColumn } from "../../plan/boundPlan.ts";
import type { Arena } from "../task/arena.ts";
import type { Workspace } from "../task/workspace.ts";
import { boundSegment } from "./boundSegment.ts";
import { openStored, type StoredColumn } from "./storedColumn.ts";

/** Bytes of a vector of doubles. */
export const vectorBytes = vectorSize * 8;

/**
 * Provides the active rows: one vector of a row group, or the selected rows of the vector. Addresses are in the arena
 * of the row group. A column in another arena is copied vector by vector.
 */
export class VectorSource {
  readonly #arenas: readonly Arena[];
  readonly #bases: readonly number[];
  readonly #columns: readonly BoundColumn[];
  readonly #workspace: Workspace;
  readonly #segments: (Segment | undefined)[];
  readonly #stored: (StoredColumn | undefined)[];
  readonly #foreign: number;
  readonly #selection: number;
  readonly #table: number;
  readonly #written = new Set<number>();
  #rowGroup = 0;
  #isListed = true;
  arena: Arena;
  /** Index of the current arena. */
  arenaIndex = 0;
  /** Address of the workspace. */
  base: number;
  kernels: Kernels;
  /** First row of the vector in its row group. */
  start = 0;
  /** Number of rows of the vector, active or not. */
  vectorRowCount = 0;
  /** Number of active rows: all rows of the vector, or the selected rows. */
  rowCount = 0;
  isSelected = false;
  /**
   * Address of the mask of active rows in the vector; -1 if all rows are active, or if there is only a list of the
   * active rows.
   */
  mask = -1;
  /** A number that changes with every row group. */
  rowGroupStamp = 0;
  /** A number that changes whenever the set of active rows changes. */
  stamp = 0;

  /**
   * `bases` are the addresses of the workspace in each arena. Entries for arenas that the plan does not read are
   * ignored.
   */
  constructor(
    arenas: readonly Arena[],
    bases: readonly number[],
    columns: readonly BoundColumn[],
    workspace: Workspace,
  ) {
    this.#arenas = arenas;
    this.#bases = bases;
    this.#columns = columns;
    this.#workspace = workspace;
    this.#segments = columns.map(() => undefined);
    this.#stored = columns.map(() => undefined);
    // Determined from `bases`, which belong to the task, because this thread may know more arenas than the thread that
    // measured the workspace.
    const isSpread = bases.filter((base) => base >= 0).length > 1;
    this.#foreign = isSpread ? workspace.reserve(columns.length * 2 * vectorBytes) : 0;
    this.#selection = workspace.reserve(vectorSize * 2);
    this.#table = workspace.table(selectingTable);
    this.arenaIndex = bases.findIndex((base) => base >= 0);
    this.arena = arenas[this.arenaIndex];
    this.base = bases[this.arenaIndex];
    this.kernels = this.arena.kernels;
  }

  /** Address of the list of selected rows, which is created on first use. */
  get selection(): number {
    const selection = this.base + this.#selection;
    if (!this.#isListed) {
      this.kernels.select(this.mask, this.vectorRowCount, this.base + this.#table, selection);
      this.#isListed = true;
    }
    return selection;
  }

  /** Writes the tables of the workspace to the current arena. Call it once, when the layout is complete. */
  begin(): void {
    this.#enter(this.arenaIndex);
  }

  /** Moves to a row group. */
  openRowGroup(rowGroup: number): void {
    this.#rowGroup = rowGroup;
    this.rowGroupStamp++;
    this.#segments.fill(undefined);
    this.#stored.fill(undefined);
    let arena = -1;
    for (let column = 0; column < this.#columns.length && arena < 0; column++)
      arena = this.segment(column).values?.arena ?? -1;
    if (arena >= 0 && arena !== this.arenaIndex) this.#enter(arena);
  }

  /**
   * Opens the vector that starts at a row of the row group. If `isInOneArena` is true, the vector may cover all rows of
   * the row group. Nothing may then decode, test or list its rows.
   */
  openVector(start: number, rowCount: number): void {
    this.start = start;
    this.vectorRowCount = rowCount;
    this.rowCount = rowCount;
    this.isSelected = false;
    this.mask = -1;
    this.#isListed = true;
    this.stamp++;
  }

  /**
   * Narrows the vector to the `count` rows whose byte in `mask` is 1, and returns the count. The mask must not change
   * until the source opens another vector.
   */
  select(mask: number, count = this.kernels.countMask(mask, this.vectorRowCount)): number {
    this.rowCount = count;
    if (count !== this.vectorRowCount) {
      this.isSelected = true;
      this.mask = mask;
      this.#isListed = false;
      this.stamp++;
    }
    return count;
  }

  /** Narrows the active rows further, to those whose byte in `mask` is 1, and returns the number of active rows. */
  narrow(mask: number): number {
    if (!this.isSelected) return this.select(mask);
    const { selection } = this;
    const count = this.kernels.narrow(mask, this.rowCount, this.base + this.#table, selection);
    if (count !== this.rowCount) {
      this.rowCount = count;
      this.mask = -1;
      this.stamp++;
    }
    return count;
  }

  /** Number of the current row group. */
  get rowGroup(): number {
    return this.#rowGroup;
  }

  segment(column: number): Segment {
    const known = this.#segments[column];
    if (known) return known;
    const segment = boundSegment(this.#columns, column, this.#rowGroup, this.#arenas);
    this.#segments[column] = segment;
    return segment;
  }

  /** Returns the stored values of a column in the row group; undefined if all of them are null. */
  stored(column: number): StoredColumn | undefined {
    return (this.#stored[column] ??= openStored(this, column, this.segment(column)));
  }

  /** Whether the current arena contains all stored values of the row group. */
  get isInOneArena(): boolean {
    for (let column = 0; column < this.#columns.length; column++) {
      const { values } = this.segment(column);
      if (values && values.arena !== this.arenaIndex) return false;
    }
    return true;
  }

  /** Returns the address of a column's stored values in the vector; `part` is 0 for values and 1 for times. */
  address(column: number, stored: StoredValues, part: 0 | 1 = 0): number {
    const from = stored.offset + this.start * stored.width;
    if (stored.arena === this.arenaIndex) return from;
    const to = this.base + this.#foreign + (column * 2 + part) * vectorBytes;
    const source = this.#arenas[stored.arena].u8;
    this.arena.u8.set(source.subarray(from, from + this.vectorRowCount * stored.width), to);
    return to;
  }

  /** Number of rows of the table. */
  get tableRowCount(): number {
    return this.#columns.reduce(
      (most, { sealedCount, tail }) =>
        Math.max(most, sealedCount * rowGroupSize + (tail?.rowCount ?? 0)),
      0,
    );
  }

  /** Returns the number of rows in a row group of a table with `tableRowCount` rows. */
  rowGroupRowCount(tableRowCount: number): number {
    return Math.min(rowGroupSize, tableRowCount - this.#rowGroup * rowGroupSize);
  }

  #enter(index: number): void {
    const next = this.#arenas[index];
    const base = this.#bases[index];
    const { stateBytes } = this.#workspace;
    if (index !== this.arenaIndex)
      next.u8.set(this.arena.u8.subarray(this.base, this.base + stateBytes), base);
    if (!this.#written.has(index)) {
      this.#workspace.writeTables(next, base);
      this.#written.add(index);
    }
    this.arena = next;
    this.arenaIndex = index;
    this.base = base;
    this.kernels = next.kernels;
    this.stamp++;
  }

  /** Moves the states to the arena from which the answer is read. */
  leaveTo(index: number): void {
    if (index !== this.arenaIndex) this.#enter(index);
  }
}
