import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundKey } from "../../plan/boundPlan.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import type { KeyNumbering } from "./keyNumbering.ts";

/**
 * Numbers values that are whole when multiplied by 10^decimals. Numbers start with `base` and increase by one per
 * `step`; 0 is null.
 */
export function compileWholeNumbering(
  { of, base, decimals, step = 1 }: Extract<BoundKey, { kind: "whole" }>,
  stride: number,
  compilation: Compilation,
): KeyNumbering {
  const { source, workspace } = compilation;
  const stepPlace = step === 1 ? 0 : workspace.reserve(vectorSize * 8);
  const vector = compileVector(of, decimals, compilation);
  const column = of.kind === "column" ? of.column : undefined;
  const numberOf = (value: number) => Math.round(value * 10 ** decimals) - base + 1;
  /** Returns the stored numbers of the row group if they differ from the key's numbers only by `offset`. */
  const storedNumbers = () => {
    const stored = column === undefined ? undefined : source.stored(column);
    if (stored?.kind !== "integers") return undefined;
    const { segment } = stored;
    return segment.form === "whole" && segment.scale === 1 && segment.decimals === decimals
      ? { stored, offset: segment.bias - base + 1 }
      : undefined;
  };
  return {
    column: undefined,
    few: () => {
      const numbers = storedNumbers();
      if (column === undefined || numbers?.stored.width !== 1) return undefined;
      const { stored, offset } = numbers;
      const { nullCount, minimum, maximum } = stored.segment;
      const first = nullCount > 0 ? 0 : numberOf(minimum) - offset;
      const addend = (code: number) => (code === 0 ? 0 : code + offset) * stride;
      return { column, first, count: numberOf(maximum) - offset - first + 1, addend };
    },
    openRowGroup: () => {
      if (column === undefined) return undefined;
      const { form, nullCount, minimum, maximum } = source.segment(column);
      if (form === "null") return 0;
      return nullCount === 0 && minimum === maximum ? numberOf(minimum) : undefined;
    },
    write: (to, isFirst) => {
      const { kernels, rowCount } = source;
      const numbers = storedNumbers();
      if (numbers) {
        const { stored, offset } = numbers;
        stored.number(offset, stride, to, isFirst);
      } else if (step === 1)
        kernels.numberWhole(vector.read(), rowCount, base, stride, to, isFirst);
      else {
        const steps = source.base + stepPlace;
        kernels.countSteps(vector.read(), rowCount, base, step, steps);
        kernels.numberWhole(steps, rowCount, 0, stride, to, isFirst);
      }
    },
  };
}
