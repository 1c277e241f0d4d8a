import type { Dictionary } from "../column/texts/dictionary.ts";
import type { Segment } from "../column/segment/segment.ts";
import type { ColumnSummary } from "../column/segment/summary.ts";
import type { ColumnDefinition } from "../types.ts";
import type { DeletedRows } from "./deletedRows.ts";

/** One column of one version of a table: `sealedCount` full row groups, then the tail. */
export interface ColumnSnapshot extends ColumnSummary {
  readonly definition: ColumnDefinition;
  /**
   * The location of the sealed segments' records, each of `segmentRecordDoubles` doubles; undefined if no segment is
   * sealed.
   */
  readonly directory: { readonly arena: number; readonly offset: number } | undefined;
  readonly sealedCount: number;
  /** The rows after the sealed row groups; absent if no rows follow them. */
  readonly tail?: Segment;
  /** The largest absolute value; NaN if every row is null, or if the column is a text column. */
  readonly largest: number;
  /** The dictionary, which may have grown since the snapshot. Codes below `textCount` belong to this version. */
  readonly dictionary: Dictionary | undefined;
  readonly textCount: number;
}

/**
 * One version of a table. Later appends do not change it. The version stays readable as long as the memory lease that
 * was created with it exists.
 */
export interface Snapshot {
  readonly table: string;
  readonly version: number;
  /** Number of rows in the columns, including deleted rows. */
  readonly rowCount: number;
  readonly columns: ReadonlyMap<string, ColumnSnapshot>;
  /** The rows that no reader may see; absent if no row is deleted. */
  readonly deleted?: DeletedRows;
}
