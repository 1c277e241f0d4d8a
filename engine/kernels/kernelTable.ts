import { arithmetic } from "./table/arithmetic.ts";
import { counting } from "./table/counting.ts";
import { decoders } from "./table/decoders.ts";
import { decoding } from "./table/decoding.ts";
import { fewGroups } from "./table/fewGroups.ts";
import { folds } from "./table/folds.ts";
import { hashing } from "./table/hashing.ts";
import type { KernelEntry } from "./table/kernelEntry.ts";
import { masks } from "./table/masks.ts";
import { numbering } from "./table/numbering.ts";
import { partitioning } from "./table/partitioning.ts";
import { sealers } from "./table/sealers.ts";
import { texts } from "./table/texts.ts";

/** The entries of all kernels that are bound to one memory, by the kernel's name. */
export type KernelTable = Readonly<Record<string, KernelEntry<unknown>>>;

/** The exports of a table's kernels, arranged for callers. */
export type Opened<Table extends KernelTable> = {
  readonly [Name in keyof Table]: Table[Name] extends KernelEntry<infer Kernel> ? Kernel : never;
};

/**
 * Every kernel of `kernels.wasm`, declared once. There is one table per memory: the arena, and the memories for
 * decoding files, for sealing row groups, and for ordering and searching strings. The build, `openKernels.ts`,
 * `warmKernels.ts` and the tests iterate over these tables.
 */
export const kernelTables = {
  arena: {
    ...masks,
    ...decoding,
    ...arithmetic,
    ...numbering,
    ...folds,
    ...fewGroups,
    ...counting,
    ...hashing,
    ...partitioning,
  },
  decoders,
  sealers,
  texts,
};
