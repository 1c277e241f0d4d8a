import type { PackedTexts } from "./texts/packedTexts.ts";

/** The values of one column in a batch on its way into a table, before they are narrowed. */
export type EncodedBatchColumn =
  /** NaN is null. Datetimes are whole milliseconds in UTC. */
  | { readonly type: "number" | "datetime"; readonly values: Float64Array }
  /** -1 is null. */
  | { readonly type: "text"; readonly codes: Int32Array; readonly texts: PackedTexts };
