import { EngineError } from "../errors.ts";
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
   * Reserves bytes in an arena that the query can do without. Returns their address; undefined if they would leave
   * other queries with too little memory.
   */
  reserveSpare(sizeBytes: number, arena: number): number | undefined {
    if (!this.#memory.hasSpareScratch(sizeBytes)) return undefined;
    try {
      return this.reserve(sizeBytes, arena);
    } catch (error) {
      if (error instanceof EngineError && error.code === "QUERY_OUT_OF_MEMORY") return undefined;
      throw error;
    }
  }

  /**
   * Reserves the workspace of a task in each arena that the task uses. Returns one entry per arena: the address of the
   * workspace, or -1 if the task does not use the arena.
   * @throws {EngineError} QUERY_OUT_OF_MEMORY
   */
  workspace(sizeBytes: number, used: readonly number[]): readonly number[] {
    return this.#memory.arenas.map((_, index) =>
      used.includes(index) ? this.reserve(sizeBytes, index) : -1,
    );
  }

  /** Frees a workspace before the query ends. Call it after the task that uses the workspace has ended. */
  release(workspace: readonly number[]): void {
    const isOf = ({ arena, offset }: Block) => workspace[arena] === offset;
    for (const block of this.#blocks.filter(isOf)) this.#memory.freeScratch(block);
    const left = this.#blocks.filter((block) => !isOf(block));
    this.#blocks.splice(0, this.#blocks.length, ...left);
  }

  /** Frees all blocks. */
  free(): void {
    for (const block of this.#blocks) this.#memory.freeScratch(block);
    this.#blocks.length = 0;
  }
}
