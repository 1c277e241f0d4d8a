import type { Dictionary } from "../column/dictionary.ts";
import type { Segment } from "../column/segment.ts";
import type { ColumnDefinition } from "../types.ts";

/** One column of one version of a table. */
export interface ColumnSnapshot {
  readonly definition: ColumnDefinition;
  readonly segments: readonly Segment[];
  readonly nullCount: number;
  /** NaN when every row is null. */
  readonly minimum: number;
  readonly maximum: number;
  readonly isWhole: boolean;
  /** May have grown since; codes below `textCount` belong to the version. */
  readonly dictionary: Dictionary | undefined;
  readonly textCount: number;
}

/** One version of a table; appends never change what it shows. */
export interface Snapshot {
  readonly table: string;
  readonly version: number;
  readonly rowCount: number;
  readonly columns: ReadonlyMap<string, ColumnSnapshot>;
}
