import type { Arena } from "./arena.ts";

type Table = Uint8Array | Uint32Array | Float64Array;

/** Number of bytes that kernels may read after the end of a vector. */
const padding = 64;

/**
 * The layout of a task's working memory. Offsets are relative, and equal in every arena that the task reads. States
 * come first, and are copied when the arena changes. Tables follow, and are copied to every arena. Scratch comes last.
 */
export class Workspace {
  readonly #tables: { readonly offset: number; readonly table: Table }[] = [];
  #sizeBytes = 0;
  #stateBytes: number | undefined;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Bytes of the states, which start at offset 0. */
  get stateBytes(): number {
    return this.#stateBytes ?? this.#sizeBytes;
  }

  /** Bytes of the tables so far. */
  get tableBytes(): number {
    return this.#tables.reduce((sum, { table }) => sum + table.byteLength, 0);
  }

  /** Marks the end of the states: everything that is reserved later is a table or scratch. */
  endStates(): void {
    this.#stateBytes = this.#sizeBytes;
  }

  reserve(sizeBytes: number): number {
    const offset = this.#sizeBytes;
    this.#sizeBytes = Math.ceil((offset + sizeBytes + padding) / 64) * 64;
    return offset;
  }

  /** Reserves memory for a table and stores its content for `writeTables`. */
  table(table: Table): number {
    const offset = this.reserve(table.byteLength);
    this.#tables.push({ offset, table });
    return offset;
  }

  /** Writes the tables to the workspace at `base`. */
  writeTables(arena: Arena, base: number): void {
    for (const { offset, table } of this.#tables)
      arena.u8.set(new Uint8Array(table.buffer, table.byteOffset, table.byteLength), base + offset);
  }
}
