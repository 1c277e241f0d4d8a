import type { Segment } from "../../column/segment/segment.ts";
import { markScratchBytes } from "../../kernels/kernels.ts";
import type { BoundDistinct } from "../../plan/boundPlan.ts";
import { compileDistinctCodes } from "./distinctCodes.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { DistinctPlace } from "../../plan/stateLayout.ts";
import { storedGroups, type StoredWhole } from "./storedWhole.ts";
import type { Compilation } from "../rows/compilation.ts";

type CountedDistinct = Exclude<BoundDistinct, { kind: "number" | "computed" }>;

/** Marks the codes that occur in each group. */
interface Bitmaps {
  fold(): void;
  /** Clears the marks for null. Call it once, after all rows. */
  finish(capacity: number): void;
}

/** Compiles the bitmaps of a distinct count. */
export function compileBitmaps(
  distinct: CountedDistinct,
  { offset, wordsPerGroup }: DistinctPlace,
  numbering: Numbering,
  compilation: Compilation,
): Bitmaps {
  const { source, workspace } = compilation;
  const codes = compileStoredCodes(distinct, compilation);
  const groupBytes = wordsPerGroup * 4;
  const scratch = workspace.reserve(markScratchBytes);
  return {
    fold: () => {
      const values = codes();
      const groups = storedGroups(numbering, values);
      source.kernels.markStored[groups.width][values.width](
        groups.address,
        values.address,
        source.rowCount,
        values.offset,
        source.base + offset + numbering.constant * groupBytes,
        groups.stride * groupBytes,
        source.base + scratch,
      );
    },
    finish: (capacity) => {
      const { u32 } = source.arena;
      const first = (source.base + offset) / 4;
      for (let group = 0; group < capacity; group++) u32[first + group * wordsPerGroup] &= ~1;
    },
  };
}

/**
 * Compiles the reading of the codes to count, as stored numbers. If all rows are active, they are read in place;
 * otherwise they are copied as 32-bit numbers.
 */
function compileStoredCodes(
  distinct: CountedDistinct,
  compilation: Compilation,
): () => StoredWhole {
  const { source } = compilation;
  const vector = compileDistinctCodes(distinct, compilation);
  const column = columnOf(distinct);
  return () => {
    if (column !== undefined && !source.isSelected) {
      const stored = source.stored(column);
      const own = stored && offsetOf(distinct, stored.segment);
      if (stored?.kind === "integers" && own !== undefined)
        return { address: stored.address, width: stored.width, offset: own };
    }
    return { address: vector.read(), width: 4, offset: 0 };
  };
}

/** Returns the column whose stored numbers may be the codes to count. */
function columnOf(distinct: CountedDistinct): number | undefined {
  if (distinct.kind === "whole")
    return distinct.of.kind === "column" ? distinct.of.column : undefined;
  const { code } = distinct;
  return code.kind === "byCode" && !code.codes ? code.column : undefined;
}

/**
 * Returns the offset from stored numbers to codes; undefined if adding an offset does not convert stored numbers to
 * codes.
 */
function offsetOf(distinct: CountedDistinct, segment: Segment): number | undefined {
  if (distinct.kind === "code") return 0;
  if (segment.form !== "whole") return undefined;
  const { scale, decimals, bias } = segment;
  return scale === 1 && decimals === distinct.decimals ? bias - distinct.base + 1 : undefined;
}
