import type { BoundValue } from "../../expressions/boundValue.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import { addFew, countFew } from "./fewSums.ts";
import type { Numbering } from "../keys/numbering.ts";
import { compileVector, type Compilation } from "../rows/vectors.ts";
import type { VectorSource } from "../rows/vectorSource.ts";

/** Counts rows by group: what a slot of that kind does. */
export function foldRows(
  numbering: Numbering,
  source: VectorSource,
  state: number,
  copyBytes: number,
): void {
  const { kernels, rowCount, arena } = source;
  if (numbering.isConstant) {
    arena.f64[state / 8] += rowCount;
    return;
  }
  const few = numbering.few();
  if (few) addFew(countFew(few, source), few, state, source);
  else kernels.foldRows(numbering.read(), rowCount, state, 16, copyBytes);
}

interface CountFold {
  canSummarize(): boolean;
  summarize(state: number, rowCount: number): void;
  fold(state: number): void;
}

/** Compiles the count of an expression's values: of a stored column only which of them are null is looked at. */
export function compileCountFold(
  of: BoundValue,
  numbering: Numbering,
  compilation: Compilation,
  copyBytes: number,
): CountFold {
  const { source, workspace } = compilation;
  const column = of.kind === "column" ? of.column : undefined;
  const vector = compileVector(of, -1, compilation);
  const maskPlace = workspace.reserve(vectorSize);
  const numbersPlace = workspace.reserve(vectorSize);
  const out = workspace.reserve(16);

  const storedOf = (column: number) => {
    const stored = source.stored(column);
    if (!stored) throw new RangeError(`column ${column} has no stored values`);
    return stored;
  };

  /** Values of all rows to look at; undefined where only a list tells these. */
  const countAll = (column: number): number | undefined => {
    const { kernels, base, isSelected, mask, vectorRowCount } = source;
    if (isSelected && mask < 0) return undefined;
    const presence = base + maskPlace;
    storedOf(column).maskValues(presence);
    return isSelected
      ? kernels.andMask(mask, presence, vectorRowCount, presence)
      : kernels.countMask(presence, vectorRowCount);
  };

  return {
    canSummarize: () => column !== undefined,
    summarize: (state, rowCount) => {
      const nullCount = column === undefined ? 0 : source.segment(column).nullCount;
      source.arena.f64[state / 8] += rowCount - nullCount;
    },
    fold: (state) => {
      const { kernels, arena, base, rowCount } = source;
      const segment = column === undefined ? undefined : source.segment(column);
      if (segment?.form === "null") return;
      if (segment?.nullCount === 0) {
        foldRows(numbering, source, state, copyBytes);
        return;
      }
      if (numbering.isConstant) {
        const count = column === undefined ? undefined : countAll(column);
        if (count === undefined) kernels.totalFloat[8](vector.read(), rowCount, base + out);
        arena.f64[state / 8] += count ?? arena.f64[(base + out) / 8 + 1];
        return;
      }
      const few = column === undefined ? undefined : numbering.few();
      if (column === undefined || !few) {
        kernels.foldCountSum(numbering.read(), vector.read(), rowCount, state, 16, copyBytes);
        return;
      }
      const address = base + numbersPlace;
      const left = storedOf(column).leaveNulls(few.address, address);
      addFew(countFew({ ...few, address, present: left >> few.first }, source), few, state, source);
    },
  };
}
