import { EngineError } from "../errors.ts";
import { blockAlignment, FreeList } from "./freeList.ts";

/** Where bytes lie: from byte `offset` of an arena, a multiple of 64, with 64 readable bytes behind them. */
export interface Block {
  readonly arena: number;
  readonly offset: number;
  /** A multiple of 64. */
  readonly sizeBytes: number;
}

/** Keeps blocks that are freed from now on as they are, until it ends. */
export interface Lease {
  /** Safe to call again. */
  end(): void;
}

export interface MemoryOptions {
  /** Budget for blocks, reservations and what is held elsewhere. */
  readonly budgetBytes: number;
  /** Budget for scratch, apart from the other one, so that a full store still answers; a quarter of it, at least 256 MiB, unless given. */
  readonly scratchBytes?: number;
  /** Bytes at which an arena is full, for data; scratch may take the rest. */
  readonly arenaBytes?: number;
}

interface Arena {
  readonly memory: WebAssembly.Memory;
  readonly free: FreeList;
  /** Bytes that the free list knows of, used or not. */
  endBytes: number;
}

const pageBytes = 65_536;
const largestPages = 65_536;
/** The first page of an arena is left to the constants of the kernels; the last bytes are readable behind every block. */
const startBytes = pageBytes;
const readableBytes = 64;
const leastGrowthBytes = 2 ** 20;
const largestGrowthBytes = 2 ** 26;

/**
 * All column data, in arenas of shared WebAssembly memory that the main thread owns. Arenas grow as needed and never
 * shrink; when one is full, the next is made. The content of a new block is undefined. Growing leaves old views valid
 * for their length, but a view must be made anew to reach a block behind it.
 */
export class Memory {
  /** Called with the bytes that are missing before an allocation is refused: the place to evict. */
  reclaim: ((sizeBytes: number) => void) | undefined;
  readonly #budgetBytes: number;
  readonly #scratchBytes: number;
  readonly #arenaBytes: number;
  readonly #arenas: Arena[] = [];
  readonly #scratch = new Set<Block>();
  readonly #live = new Map<number, Block>();
  /** By age; the first is the oldest. */
  readonly #leases = new Set<number>();
  #leaseCount = 0;
  /** Blocks that are freed but may still be read, oldest first, with the youngest lease at that time. */
  #waiting: { readonly block: Block; readonly lease: number }[] = [];
  #usedBytes = 0;
  #scratchUsedBytes = 0;
  #reservedBytes = 0;
  #chargedBytes = 0;

  constructor({ budgetBytes, scratchBytes, arenaBytes }: MemoryOptions) {
    this.#budgetBytes = budgetBytes;
    this.#scratchBytes = scratchBytes ?? Math.max(2 ** 28, budgetBytes / 4);
    this.#arenaBytes = Math.min(arenaBytes ?? 3.5 * 2 ** 30, largestPages * pageBytes);
  }

  get arenas(): readonly WebAssembly.Memory[] {
    return this.#arenas.map(({ memory }) => memory);
  }

  /** Bytes of blocks that are not given back, and of what is charged; scratch and reservations are apart. */
  get usedBytes(): number {
    return this.#usedBytes + this.#chargedBytes;
  }

  get scratchUsedBytes(): number {
    return this.#scratchUsedBytes;
  }

  /**
   * Allocates at least `sizeBytes` bytes, in the arena `near` when it has room. Without `isBudgeted` the budget is passed
   * rather than refused: for changes that are on disk already and whose bytes were reserved.
   * @throws {EngineError} STORE_OUT_OF_MEMORY
   */
  allocate(sizeBytes: number, near?: number, isBudgeted = true): Block {
    const size = roundUp(sizeBytes);
    if (isBudgeted) this.#ensure(size);
    if (startBytes + size + readableBytes > this.#arenaBytes)
      throw new EngineError("STORE_OUT_OF_MEMORY", [this.#budgetBytes]);
    const order = this.#arenas.map((_, index) => index);
    const preferred = near !== undefined && near < order.length ? [near] : [];
    const block =
      first(
        preferred,
        (index) => this.#take(index, size) ?? this.#grow(index, size, this.#arenaBytes),
      ) ??
      first(order, (index) => this.#take(index, size)) ??
      first(order, (index) => this.#grow(index, size, this.#arenaBytes)) ??
      this.#grow(this.#addArena(), size, this.#arenaBytes);
    if (!block) throw new EngineError("STORE_OUT_OF_MEMORY", [this.#budgetBytes]);
    this.#live.set(keyOf(block), block);
    this.#usedBytes += size;
    return block;
  }

  /**
   * Allocates scratch for a query in one arena. It has a budget of its own.
   * @throws {EngineError} QUERY_OUT_OF_MEMORY
   */
  allocateScratch(sizeBytes: number, arena: number): Block {
    const size = roundUp(sizeBytes);
    while (arena >= this.#arenas.length) this.#addArena();
    const block =
      this.#scratchUsedBytes + size <= this.#scratchBytes
        ? (this.#take(arena, size) ?? this.#grow(arena, size, largestPages * pageBytes))
        : undefined;
    if (!block) throw new EngineError("QUERY_OUT_OF_MEMORY");
    this.#live.set(keyOf(block), block);
    this.#scratch.add(block);
    this.#scratchUsedBytes += size;
    return block;
  }

  /** Frees the block that starts at a place: it is given back when the leases that exist now have ended. */
  free(place: Pick<Block, "arena" | "offset">): void {
    const block = this.#forget(place);
    if (this.#leases.size === 0) this.#giveBack(block);
    else this.#waiting.push({ block, lease: this.#leaseCount });
  }

  /** Frees scratch at once: the query that owned it has ended, and nobody else knew it. */
  freeScratch(place: Pick<Block, "arena" | "offset">): void {
    this.freeAtOnce(place);
  }

  /** Frees a block that nobody reads, whatever leases there are. */
  freeAtOnce(place: Pick<Block, "arena" | "offset">): void {
    this.#giveBack(this.#forget(place));
  }

  lease(): Lease {
    const lease = ++this.#leaseCount;
    this.#leases.add(lease);
    return {
      end: () => {
        if (this.#leases.delete(lease)) this.#settle();
      },
    };
  }

  /**
   * Sets bytes aside that a change may come to need.
   * @throws {EngineError} STORE_OUT_OF_MEMORY
   */
  reserve(sizeBytes: number): void {
    this.#ensure(sizeBytes);
    this.#reservedBytes += sizeBytes;
  }

  release(sizeBytes: number): void {
    this.#reservedBytes -= sizeBytes;
  }

  /** Counts bytes that lie elsewhere, such as a dictionary's, to the budget; negative when they go. */
  charge(sizeBytes: number): void {
    this.#chargedBytes += sizeBytes;
  }

  /** Makes a fresh view of a block's bytes, or of the first `sizeBytes` of them. */
  bytes({ arena, offset, sizeBytes }: Block, length = sizeBytes): Uint8Array<SharedArrayBuffer> {
    return new Uint8Array(this.buffer(arena), offset, length);
  }

  /** The present buffer of an arena. */
  buffer(arena: number): SharedArrayBuffer {
    return this.#arenas[arena].memory.buffer;
  }

  #ensure(sizeBytes: number): void {
    const missing = () => this.usedBytes + this.#reservedBytes + sizeBytes - this.#budgetBytes;
    if (missing() > 0) this.reclaim?.(missing());
    if (missing() > 0) throw new EngineError("STORE_OUT_OF_MEMORY", [this.#budgetBytes]);
  }

  #take(index: number, sizeBytes: number): Block | undefined {
    const offset = this.#arenas[index].free.take(sizeBytes);
    return offset === undefined ? undefined : { arena: index, offset, sizeBytes };
  }

  #grow(index: number, sizeBytes: number, limitBytes: number): Block | undefined {
    const arena = this.#arenas[index];
    const least = Math.max(blockAlignment, sizeBytes - arena.free.freeBefore(arena.endBytes));
    const step = Math.min(largestGrowthBytes, Math.max(leastGrowthBytes, arena.endBytes / 8));
    for (const wanted of [Math.max(least, step), least]) {
      const pages = Math.ceil((arena.endBytes + wanted + readableBytes) / pageBytes);
      const present = arena.memory.buffer.byteLength / pageBytes;
      if (pages > largestPages || pages * pageBytes > limitBytes) continue;
      try {
        if (pages > present) arena.memory.grow(pages - present);
      } catch (error) {
        if (error instanceof RangeError) continue;
        throw error;
      }
      const end = arena.memory.buffer.byteLength - readableBytes;
      arena.free.give(arena.endBytes, end - arena.endBytes);
      arena.endBytes = end;
      return this.#take(index, sizeBytes);
    }
    return undefined;
  }

  #addArena(): number {
    let memory: WebAssembly.Memory;
    try {
      memory = new WebAssembly.Memory({ initial: 1, maximum: largestPages, shared: true });
    } catch (cause) {
      throw new EngineError("STORE_OUT_OF_MEMORY", [this.#budgetBytes], { cause });
    }
    return this.#arenas.push({ memory, free: new FreeList(), endBytes: startBytes }) - 1;
  }

  #settle(): void {
    const [oldest = Infinity] = this.#leases;
    let done = 0;
    while (done < this.#waiting.length && this.#waiting[done].lease < oldest)
      this.#giveBack(this.#waiting[done++].block);
    if (done > 0) this.#waiting = this.#waiting.slice(done);
  }

  #forget(place: Pick<Block, "arena" | "offset">): Block {
    const key = keyOf(place);
    const block = this.#live.get(key);
    if (!block) throw new Error(`no block starts at byte ${place.offset} of arena ${place.arena}`);
    this.#live.delete(key);
    return block;
  }

  #giveBack(block: Block): void {
    this.#arenas[block.arena].free.give(block.offset, block.sizeBytes);
    if (this.#scratch.delete(block)) this.#scratchUsedBytes -= block.sizeBytes;
    else this.#usedBytes -= block.sizeBytes;
  }
}

const keyOf = ({ arena, offset }: Pick<Block, "arena" | "offset">) => arena * 2 ** 32 + offset;

const roundUp = (sizeBytes: number) =>
  Math.max(blockAlignment, Math.ceil(sizeBytes / blockAlignment) * blockAlignment);

function first<Item, Result>(
  items: readonly Item[],
  find: (item: Item) => Result | undefined,
): Result | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
