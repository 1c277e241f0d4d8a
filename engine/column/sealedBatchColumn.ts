import type { DataType } from "../types.ts";
import type { PackedTexts } from "./texts/packedTexts.ts";
import type { Segment } from "./segment/segment.ts";

/** Rows of one column in their narrowest forms, in segments of at most one row group each. */
export interface SealedBatchColumn {
  readonly type: DataType;
  /**
   * The segments in order. `arena` is 0 and offsets are bytes of `stored`. Stored codes are codes of `texts` plus one.
   */
  readonly segments: readonly Segment[];
  /**
   * The stored values of all segments, one after another; `storedBytes` returns the length of a segment's values. The
   * bytes are aligned to 64 bytes in their buffer.
   */
  readonly stored: Uint8Array;
  /** The strings of the batch. Present only for text columns. */
  readonly texts?: PackedTexts;
}
