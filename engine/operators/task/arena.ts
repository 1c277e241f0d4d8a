import type { Kernels } from "../../kernels/kernels.ts";
import { openKernels } from "../../kernels/openKernels.ts";

/** A memory, with the kernels bound to it and views over all of it. */
export class Arena {
  readonly memory: WebAssembly.Memory;
  readonly kernels: Kernels;
  u8: Uint8Array<ArrayBufferLike> = new Uint8Array(0);
  u32: Uint32Array<ArrayBufferLike> = new Uint32Array(0);
  f64: Float64Array<ArrayBufferLike> = new Float64Array(0);

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
    this.kernels = openKernels(memory);
    this.reach();
  }

  /**
   * Replaces the views if they are shorter than `sizeBytes`. They are if the memory has grown, perhaps in another
   * thread.
   */
  reach(sizeBytes = this.memory.buffer.byteLength): void {
    if (this.u8.byteLength >= sizeBytes) return;
    if (this.memory.buffer.byteLength < sizeBytes) this.memory.grow(0);
    const { buffer } = this.memory;
    this.u8 = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }
}
