import type { Dictionary } from "../column/texts/dictionary.ts";
import type { Segment } from "../column/segment/segment.ts";
import type { ColumnSummary } from "../column/segment/summary.ts";
import type { ColumnDefinition } from "../types.ts";

/** One column of one version of a table: `sealedCount` full row groups, then the tail. */
export interface ColumnSnapshot extends ColumnSummary {
  readonly definition: ColumnDefinition;
  /**
   * Where the records of the sealed segments lie, `segmentRecordDoubles` doubles each; undefined when there is none.
   */
  readonly directory: { readonly arena: number; readonly offset: number } | undefined;
  readonly sealedCount: number;
  /** The rows behind the sealed ones; absent when there is none. */
  readonly tail?: Segment;
  /** The largest |value|; NaN when every row is null, and of texts. */
  readonly largest: number;
  /** May have grown since; codes below `textCount` belong to the version. */
  readonly dictionary: Dictionary | undefined;
  readonly textCount: number;
}

/**
 * One version of a table; appends never change what it shows. A lease of the memory, taken at the same time, keeps it
 * readable.
 */
export interface Snapshot {
  readonly table: string;
  readonly version: number;
  readonly rowCount: number;
  readonly columns: ReadonlyMap<string, ColumnSnapshot>;
}
