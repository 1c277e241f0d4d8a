import type { kernelTables, Opened } from "./kernelTable.ts";

/** The sealers, bound to a memory. */
export type Sealers = Opened<typeof kernelTables.sealers>;
