import { readFileSync } from "node:fs";
import type { Decoders } from "./decoders.ts";
import { kernelTables, type KernelTable, type Opened } from "./kernelTable.ts";
import type { Kernels } from "./kernels.ts";
import type { Sealers } from "./sealers.ts";
import type { ExportOf } from "./table/kernelEntry.ts";
import type { TextKernels } from "./textKernels.ts";

let compiled: WebAssembly.Module | undefined;

/**
 * Binds the kernels to an arena. Their arguments are addresses in the arena.
 * @throws {WebAssembly.LinkError} if the memory is not shared
 */
export function openKernels(memory: WebAssembly.Memory): Kernels {
  return open(kernelTables.arena, memory);
}

/**
 * Binds the decoders to a memory. The memory must contain nothing but the data to decode, because this data may be
 * hostile.
 * @throws {WebAssembly.LinkError} if the memory is not shared
 */
export function openDecoders(memory: WebAssembly.Memory): Decoders {
  return open(kernelTables.decoders, memory);
}

/**
 * Binds the sealers to a memory.
 * @throws {WebAssembly.LinkError} if the memory is not shared
 */
export function openSealers(memory: WebAssembly.Memory): Sealers {
  return open(kernelTables.sealers, memory);
}

/**
 * Binds the string kernels to a memory.
 * @throws {WebAssembly.LinkError} if the memory is not shared
 */
export function openTextKernels(memory: WebAssembly.Memory): TextKernels {
  return open(kernelTables.texts, memory);
}

/**
 * Instantiates the kernel module with a memory, and returns a function that finds the instance's exports by name. The
 * first call in a thread compiles the module.
 * @throws {WebAssembly.LinkError} if the memory is not shared
 */
export function openExports(memory: WebAssembly.Memory): (name: string) => ExportOf {
  compiled ??= new WebAssembly.Module(readFileSync(new URL("./kernels.wasm", import.meta.url)));
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  // The type is correct, because a test compares the module's exports with the tables.
  return (name) =>
    <Kernel>(ending: string) =>
      exports[name + ending] as Kernel;
}

function open<Table extends KernelTable>(table: Table, memory: WebAssembly.Memory): Opened<Table> {
  const exportsOf = openExports(memory);
  const opened = Object.entries(table).map(([name, entry]) => [name, entry.open(exportsOf(name))]);
  return Object.fromEntries(opened) as Opened<Table>;
}
