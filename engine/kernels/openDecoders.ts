import type { Decoders } from "./decoders.ts";
import { instantiate } from "./openKernels.ts";

/**
 * Binds the decoders to a memory, whose addresses they then take: one that holds nothing but what is decoded, since the bytes
 * are strangers'.
 * @throws {WebAssembly.LinkError} when the memory is not shared
 */
export function openDecoders(memory: WebAssembly.Memory): Decoders {
  return instantiate(memory) as unknown as Decoders;
}
