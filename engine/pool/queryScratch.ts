import type { Block, Memory } from "../memory/memory.ts";

/**
 * The scratch memory of one query. Tasks of the query write to it, so call `free` only after all of them have ended.
 */
export class QueryScratch {
  readonly #memory: Memory;
  readonly #blocks: Block[] = [];

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /**
   * Reserves bytes in an arena and returns their address.
   * @throws {EngineError} QUERY_OUT_OF_MEMORY
   */
  reserve(sizeBytes: number, arena: number): number {
    const block = this.#memory.allocateScratch(sizeBytes, arena);
    this.#blocks.push(block);
    return block.offset;
  }

  /**
   * Reserves the workspace of a task in each arena that the task uses. Returns an address for each of these arenas, and
   * -1 for the others.
   * @throws {EngineError} QUERY_OUT_OF_MEMORY
   */
  workspace(sizeBytes: number, used: readonly number[]): readonly number[] {
    return this.#memory.arenas.map((_, index) =>
      used.includes(index) ? this.reserve(sizeBytes, index) : -1,
    );
  }

  /** Frees all blocks. */
  free(): void {
    for (const block of this.#blocks) this.#memory.freeScratch(block);
    this.#blocks.length = 0;
  }
}
