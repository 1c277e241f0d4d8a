import { EngineError } from "../errors.ts";
import { ArenaSpace, largestArenaBytes, readableBytes, startBytes } from "./arenaSpace.ts";
import { blockAlignment } from "./freeList.ts";

/** A part of an arena, starting at byte `offset`. The 64 bytes after the block are readable. */
export interface Block {
  readonly arena: number;
  readonly offset: number;
  /** A multiple of 64. */
  readonly sizeBytes: number;
}

/** A promise not to reuse blocks: blocks that are freed while a lease exists are not reused until the lease ends. */
export interface Lease {
  /** Ends the lease. Further calls have no effect. */
  end(): void;
}

export interface MemoryOptions {
  /** Budget in bytes for blocks, reservations and charges. */
  readonly budgetBytes: number;
  /**
   * Separate budget in bytes for scratch, so that queries can still be answered when the store is full.
   * @default a quarter of the budget, at least 256 MiB
   */
  readonly scratchBytes?: number;
  /** Size up to which an arena accepts data. Scratch may grow the arena further. */
  readonly arenaBytes?: number;
  /**
   * Size in bytes of the smallest arena that is released.
   * @default 64 MiB
   */
  readonly leastReleasedBytes?: number;
}

/** An arena is drained if at most this share of its memory is in use. */
const sparseShare = 1 / 16;

/**
 * Allocates all column data in arenas of shared WebAssembly memory, which the main thread owns. Arenas grow as needed,
 * and when an arena is full, another one is created. An empty arena is released as a whole: a new, small memory with
 * the next version replaces it. The content of a new block is undefined. When an arena grows, old views stay valid, but
 * only new views include the added memory.
 */
export class Memory {
  /** Called with the number of missing bytes before an allocation fails, so that the owner can evict data. */
  reclaim: ((sizeBytes: number) => void) | undefined;
  /** Size in bytes of the smallest arena that is released. */
  readonly leastReleasedBytes: number;
  readonly #budgetBytes: number;
  readonly #scratchBytes: number;
  readonly #arenaBytes: number;
  readonly #arenas: ArenaSpace[] = [];
  readonly #versions: number[] = [];
  readonly #scratch = new Set<Block>();
  readonly #live = new Map<number, Block>();
  /** Active leases, oldest first. */
  readonly #leases = new Set<number>();
  #leaseCount = 0;
  /**
   * Freed blocks that may still be read, oldest first. Each is stored with the newest lease that existed when it was
   * freed.
   */
  #waiting: { readonly block: Block; readonly lease: number }[] = [];
  #usedBytes = 0;
  #scratchUsedBytes = 0;
  #reservedBytes = 0;
  #chargedBytes = 0;

  constructor({
    budgetBytes,
    scratchBytes,
    arenaBytes = 3.5 * 2 ** 30,
    leastReleasedBytes = 2 ** 26,
  }: MemoryOptions) {
    this.#budgetBytes = budgetBytes;
    this.#scratchBytes = scratchBytes ?? Math.max(2 ** 28, budgetBytes / 4);
    this.#arenaBytes = Math.min(arenaBytes, largestArenaBytes);
    this.leastReleasedBytes = leastReleasedBytes;
  }

  get arenas(): readonly WebAssembly.Memory[] {
    return this.#arenas.map(({ memory }) => memory);
  }

  /** The version of each arena: how many memories have been released at the arena's index. */
  get versions(): readonly number[] {
    return [...this.#versions];
  }

  /** Size of all arenas in bytes, including unused parts. */
  get arenaBytes(): number {
    return this.#arenas.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  /** Bytes of blocks and charges, without scratch or reservations. */
  get usedBytes(): number {
    return this.#usedBytes + this.#chargedBytes;
  }

  get scratchUsedBytes(): number {
    return this.#scratchUsedBytes;
  }

  /**
   * Allocates at least `sizeBytes` bytes, in the arena `near` if it has space. If `isBudgeted` is false, the allocation
   * may exceed the budget. Pass false only for changes that are already on disk and whose bytes have been reserved.
   * @throws {EngineError} STORE_OUT_OF_MEMORY
   */
  allocate(sizeBytes: number, near?: number, isBudgeted = true): Block {
    const size = roundUp(sizeBytes);
    if (isBudgeted) this.#ensure(size);
    if (startBytes + size + readableBytes > this.#arenaBytes)
      throw new EngineError("STORE_OUT_OF_MEMORY", [this.#budgetBytes]);
    const limit = this.#arenaBytes;
    const open = this.#openArenas();
    const preferred = open.filter((index) => index === near);
    const draining = this.drainingArena;
    const block =
      first(preferred, (index) => this.#take(index, size) ?? this.#grow(index, size, limit)) ??
      first(open, (index) => this.#take(index, size)) ??
      first(open, (index) => this.#grow(index, size, limit)) ??
      this.#takeNew(size, limit) ??
      (draining === undefined ? undefined : this.#take(draining, size));
    if (!block) throw new EngineError("STORE_OUT_OF_MEMORY", [this.#budgetBytes]);
    this.#live.set(keyOf(block), block);
    this.#usedBytes += size;
    return block;
  }

  /**
   * Allocates scratch for a query in one arena. Scratch has a separate budget.
   * @throws {EngineError} QUERY_OUT_OF_MEMORY
   */
  allocateScratch(sizeBytes: number, arena: number): Block {
    const size = roundUp(sizeBytes);
    while (arena >= this.#arenas.length)
      if (this.#addArena() === undefined) throw new EngineError("QUERY_OUT_OF_MEMORY");
    const block =
      this.#scratchUsedBytes + size <= this.#scratchBytes
        ? (this.#take(arena, size) ?? this.#grow(arena, size, largestArenaBytes))
        : undefined;
    if (!block) throw new EngineError("QUERY_OUT_OF_MEMORY");
    this.#live.set(keyOf(block), block);
    this.#scratch.add(block);
    this.#scratchUsedBytes += size;
    return block;
  }

  /**
   * Returns whether a query that can do without scratch may allocate it: at most half of the budget for scratch is then
   * in use.
   */
  hasSpareScratch(sizeBytes: number): boolean {
    return this.#scratchUsedBytes + roundUp(sizeBytes) <= this.#scratchBytes / 2;
  }

  /** Frees the block at a location. It is reused once all leases that exist now have ended. */
  free(place: Pick<Block, "arena" | "offset">): void {
    const block = this.#forget(place);
    if (this.#leases.size === 0) this.#giveBack(block);
    else this.#waiting.push({ block, lease: this.#leaseCount });
  }

  /**
   * Frees scratch immediately, because only the query that owned the scratch could read it, and that query has ended.
   */
  freeScratch(place: Pick<Block, "arena" | "offset">): void {
    this.freeAtOnce(place);
  }

  /** Frees a block immediately, without waiting for leases. The block must not have any readers. */
  freeAtOnce(place: Pick<Block, "arena" | "offset">): void {
    this.#giveBack(this.#forget(place));
  }

  /**
   * Copies a block to an arena that is not being drained. The original block stays. The copy may exceed the budget.
   * @throws {EngineError} STORE_OUT_OF_MEMORY if the system has no memory for another arena
   */
  copy(place: Pick<Block, "arena" | "offset">): Block {
    const old = this.#find(place);
    const block = this.allocate(old.sizeBytes, undefined, false);
    if (block.arena === this.drainingArena) {
      this.freeAtOnce(block);
      throw new EngineError("STORE_OUT_OF_MEMORY", [this.#budgetBytes]);
    }
    this.bytes(block).set(this.bytes(old));
    return block;
  }

  /**
   * Releases the arenas that have been empty since the last call or that have been drained. Then selects the next arena
   * to drain: the largest arena that has been nearly empty since the last call. Call it at intervals. Returns the
   * number of released bytes. The system regains the memory once every thread has collected its references to it, see
   * `Pool.releaseMemory`.
   */
  releaseArenas(): number {
    let releasedBytes = 0;
    const isWorth = (arena: ArenaSpace) => arena.sizeBytes >= this.leastReleasedBytes;
    this.#arenas.forEach((arena, index) => {
      const isEmpty = arena.usedBytes === 0 && (arena.isDraining || arena.peakBytes === 0);
      const successor = isEmpty && isWorth(arena) ? createArena() : undefined;
      if (!successor) return;
      this.#arenas[index] = successor;
      this.#versions[index]++;
      releasedBytes += arena.sizeBytes;
    });
    const [sparsest] = this.#arenas
      .filter((arena) => isWorth(arena) && arena.peakBytes <= arena.sizeBytes * sparseShare)
      .sort((left, right) => right.sizeBytes - left.sizeBytes);
    for (const arena of this.#arenas) {
      arena.isDraining = arena === sparsest;
      arena.resetPeak();
    }
    return releasedBytes;
  }

  /** The arena being drained. Its blocks are moved to other arenas, and it accepts no new data. */
  get drainingArena(): number | undefined {
    const index = this.#arenas.findIndex(({ isDraining }) => isDraining);
    return index < 0 ? undefined : index;
  }

  /** Creates a lease. Blocks that are freed from now on are not reused until the lease ends. */
  lease(): Lease {
    const lease = ++this.#leaseCount;
    this.#leases.add(lease);
    return {
      end: () => {
        if (this.#leases.delete(lease)) this.#reuseFreed();
      },
    };
  }

  /**
   * Reserves bytes of the budget for a later allocation.
   * @throws {EngineError} STORE_OUT_OF_MEMORY
   */
  reserve(sizeBytes: number): void {
    this.#ensure(sizeBytes);
    this.#reservedBytes += sizeBytes;
  }

  /** Returns reserved bytes to the budget. */
  release(sizeBytes: number): void {
    this.#reservedBytes -= sizeBytes;
  }

  /**
   * Counts bytes outside the arenas, such as those of a dictionary, toward the budget. A negative number removes bytes
   * from the count.
   */
  charge(sizeBytes: number): void {
    this.#chargedBytes += sizeBytes;
  }

  /** Returns a new view of a block's bytes, or of the first `length` bytes. */
  bytes({ arena, offset, sizeBytes }: Block, length = sizeBytes): Uint8Array<SharedArrayBuffer> {
    return new Uint8Array(this.buffer(arena), offset, length);
  }

  /** The current buffer of an arena. */
  buffer(arena: number): SharedArrayBuffer {
    return this.#arenas[arena].memory.buffer;
  }

  #ensure(sizeBytes: number): void {
    const missing = () => this.usedBytes + this.#reservedBytes + sizeBytes - this.#budgetBytes;
    if (missing() > 0) this.reclaim?.(missing());
    if (missing() > 0) throw new EngineError("STORE_OUT_OF_MEMORY", [this.#budgetBytes]);
  }

  /** Returns the arenas that accept data, fullest first, so that the other arenas can become empty. */
  #openArenas(): readonly number[] {
    const arenas = this.#arenas;
    return arenas
      .flatMap(({ isDraining }, index) => (isDraining ? [] : [index]))
      .sort((left, right) => arenas[right].usedBytes - arenas[left].usedBytes || left - right);
  }

  #take(arena: number, sizeBytes: number): Block | undefined {
    const offset = this.#arenas[arena].take(sizeBytes);
    return offset === undefined ? undefined : { arena, offset, sizeBytes };
  }

  #grow(arena: number, sizeBytes: number, limitBytes: number): Block | undefined {
    const offset = this.#arenas[arena].grow(sizeBytes, limitBytes);
    return offset === undefined ? undefined : { arena, offset, sizeBytes };
  }

  #takeNew(sizeBytes: number, limitBytes: number): Block | undefined {
    const arena = this.#addArena();
    return arena === undefined ? undefined : this.#grow(arena, sizeBytes, limitBytes);
  }

  #addArena(): number | undefined {
    const arena = createArena();
    if (!arena) return undefined;
    this.#versions.push(0);
    return this.#arenas.push(arena) - 1;
  }

  #reuseFreed(): void {
    const [oldest = Infinity] = this.#leases;
    let done = 0;
    while (done < this.#waiting.length && this.#waiting[done].lease < oldest)
      this.#giveBack(this.#waiting[done++].block);
    if (done > 0) this.#waiting = this.#waiting.slice(done);
  }

  #find(place: Pick<Block, "arena" | "offset">): Block {
    const block = this.#live.get(keyOf(place));
    if (!block) throw new Error(`no block starts at byte ${place.offset} of arena ${place.arena}`);
    return block;
  }

  #forget(place: Pick<Block, "arena" | "offset">): Block {
    const block = this.#find(place);
    this.#live.delete(keyOf(place));
    return block;
  }

  #giveBack(block: Block): void {
    this.#arenas[block.arena].give(block.offset, block.sizeBytes);
    if (this.#scratch.delete(block)) this.#scratchUsedBytes -= block.sizeBytes;
    else this.#usedBytes -= block.sizeBytes;
  }
}

const keyOf = ({ arena, offset }: Pick<Block, "arena" | "offset">) => arena * 2 ** 32 + offset;

/** Creates an arena; undefined if the system has no address space for it. */
function createArena(): ArenaSpace | undefined {
  try {
    return new ArenaSpace();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

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
