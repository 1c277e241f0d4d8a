/** Memory of a process after its garbage is collected, in MiB. */
export interface HeldMemory {
  /** Objects of JavaScript. */
  readonly heapMib: number;
  /** Buffers and arenas outside the heap; what the cache keeps is here. */
  readonly externalMib: number;
  /** All pages of the process, those of its threads and what the allocator keeps among them. */
  readonly residentMib: number;
}
