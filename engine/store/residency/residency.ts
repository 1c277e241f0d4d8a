import type { Column, ColumnPart } from "../../column/column.ts";
import type { Lease, Memory } from "../../memory/memory.ts";

/** Keeps columns in memory while they are used. Evicts the least recently used columns if the budget is exceeded. */
export class Residency {
  readonly #pins = new Map<Column, number>();
  /** Unused columns whose data is also in a file, least recently used first. */
  readonly #idle = new Set<Column>();
  readonly #loading = new Map<Column, Map<ColumnPart, Promise<void>>>();

  constructor(memory: Memory) {
    memory.reclaim = (sizeBytes) => {
      for (const column of this.#idle) {
        const before = memory.usedBytes;
        if (sizeBytes <= 0) return;
        this.#idle.delete(column);
        column.evict();
        sizeBytes -= before - memory.usedBytes;
      }
    };
  }

  /**
   * Loads parts of columns that are not in memory, and keeps these parts in memory until the lease ends.
   * @throws {DamagedFile}
   * @throws {EngineError} STORE_OUT_OF_MEMORY
   */
  async pin(columns: readonly Column[], parts: readonly ColumnPart[]): Promise<Lease> {
    for (const column of columns) {
      this.#pins.set(column, (this.#pins.get(column) ?? 0) + 1);
      this.#idle.delete(column);
    }
    let isHeld = true;
    const end = () => {
      if (!isHeld) return;
      isHeld = false;
      for (const column of columns) this.#unpin(column);
    };
    const loads = columns.flatMap((column) =>
      parts.filter((part) => !column.has(part)).map((part) => this.#load(column, part)),
    );
    const failed = (await Promise.allSettled(loads)).find((each) => each.status === "rejected");
    if (!failed) return { end };
    end();
    throw failed.reason;
  }

  /** Records that a file now contains values that were previously only in memory. */
  track(columns: readonly Column[]): void {
    for (const column of columns) if (!this.#pins.has(column)) this.#idle.add(column);
  }

  /** Removes closed columns from the list. */
  forget(columns: readonly Column[]): void {
    for (const column of columns) this.#idle.delete(column);
  }

  #load(column: Column, part: ColumnPart): Promise<void> {
    const loading = this.#loading.get(column) ?? new Map<ColumnPart, Promise<void>>();
    this.#loading.set(column, loading);
    const known = loading.get(part);
    if (known) return known;
    const load = column.load(part).finally(() => {
      loading.delete(part);
      if (loading.size === 0) this.#loading.delete(column);
    });
    loading.set(part, load);
    return load;
  }

  #unpin(column: Column): void {
    const pins = (this.#pins.get(column) ?? 0) - 1;
    if (pins > 0) this.#pins.set(column, pins);
    else {
      this.#pins.delete(column);
      if (column.saved && !column.isClosed) this.#idle.add(column);
    }
  }
}
