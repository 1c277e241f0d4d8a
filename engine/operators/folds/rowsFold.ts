import type { Numbering } from "../keys/numbering.ts";
import type { VectorSource } from "../rows/vectorSource.ts";
import { always, type AccessPath, type SlotFold } from "./accessPath.ts";
import { addFew, countFew } from "./fewSums.ts";

/** Compiles the count of rows by group. */
export function compileRowsFold(
  numbering: Numbering,
  source: VectorSource,
  copyBytes: number,
): SlotFold {
  return {
    paths: rowsPaths(numbering, source, copyBytes),
    summary: {
      canFold: always,
      fold: (state, rowCount) => {
        source.arena.f64[state / 8] += rowCount;
      },
    },
  };
}

/** Returns the paths that count rows. */
export function rowsPaths(
  numbering: Numbering,
  source: VectorSource,
  copyBytes: number,
): readonly AccessPath[] {
  return [
    {
      name: "one group",
      canFold: () => numbering.isConstant,
      canFoldRowGroup: always,
      fold: (state) => {
        source.arena.f64[state / 8] += source.rowCount;
      },
    },
    {
      name: "few groups",
      canFold: () => numbering.fewGroupCount() > 0,
      canFoldRowGroup: () => numbering.isFewStored(),
      fold: (state) => {
        const few = numbering.few();
        addFew(countFew(few, source), few, state, source);
      },
    },
    {
      name: "any groups",
      canFold: always,
      fold: (state) =>
        source.kernels.foldRows(numbering.read(), source.rowCount, state, 16, copyBytes),
    },
  ];
}
