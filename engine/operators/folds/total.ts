import type { Summand } from "../../plan/boundPlan.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import type { VectorSource } from "../rows/vectorSource.ts";
import { storedSummand } from "./storedSummand.ts";

/** The number of values that are not null, and their sum. */
interface CountAndSum {
  readonly count: number;
  readonly sum: number;
}

/** Sums a summand over rows that all belong to the same group. */
interface Total {
  /** Returns whether `sum` reads only stored values. */
  isStored(): boolean;
  /** Sums the active rows. */
  sum(): CountAndSum;
  /** Returns whether zone maps contain the sum of the row group. */
  canSummarize(): boolean;
  /** Reads the sum of the whole row group from its zone maps. */
  summarize(): CountAndSum;
}

/**
 * If at most one in this many rows is selected, reading the selected rows one by one is faster than summing all stored
 * values with a mask.
 */
const sparseRows = 8;

function sumsUnderMask({ mask, rowCount, vectorRowCount }: VectorSource): boolean {
  return mask >= 0 && rowCount * sparseRows > vectorRowCount;
}

export function compileTotal(summand: Summand, compilation: Compilation): Total {
  const { of, decimals } = summand;
  const { source, workspace } = compilation;
  const vector = compileVector(of, decimals, compilation);
  const out = workspace.reserve(16);
  const column = of.kind === "column" ? of.column : undefined;
  const storedWhole = () =>
    !source.isSelected || sumsUnderMask(source) ? storedSummand(summand, source) : undefined;
  return {
    isStored: () => storedWhole() !== undefined,
    sum: () => {
      const { kernels, rowCount, base } = source;
      const at = base + out;
      const place = at / 8;
      const whole = storedWhole();
      if (!whole) {
        kernels.totalFloat[8](vector.read(), rowCount, at);
        return { sum: source.arena.f64[place], count: source.arena.f64[place + 1] };
      }
      const { segment, stored, factor } = whole;
      const { width, address: from } = stored;
      if (source.isSelected)
        kernels.totalMasked[width](from, source.mask, source.vectorRowCount, at);
      else kernels.total[width](from, rowCount, at);
      const sum = source.arena.f64[place];
      const count = source.arena.f64[place + 1];
      return { count, sum: (sum * segment.scale + count * segment.bias) * factor };
    },
    canSummarize: () => {
      if (column === undefined || decimals < 0) return false;
      const { sum, decimals: own } = source.segment(column);
      return sum === sum && own >= 0;
    },
    summarize: () => {
      if (column === undefined) return { count: 0, sum: 0 };
      const { sum, decimals: own, nullCount, rowCount } = source.segment(column);
      return { count: rowCount - nullCount, sum: sum * 10 ** (decimals - own) };
    },
  };
}
