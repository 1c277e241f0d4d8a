import { EngineError } from "../../errors.ts";
import { Arena } from "./arena.ts";

const pageBytes = 65_536;
const largestPages = 65_536;

/** Maximum size of a heap that a thread keeps for the next query, in bytes. */
const keptBytes = 2 ** 28;

/**
 * Memory of one thread that grows while a query runs. It contains hash tables and the states of their groups, because
 * the number of these groups is not known in advance. `clear` releases all blocks together.
 */
export class Heap {
  #arena: Arena | undefined;
  #top = 64;

  get arena(): Arena {
    this.#arena ??= new Arena(
      new WebAssembly.Memory({ initial: 16, maximum: largestPages, shared: true }),
    );
    return this.#arena;
  }

  /**
   * Reserves bytes. Their content is undefined.
   * @throws {EngineError} QUERY_OUT_OF_MEMORY beyond 4 GiB
   */
  reserve(sizeBytes: number): number {
    const { arena } = this;
    const from = this.#top;
    this.#top = Math.ceil((from + sizeBytes + 64) / 64) * 64;
    const missing = this.#top - arena.memory.buffer.byteLength;
    if (missing > 0) {
      const wanted = Math.ceil(Math.max(missing, arena.memory.buffer.byteLength / 4) / pageBytes);
      const room = largestPages - arena.memory.buffer.byteLength / pageBytes;
      if (missing > room * pageBytes) throw new EngineError("QUERY_OUT_OF_MEMORY");
      try {
        arena.memory.grow(Math.min(wanted, room));
      } catch (cause) {
        throw new EngineError("QUERY_OUT_OF_MEMORY", [], { cause });
      }
      arena.reach();
    }
    return from;
  }

  /** The end of the reserved blocks, for `releaseTo`. */
  get top(): number {
    return this.#top;
  }

  /** Releases the blocks that were reserved after `top` was read. */
  releaseTo(top: number): void {
    this.#top = top;
  }

  /** Releases all reserved blocks. If the memory is larger than `mostBytes`, it is released too. */
  clear(mostBytes = keptBytes): void {
    this.#top = 64;
    if ((this.#arena?.memory.buffer.byteLength ?? 0) > mostBytes) this.#arena = undefined;
  }
}
