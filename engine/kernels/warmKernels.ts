import { kernelTables } from "./kernelTable.ts";
import { openExports } from "./openKernels.ts";
import { warmRowCount, type WarmScratch } from "./table/kernelEntry.ts";

/** Bytes of the scratch block that `warmKernels` needs. */
export const warmSizeBytes = 65_536;

/**
 * Calls every kernel of the arena on small data, often enough that V8 optimizes it in the background before the first
 * query needs it. Takes about 0.1 s of one thread per process, because the threads share the compiled code. `address`
 * is a block of `warmSizeBytes` that nothing else uses; its content is overwritten.
 */
export function warmKernels(memory: WebAssembly.Memory, address: number): void {
  const exportsOf = openExports(memory);
  const bytes = new Uint8Array(memory.buffer, address, warmSizeBytes);
  const slots = address + 32 * warmRowCount;
  const scratch: WarmScratch = {
    zeros: address,
    out: address + 16 * warmRowCount,
    slots,
    count: slots + 1024,
    keys: slots + 2048,
    clear: (at, sizeBytes) => bytes.fill(0, at - address, at - address + sizeBytes),
  };
  for (const [name, { warm }] of Object.entries(kernelTables.arena)) {
    if (typeof warm === "string") continue;
    bytes.fill(0);
    warm(exportsOf(name), scratch);
  }
}
