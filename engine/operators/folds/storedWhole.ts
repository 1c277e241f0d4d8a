import type { StoredValues } from "../../column/segment/segment.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundQuantile } from "../../plan/boundPlan.ts";
import type { Numbering } from "../keys/numbering.ts";
import { compileVector, widenStored, type Compilation, type StoredWidth } from "../rows/vectors.ts";
import type { VectorSource } from "../rows/vectorSource.ts";

/** Whole numbers or codes of the rows to look at: stored + offset, and null where stored is 0. */
export interface StoredWhole {
  readonly address: number;
  readonly width: StoredWidth;
  readonly offset: number;
}

/** Where the numbers of a quantile are stored as they are counted; undefined where they must be made. */
export function storedSegment(
  { of, decimals, shift }: BoundQuantile,
  source: VectorSource,
): { readonly values: StoredValues; readonly bias: number } | undefined {
  if (shift < 0 || of.kind !== "column") return undefined;
  const { form, values, bias, scale, decimals: own } = source.segment(of.column);
  return form === "whole" && values && own === decimals && scale === 1
    ? { values, bias }
    : undefined;
}

/**
 * Compiles the whole numbers of a quantile with a shift, stored ones as they lie, others as 32-bit numbers. (stored + offset) >> shift
 * is the bucket in which the plan counts them, whatever the row group's own bias is.
 */
export function compileStoredWhole(
  quantile: BoundQuantile,
  compilation: Compilation,
): () => StoredWhole {
  const { of, decimals, low, shift } = quantile;
  const { source, workspace } = compilation;
  const vector = compileVector(of, decimals, compilation);
  const place = workspace.reserve(vectorSize * 4);
  const column = of.kind === "column" ? of.column : undefined;
  /** The bucket 0 is that of null. */
  const first = 2 ** shift;
  return () => {
    const to = source.base + place;
    const segment = storedSegment(quantile, source);
    if (!segment || column === undefined) {
      source.kernels.numberWhole(vector.read(), source.rowCount, low, 1, to, 1);
      return { address: to, width: 4, offset: first - 1 };
    }
    const offset = segment.bias - low + first;
    if (!source.isSelected) {
      const address = source.address(column, segment.values);
      return { address, width: segment.values.width as StoredWidth, offset };
    }
    widenStored(source, column, segment.values, 0, to);
    return { address: to, width: 4, offset };
  };
}

/** Group numbers / stride of the rows to look at, as kernels that read stored numbers take them. */
interface StoredGroups {
  readonly address: number;
  readonly width: 1 | 2 | 4;
  readonly stride: number;
}

/** Finds the group numbers that go with stored values, less what is the same in the whole row group. */
export function storedGroups(numbering: Numbering, values: StoredWhole): StoredGroups {
  // Times 0, any bytes will do.
  if (numbering.isConstant) return { address: values.address, width: 1, stride: 0 };
  const stored = numbering.stored();
  if (stored && stored.width !== 3) return { ...stored, width: stored.width };
  return { address: numbering.read(), width: 4, stride: 1 };
}

/** Whether `storedGroups` finds numbers that lie stored, when all rows of the row group are looked at. */
export function hasStoredGroups(numbering: Numbering): boolean {
  return numbering.isConstant || [1, 2, 4].includes(numbering.storedCodes()?.width ?? 0);
}
