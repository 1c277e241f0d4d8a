import type { kernelTables, Opened } from "./kernelTable.ts";

/** The kernels of texts, bound to a memory. */
export type TextKernels = Opened<typeof kernelTables.texts>;

/** Bytes of the tables of `orderTexts`. */
export const orderTablesBytes = 2 ** 15 + 2 ** 10;
