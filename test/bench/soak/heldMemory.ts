/** Memory of a process after garbage collection, in MiB. */
export interface HeldMemory {
  /** JavaScript objects. */
  readonly heapMib: number;
  /** Buffers and arenas outside the heap, including cached answers. */
  readonly externalMib: number;
  /** All pages of the process, including those of its threads and memory that the allocator retains. */
  readonly residentMib: number;
}
