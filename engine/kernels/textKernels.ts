import type { kernelTables, Opened } from "./kernelTable.ts";

/** The string kernels, bound to a memory. */
export type TextKernels = Opened<typeof kernelTables.texts>;

/** Bytes of the tables for `orderTexts`. */
export const orderTablesBytes = 2 ** 15 + 2 ** 10;
