import type { BoundValue } from "../../expressions/boundValue.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import { always, noSummary, type AccessPath, type SlotFold } from "./accessPath.ts";
import { addFew, countFew } from "./fewSums.ts";
import { rowsPaths } from "./rowsFold.ts";

/**
 * Compiles the count of an expression's values. Stored columns are not decoded, because the count only depends on
 * nulls.
 */
export function compileCountFold(
  of: BoundValue,
  numbering: Numbering,
  compilation: Compilation,
  copyBytes: number,
): SlotFold {
  const { source, workspace } = compilation;
  const vector = compileVector(of, -1, compilation);
  const out = workspace.reserve(16);
  const oneDecoded: AccessPath = {
    name: "one group, decoded",
    canFold: () => numbering.isConstant,
    fold: (state) => {
      const at = source.base + out;
      source.kernels.totalFloat[8](vector.read(), source.rowCount, at);
      source.arena.f64[state / 8] += source.arena.f64[at / 8 + 1];
    },
  };
  const anyDecoded: AccessPath = {
    name: "any groups, decoded",
    canFold: always,
    fold: (state) => {
      const { kernels, rowCount } = source;
      kernels.foldCountSum(numbering.read(), vector.read(), rowCount, state, 16, copyBytes);
    },
  };
  if (of.kind !== "column") return { paths: [oneDecoded, anyDecoded], summary: noSummary };
  const { column } = of;
  const withoutNulls = rowsPaths(numbering, source, copyBytes).map((path): AccessPath => ({
    ...path,
    name: `no nulls, ${path.name}`,
    canFold: () => source.segment(column).nullCount === 0 && path.canFold(),
  }));
  const { oneStored, fewStored } = storedPaths(column, numbering, compilation);
  return {
    paths: [
      {
        name: "nulls only",
        canFold: () => source.segment(column).form === "null",
        fold: () => undefined,
      },
      ...withoutNulls,
      oneStored,
      oneDecoded,
      fewStored,
      anyDecoded,
    ],
    summary: {
      canFold: always,
      fold: (state, rowCount) => {
        source.arena.f64[state / 8] += rowCount - source.segment(column).nullCount;
      },
    },
  };
}

/** Returns the paths that find nulls among stored values. */
function storedPaths(
  column: number,
  numbering: Numbering,
  { source, workspace }: Compilation,
): { readonly oneStored: AccessPath; readonly fewStored: AccessPath } {
  const presencePlace = workspace.reserve(vectorSize);
  const numbersPlace = workspace.reserve(vectorSize);

  const storedValues = () => {
    const stored = source.stored(column);
    if (!stored) throw new RangeError(`column ${column} has no stored values`);
    return stored;
  };

  return {
    oneStored: {
      name: "one group, stored",
      // The active rows must have a mask, because nulls are marked by a byte for each row of the vector. A list of rows
      // is not sufficient.
      canFold: () => numbering.isConstant && (!source.isSelected || source.mask >= 0),
      fold: (state) => {
        const { kernels, isSelected, mask, vectorRowCount, arena, base } = source;
        const presence = base + presencePlace;
        storedValues().maskValues(presence);
        arena.f64[state / 8] += isSelected
          ? kernels.andMask(mask, presence, vectorRowCount, presence)
          : kernels.countMask(presence, vectorRowCount);
      },
    },
    fewStored: {
      name: "few groups, stored",
      canFold: () => numbering.fewGroupCount() > 0,
      fold: (state) => {
        const few = numbering.few();
        const address = source.base + numbersPlace;
        const present = storedValues().leaveNulls(few.address, address);
        addFew(countFew({ ...few, address, present }, source), few, state, source);
      },
    },
  };
}
