import type { Dictionary } from "../column/texts/dictionary.ts";
import type { Segment } from "../column/segment/segment.ts";
import type { ColumnSummary } from "../column/segment/summary.ts";
import type { ColumnDefinition } from "../types.ts";

/** One column of one version of a table: `sealedCount` full row groups, then the tail. */
export interface ColumnSnapshot extends ColumnSummary {
  readonly definition: ColumnDefinition;
  /**
   * The location of the sealed segments' records, `segmentRecordDoubles` doubles each; undefined when there are none.
   */
  readonly directory: { readonly arena: number; readonly offset: number } | undefined;
  readonly sealedCount: number;
  /** The rows after the sealed ones; absent when there are none. */
  readonly tail?: Segment;
  /** The largest |value|; NaN when every row is null, and for text columns. */
  readonly largest: number;
  /** It may have grown since. Codes below `textCount` belong to this version. */
  readonly dictionary: Dictionary | undefined;
  readonly textCount: number;
}

/** One version of a table. Appends do not change it. A memory lease taken at the same time keeps it readable. */
export interface Snapshot {
  readonly table: string;
  readonly version: number;
  readonly rowCount: number;
  readonly columns: ReadonlyMap<string, ColumnSnapshot>;
}
