/** Memory of a process after garbage collection, in MiB. */
export interface HeldMemory {
  /** Memory that JavaScript objects use. */
  readonly heapMib: number;
  /** Memory of buffers and arenas outside the heap, including cached answers. */
  readonly externalMib: number;
  /** Resident memory of the process, including memory of its threads and memory that the allocator retains. */
  readonly residentMib: number;
}
