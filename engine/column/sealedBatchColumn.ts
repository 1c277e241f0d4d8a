import type { DataType } from "../types.ts";
import type { PackedTexts } from "./texts/packedTexts.ts";
import type { Segment } from "./segment/segment.ts";

/** Rows of one column in their narrowest forms, in segments of at most a row group each. */
export interface SealedBatchColumn {
  readonly type: DataType;
  /** In order. `arena` is 0 and offsets are bytes of `stored`; stored codes are those of `texts` plus one. */
  readonly segments: readonly Segment[];
  /**
   * The stored values of all segments, one behind the other, each as long as `storedBytes` says; 64-byte aligned in its
   * buffer.
   */
  readonly stored: Uint8Array;
  /** Present for a text. */
  readonly texts?: PackedTexts;
}
