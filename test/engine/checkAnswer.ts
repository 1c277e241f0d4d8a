import * as assert from "uvu/assert";
import type { Plan, Scalar } from "../../engine/index.ts";
import { compare } from "./compare.ts";
import type { Bounds } from "./referenceAggregates.ts";

/**
 * Asserts that an answer agrees with the row-at-a-time engine, within the bounds from `referenceBounds`. The rows and
 * their order must be equal, and sums of doubles and approximate aggregates must be within their bounds. Without an
 * order, the rows of a grouped plan are compared as a set.
 */
export function checkAnswer(
  found: readonly (readonly Scalar[])[],
  plan: Plan,
  bounds: readonly (readonly Bounds[])[],
  label: string,
): void {
  let expected = bounds;
  let answer = found;
  if (plan.grouped && !plan.order?.length) {
    const outputs = plan.outputs.flatMap(({ kind }, output) => (kind === "key" ? [output] : []));
    expected = [...expected].sort(byOutputs(outputs, (cell: Bounds) => cell.value));
    answer = [...found].sort(byOutputs(outputs, (cell: Scalar) => cell));
  }
  assert.is(answer.length, expected.length, `rows of ${label}`);
  expected.forEach((cells, row) => {
    cells.forEach((cell, output) => {
      if (!isWithin(answer[row][output], cell))
        assert.equal(answer[row], cells, `row ${row}, output ${output} of ${label}`);
    });
  });
}

function isWithin(found: Scalar, { value, low, high }: Bounds): boolean {
  if (typeof value !== "number") return found === value;
  return typeof found === "number" && found >= low && found <= high;
}

function byOutputs<Cell>(outputs: readonly number[], valueOf: (cell: Cell) => Scalar) {
  return (left: readonly Cell[], right: readonly Cell[]): number => {
    for (const output of outputs) {
      const [a, b] = [valueOf(left[output]), valueOf(right[output])];
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1;
        continue;
      }
      const difference = compare(a, b);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}
