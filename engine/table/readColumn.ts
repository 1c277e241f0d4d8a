import { decodeCodes, decodeNumbers } from "../column/segment/decodeSegment.ts";
import { readSegment, segmentRecordDoubles, type Segment } from "../column/segment/segment.ts";
import type { Memory } from "../memory/memory.ts";
import type { Scalar } from "../types.ts";
import type { ColumnSnapshot } from "./snapshot.ts";

/** Returns the segments of a column: first the sealed segments, then the tail. */
export function segmentsOf(memory: Memory, column: ColumnSnapshot): readonly Segment[] {
  const { directory, sealedCount, tail } = column;
  const segments: Segment[] = [];
  for (let index = 0; directory && index < sealedCount; index++)
    segments.push(
      readSegment(
        new Float64Array(
          memory.buffer(directory.arena),
          directory.offset + index * segmentRecordDoubles * 8,
          segmentRecordDoubles,
        ),
      ),
    );
  return tail ? [...segments, tail] : segments;
}

/** Reads a column's plain values, one per row. This is slow, and is used only in tests. */
export function readColumn(memory: Memory, column: ColumnSnapshot): Scalar[] {
  return segmentsOf(memory, column).flatMap((segment): Scalar[] =>
    column.dictionary
      ? Array.from(decodeCodes(memory, segment), (stored) =>
          stored === 0 ? null : (column.dictionary?.texts[stored - 1] ?? null),
        )
      : Array.from(decodeNumbers(memory, segment), (value) => (value === value ? value : null)),
  );
}
