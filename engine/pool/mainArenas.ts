import type { Memory } from "../memory/memory.ts";
import { Arena } from "../operators/task/arena.ts";
import type { Memories } from "./messages.ts";

/** The arenas as the main thread sees them, and as it tells threads of them. */
export class MainArenas {
  readonly #memory: Memory;
  readonly #arenas: Arena[] = [];

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Views the arenas as they are now: at least one, each over all that it has grown to. */
  view(): readonly Arena[] {
    if (this.#memory.arenas.length === 0)
      this.#memory.freeScratch(this.#memory.allocateScratch(64, 0));
    this.#memory.arenas.forEach((memory, index) => {
      if (this.#arenas[index]?.memory !== memory) this.#arenas[index] = new Arena(memory);
      this.#arenas[index].reach();
    });
    return this.#arenas;
  }

  /** Tells how large the arenas are, for threads that know them. */
  memories(): Memories {
    const { arenas, versions } = this.#memory;
    return { sizes: arenas.map(({ buffer }) => buffer.byteLength), versions };
  }

  /** Passes the arenas to a thread that does not know them. */
  passed(): Memories {
    return { ...this.memories(), passed: this.#memory.arenas };
  }
}
