/** Rooms that are kept, and their bytes. */
const keptCount = 32;
const keptBytes = 2 ** 26;
/** A room that is much larger than what goes into it waits for something larger. */
const leastShare = 1 / 8;

/**
 * Shared memory that is used again for what goes to the threads and comes back. V8 does not count shared memory, so what is
 * dropped may stay long, and it collects its garbage ever anew for buffers of its own that come and go.
 */
export class SharedRooms {
  readonly #free: SharedArrayBuffer[] = [];
  #freeBytes = 0;

  /** Returns the smallest room that is free and fits; undefined when there is none. */
  find(sizeBytes: number): SharedArrayBuffer | undefined {
    let best = -1;
    this.#free.forEach(({ byteLength }, index) => {
      if (byteLength < sizeBytes || byteLength * leastShare > Math.max(sizeBytes, 2 ** 16)) return;
      if (best < 0 || byteLength < this.#free[best].byteLength) best = index;
    });
    if (best < 0) return undefined;
    const [room] = this.#free.splice(best, 1);
    this.#freeBytes -= room.byteLength;
    return room;
  }

  /** As `find`, or a new one. Its content is arbitrary. */
  take(sizeBytes: number): SharedArrayBuffer {
    return this.find(sizeBytes) ?? new SharedArrayBuffer(Math.ceil((sizeBytes * 1.25) / 64) * 64);
  }

  /** Takes a room back; nobody uses it any more. The ones that were free longest are let go when there is too much. */
  give(room: SharedArrayBuffer): void {
    this.#free.push(room);
    this.#freeBytes += room.byteLength;
    while (this.#free.length > keptCount || this.#freeBytes > keptBytes)
      this.#freeBytes -= this.#free.shift()?.byteLength ?? 0;
  }
}
