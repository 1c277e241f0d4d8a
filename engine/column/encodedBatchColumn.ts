import type { PackedTexts } from "./texts/packedTexts.ts";

/** One column's values of a batch on its way into a table, before they are narrowed. */
export type EncodedBatchColumn =
  /** NaN is null. Datetimes are whole milliseconds UTC. */
  | { readonly type: "number" | "datetime"; readonly values: Float64Array }
  /** -1 is null. */
  | { readonly type: "text"; readonly codes: Int32Array; readonly texts: PackedTexts };
