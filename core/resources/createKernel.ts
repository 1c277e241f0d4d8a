import { declarations } from "./declarations.ts";
import { hierarchyHandlers } from "./columns/hierarchy.ts";
import { signUp } from "./people/signUp.ts";
import { createKernelOver, type Kernel, type KernelOptions } from "./kernel/index.ts";

/** Creates the handlers of every resource of the catalog. They open nothing, so they need not be closed. */
export function createKernel(options: KernelOptions): Kernel {
  const kernel = createKernelOver(declarations, options);
  const hierarchy = hierarchyHandlers(options, declarations);
  const { user } = kernel.handlers;
  if (!user?.create) throw new TypeError("the resource user must have a create action");
  const { records } = options;
  const create = signUp({ records, create: user.create });
  return {
    ...kernel,
    resources: [...kernel.resources, "hierarchy"],
    handlers: { ...kernel.handlers, user: { ...user, create }, hierarchy },
  };
}
