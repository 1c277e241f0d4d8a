import type { ColumnDefinition } from "../types.ts";
import type { OpenRowGroup } from "./openRowGroup.ts";
import { createNullSegment, rowGroupSize, type Segment } from "./segment/segment.ts";
import type { ZoneMap } from "./seal/zoneMap.ts";

/** The column to which rows are added. */
export interface RowTarget {
  readonly type: ColumnDefinition["type"];
  /** The row group to which rows can still be added. */
  readonly open: OpenRowGroup;
  /** Returns the arena of the row group's other columns, if known. */
  readonly near: () => number | undefined;
  /** Receives each row group once it is full and sealed. */
  readonly push: (segment: Segment) => void;
}

/**
 * Adds `rowCount` rows to the open row group and seals it whenever it is full. `values` are doubles or stored codes; if
 * absent, all rows are null. `zone` is the zone map of the values, if known.
 */
export function appendRows(
  { type, open, near, push }: RowTarget,
  values: Float64Array | Int32Array | undefined,
  rowCount: number,
  zone?: ZoneMap,
): void {
  for (let row = 0; row < rowCount;) {
    const taken = Math.min(rowCount - row, rowGroupSize - open.rowCount);
    if (!values && taken === rowGroupSize) push(createNullSegment(rowGroupSize));
    else {
      const rows = values?.subarray(row, row + taken) ?? nulls(type, taken);
      open.append(rows, near(), taken === rowCount ? zone : undefined);
      if (open.rowCount === rowGroupSize) push(open.seal(near()));
    }
    row += taken;
  }
}

function nulls(type: ColumnDefinition["type"], rowCount: number): Float64Array | Int32Array {
  return type === "text" ? new Int32Array(rowCount) : new Float64Array(rowCount).fill(NaN);
}
