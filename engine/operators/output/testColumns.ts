import type { BoundRows, BoundTest, BoundValue } from "../../expressions/boundValue.ts";
import { RowEvaluator } from "../../expressions/rowEvaluator.ts";
import type { ComputedTexts } from "../rows/computedTexts.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import { comparisons } from "../filter/comparisons.ts";

/**
 * Tests the rows of output columns. There must be few rows. Returns one byte per row, which is 1 if the predicate is
 * true. Column indices of the predicate refer to `columns`. `texts` contains the strings of columns that contain codes
 * of computed strings.
 */
export function testColumns(
  predicate: BoundTest,
  columns: readonly Float64Array[],
  rowCount: number,
  texts: readonly ComputedTexts[] = [],
): Uint8Array {
  const mask = new Uint8Array(rowCount);
  const numbers = (of: BoundValue): Float64Array => {
    if (of.kind === "rows") return testTexts(of, columns, rowCount, texts);
    if (of.kind !== "column") throw new RangeError("having may only test outputs");
    return columns[of.column];
  };
  switch (predicate.kind) {
    case "and":
    case "or": {
      const isAnd = predicate.kind === "and";
      if (isAnd) mask.fill(1);
      for (const part of predicate.of) {
        const other = testColumns(part, columns, rowCount, texts);
        if (isAnd) for (let row = 0; row < rowCount; row++) mask[row] &= other[row];
        else for (let row = 0; row < rowCount; row++) mask[row] |= other[row];
      }
      return mask;
    }
    case "not": {
      const other = testColumns(predicate.of, columns, rowCount, texts);
      for (let row = 0; row < rowCount; row++) mask[row] = other[row] ^ 1;
      return mask;
    }
    case "lookup": {
      const codes = columns[predicate.column];
      for (let row = 0; row < rowCount; row++) mask[row] = predicate.passes[codes[row]];
      return mask;
    }
    case "lookupNumber":
      throw new RangeError("having may only test outputs");
    case "isNull": {
      const values = numbers(predicate.left);
      for (let row = 0; row < rowCount; row++) mask[row] = values[row] === values[row] ? 0 : 1;
      return mask;
    }
    case "in": {
      const values = numbers(predicate.left);
      for (let row = 0; row < rowCount; row++)
        mask[row] = predicate.values.has(values[row]) ? 1 : 0;
      return mask;
    }
    case "compare": {
      const values = numbers(predicate.left);
      const passes = comparisons[predicate.operator];
      const { value } = predicate;
      for (let row = 0; row < rowCount; row++) mask[row] = passes(values[row], value) ? 1 : 0;
      return mask;
    }
  }
}

/** Evaluates the test of a computed string row by row, over the strings of its output. */
function testTexts(
  rows: BoundRows,
  columns: readonly Float64Array[],
  rowCount: number,
  texts: readonly ComputedTexts[],
): Float64Array {
  const places = rows.inputs.map(({ of }) =>
    of.kind === "text" && of.code.kind === "byCode" ? of.code.column : -1,
  );
  const inputs = rows.inputs.map((input, index) => {
    const own = texts[places[index]] ?? [];
    const { of } = input;
    return of.kind === "text"
      ? { ...input, of: { ...of, texts: own, textCount: own.length, packed: undefined } }
      : input;
  });
  const numbers = new Float64Array(rowCount);
  const vectors = places.map((place) => columns[place]);
  new RowEvaluator({ ...rows, inputs }, endIfCancelled).writeNumbers(vectors, rowCount, numbers);
  return numbers;
}
