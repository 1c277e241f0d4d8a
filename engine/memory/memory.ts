import { EngineError } from "../errors.ts";
import { ArenaSpace, largestArenaBytes, readableBytes, startBytes } from "./arenaSpace.ts";
import { blockAlignment } from "./freeList.ts";

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
  /** Bytes from which on an arena is worth giving up; 64 MiB unless given. */
  readonly givenUpBytes?: number;
}

/** The share of an arena that may be used when it is emptied and given up. */
const sparseShare = 1 / 16;

/**
 * All column data, in arenas of shared WebAssembly memory that the main thread owns. Arenas grow as needed; when one is
 * full, the next is made. One that is empty is given up as a whole: its place gets a new, small memory, and its version
 * counts on by one. The content of a new block is undefined. Growing leaves old views valid for their length, but a view
 * must be made anew to reach a block behind it.
 */
export class Memory {
  /** Called with the bytes that are missing before an allocation is refused: the place to evict. */
  reclaim: ((sizeBytes: number) => void) | undefined;
  /** Bytes from which on an arena is worth giving up. */
  readonly givenUpBytes: number;
  readonly #budgetBytes: number;
  readonly #scratchBytes: number;
  readonly #arenaBytes: number;
  readonly #arenas: ArenaSpace[] = [];
  readonly #versions: number[] = [];
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

  constructor({
    budgetBytes,
    scratchBytes,
    arenaBytes = 3.5 * 2 ** 30,
    givenUpBytes = 2 ** 26,
  }: MemoryOptions) {
    this.#budgetBytes = budgetBytes;
    this.#scratchBytes = scratchBytes ?? Math.max(2 ** 28, budgetBytes / 4);
    this.#arenaBytes = Math.min(arenaBytes, largestArenaBytes);
    this.givenUpBytes = givenUpBytes;
  }

  get arenas(): readonly WebAssembly.Memory[] {
    return this.#arenas.map(({ memory }) => memory);
  }

  /** Counts, for each place of `arenas`, the memories that were given up there. */
  get versions(): readonly number[] {
    return [...this.#versions];
  }

  /** Bytes of all arenas, used or not. */
  get arenaBytes(): number {
    return this.#arenas.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
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
    const limit = this.#arenaBytes;
    const open = this.#openArenas();
    const preferred = open.filter((index) => index === near);
    const leaving = this.leaving;
    const block =
      first(preferred, (index) => this.#take(index, size) ?? this.#grow(index, size, limit)) ??
      first(open, (index) => this.#take(index, size)) ??
      first(open, (index) => this.#grow(index, size, limit)) ??
      this.#takeNew(size, limit) ??
      (leaving === undefined ? undefined : this.#take(leaving, size));
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

  /**
   * Copies a block to where new ones go; the old one stays. The budget may be passed.
   * @throws {EngineError} STORE_OUT_OF_MEMORY when the machine has no room but in the arena that is left
   */
  copy(place: Pick<Block, "arena" | "offset">): Block {
    const old = this.#find(place);
    const block = this.allocate(old.sizeBytes, undefined, false);
    if (block.arena === this.leaving) {
      this.freeAtOnce(block);
      throw new EngineError("STORE_OUT_OF_MEMORY", [this.#budgetBytes]);
    }
    this.bytes(block).set(this.bytes(old));
    return block;
  }

  /**
   * Gives up the arenas that are empty, when they were since the last call or are left; then chooses the arena that is to be
   * left: the largest of those that were nearly empty since the last call. To be called now and then. Returns the bytes that
   * were given up, which go back to the system when every thread has collected the memories that it knew.
   */
  giveUp(): number {
    let givenUpBytes = 0;
    const isWorth = (arena: ArenaSpace) => arena.sizeBytes >= this.givenUpBytes;
    this.#arenas.forEach((arena, index) => {
      const isEmpty = arena.usedBytes === 0 && (arena.isLeaving || arena.peakBytes === 0);
      const successor = isEmpty && isWorth(arena) ? createArena() : undefined;
      if (!successor) return;
      this.#arenas[index] = successor;
      this.#versions[index]++;
      givenUpBytes += arena.sizeBytes;
    });
    const [sparsest] = this.#arenas
      .filter((arena) => isWorth(arena) && arena.peakBytes <= arena.sizeBytes * sparseShare)
      .sort((left, right) => right.sizeBytes - left.sizeBytes);
    for (const arena of this.#arenas) {
      arena.isLeaving = arena === sparsest;
      arena.resetPeak();
    }
    return givenUpBytes;
  }

  /** The arena that is to be left: blocks move out of it, and no data comes there. */
  get leaving(): number | undefined {
    const index = this.#arenas.findIndex(({ isLeaving }) => isLeaving);
    return index < 0 ? undefined : index;
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

  /** The arenas that take data, the fullest first, so that the others empty. */
  #openArenas(): readonly number[] {
    const arenas = this.#arenas;
    return arenas
      .flatMap(({ isLeaving }, index) => (isLeaving ? [] : [index]))
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

  #settle(): void {
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

/** Makes an arena; undefined when the machine has no room for its addresses. */
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
