import type { Memory } from "../memory/memory.ts";
import { Arena } from "../operators/task/arena.ts";
import type { Memories } from "./messages.ts";

/** The main thread's views of the arenas, and descriptions of the arenas for the threads. */
export class MainArenas {
  readonly #memory: Memory;
  readonly #arenas: Arena[] = [];

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Returns one view per arena, which covers the current size of the arena. There is at least one arena. */
  view(): readonly Arena[] {
    if (this.#memory.arenas.length === 0)
      this.#memory.freeScratch(this.#memory.allocateScratch(64, 0));
    this.#memory.arenas.forEach((memory, index) => {
      if (this.#arenas[index]?.memory !== memory) this.#arenas[index] = new Arena(memory);
      this.#arenas[index].reach();
    });
    return this.#arenas;
  }

  /** Returns the sizes and versions of the arenas, for threads that already have their memories. */
  memories(): Memories {
    const { arenas, versions } = this.#memory;
    return { sizes: arenas.map(({ buffer }) => buffer.byteLength), versions };
  }

  /** Like `memories`, but includes the memories themselves, for a thread that does not have them. */
  passed(): Memories {
    return { ...this.memories(), passed: this.#memory.arenas };
  }
}
