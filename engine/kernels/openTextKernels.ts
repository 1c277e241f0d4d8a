import { instantiate } from "./openKernels.ts";
import type { TextKernels } from "./textKernels.ts";

/**
 * Binds the kernels of texts to a memory, whose addresses they then take.
 * @throws {WebAssembly.LinkError} when the memory is not shared
 */
export function openTextKernels(memory: WebAssembly.Memory): TextKernels {
  const exports = instantiate(memory);
  const byName = <Name extends keyof TextKernels>(name: Name) => exports[name] as TextKernels[Name];
  return {
    orderTexts: byName("orderTexts"),
    containing: byName("containing"),
    adjoining: byName("adjoining"),
  };
}
