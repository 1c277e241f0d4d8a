import type { Dictionary } from "./texts/dictionary.ts";
import type { Segment } from "./segment/segment.ts";
import type { ColumnSummary } from "./segment/summary.ts";

/** A segment on disk. Offsets are relative to the start of its column's values. */
export interface SavedSegment {
  readonly segment: Segment;
  /** Checksum of the stored values. */
  readonly crc32: number;
}

/**
 * The first row groups of a column, in a file. Every read verifies checksums, and throws `DamagedFile` if a checksum is
 * wrong.
 */
export interface SavedColumn {
  readonly rowGroupCount: number;
  readonly summary: ColumnSummary;
  readonly textCount: number;
  /** Estimated bytes of memory that the dictionary needs. */
  readonly textBytes: number;
  readSegments(): Promise<readonly SavedSegment[]>;
  /** Fills `into` with the stored values of consecutive segments. */
  readValues(segments: readonly SavedSegment[], into: Uint8Array): Promise<void>;
  /** Adds the saved strings to an empty dictionary, in several steps. */
  readTexts(into: Dictionary): Promise<void>;
}
