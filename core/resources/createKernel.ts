import { declarations } from "./declarations.ts";
import { createKernelOver, type Kernel, type KernelOptions } from "./kernel/index.ts";

/** Makes the handlers of every resource of the catalog. Nothing to close. */
export function createKernel(options: KernelOptions): Kernel {
  return createKernelOver(declarations, options);
}
