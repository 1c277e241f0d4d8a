import { rowGroupSize } from "../../column/segment/segment.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import { deletedInGroup, type DeletedRows } from "../../table/deletedRows.ts";
import type { Compilation } from "../rows/compilation.ts";
import type { Mask } from "./masks.ts";
import type { Pruning } from "./prune.ts";

/** The rows that are not deleted. */
export interface KeptRows {
  /** Returns whether all, some or none of the rows of the row group are kept. */
  openRowGroup(): Pruning;
  readonly mask: Mask;
}

/** For each byte of deleted bits, eight bytes: 1 for each row that is kept. Read as doubles, to write eight at once. */
const keptBytes = new Float64Array(256);
new Uint8Array(keptBytes.buffer).forEach((_, at, bytes) => {
  bytes[at] = (at >> 3) & (1 << (at & 7)) ? 0 : 1;
});

/** Compiles the test that leaves out the deleted rows of a table, whose columns have `rowCount` rows. */
export function compileKeptRows(
  deleted: DeletedRows,
  rowCount: number,
  { source, workspace }: Compilation,
): KeptRows {
  const place = workspace.reserve(vectorSize);
  const { bits } = deleted;
  return {
    openRowGroup() {
      const count = deletedInGroup(deleted, source.rowGroup);
      if (count === 0) return "all";
      return count === source.rowGroupRowCount(rowCount) ? "none" : "some";
    },
    mask: {
      read() {
        const { arena, isSelected, start, rowGroup, base } = source;
        const activeCount = source.rowCount;
        const to = base + place;
        const firstByte = (rowGroup * rowGroupSize + start) / 8;
        if (!isSelected) {
          const { f64 } = arena;
          const bytes = Math.ceil(activeCount / 8);
          for (let at = 0; at < bytes; at++) f64[to / 8 + at] = keptBytes[bits[firstByte + at]];
          return to;
        }
        const { u8 } = arena;
        const selection = new Uint16Array(u8.buffer, source.selection, activeCount);
        for (let row = 0; row < activeCount; row++) {
          const selected = selection[row];
          u8[to + row] = (bits[firstByte + (selected >> 3)] >> (selected & 7)) & 1 ? 0 : 1;
        }
        return to;
      },
    },
  };
}
