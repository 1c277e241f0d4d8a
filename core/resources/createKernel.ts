import { declarations } from "./declarations.ts";
import { hierarchyHandlers } from "./hierarchy.ts";
import { createKernelOver, type Kernel, type KernelOptions } from "./kernel/index.ts";

/** Makes the handlers of every resource of the catalog. Nothing to close. */
export function createKernel(options: KernelOptions): Kernel {
  const kernel = createKernelOver(declarations, options);
  const hierarchy = hierarchyHandlers(options, declarations);
  return {
    ...kernel,
    resources: [...kernel.resources, "hierarchy"],
    handlers: { ...kernel.handlers, hierarchy },
  };
}
