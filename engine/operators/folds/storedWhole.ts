import type { StoredWidth } from "../../column/segment/segment.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundQuantile } from "../../plan/boundPlan.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { StoredIntegers } from "../rows/storedColumn.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import type { VectorSource } from "../rows/vectorSource.ts";

/** Whole numbers or codes of the active rows: stored + offset, or null where stored is 0. */
export interface StoredWhole {
  readonly address: number;
  readonly width: StoredWidth;
  readonly offset: number;
}

/**
 * Returns the stored numbers of a quantile with their bias; undefined if they must be decoded before counting.
 */
export function storedNumbers(
  { of, decimals, shift }: BoundQuantile,
  source: VectorSource,
): { readonly stored: StoredIntegers; readonly bias: number } | undefined {
  if (shift < 0 || of.kind !== "column") return undefined;
  const stored = source.stored(of.column);
  if (stored?.kind !== "integers") return undefined;
  const { segment } = stored;
  return segment.form === "whole" && segment.decimals === decimals && segment.scale === 1
    ? { stored, bias: segment.bias }
    : undefined;
}

/**
 * Compiles the whole numbers of a quantile with a shift: stored numbers are read in place, other numbers as 32-bit
 * numbers. The bucket of a number is (stored + offset) >> shift. It is the same for every bias of a row group.
 */
export function compileStoredWhole(
  quantile: BoundQuantile,
  compilation: Compilation,
): () => StoredWhole {
  const { of, decimals, low, shift } = quantile;
  const { source, workspace } = compilation;
  const vector = compileVector(of, decimals, compilation);
  const place = workspace.reserve(vectorSize * 4);
  /** Bucket 0 counts nulls, so the first value must be in bucket 1. */
  const first = 2 ** shift;
  return () => {
    const to = source.base + place;
    const numbers = storedNumbers(quantile, source);
    if (!numbers) {
      source.kernels.numberWhole(vector.read(), source.rowCount, low, 1, to, 1);
      return { address: to, width: 4, offset: first - 1 };
    }
    return { ...numbers.stored.read(to), offset: numbers.bias - low + first };
  };
}

/** The group numbers of the active rows, divided by the stride, in a form that kernels for stored numbers accept. */
interface StoredGroups {
  readonly address: number;
  readonly width: 1 | 2 | 4;
  readonly stride: number;
}

/**
 * Returns the group numbers of the active rows, minus the part that is constant in the row group. These are stored
 * numbers if possible.
 */
export function storedGroups(numbering: Numbering, values: StoredWhole): StoredGroups {
  // The numbers are multiplied by 0, so any bytes can be read.
  if (numbering.isConstant) return { address: values.address, width: 1, stride: 0 };
  const width = storedWidth(numbering);
  const stored = width && numbering.stored();
  return stored ? { ...stored, width } : { address: numbering.read(), width: 4, stride: 1 };
}

/** Returns whether `storedGroups` reads only stored numbers. */
export function hasStoredGroups(numbering: Numbering): boolean {
  return numbering.isConstant || storedWidth(numbering) !== undefined;
}

/** Returns the width of the stored group numbers if kernels support it. */
function storedWidth(numbering: Numbering): 1 | 2 | 4 | undefined {
  const width = numbering.storedCodes()?.width;
  return width === 3 ? undefined : width;
}
